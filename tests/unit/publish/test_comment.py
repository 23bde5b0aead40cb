"""The one comment: updated in place, whatever happens meanwhile."""

from __future__ import annotations

import pytest

from gate.errors import HostError
from gate.publish.comment import publish_comment, recall_attempts, starting_body
from gate.publish.hidden import join, read
from gate.publish.state import remember, write_state
from gate.types import AttemptState, Viewer
from tests.unit.publish.publish_samples import (
    BOT,
    HEAD,
    KEY,
    FakeHost,
    body_of,
    marker,
    occasion,
    past,
    publish,
)


def texts(host: FakeHost) -> list[str]:
    """The body of each comment."""
    return [body_of(row.body) for row in host.rows.values()]


def test_comment__first_and_second_run() -> None:
    """One comment, with the text of the second."""
    host = FakeHost()
    first = publish(host, "one", occasion(1))
    second = publish(host, "two", occasion(2))

    assert ["two"] == texts(host)
    assert first == second
    assert first.warning is None


def test_comment__leads_to_its_run() -> None:
    """To its log while it runs, then to what came of it; the last line that is seen."""
    host = FakeHost()
    page = "[this run](https://github.com/o/r/actions/runs/1005/attempts/2): its"
    for status, shows in ((None, "log"), ("pass", "summary and files")):
        publish(host, "text", occasion(5, 2), status=status)

        (row,) = host.rows.values()
        assert f"\ntext\n\n{page} {shows}\n\n<!-- kappagate-attempts" in row.body


def test_comment__oldest_kept_doubles_removed_forgery_left() -> None:
    """Two of our own, one forged by the pull request's author."""
    host = FakeHost()
    forged = host.add(join(marker(99), "forged", ""), Viewer("octo-author", bot=False))
    kept = host.add(join(marker(3), "three", ""))
    host.add(join(marker(4), "four", ""))
    outcome = publish(host, "five")

    assert [forged, kept] == list(host.rows)
    assert ["forged", "five"] == texts(host)
    assert host.rows[kept].url == outcome.url


def test_comment__old_run_ends_after_a_new_one() -> None:
    """It writes nothing, and says so."""
    host = FakeHost()
    publish(host, "new", occasion(6))
    host.calls.clear()
    outcome = publish(host, "old", occasion(5))

    assert ["new"] == texts(host)
    assert outcome.warning is not None
    assert "newer run (1006, attempt 1)" in outcome.warning
    assert {"create", "edit", "delete"}.isdisjoint(host.calls)


def test_comment__head_moved() -> None:
    """The comment belongs to the new head's run."""
    host = FakeHost()
    publish(host, "before")
    host.head = "c" * 40
    host.calls.clear()
    outcome = publish(host, "after", occasion(6))

    assert ["before"] == texts(host)
    assert outcome.warning is not None
    assert "moved on to cccccccccccc" in outcome.warning
    assert {"create", "edit", "delete"}.isdisjoint(host.calls)


def test_comment__head_moved_while_running() -> None:
    """Our own "running" does not stay for ever."""
    host = FakeHost()
    publish(host, "running", status=None)
    host.head = "c" * 40
    outcome = publish(host, "verdict")

    moved = "The pull request moved on to cccccccccccc while aaaaaaaaaaaa was measured"
    assert [f"### ⏹️ Superseded\n\n{moved}: no verdict stands here."] == texts(host)
    parts = read(host.rows[1].body)
    assert parts is not None
    assert (None, True) == (parts.marker.status, parts.marker.finished)
    assert outcome.warning is not None


def test_comment__deleted_meanwhile() -> None:
    """It is added once more."""
    host = FakeHost()
    publish(host, "one", occasion(1))

    def meanwhile(name: str) -> None:
        if name == "edit":
            host.rows.clear()

    host.before = meanwhile
    outcome = publish(host, "two", occasion(2))

    assert ["two"] == texts(host)
    assert outcome.warning is None
    assert 2 == host.calls.count("create")


@pytest.mark.parametrize("other", [4, 6])
@pytest.mark.parametrize(
    ("there", "step", "times"),
    [
        *((True, "viewer", 1), (True, "pull", 1), (True, "comments", 1), (True, "comments", 2)),
        *((False, "viewer", 1), (False, "pull", 1), (False, "comments", 1)),
        *((False, "create", 1), (False, "comments", 2)),
    ],
)
def test_comment__two_runs_at_once(other: int, step: str, times: int, *, there: bool) -> None:
    """Another run publishes wholly before a step of ours: one comment is left, the later run's."""
    host = FakeHost()
    if there:
        publish(host, "start", occasion(1))
    seen: list[str] = []

    def meanwhile(called: str) -> None:
        seen.extend([called] if called == step else [])
        if len(seen) == times:
            host.before = lambda _name: None
            publish(host, f"run {other}", occasion(other))

    host.before = meanwhile
    publish(host, "run 5", occasion(5))

    assert [f"run {max(5, other)}"] == texts(host)


def test_comment__an_app_that_may_not_ask_who_it_is() -> None:
    """Its first comment tells; from then on it finds its own."""
    host = FakeHost(me=Viewer("kappa[bot]", bot=True))
    publish(host, "one", occasion(1))
    publish(host, "two", occasion(2))

    assert ["two"] == texts(host)
    assert [1] == list(host.rows)


def test_comment__modes() -> None:
    """How many comments five runs leave, of which the third fell."""
    statuses = ["pass", "pass", "regression", "regression", "pass"]
    counts = {}
    for mode in ("update", "new", "on-change", "off"):
        host = FakeHost()
        for number, status in enumerate(statuses, start=1):
            for one in (None, status):  # a starting comment, then the verdict
                publish(host, f"{one}", occasion(number), mode=mode, status=one)
        assert "None" not in texts(host)
        counts[mode] = len(host.rows)

    assert {"update": 1, "new": 5, "on-change": 3, "off": 0} == counts


def test_comment__start_keeps_verdict_and_attempts() -> None:
    """What the comment remembers survives "running", and goes with the head."""
    host = FakeHost()
    state = AttemptState(head_sha=HEAD, attempts=(past(1),))
    publish(host, "one", occasion(1), status="regression", state=state)
    publish(host, "running", occasion(2), status=None)
    parts = read(host.rows[1].body)

    assert parts is not None
    assert ("regression", False) == (parts.marker.status, parts.marker.finished)
    assert state == recall_attempts(host, occasion(2), KEY).state
    assert recall_attempts(host, occasion(2, head="c" * 40), KEY).state is None


def test_recall__past_a_run_that_was_killed() -> None:
    """Its "running" comment knows of no attempt, the one before does."""
    host = FakeHost()
    state = AttemptState(head_sha=HEAD, attempts=(past(1),))
    publish(host, "one", occasion(1), mode="new", state=state)
    publish(host, "running", occasion(2), mode="new", status=None)

    assert state == recall_attempts(host, occasion(3), KEY).state


def test_comment__what_did_not_fit_is_said() -> None:
    """A state that is too large for the comment."""
    host = FakeHost()
    attempts = tuple(past(number, cases=1500, spread=9973) for number in range(20))
    outcome = publish(host, state=AttemptState(head_sha=HEAD, attempts=attempts))

    assert outcome.url is not None
    assert outcome.warning is not None
    assert "no room for the scores of" in outcome.warning


@pytest.mark.parametrize(
    ("when", "says"),
    [(occasion(pull_request=None), "no pull request"), (occasion(head=None), "which head")],
)
def test_comment__nothing_to_comment_on(when: object, says: str) -> None:
    """Said, without asking the host."""
    host = FakeHost()
    outcome = publish(host, when=when)

    assert outcome.warning is not None
    assert says in outcome.warning
    assert [] == host.calls


@pytest.mark.parametrize("name", ["viewer", "comments", "pull", "create", "edit"])
def test_comment__refused(name: str) -> None:
    """Whatever the host refuses is a sentence, and a refused edit is no reason to add another."""
    host = FakeHost()
    if name == "edit":
        host.add(join(marker(3), "three", ""))
    before = dict(host.rows)

    def refuse(called: str) -> None:
        if called == name:
            raise HostError("no.", status=403)

    host.before = refuse
    outcome = publish_comment(host, occasion(), KEY, "x", mode="update", state=None, status="pass")

    assert "no." == outcome.warning
    assert before == host.rows


def test_comment__posted_and_then_cut_off() -> None:
    """The comment stands; that it could not be looked at again is said."""
    host = FakeHost()

    def refuse(called: str) -> None:
        if called == "comments" and host.rows:
            raise HostError("no.")

    host.before = refuse
    outcome = publish(host)

    assert host.rows[1].url == outcome.url
    assert "The comment may stand there twice. no." == outcome.warning


@pytest.mark.parametrize(("status", "left"), [(404, ["run 5"]), (500, ["run 4", "run 5"])])
def test_comment__the_older_one_cannot_be_moved_to(status: int, left: list[str]) -> None:
    """Two runs added one each: ours stays where the older one is gone, or cannot be edited."""
    host = FakeHost()

    def meanwhile(called: str) -> None:
        if called == "create":
            host.before = refuse
            host.add(join(marker(4), "run 4", ""))

    def refuse(called: str) -> None:
        if called == "edit":
            host.rows.pop(1 if status == 404 else 0, None)
            raise HostError("no.", status=status)

    host.before = meanwhile
    outcome = publish(host, "run 5")

    assert left == texts(host)
    assert host.rows[2].url == outcome.url
    assert (None if status == 404 else "The comment may stand there twice. no.") == outcome.warning


def test_comment__a_double_that_cannot_be_removed() -> None:
    """The comment stands, and the double is told of; one that is gone already is none."""
    for status, warning in ((403, "The comment may stand there twice. no."), (404, None)):
        host = FakeHost()
        host.add(join(marker(3), "three", ""))
        host.add(join(marker(3), "three again", ""))

        def refuse(called: str, status: int = status) -> None:
            if called == "delete":
                raise HostError("no.", status=status)

        host.before = refuse

        assert warning == publish(host, "five").warning


def test_recall__attempts_on_another_head() -> None:
    """A marker and a memory that disagree are no memory of this head."""
    host = FakeHost()
    packed, _ = write_state(remember(None, "c" * 40, past()))
    host.add(join(marker(), "text", packed))

    assert recall_attempts(host, occasion(), KEY).state is None


def test_recall__another_s_comment_is_not_believed() -> None:
    """Scores that somebody else wrote are no attempts of ours."""
    host = FakeHost()
    packed, _ = write_state(remember(None, HEAD, past()))
    host.add(join(marker(), "forged", packed), Viewer("octo-author", bot=False))

    assert recall_attempts(host, occasion(), KEY).state is None


def test_recall__spoiled() -> None:
    """An edited memory is passed over with a warning."""
    host = FakeHost()
    host.add(join(marker(), "text", "AAAA"), BOT)
    found = recall_attempts(host, occasion(), KEY)

    assert found.state is None
    assert found.warning is not None


def test_recall__refused() -> None:
    """The attempt is judged alone then."""
    host = FakeHost()

    def refuse(_called: str) -> None:
        raise HostError("no.")

    host.before = refuse
    found = recall_attempts(host, occasion(), KEY)

    assert found.state is None
    assert "Earlier attempts could not be read; this one is judged alone. no." == found.warning


def test_recall__no_pull_request() -> None:
    """Nothing to look at."""
    assert recall_attempts(FakeHost(), occasion(pull_request=None), KEY).state is None


@pytest.mark.parametrize(
    ("estimate", "ceiling", "cases", "says"),
    [
        (1.9, 5.0, 48, "48 cases\n\nAbout $1.90 by the estimate, at most $5.00."),
        (None, None, 1, "1 case\n\nCost unknown, no ceiling."),
    ],
)
def test_starting_body__estimate_and_ceiling(
    estimate: float | None, ceiling: float | None, cases: int, says: str
) -> None:
    """What it will cost, before it costs anything."""
    assert f"### ⏳ Running: {says}" in starting_body("gate.yaml", estimate, ceiling, cases)


def test_starting_body__hostile_name() -> None:
    """A name reaches Markdown through a code span only."""
    assert "`` `@org/team <!-- `` ".strip() in starting_body("`@org/team <!--", None, None, 1)


def test_comment__of_two_published_runs_the_later_measured_one_stays() -> None:
    """Whichever is published last: what counts is when they measured."""
    host = FakeHost()
    publish(host, "new", occasion(90, measured_run=(60, 1)))
    outcome = publish_comment(
        host, occasion(91, measured_run=(50, 1)), KEY, "old", mode="update", state=None,
        status="broken",
    )  # fmt: skip

    (only,) = host.rows.values()
    assert "new" in only.body
    assert "A newer run (60, attempt 1)" in (outcome.warning or "")
