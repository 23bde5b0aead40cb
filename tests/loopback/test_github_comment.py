"""Comment and status over HTTP, as a run posts them."""

from __future__ import annotations

import pytest

from gate.loopback.github_memory import Memory
from gate.publish.comment import publish_comment, recall_attempts
from gate.publish.hidden import join, read
from gate.publish.state import remember
from gate.publish.status import publish_status
from gate.types import Verdict
from tests.loopback.github_world import REPOSITORY, github
from tests.unit.publish.publish_samples import HEAD, KEY, body_of, marker, occasion, past

BOT = "github-actions[bot]"


def shown(memory: Memory) -> dict[int, str]:
    """Number -> body of each comment that has a marker."""
    return {
        number: body_of(row["body"])
        for number, row in memory.issue_comments.items()
        if read(row["body"]) is not None
    }


def test_comment__among_150_on_two_pages() -> None:
    """The marker on the second page, a double of ours, a forged one: one right comment remains."""
    with github() as hub:
        add = hub.memory.add_comment
        forged = add(REPOSITORY, 7, join(marker(99), "forged", ""), "octo-author")
        for number in range(120):
            add(REPOSITORY, 7, f"talk {number}", "mona")
        kept = add(REPOSITORY, 7, join(marker(3), "three", ""), BOT, "Bot")
        for number in range(27):
            add(REPOSITORY, 7, f"more talk {number}", "mona")
        add(REPOSITORY, 7, join(marker(4), "four", ""), BOT, "Bot")
        assert 150 == len(hub.memory.issue_comments)
        outcome = publish_comment(
            hub.host(), occasion(5), KEY, "five", mode="update", state=None, status="pass"
        )

        assert {forged: "forged", kept: "five"} == shown(hub.memory)
        assert 149 == len(hub.memory.issue_comments)
        assert outcome.warning is None
        assert outcome.url is not None
        assert outcome.url.endswith(f"#issuecomment-{kept}")


def test_comment__old_run_ends_after_a_new_one() -> None:
    """It writes nothing."""
    with github() as hub:
        for number in (6, 5):
            outcome = publish_comment(
                hub.host(), occasion(number), KEY, f"run {number}",
                mode="update", state=None, status="pass",
            )  # fmt: skip

        assert ["run 6"] == list(shown(hub.memory).values())
        assert 1 == hub.calls("POST", "PATCH", "DELETE")
        assert outcome.warning is not None
        assert "newer run" in outcome.warning


def test_comment__deleted_meanwhile() -> None:
    """GitHub says 404 to the edit: the comment is added once more."""
    with github("+github-404-once") as hub:
        hub.memory.add_comment(REPOSITORY, 7, join(marker(3), "three", ""), BOT, "Bot")
        outcome = publish_comment(
            hub.host(), occasion(5), KEY, "five", mode="update", state=None, status="pass"
        )

        assert outcome.warning is None
        assert ["five"] == list(shown(hub.memory).values())
        assert (1, 1) == (hub.calls("PATCH"), hub.calls("POST"))


@pytest.mark.parametrize(
    ("fault", "says"),
    [
        ("github-403", "A fork's token is always read-only"),
        ("github-404", "may not see it"),
        ("github-422", "Body is too long"),
        ("github-502", "in trouble"),
        ("github-limit", "rate limit"),
        ("github-reads-502", "in trouble"),
    ],
)
def test_publish__refused(fault: str, says: str) -> None:
    """Comment and status: a sentence each, never an error, and one try each."""
    verdict = Verdict(status="pass", exit_code=0, headline="no drop")
    with github(f"+{fault}") as hub:
        outcome = publish_comment(
            hub.host(), occasion(), KEY, "x", mode="update", state=None, status="pass"
        )
        said = publish_status(hub.host(), occasion(), "x", verdict)

        assert outcome.url is None
        assert outcome.warning is not None
        assert says in outcome.warning
        assert (said is None) == fault.startswith("github-reads")
        assert 2 >= hub.calls("POST")
        assert {} == hub.memory.issue_comments


def test_comment__lost_reply_is_no_second_comment() -> None:
    """The gateway broke after the comment was made: said, and the next run finds it."""
    with github("+github-502-done") as hub:
        first = publish_comment(
            hub.host(), occasion(5), KEY, "five", mode="update", state=None, status="pass"
        )
        second = publish_comment(
            hub.host(), occasion(6), KEY, "six", mode="update", state=None, status="pass"
        )

        assert first.warning is not None
        assert second.warning is None
        assert ["six"] == list(shown(hub.memory).values())


def test_comment__modes() -> None:
    """Three runs, the last of which fell."""
    counts = {}
    for mode in ("update", "new", "on-change", "off"):
        with github() as hub:
            for number, status in ((1, "pass"), (2, "pass"), (3, "regression")):
                publish_comment(
                    hub.host(), occasion(number), KEY, f"run {number}",
                    mode=mode, state=None, status=status,
                )  # fmt: skip
            counts[mode] = list(shown(hub.memory).values())

    assert {
        "update": ["run 3"],
        "new": ["run 1", "run 2", "run 3"],
        "on-change": ["run 2", "run 3"],
        "off": [],
    } == counts


def test_comment__remembers_attempts() -> None:
    """What one run writes, the next one on this head reads."""
    with github() as hub:
        state = remember(None, HEAD, past(1, cases=48))
        publish_comment(
            hub.host(), occasion(1), KEY, "x", mode="update", state=state, status="regression"
        )

        assert state == recall_attempts(hub.host(), occasion(2), KEY).state
        assert recall_attempts(hub.host(), occasion(2, head="c" * 40), KEY).state is None


def test_comment__longest() -> None:
    """GitHub takes the longest comment that we write."""
    with github() as hub:
        attempts = None
        for number in range(20):
            attempts = remember(attempts, HEAD, past(number, cases=1500, spread=9973))
        outcome = publish_comment(
            hub.host(), occasion(), KEY, "🎉 word\n\n" * 20_000,
            mode="update", state=attempts, status="pass",
        )  # fmt: skip

        assert outcome.url is not None
        assert outcome.warning is not None
        assert "no room for the scores of" in outcome.warning


def test_status__shown_on_the_head() -> None:
    """What a branch rule requires."""
    verdict = Verdict(status="regression", exit_code=1, headline="correctness fell by 0.11")
    with github() as hub:
        assert publish_status(hub.host(), occasion(), "gate.yaml", verdict) is None
        row = hub.memory.statuses[0]

    assert ("failure", "kappagate / gate.yaml", HEAD) == (row["state"], row["context"], row["sha"])
    assert "Regression: correctness fell by 0.11" == row["description"]
