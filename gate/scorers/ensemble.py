"""Several rulings on one answer as one score: a panel of judges, or one judge asked several times.

It stands around a scorer, built once for each judge, and scorers know nothing of it. A panel of
judges of different families leans less to one family's kind of answer (the idea of PoLL, arXiv
2404.18796), and as a whole it is an instrument of its own: a ruling that is missing leaves no
value, since the mean of the others would be another instrument's. What it cannot see: what none of
its judges sees.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from gate.decision.categories import agreed
from gate.decision.panel import member_name
from gate.protocols import Judge, Scorer
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
    digest,
)

__all__ = ["Ensemble", "Repeated", "Seat", "seated"]


class Repeated:
    """A judge asked once more: its calls have attempts of their own, so no cache answers them."""

    def __init__(self, judge: Judge, repeat: int) -> None:
        """Take the judge and the number of the repeat; 0 is the first, with the answer's own."""
        self._judge = judge
        self._repeat = repeat

    @property
    def model(self) -> str:
        """The judge's model."""
        return self._judge.model

    @property
    def family(self) -> str:
        """The judge's family."""
        return self._judge.family

    @property
    def settings_digest(self) -> str:
        """SHA-256 of the judge's own settings."""
        return self._judge.settings_digest

    async def ask(
        self,
        prompt: Prompt,
        form: type[F],
        attempt: int = 0,
        *,
        case_id: str | None = None,
        target: str | None = None,
    ) -> Ruling[F]:
        """Ask the judge, under an attempt that no answer has. Raises what the judge raises."""
        own = attempt + self._repeat * REPEAT_STRIDE
        return await self._judge.ask(prompt, form, own, case_id=case_id, target=target)

    async def aclose(self) -> None:
        """Close the judge's connections."""
        await self._judge.aclose()


class Seat(NamedTuple):
    """One judge, with the scorer that asks it, once for each of its rulings."""

    judge: str
    """Its name, different from the others'."""
    scorers: tuple[Scorer, ...]
    """The same scorer for each ruling, the first one first."""


class Ensemble:
    """A scorer whose scores are the mean of several rulings."""

    def __init__(self, seats: Sequence[Seat]) -> None:
        """Take the judges; all have the same scorer and the same number of rulings."""
        self._seats = tuple(seats)
        self._first = self._seats[0].scorers[0]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """What the scorer measures."""
        return self._first.metrics

    @property
    def reads_pages(self) -> bool:
        """Whether the scorer reads pages."""
        return self._first.reads_pages

    @property
    def prompt_digest(self) -> str | None:
        """SHA-256 of the prompt, which is that of a single judge."""
        return self._first.prompt_digest

    @property
    def settings_digest(self) -> str:
        """SHA-256 of every judge's settings, in their order, and of the number of rulings."""
        return digest(
            [
                *("ensemble", 1, len(self._seats[0].scorers)),
                *(seat.scorers[0].settings_digest for seat in self._seats),
            ]
        )

    async def score(self, trial: Trial) -> Sequence[Score]:
        """Ask the judges side by side, each of them once after the other.

        One after the other, since a vendor's cache holds the prompt from the second ruling on.
        Raises what the scorer raises, when all judges are done.
        """
        heard = await asyncio.gather(
            *(_rulings(seat, trial) for seat in self._seats), return_exceptions=True
        )
        rulings: list[Mapping[str, Score]] = []
        for one in heard:
            if isinstance(one, BaseException):
                raise one
            rulings.extend(one)
        names = [
            member_name(seat.judge, number, len(seat.scorers))
            for seat in self._seats
            for number in range(1, len(seat.scorers) + 1)
        ]
        per_judge = len(self._seats[0].scorers)
        return tuple(
            _mean(
                metric,
                [(name, one[metric.name]) for name, one in zip(names, rulings, strict=True)],
                per_judge,
            )
            for metric in self.metrics
            if all(metric.name in one for one in rulings)
        )


def seated(
    asking: Callable[[Judge | None], Scorer], judges: Mapping[str, Judge], repeats: int
) -> Scorer:
    """Build the scorer that has these judges rule so often each, on every answer.

    `asking` builds one that asks the judge that it is given; `judges` have different names. What
    asks no judge is asked once, and a single ruling is the scorer itself, as it ever was.
    """
    first = asking(next(iter(judges.values()), None))
    if first.prompt_digest is None or len(judges) * repeats <= 1:
        return first
    return Ensemble(
        [
            Seat(
                name,
                tuple(asking(Repeated(judge, n) if n else judge) for n in range(repeats)),
            )
            for name, judge in judges.items()
        ]
    )


async def _rulings(seat: Seat, trial: Trial) -> list[Mapping[str, Score]]:
    return [{one.metric: one for one in await scorer.score(trial)} for scorer in seat.scorers]


def _mean(metric: Metric, members: Sequence[tuple[str, Score]], per_judge: int) -> Score:
    """Give one metric's score of what its members said."""
    scores = [score for _, score in members]
    values = [_number(score) for score in scores]
    known = [value for value in values if value is not None]
    mean = math.fsum(known) / len(known) if len(known) == len(values) else None
    name, shown = members[0] if mean is None else _nearest(members, mean)
    return Score(
        metric=metric.name,
        value=mean,
        reason=f"{name}: {shown.reason}" if mean is not None and shown.reason else "",
        details=shown.details,
        items=() if metric.counts is None else _items(metric, scores),
        usage=_usage(scores),
        cost_usd=_cost(scores),
        calls=sum(score.calls for score in scores),
        cached=all(score.cached for score in scores),
        judge=_judges(scores[::per_judge]),
        failure=None if mean is not None else _failure(members),
        members=dict(zip((name for name, _ in members), values, strict=True)),
    )


def _number(score: Score) -> float | None:
    """Give a value that a mean can be taken of; a text has none."""
    return None if score.value is None or isinstance(score.value, str) else float(score.value)


def _nearest(members: Sequence[tuple[str, Score]], mean: float) -> tuple[str, Score]:
    """Return the member whose value is nearest to the mean, the first of equally near ones."""
    return min(members, key=lambda one: abs((_number(one[1]) or 0.0) - mean))


def _failure(members: Sequence[tuple[str, Score]]) -> Failure:
    """Say why there is no value: the reason of the first member without one, under its name.

    What all members say is nobody's alone, such as pages that could not be read. A ceiling goes
    before other reasons: with more money the ruling is asked for again.
    """
    without = [one for one in members if _number(one[1]) is None]
    unpaid = (one for one in without if one[1].failure and one[1].failure.kind == "budget")
    name, score = next(unpaid, without[0])
    said = score.failure or Failure(
        kind="error", message="a text was given, and no mean can be taken of texts"
    )
    if score.failure and all(one.failure == score.failure for _, one in members):
        return said
    return said.model_copy(update={"message": f"{name}: {said.message}"})


def _items(metric: Metric, scores: Sequence[Score]) -> tuple[Item, ...]:
    """Give every item that any member counted, with the label of most of those that did.

    Of equally frequent labels the least favourable counts, as among people. The same item twice in
    one ruling is one rater's.
    """
    found: dict[str, Item] = {}
    said: dict[str, list[Support]] = {}
    for score in scores:
        for item in {one.digest: one for one in score.items}.values():
            found.setdefault(item.digest, item)
            said.setdefault(item.digest, []).append(item.label)
    return tuple(
        item.model_copy(update={"label": agreed(said[key], metric.counts)})
        for key, item in found.items()
    )


def _judges(scores: Sequence[Score]) -> str | None:
    """Join the judges' names with their reply forms; None unless all of them have replied.

    Else a judge that failed once would make the run one of another panel.
    """
    names = [
        None if score.judge is None else f"{score.judge} [{score.form or 'unknown form'}]"
        for score in scores
    ]
    known = [name for name in names if name is not None]
    return " + ".join(known) if len(known) == len(names) else None


def _usage(scores: Sequence[Score]) -> Usage | None:
    """Add up the tokens; a count that no call gave stays None."""
    parts = [score.usage for score in scores if score.usage is not None]
    sums: dict[str, int | None] = {}
    for name in Usage.model_fields:
        counts = [value for part in parts if (value := getattr(part, name)) is not None]
        sums[name] = sum(counts) if counts else None
    return Usage.model_validate(sums) if parts else None


def _cost(scores: Sequence[Score]) -> float | None:
    """Add up the dollars; unknown where a part is, and where nothing was asked."""
    costs = [score.cost_usd for score in scores]
    return None if None in costs else math.fsum(cost or 0.0 for cost in costs)
