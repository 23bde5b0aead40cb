"""One case, end to end."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from gate.engine.afresh import fresh_rulings
from gate.engine.case import CaseRunner
from gate.errors import CallError, ModelError
from gate.types import Answer, Failure, Job, Question, Score, Trial
from tests.fakes import FakeScorer, FakeTarget, case

JOB = Job(case=case("one", notes="canary"), target="fake", attempt=0)


def good(_: object) -> list[Score]:
    """A score of one half."""
    return [Score(metric="quality", value=0.5)]


def runner(answer: Answer | Exception, scorer: FakeScorer) -> CaseRunner:
    """A runner of one target and one scorer."""
    return CaseRunner({"fake": FakeTarget({"one": answer})}, [scorer], date="2026-11-30")


async def test_case__answered_and_scored() -> None:
    """The plain road."""
    result = await runner(Answer(text="yes"), FakeScorer(good)).run(JOB)

    assert [0.5] == [score.value for score in result.scores]
    assert JOB.case.digest == result.case_digest


async def test_case__target_sees_the_question_only() -> None:
    """Notes, assertions and references stay with us."""
    target = FakeTarget({"one": Answer(text="yes")})

    await CaseRunner({"fake": target}, [FakeScorer(good)], date="2026-11-30").run(JOB)

    assert [(JOB.case.question, 0)] == target.asked
    assert "canary" not in str(target.asked)


async def test_case__failed_answer_is_not_scored() -> None:
    """A broken machine is no bad answer."""
    scorer = FakeScorer(good)
    empty = Answer(failure=Failure(kind="empty", message="no text"))

    result = await runner(empty, scorer).run(JOB)

    assert result.scores == ()
    assert scorer.trials == []


async def test_case__failed_call_of_a_target_becomes_a_failure() -> None:
    """A time-out is told from an error."""
    result = await runner(CallError("too slow", kind="timeout"), FakeScorer(good)).run(JOB)

    assert Failure(kind="timeout", message="too slow") == result.answer.failure


async def test_case__fault_of_a_plug_in_sinks_its_case_only() -> None:
    """A target that raises anything is an error of this case."""
    result = await runner(ZeroDivisionError("oops"), FakeScorer(good)).run(JOB)

    assert result.answer.failure is not None
    assert "ZeroDivisionError: oops" in result.answer.failure.message


async def test_case__fault_of_a_scorer_leaves_no_value() -> None:
    """Every metric is there, without a value."""

    def bad(_: object) -> list[Score]:
        raise KeyError("x")

    result = await runner(Answer(text="yes"), FakeScorer(bad, ["a", "b"])).run(JOB)

    assert [("a", None), ("b", None)] == [(one.metric, one.value) for one in result.scores]
    assert all(one.failure is not None for one in result.scores)


async def test_case__scorer_that_forgets_a_metric_is_told() -> None:
    """A missing score is a failure, not a zero."""
    result = await runner(Answer(text="yes"), FakeScorer(good, ["quality", "b"])).run(JOB)

    assert [0.5, None] == [one.value for one in result.scores]
    assert result.scores[1].failure is not None


async def test_case__unknown_model_ends_the_run() -> None:
    """What no other case can escape goes up."""
    with pytest.raises(ModelError):
        await runner(ModelError("retired"), FakeScorer(good)).run(JOB)


@pytest.mark.parametrize("slow", ["target", "scorer"])
async def test_case__over_its_deadline(slow: str) -> None:
    """What is missing failed with a time-out; what was there stays."""

    class Slow(FakeTarget):
        async def answer(self, question: Question, attempt: int) -> Answer:
            if slow == "target":
                await asyncio.Event().wait()
            return await super().answer(question, attempt)

    class SlowScorer(FakeScorer):
        async def score(self, trial: Trial) -> Sequence[Score]:
            await asyncio.Event().wait()
            return []

    late = CaseRunner(
        {"fake": Slow({"a": Answer(text="x")})},
        [SlowScorer(lambda _: [])],
        date="2026-11-30",
        deadline_s=0.05,
    )
    done = await late.run(Job(case=case("a"), target="fake", attempt=0))

    failure = done.answer.failure if slow == "target" else done.scores[0].failure
    assert failure is not None
    assert ("timeout", True) == (failure.kind, "run.case_timeout_s" in failure.message)
    assert ("x" if slow == "scorer" else "") == done.answer.text


async def test_case__rulings_of_its_own_number() -> None:
    """The judge is asked under another number than the target, so that no old ruling is found."""
    target, scorer = FakeTarget({"one": Answer(text="yes")}), FakeScorer(good)
    first = fresh_rulings("run-1")

    result = await CaseRunner(
        {"fake": target}, [scorer], date="2026-11-30", rulings_from=first
    ).run(JOB)

    assert [(JOB.case.question, 0)] == target.asked
    assert [first] == [trial.attempt for trial in scorer.trials]
    assert 0 == result.attempt


def test_fresh_rulings__the_same_in_one_run_alone() -> None:
    """Beyond the attempts of any plan, and far enough apart for the rounds of a run."""
    numbers = [fresh_rulings(f"run-{number}") for number in range(50)]

    assert numbers == [fresh_rulings(f"run-{number}") for number in range(50)]
    assert min(numbers) >= 1_000_000
    assert min(abs(a - b) for a in numbers for b in numbers if a != b) >= 1_000
    assert len(set(numbers)) == len(numbers)
