"""Which answers become control answers."""

from __future__ import annotations

import pytest

from gate.decision.control_choice import (
    Candidate,
    candidate_of,
    choose_controls,
    rated_dimensions,
)
from gate.types import Answer, Metric, Result, Score

METRICS = (
    Metric(name="correctness", judged=True),
    Metric(name="claims", judged=True, unit="claims"),
    Metric(name="exact"),
)


def result(value: float | None, digest: str | None = "x", case: str = "d") -> Result:
    """An answer with one score."""
    return Result(
        case_id="a",
        category="c",
        case_digest=case,
        target="t",
        attempt=1,
        question="?",
        answer=Answer(text="A."),
        answer_digest=digest,
        scores=(Score(metric="correctness", value=value), Score(metric="exact", value=1.0)),
    )


def candidate(case: str, third: str, category: str = "c", attempt: int = 0) -> Candidate:
    """An answer rated so."""
    return Candidate("t", case, attempt, category, case, (("correctness", third),))


def test_rated_dimensions__are_judged_ones_between_0_and_1() -> None:
    """Counts and what no judge gave are none."""
    assert ("correctness",) == rated_dimensions(METRICS)


def test_candidate_of__an_answer_that_was_rated() -> None:
    """To the case as it is now, with an answer and a score."""
    cases = {"a": "d"}
    found = candidate_of(result(0.5), ["correctness"], cases)

    assert Candidate("t", "a", 1, "c", "x", (("correctness", "med"),)) == found
    for other in (result(None), result(0.5, None), result(0.5, case="another text")):
        assert candidate_of(other, ["correctness"], cases) is None


def test_choose_controls__each_third_before_any_twice() -> None:
    """Twenty high answers do not crowd out the one low and the one middling one."""
    many = [candidate(f"h{number:02d}", "high") for number in range(20)]
    some = [*many, candidate("l", "low"), candidate("m", "med")]
    chosen = choose_controls(some, 3)

    assert ["high", "low", "med"] == sorted(third for one in chosen for _, third in one.thirds)
    assert chosen == choose_controls(some[::-1], 3)


def test_choose_controls__one_a_case_over_the_categories() -> None:
    """Two answers to one case are one control answer; of equals the rarer category's is taken."""
    some = [
        *(candidate("a", "high", "one", attempt) for attempt in range(3)),
        candidate("b", "high", "one"),
        candidate("c", "high", "two"),
    ]

    assert {"one", "two"} == {one.category for one in choose_controls(some, 2)}
    assert ["a", "b", "c"] == [one.case_id for one in choose_controls(some, 8)]


@pytest.mark.parametrize(("number", "chosen"), [(3, {"new"}), (5, set())])
def test_choose_controls__a_third_that_is_new_weighs_as_four_seen_once(
    number: int, chosen: set[str]
) -> None:
    """What was taken once counts a quarter: three such are less than one new third, five more."""
    high = tuple((f"dimension {place}", "high") for place in range(number))
    alike = [Candidate("t", case, 0, "c", case, high) for case in "ab"]
    new = Candidate("t", "new", 0, "c", "new", (("dimension 0", "low"),))

    found = {one.case_id for one in choose_controls([*alike, new], 2)}

    assert chosen == found - {"a", "b"}
