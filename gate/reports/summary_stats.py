"""Averages of a run for people's eyes: per target, over all answers and without the empty ones.

The unit is the case: attempts are averaged within a case first. What could not be scored is left
out and counted. These averages decide nothing; a verdict rests on paired cases.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gate.reports.once import once
from gate.stats.columns import Repeats
from gate.stats.summary import lower_median, mean_or_none
from gate.types import Attempt, Cell, Run

_FAILED = frozenset({"error", "blocked", "timeout"})


@dataclass(frozen=True)
class Average:
    """A mean over cases."""

    mean: float | None
    """The mean; None where no case was scored."""
    n: int
    """Cases with a value."""


@dataclass(frozen=True)
class TargetSummary:
    """What one target of one run did, in averages."""

    target: str
    """Name of the system under test."""
    run: str
    """Id of the run."""
    attempts: int
    """Attempts that were started."""
    answered: int
    """Attempts with an answer to score."""
    empty: int
    """Attempts that finished without text."""
    averages: dict[str, Average]
    """Metric -> average over all attempts that have a value."""
    answered_averages: dict[str, Average] | None
    """The same without the empty answers; None where no empty answer carries a score."""
    p50_latency_s: float | None
    """Lower median of all known latencies, seconds."""
    usd_per_1k: float | None
    """Mean known cost of an attempt that did not fail, x 1,000."""
    error_rate: float | None
    """Share of attempts that ended in an error, a block or a time-out."""
    empty_rate: float | None
    """Share of attempts that finished without text."""
    grounded_rate: float | None
    """Share of answers with at least one source, where that is known."""


@once
def summaries(run: Run) -> tuple[TargetSummary, ...]:
    """Summarise each target of the run, in the run's order."""
    cells: dict[str, list[Cell]] = {info.name: [] for info in run.targets}
    for cell in run.cells:
        cells.setdefault(cell.target, []).append(cell)
    metrics = [metric.name for metric in run.metrics]
    return tuple(_summary(run.id, target, own, metrics) for target, own in cells.items())


def case_mean(cell: Cell, metric: str, *, answered_only: bool = False) -> float | None:
    """Average the metric over the attempts of a case; None where no attempt has a value.

    With `answered_only`, attempts that gave no answer to score are left out although a foreign
    tool scored them.
    """
    return mean_or_none(
        value
        for value, attempt in _scored(cell, metric)
        if not answered_only or attempt.state == "ok"
    )


def has_value(cell: Cell, metric: str) -> bool:
    """Tell whether any attempt of a case has a value of the metric."""
    column = cell.scores.get(metric, ())
    return column.count(None) < len(column)


def average(cells: Iterable[Cell], metric: str, *, answered_only: bool = False) -> Average:
    """Average the metric over cases."""
    if answered_only:
        found = (case_mean(cell, metric, answered_only=True) for cell in cells)
        means = [mean for mean in found if mean is not None]
    else:
        scores = Repeats.of([cell.scores.get(metric, ()) for cell in cells])
        means = scores.take(scores.counts > 0).means()
    return Average(mean_or_none(means), len(means))


def common_averages(
    run: Run, metrics: Sequence[str]
) -> tuple[frozenset[str], dict[str, dict[str, float]]]:
    """Average the metrics over the cases that every target has all of them for.

    Averages over differing cases cannot be compared between targets: a target that answers the
    easy cases only would look better. Returns the common cases, and target -> metric -> mean,
    which is empty where no case is common.
    """
    by_target: dict[str, dict[str, Cell]] = {}
    for cell in run.cells:
        complete = all(has_value(cell, metric) for metric in metrics)
        scored = by_target.setdefault(cell.target, {})
        if complete:
            scored[cell.case_id] = cell
    shared = frozenset.intersection(*map(frozenset, by_target.values())) if by_target else None
    if not shared:
        return frozenset(), {}
    means: dict[str, dict[str, float]] = {}
    for target, scored in by_target.items():
        own = [scored[case_id] for case_id in sorted(shared)]
        found = {metric: average(own, metric).mean for metric in metrics}
        means[target] = {metric: mean for metric, mean in found.items() if mean is not None}
    return shared, means


def _summary(
    run_id: str, target: str, cells: Sequence[Cell], metrics: Sequence[str]
) -> TargetSummary:
    tried = [one for cell in cells for one in cell.attempts if one.state != "budget"]
    answered = [one for one in tried if one.state == "ok"]
    empty = [one for one in tried if one.state == "empty"]
    failed = [one for one in tried if one.state in _FAILED]
    paid = [one.cost_usd for one in tried if one.state not in _FAILED]
    cost = mean_or_none(paid)
    known = [one.grounded for one in answered if one.grounded is not None]
    return TargetSummary(
        target=target,
        run=run_id,
        attempts=len(tried),
        answered=len(answered),
        empty=len(empty),
        averages={metric: average(cells, metric) for metric in metrics},
        answered_averages=(
            {metric: average(cells, metric, answered_only=True) for metric in metrics}
            if any(
                attempt.state == "empty"
                for cell in cells
                if any(attempt.state == "empty" for attempt in cell.attempts)
                for metric in metrics
                for _, attempt in _scored(cell, metric)
            )
            else None
        ),
        p50_latency_s=lower_median(one.latency_s for one in tried),
        usd_per_1k=None if cost is None else cost * 1000,
        error_rate=_share(failed, tried),
        empty_rate=_share(empty, tried),
        grounded_rate=sum(known) / len(known) if known else None,
    )


def _scored(cell: Cell, metric: str) -> list[tuple[float, Attempt]]:
    """Pair each value of the metric with its attempt; a metric that the cell lacks has none."""
    column = cell.scores.get(metric)
    if column is None:
        return []
    pairs = zip(column, cell.attempts, strict=True)
    return [(value, attempt) for value, attempt in pairs if value is not None]


def _share(part: Sequence[Attempt], whole: Sequence[Attempt]) -> float | None:
    return len(part) / len(whole) if whole else None
