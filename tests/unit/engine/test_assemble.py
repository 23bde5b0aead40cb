"""Results in, a run out."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from gate.engine.assemble import assemble
from gate.engine.gather import Gathering
from gate.types import Answer, Cost, Failure, Plan, Provenance, Result, Run, Score, Source
from tests.fakes import FakeScorer, FakeTarget

SCORER = FakeScorer(lambda _: [])


def result(case_id: str, attempt: int, value: float | None, **more: object) -> Result:
    """A result with one score, or with none when the answer failed."""
    answer = Answer.model_validate(
        {"text": "x", "sources": (Source(uri="u"),), "latency_s": 1.0, **more}
    )
    score = Score(
        metric="quality",
        value=value,
        judge="judge-1",
        form="text",
        failure=None if value is not None else Failure(kind="judge", message="prose"),
    )
    return Result(
        case_id=case_id,
        category="a",
        case_digest="0" * 64,
        target="fake",
        attempt=attempt,
        question="q",
        answer=answer,
        scores=() if answer.failure else (score,),
    )


def run_of(results: Sequence[Result], stopped: str | None = None) -> Run:
    """Assemble with nothing else of interest."""
    gathering = Gathering([SCORER])
    for one in results:
        gathering.add(one)
    return assemble(
        gathering,
        run_id="r",
        provenance=Provenance(),
        plan=Plan(),
        targets=[FakeTarget({}).info],
        cost=Cost(),
        judge_family=None,
        stopped=stopped,
    )


def test_assemble__order_of_arrival_does_not_matter() -> None:
    """Columns are sorted."""
    results = [result(f"c{n}", attempt, n / 10) for n in range(5) for attempt in range(2)]
    shuffled = list(results)
    random.Random(7).shuffle(shuffled)

    assert run_of(results) == run_of(shuffled)
    assert (0.3, 0.3) == run_of(results).cells[3].scores["quality"]


def test_assemble__failed_answer_leaves_a_hole() -> None:
    """None in the column, the state beside it, no digest."""
    blank = result("c0", 0, None, text="", failure=Failure(kind="empty", message="no text"))

    cell = run_of([blank, result("c1", 0, 1.0)]).cells[0]

    assert (None,) == cell.scores["quality"]
    assert "empty" == cell.attempts[0].state
    assert cell.attempts[0].digest is None
    assert {} == cell.failures


def test_assemble__judge_error_is_counted() -> None:
    """An answer without a score says why."""
    cell = run_of([result("c0", 0, None), result("c1", 0, 1.0)]).cells[0]

    assert ("judge",) == cell.failures["quality"]
    assert "ok" == cell.attempts[0].state


def test_assemble__cached_latency_is_left_out() -> None:
    """A journal's answer says nothing of today's speed."""
    cell = run_of([result("c0", 0, 1.0, cached=True)]).cells[0]

    assert cell.attempts[0].latency_s is None


def test_assemble__identity_names_judge_and_form() -> None:
    """The form that ran is part of the instrument."""
    identity = run_of([result("c0", 0, 1.0)]).identities["quality"]

    assert "judge-1 [text]" == identity.judge
    assert SCORER.prompt_digest == identity.prompt


def test_assemble__nothing_scored_has_one_cause() -> None:
    """The commonest failure is told once, with its count."""
    results = [result(f"c{n}", 0, None) for n in range(3)]

    broken = run_of(results).broken

    assert broken is not None
    assert "The judge failed, 3 of 3 times: prose" == broken.message


def test_assemble__no_results_are_broken() -> None:
    """A run of nothing is no clean run."""
    broken = run_of([]).broken

    assert broken is not None
    assert "no case was run" == broken.message


@pytest.mark.parametrize(
    ("stopped", "kind"),
    [
        ("the deadline of 9 s passed: raise run.timeout_s", "timeout"),
        ("the ceiling of $1.00 was reached: raise --max-cost", "budget"),
    ],
)
def test_assemble__ended_before_a_case_was_done(stopped: str, kind: str) -> None:
    """The cause is the run's deadline or the money, and the next step follows from it."""
    assert run_of([], stopped).broken == Failure(kind=kind, message=stopped)  # type: ignore[arg-type]  # a kind


def test_assemble__one_score_is_enough_to_go_on() -> None:
    """Coverage decides then."""
    assert run_of([result("c0", 0, None), result("c1", 0, 0.0)]).broken is None


def ruled(case_id: str, attempt: int, members: dict[str, float | None]) -> Result:
    """A result whose score several judges gave."""
    one = result(case_id, attempt, 0.5)
    joined = {"judge": "a [text] + b [json_schema]", "form": None, "members": members}
    return one.model_copy(update={"scores": (one.scores[0].model_copy(update=joined),)})


def test_assemble__what_each_judge_said_stands_in_columns() -> None:
    """One value an attempt, in their order; an answer that nobody ruled on has None."""
    failed = {"failure": Failure(kind="error", message="no")}
    run = run_of(
        [
            ruled("c0", 2, {"a": 1.0, "b": 0.0}),
            result("c0", 1, None, **failed),
            ruled("c0", 0, {"a": 0.5, "b": None}),
        ]
    )

    assert {"quality": {"a": (0.5, None, 1.0), "b": (None, None, 0.0)}} == run.cells[0].members
    assert "a [text] + b [json_schema]" == run.identities["quality"].judge
    assert {} == run_of([result("c0", 0, 1.0)]).cells[0].members
