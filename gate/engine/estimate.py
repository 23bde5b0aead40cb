"""What a run would cost: calls, tokens and US dollars, added up. Pure."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from typing import Literal

from gate.decision.words import counted, dollars, listed
from gate.errors import CeilingError
from gate.models.card import bare_name
from gate.types import Metric, Run, Usage, Word

Kind = Literal["set", "all", "scorer", "chosen"]
"""What is estimated: a scorer set, all scorers, one scorer, or what was asked for by name."""


@dataclass(frozen=True)
class RehearsedCall:
    """A call that a run would make."""

    kind: Literal["answer", "judge"]
    """What it is for."""
    vendor: str
    """Who is paid; the plug-in's name where a target pays by itself."""
    model: str | None
    """The model; None where it is not known."""
    target: str | None
    """The system under test, of answer calls."""
    usage: Usage | None
    """Tokens and searches; None where they are not known."""
    usd: float | None
    """US dollars at list price; None where it is not known."""


class Part(Word):
    """Calls of one kind to one model."""

    kind: Literal["answer", "judge"]
    """What they are for."""
    vendor: str
    """Who is paid."""
    model: str | None = None
    """The model; None where it is not known."""
    target: str | None = None
    """The system under test, of answer calls."""
    calls: int = 0
    """Calls."""
    input_tokens: int | None = None
    """Tokens of the prompts, cached ones included; None where they are not known."""
    cached_tokens: int | None = None
    """The part of them that is read from a cache."""
    cache_write_tokens: int | None = None
    """The part of them that is written to a cache."""
    output_tokens: int | None = None
    """Tokens of the replies, thinking included."""
    searches: int | None = None
    """Search queries."""
    usd: float | None = None
    """US dollars at list price; None where it is not known, never 0 for unknown."""
    measured: bool = False
    """Whether the dollars are an earlier run's, and no assumption."""


class Estimate(Word):
    """What a run of some scorers would cost."""

    name: str
    """Name of the set or of the scorer."""
    kind: Kind
    """What it is."""
    scorers: tuple[str, ...]
    """Scorers that would be used."""
    metrics: tuple[str, ...] = ()
    """Dimensions that would be measured."""
    answers: int
    """Answers: cases x targets x repeats."""
    rehearsed: int = 0
    """Answers that were counted; the others are taken to be like them."""
    rulings: int = 1
    """Rulings on an answer that a score is the mean of: judges x `run.judge_repeats`."""
    controls: int = 0
    """Control answers that are judged beside them, where no judge drifted."""
    parts: tuple[Part, ...] = ()
    """The calls, answers before judgements."""
    failed: tuple[str, ...] = ()
    """Scorers whose calls are not known, and why."""

    @property
    def unknown(self) -> tuple[str, ...]:
        """What the estimate does not know, in words."""
        return (*_unpriced(self.parts), *self.failed)

    @property
    def answer_calls(self) -> int:
        """Paid calls for answers."""
        return sum(part.calls for part in self.parts if part.kind == "answer")

    @property
    def judge_calls(self) -> int:
        """Paid calls of the judge."""
        return sum(part.calls for part in self.parts if part.kind == "judge")

    @property
    def known_usd(self) -> float:
        """The part of the cost that is known, in US dollars."""
        return fsum(part.usd for part in self.parts if part.usd is not None)

    @property
    def usd(self) -> float | None:
        """US dollars; None where a part is not known."""
        return None if self.unknown else self.known_usd

    def vendors(self) -> dict[str, float | None]:
        """Return US dollars by vendor; None where a part of a vendor's is not known."""
        found: dict[str, list[float | None]] = defaultdict(list)
        for part in self.parts:
            found[part.vendor].append(part.usd)
        return {
            vendor: None if None in costs else fsum(one or 0.0 for one in costs)
            for vendor, costs in found.items()
        }


def add_up(
    name: str,
    kind: Kind,
    calls: Sequence[RehearsedCall],
    *,
    scorers: Sequence[str],
    metrics: Sequence[str],
    rehearsed: int,
    answers: int,
    failed: Sequence[str] = (),
    rulings: int = 1,
    controls: int = 0,
) -> Estimate:
    """Add up the calls of `rehearsed` answers, for `answers` of them.

    `failed` says which scorers could not be tried out, and why: their calls are not known. Of
    `controls` more answers only the judgements are paid.
    """
    groups: dict[tuple[str, ...], list[RehearsedCall]] = defaultdict(list)
    for call in calls:
        groups[call.kind, call.vendor, call.model or "", call.target or ""].append(call)
    share = answers / rehearsed if rehearsed else 0.0
    also = (answers + controls) / rehearsed if rehearsed else 0.0
    return Estimate(
        name=name,
        kind=kind,
        scorers=tuple(scorers),
        metrics=tuple(metrics),
        answers=answers,
        rehearsed=rehearsed,
        rulings=rulings,
        parts=tuple(
            _part(group, also if key[0] == "judge" else share)
            for key, group in sorted(groups.items())
        ),
        controls=controls,
        failed=tuple(failed),
    )


def with_real_costs(estimate: Estimate, run: Run) -> Estimate:
    """Put an earlier run's real costs a call in the place of assumed ones, where it has them.

    Answers: the mean cost of the same target's answers, asked of the same model. Judgements: what
    the run cost beyond its answers, when it measured the same dimensions with the same judge, and
    none of it came from a journal. What the run does not tell stays assumed.
    """
    parts = tuple(
        part.model_copy(update={"usd": usd, "measured": True})
        if (usd := _real_usd(part, estimate, run)) is not None
        else part
        for part in estimate.parts
    )
    return estimate.model_copy(update={"parts": parts})


def sentence(estimate: Estimate, ceiling_usd: float | None) -> str:
    """Say it in one line: dollars, calls, scorers, and the ceiling where there is one."""
    about = f"about {dollars(estimate.known_usd)}"
    if estimate.unknown:
        about = f"at least {dollars(estimate.known_usd)} ({'; '.join(estimate.unknown)})"
    which = f" (set {estimate.name})" if estimate.kind == "set" else ""
    text = (
        f"Estimate: {about} for {counted(estimate.answers, 'answer')}"
        f"{_controls(estimate.controls)} and "
        f"{counted(estimate.judge_calls, 'judge call')} "
        f"(scorers: {', '.join(estimate.scorers)}{which})"
    )
    if ceiling_usd is None:
        return f"{text}; no ceiling: --max-cost sets one"
    others = _unpriced_targets(estimate.parts)
    uncounted = f", which does not count what answers of {listed(others)} cost" if others else ""
    return f"{text}; ceiling {dollars(ceiling_usd)}{uncounted}"


def _controls(number: int) -> str:
    return f", {counted(number, 'control answer')}" if number else ""


def refuse_above(estimate: Estimate, ceiling_usd: float | None) -> None:
    """Raise CeilingError where what is known of the cost is above the ceiling."""
    if ceiling_usd is not None and estimate.known_usd > ceiling_usd:
        raise CeilingError(
            f"the estimate of {dollars(estimate.known_usd)} is above the ceiling of "
            f"{dollars(ceiling_usd)}: raise --max-cost, or take a smaller --sample; "
            "nothing was asked"
        )


def refuse_unpriced(estimate: Estimate, ceiling_usd: float | None) -> None:
    """Raise CeilingError for a ceiling over calls whose price is not known: nothing would hold it.

    A target that pays by itself goes through no door of ours: no ceiling counts it, which the
    sentence says.
    """
    models = _unpriced_models(estimate.parts)
    if ceiling_usd is not None and models:
        raise CeilingError(
            f"no list price of {listed(models)} is known, so the ceiling of {dollars(ceiling_usd)} "
            "could not be kept: take a model with a price (docs/models.md), or do without "
            "--max-cost and run.max_cost_usd; nothing was asked"
        )


def metric_names(metrics: Sequence[Metric]) -> tuple[str, ...]:
    """Name the dimensions, in their order."""
    return tuple(metric.name for metric in metrics)


def _part(calls: Sequence[RehearsedCall], share: float) -> Part:
    first = calls[0]
    costs = [call.usd for call in calls]
    return Part(
        kind=first.kind,
        vendor=first.vendor,
        model=first.model,
        target=first.target,
        calls=round(len(calls) * share),
        input_tokens=_sum(calls, "input_tokens", share),
        cached_tokens=_sum(calls, "cached_tokens", share),
        cache_write_tokens=_sum(calls, "cache_write_tokens", share),
        output_tokens=_sum(calls, "output_tokens", share),
        searches=_sum(calls, "searches", share),
        usd=None if None in costs else fsum(cost or 0.0 for cost in costs) * share,
    )


def _sum(calls: Sequence[RehearsedCall], name: str, share: float) -> int | None:
    counts = [None if call.usage is None else getattr(call.usage, name) for call in calls]
    known = [number for number in counts if number is not None]
    return round(sum(known) * share) if known else None


def _unpriced(parts: Sequence[Part]) -> tuple[str, ...]:
    """Name what has no price."""
    models, others = _unpriced_models(parts), _unpriced_targets(parts)
    said = []
    if models:
        said.append(f"no list price of {listed(models)}")
    if others:
        said.append(f"what answers of {listed(others)} cost is not known")
    return tuple(said)


def _unpriced_models(parts: Sequence[Part]) -> list[str]:
    """Name the models that have no price."""
    return list(dict.fromkeys(part.model for part in parts if part.usd is None and part.model))


def _unpriced_targets(parts: Sequence[Part]) -> list[str]:
    """Name the targets that pay by themselves."""
    blank = [part for part in parts if part.usd is None and not part.model]
    return list(dict.fromkeys(part.target for part in blank if part.target))


def _real_usd(part: Part, estimate: Estimate, run: Run) -> float | None:
    """Return an earlier run's dollars for the calls of a part; None where it does not tell."""
    mean = _mean_answer(part, run) if part.kind == "answer" else _mean_judging(part, estimate, run)
    if mean is None:
        return None
    return mean * (part.calls if part.kind == "answer" else estimate.answers + estimate.controls)


def _mean_answer(part: Part, run: Run) -> float | None:
    """Return the mean cost of a target's answers."""
    same = any(info.name == part.target and info.model == part.model for info in run.targets)
    costs = [
        attempt.cost_usd
        for cell in run.cells
        if same and cell.target == part.target
        for attempt in cell.attempts
        if attempt.cost_usd is not None
    ]
    return fsum(costs) / len(costs) if costs else None


def _mean_judging(part: Part, estimate: Estimate, run: Run) -> float | None:
    """Return what judging one answer cost, with the same scorers and the same judge."""
    judges = {
        bare_name(judge.partition(" [")[0])
        for identity in run.identities.values()
        if identity.judge is not None
        for judge in identity.judge.split(" + ")
    }
    attempts = [attempt for cell in run.cells for attempt in cell.attempts]
    made = [attempt for attempt in attempts if attempt.state != "budget"]
    costs = [attempt.cost_usd for attempt in made]
    whole = (
        {metric.name for metric in run.metrics} == set(estimate.metrics)
        and judges == {bare_name(part.model or "")}
        and sum(one.kind == "judge" for one in estimate.parts) == 1
        and run.cost.cached_calls == 0
        and _rulings(run) == estimate.rulings
    )
    if not whole or run.cost.usd is None or not costs or None in costs:
        return None
    check = run.controls
    judged = len(costs) + (0 if check is None else len(check.case_ids) * max(1, check.rounds))
    return max(0.0, run.cost.usd - fsum(cost or 0.0 for cost in costs)) / judged


def _rulings(run: Run) -> int:
    """Return how many rulings a score of the run is the mean of."""
    members = (len(columns) for cell in run.cells for columns in cell.members.values())
    return max(members, default=1)
