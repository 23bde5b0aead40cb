"""Several rulings as one score."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from gate.errors import CallError
from gate.scorers.ensemble import Ensemble, Repeated, Seat
from gate.scorers.quality import QualityScorer
from gate.types import (
    REPEAT_STRIDE,
    F,
    Failure,
    Item,
    Metric,
    Prompt,
    Ruling,
    Score,
    Support,
    Trial,
    Usage,
)
from tests.fakes import FakeJudge, FakeScorer
from tests.unit.scorers.test_quality import RATED, trial

CLAIMS = Metric(name="quality", judged=True, counts="claims")
DOWN = Failure(kind="judge", message="529", status=529)


def said(value: float | str | None, **more: object) -> Score:
    """What one ruling gives: its judge, and the bill."""
    bill = {"judge": "j", "form": "json_schema", "calls": 1, "cost_usd": 0.25}
    return Score.model_validate(
        {"metric": "quality", "value": value, "reason": f"says {value}"} | bill | more
    )


def ensemble(*judges: Sequence[Score]) -> Ensemble:
    """Judges a, b, c and what each says, ruling by ruling."""
    seats = []
    for name, scores in zip("abc", judges, strict=False):
        scorers = tuple(FakeScorer(lambda _, one=one: [one]) for one in scores)
        seats.append(Seat(name, scorers))
    return Ensemble(seats)


async def mean_of(*judges: Sequence[Score]) -> Score:
    """The one score of these judges."""
    (score,) = await ensemble(*judges).score(trial())
    return score


async def test_ensemble__is_the_mean_of_its_judges() -> None:
    """The reason is of the judge nearest to the mean, and names it; each one's value is kept."""
    score = await mean_of([said(1.0)], [said(0.5)], [said(0.0)])

    assert (0.5, "b: says 0.5") == (score.value, score.reason)
    assert {"a": 1.0, "b": 0.5, "c": 0.0} == score.members
    assert score.failure is None


async def test_ensemble__repeats_of_each_judge_count_alike() -> None:
    """Two judges, two rulings each: four values under their names, each judge named once."""
    score = await mean_of([said(1.0), said(0.5)], [said(0.5), said(0.5, judge="k")])

    assert 0.625 == score.value
    assert {"a#1": 1.0, "a#2": 0.5, "b#1": 0.5, "b#2": 0.5} == score.members
    assert ("j [json_schema] + j [json_schema]", None) == (score.judge, score.form)


async def test_ensemble__a_missing_ruling_leaves_no_value() -> None:
    """A panel of two of three is another instrument: the first judge that failed is named."""
    late = said(None, failure=DOWN, judge=None, cost_usd=None, calls=0)
    score = await mean_of([said(1.0)], [late], [said(None, failure=DOWN)])

    assert score.value is None
    assert Failure(kind="judge", message="b: 529", status=529) == score.failure
    assert {"a": 1.0, "b": None, "c": None} == score.members
    # Nobody knows what the call without a reply cost, nor who would have ruled.
    assert (None, None, 2) == (score.cost_usd, score.judge, score.calls)


async def test_ensemble__a_ceiling_goes_before_other_reasons() -> None:
    """What money stopped is gone on with, so the run must know of it."""
    unpaid = Failure(kind="budget", message="the ceiling was reached")

    score = await mean_of([said(None, failure=DOWN)], [said(None, failure=unpaid)])

    assert score.failure is not None
    assert ("budget", "b: the ceiling was reached") == (score.failure.kind, score.failure.message)


async def test_ensemble__what_all_say_is_no_judges_own() -> None:
    """Pages that could not be read, or an answer without a claim, carry no judge's name."""
    nothing = Failure(kind="undefined", message="the answer makes no claim")

    score = await mean_of([said(None, failure=nothing)], [said(None, failure=nothing)])

    assert nothing == score.failure


async def test_ensemble__texts_have_no_mean() -> None:
    """A text is said to be one; true and false are 1 and 0."""
    text = await mean_of([said("good")], [said(1.0)])
    truth = await mean_of([said(value=True)], [said(value=False)])

    assert text.failure is not None
    assert "a: a text was given" in text.failure.message
    assert 0.5 == truth.value


async def test_ensemble__the_bill_is_added_up() -> None:
    """Tokens, dollars and calls of all; from a cache only where all were."""
    first = Usage(input_tokens=10, output_tokens=1)
    other = Usage(input_tokens=20, searches=2)

    score = await mean_of([said(1.0, usage=first, cached=True)], [said(1.0, usage=other)])
    kept = await mean_of([said(1.0, cached=True)], [said(1.0, cached=True)])

    assert Usage(input_tokens=30, output_tokens=1, searches=2) == score.usage
    assert (0.5, 2, False) == (score.cost_usd, score.calls, score.cached)
    assert (None, True) == (kept.usage, kept.cached)


def item(digest: str, label: Support) -> Item:
    """A claim."""
    return Item(kind="claims", digest=digest, label=label, text=digest)


async def test_ensemble__items_have_the_label_of_most() -> None:
    """Of equals the least favourable; each item once, by whoever found it."""
    panel = ensemble(
        [said(1.0, items=(item("x", "supported"), item("y", "supported")))],
        [said(1.0, items=(item("x", "partial"), item("x", "supported"), item("z", "partial")))],
        [said(1.0, items=(item("x", "unsupported"), item("y", "partial")))],
    )
    first = panel._seats[0].scorers[0]
    assert isinstance(first, FakeScorer)
    first.metrics = (CLAIMS,)

    (score,) = await panel.score(trial())

    assert {"x": "supported", "y": "partial", "z": "partial"} == {
        one.digest: one.label for one in score.items
    }


async def test_ensemble__an_error_of_one_judge_is_raised_when_all_are_done() -> None:
    """What a scorer raises is for whoever runs the case."""

    def fail(_: Trial) -> Sequence[Score]:
        raise CallError("no such model")

    other = FakeScorer(lambda _: [said(1.0)])
    panel = Ensemble([Seat("a", (FakeScorer(fail),)), Seat("b", (other,))])

    with pytest.raises(CallError, match="no such model"):
        await panel.score(trial())
    assert 1 == len(other.trials)


def test_ensemble__identity_holds_every_judge_and_the_rulings() -> None:
    """The prompt is that of a single judge; scorer and settings are another instrument's."""
    one, two = FakeScorer(lambda _: []), FakeScorer(lambda _: [])
    two.settings_digest = "other"

    def settings(*seats: Sequence[FakeScorer]) -> str:
        return Ensemble([Seat(str(n), tuple(seat)) for n, seat in enumerate(seats)]).settings_digest

    found = [
        one.settings_digest,
        settings([one], [two]),
        settings([two], [one]),
        settings([one, one], [two, two]),
        settings([one, one]),
        settings([one], [one]),
    ]
    assert len(found) == len(set(found))
    panel = Ensemble([Seat("a", (one,)), Seat("b", (two,))])
    assert (one.prompt_digest, one.metrics, False) == (
        panel.prompt_digest,
        panel.metrics,
        panel.reads_pages,
    )


class Counting(FakeJudge):
    """Remembers the attempts, and how many calls are on their way at once."""

    def __init__(self) -> None:
        """Nothing was asked yet."""
        super().__init__(RATED)
        self.attempts: list[int] = []
        self.closed = 0
        self.now = self.most = 0

    async def ask(
        self,
        prompt: Prompt,
        form: type[F],
        attempt: int = 0,
        *,
        case_id: str | None = None,
        target: str | None = None,
    ) -> Ruling[F]:
        """Rule, after a while."""
        self.attempts.append(attempt)
        self.now += 1
        self.most = max(self.most, self.now)
        await asyncio.sleep(0)
        self.now -= 1
        return await super().ask(prompt, form, attempt, case_id=case_id, target=target)

    async def aclose(self) -> None:
        """Count it."""
        self.closed += 1


async def test_repeated__has_attempts_of_its_own() -> None:
    """No answer's attempt is that high, so no cache answers for it; all else is the judge's."""
    judge = Counting()
    scorers = [
        QualityScorer(QualityScorer.Options(), {"default": one})
        for one in (judge, Repeated(judge, 1), Repeated(judge, 2))
    ]

    scores = await Ensemble([Seat("a", tuple(scorers))]).score(trial())

    assert [0, REPEAT_STRIDE, 2 * REPEAT_STRIDE] == judge.attempts
    # One after the other: the vendor's cache has the prompt from the second on.
    assert 1 == judge.most
    assert [3, 0, 0] == [one.calls for one in scores]
    again = Repeated(judge, 1)
    await again.aclose()
    assert 1 == judge.closed
    assert (judge.model, judge.family, judge.settings_digest) == (
        again.model,
        again.family,
        again.settings_digest,
    )
