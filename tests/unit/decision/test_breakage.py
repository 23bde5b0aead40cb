"""What broke, and what to do about it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.breakage import cause_of, next_step
from gate.types import Attempt, Failure, State
from tests.unit.decision.decision_samples import cell, run_of


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (Failure(kind="judge", message="m", status=529), "wait a while, then run again"),
        (Failure(kind="error", message="m", status=429), "wait a while, then run again"),
        (
            Failure(kind="judge", message="not sent (the last: Claude answered 529: Overloaded)"),
            "wait a while, then run again",
        ),
        (Failure(kind="error", message="Gemini answered 503: no"), "wait a while, then run again"),
        (Failure(kind="error", message="Gemini answered 403: no"), "check the credential"),
        (Failure(kind="error", message="answered 503:", status=400), "mend the cause"),
        (Failure(kind="error", message="m", status=401), "check the credential"),
        (Failure(kind="judge", message="m", status=403), "check the credential"),
        (Failure(kind="budget", message="m"), "raise --max-cost"),
        (Failure(kind="timeout", message="m"), "raise the deadline that passed"),
        (Failure(kind="timeout", message="raise run.timeout_s, or"), "raise run.timeout_s in"),
        (Failure(kind="pages", message="m"), "raise evidence.timeout_s"),
        (Failure(kind="judge", message="m"), "mend the cause"),
    ],
)
def test_next_step__fits_the_cause(failure: Failure, says: str) -> None:
    """An overloaded vendor needs patience, a refused credential does not."""
    assert says in next_step(failure)


@pytest.mark.parametrize("status", [408, 429, 500, 502, 503, 504, 529])
def test_next_step__patience_for_what_passes_by_itself(status: int) -> None:
    """Time-outs, limits and broken servers, by the status or by the sentence."""
    said = [
        next_step(one)
        for one in (
            Failure(kind="error", message="m", status=status),
            Failure(kind="error", message=f"Claude answered {status}: no"),
        )
    ]

    assert ["wait a while, then run again: the vendor is busy or out of order"] * 2 == said


def test_cause_of__what_most_answers_say() -> None:
    """Of two causes the more frequent; a failed reply of two dimensions counts once."""
    one_reply = cell(
        "t",
        "a",
        {"correctness": [None], "relevance": [None]},
        failures={"correctness": ("judge",), "relevance": ("judge",)},
    )
    broken = [cell("t", name, {"correctness": [None]}, ["error"]) for name in "bc"]

    assert "it was error" == cause_of(run_of([one_reply, *broken])).message
    assert "The run holds no answers." == cause_of(run_of([], targets=["t"])).message
    assert "The answers were not scored." == cause_of(run_of([cell("t", "a", {})])).message


def test_next_step__a_run_that_its_own_deadline_ended_goes_on() -> None:
    """The journal has what was done; of a single call's deadline there is nothing to go on from."""
    own, other = (
        next_step(Failure(kind="timeout", message=said)) for said in ("run.timeout_s passed", "m")
    )

    assert "the same command goes on from there" in own
    assert "goes on" not in other


def test_cause_of__of_equally_frequent_ones_the_first_by_name() -> None:
    """Whichever came first in the run."""
    cells = [
        cell("t", name, {"correctness": [None]}, [state])
        for name, state in (("a", "timeout"), ("b", "error"))
    ]

    assert "error" == cause_of(run_of(cells)).kind


@pytest.mark.parametrize(
    "failures",
    [
        [{"correctness": ("judge",)}, {"correctness": ("judge",)}],
        [{"correctness": ("judge", "judge"), "relevance": ("judge", None)}, {}],
    ],
)
def test_cause_of__an_answer_and_a_failed_reply_count_alike(
    failures: list[dict[str, tuple[str | None, ...]]],
) -> None:
    """Two replies of the judge failed and one answer: it is the judge."""
    judged = [
        cell("t", str(number), {name: [None] * len(kinds) for name, kinds in one.items()})
        for number, one in enumerate(failures)
    ]
    cells = [replace(one, failures=own) for one, own in zip(judged, failures, strict=True)]
    broken = cell("t", "z", {"correctness": [None]}, ["error"])

    assert "judge" == cause_of(run_of([broken, *cells])).kind


@pytest.mark.parametrize("state", ["error", "empty", "blocked", "timeout", "budget"])
def test_cause_of__an_attempt_that_says_nothing_of_its_own(state: State) -> None:
    """How it ended is the cause, in a sentence."""
    one = replace(cell("t", "a", {"correctness": [None]}), attempts=(Attempt(state=state),))
    cause = cause_of(run_of([one]))

    assert (state, ".") == (cause.kind, cause.message[-1:])


@pytest.mark.parametrize("kind", ["judge", "pages", "undefined", "budget"])
def test_cause_of__an_answer_without_a_score(kind: str) -> None:
    """What kept it from one is the cause."""
    one = cell("t", "a", {"correctness": [None]}, failures={"correctness": (kind,)})

    assert kind == cause_of(run_of([one])).kind
