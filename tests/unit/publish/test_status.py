"""The commit status: state, words, and GitHub's limits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import HostError
from gate.publish.status import MOST_CHARACTERS, commit_status, publish_status
from gate.types import CommitStatus, Verdict
from tests.unit.publish.publish_samples import HEAD, FakeHost, occasion


def verdict(status: str, exit_code: int, headline: str = "so it is", **more: object) -> Verdict:
    """A verdict of little more than its sentence."""
    fields = {"status": status, "exit_code": exit_code, "headline": headline}
    return Verdict.model_validate(fields | more)


@pytest.mark.parametrize(
    ("status", "exit_code", "more", "state", "says"),
    [
        ("pass", 0, {}, "success", "Pass: so it is"),
        ("report", 0, {}, "success", "Report only, no verdict: so it is"),
        ("inconclusive", 0, {}, "success", "Unclear, tolerated: so it is"),
        ("inconclusive", 3, {}, "error", "Unclear: so it is"),
        ("regression", 1, {}, "failure", "Regression: so it is"),
        ("regression", 0, {"accepted_by": "mona"}, "success",
         "Regression accepted by mona: so it is"),
        ("broken", 3, {}, "error", "No verdict: so it is"),
        ("broken", 2, {}, "error", "Cannot run: so it is"),
        ("broken", 143, {}, "error", "Interrupted: so it is"),
    ],
)  # fmt: skip
def test_status__follows_the_exit_code(
    status: str, exit_code: int, more: dict[str, object], state: str, says: str
) -> None:
    """What is green says which green it is."""
    found = commit_status("gate.yaml", verdict(status, exit_code, **more), "https://run")

    assert (state, says) == (found.state, found.description)
    assert "kappagate / gate.yaml" == found.context
    assert "https://run" == found.target_url


def test_status__the_word_stands_once() -> None:
    """A headline that begins with the verdict's word does not say it twice."""
    found = commit_status("x", verdict("regression", 1, "Regression: correctness fell"), None)

    assert "Regression: correctness fell" == found.description


def test_status__who_accepted_it_stands_once() -> None:
    """The headline says it, too."""
    headline = "Regression, accepted by mona: correctness fell"
    found = commit_status("x", verdict("regression", 0, headline, accepted_by="mona"), None)

    assert "Regression accepted by mona: correctness fell" == found.description


def test_status__of_a_pass_has_one_word() -> None:
    """Its headline begins with it, too."""
    found = commit_status("x", verdict("pass", 0, "Pass: no drop larger than 0.10 in a."), None)

    assert "Pass: no drop larger than 0.10 in a." == found.description


@pytest.mark.parametrize(
    ("said", "shown"),
    [
        ("No baseline yet: numbers without a verdict.", "No baseline yet."),
        (
            "Nothing is enforced (report-only mode): no verdict, but correctness fell by 0.72.",
            "Nothing is enforced (report-only mode), but correctness fell by 0.72.",
        ),
    ],
)
def test_status__of_a_report_has_room_for_its_numbers(said: str, shown: str) -> None:
    """That there is no verdict stands once."""
    found = commit_status("x", verdict("report", 0, said), None)

    assert f"Report only, no verdict: {shown}" == found.description


def test_status__cut_at_a_word() -> None:
    """No half words, a mark of the cut."""
    found = commit_status("x", verdict("pass", 0, "abcdefghi " * 30), None)

    assert found.description.endswith("abcdefghi…")
    assert 130 < len(found.description) <= MOST_CHARACTERS


@given(st.text(max_size=300), st.text(max_size=300))
def test_status__any_text_fits(name: str, headline: str) -> None:
    """One printable line within the limits, without four-byte characters."""
    found = commit_status(name, verdict("pass", 0, headline), None)

    assert len(found.description) <= MOST_CHARACTERS
    assert len(found.context) <= 120
    for text in (found.context, found.description):
        assert text.isprintable()
        assert max(map(ord, text)) <= 0xFFFF


def test_publish_status__on_the_head() -> None:
    """Not on the merge commit, which nobody sees."""
    host = FakeHost()

    assert publish_status(host, occasion(), "x", verdict("pass", 0)) is None
    assert [HEAD] == [sha for sha, _ in host.statuses_set]


def test_publish_status__no_head() -> None:
    """Said, and nothing is set."""
    host = FakeHost()
    warning = publish_status(host, occasion(head=None), "x", verdict("pass", 0))

    assert warning is not None
    assert [] == host.statuses_set


def test_publish_status__refused() -> None:
    """A failure is a sentence."""
    host = FakeHost()

    def refuse(_name: str) -> None:
        raise HostError("not allowed", status=403)

    host.before = refuse

    assert "not allowed" == publish_status(host, occasion(), "x", verdict("pass", 0))


@pytest.mark.parametrize(
    ("number", "attempt", "word"),
    [(4, 9, "Pass"), (5, 1, "Pass"), (5, 2, "Regression"), (6, 1, "Regression")],
)
def test_publish_status__an_older_run_leaves_a_newer_ones(
    number: int, attempt: int, word: str
) -> None:
    """By run id and attempt; of other names nothing is asked."""
    host = FakeHost()
    publish_status(host, occasion(number, attempt), "x", verdict("regression", 1))
    publish_status(host, occasion(99), "another", verdict("regression", 1))

    warning = publish_status(host, occasion(5, 1), "x", verdict("pass", 0))

    newest = next(one for one in host.statuses(HEAD) if one.context == "kappagate / x")
    assert newest.description.startswith(word)
    assert ("A newer run has set" in (warning or "")) is (word == "Regression")


def test_publish_status__somebody_elses_is_replaced() -> None:
    """A status of the same name that names no run."""
    host = FakeHost()
    host.set_status(HEAD, CommitStatus("failure", "kappagate / x", "by hand", "https://x.example"))

    assert publish_status(host, occasion(), "x", verdict("pass", 0)) is None
    assert "success" == host.statuses(HEAD)[0].state


def test_publish_status__where_nothing_can_be_read() -> None:
    """It is set: a branch rule waits for it."""
    host = FakeHost()

    def refuse(name: str) -> None:
        if name == "statuses":
            raise HostError("in trouble", status=502)

    host.before = refuse

    assert publish_status(host, occasion(), "x", verdict("pass", 0)) is None
    assert 1 == len(host.statuses_set)
