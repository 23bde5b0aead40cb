"""Averages of a run for people's eyes: per target, over all answers and without the empty ones.

The unit is the case: attempts are averaged within a case first. What could not be scored is left
out and counted. These averages decide nothing; a verdict rests on paired cases.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import compress

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


@dataclass(frozen=True)
class TargetColumns:
    """The cells of one target of a run, and its scores in columns."""

    cells: tuple[Cell, ...]
    """Its cells, in the run's order."""
    known: dict[str, Repeats] = field(default_factory=dict)
    """Metric -> its scores, as they are asked for."""

    @property
    def case_ids(self) -> list[str]:
        """The case of each cell."""
        return [cell.case_id for cell in self.cells]

    def scores(self, metric: str) -> Repeats:
        """Give the scores of a metric, case by case; none where a cell lacks it."""
        if metric not in self.known:
            self.known[metric] = Repeats.of([cell.scores.get(metric, ()) for cell in self.cells])
        return self.known[metric]

    def average(self, metric: str) -> Average:
        """Average a metric over the cases that have a value."""
        scores = self.scores(metric)
        means = scores.take(scores.counts > 0).means()
        return Average(mean_or_none(means), len(means))

    def cases(self, metric: str) -> frozenset[str]:
        """Name the cases that have a value of a metric."""
        return frozenset(compress(self.case_ids, self.scores(metric).counts.tolist()))


@once
def columns_of(run: Run) -> dict[str, TargetColumns]:
    """Give the columns of each target that has cells."""
    cells: dict[str, list[Cell]] = {}
    for cell in run.cells:
        cells.setdefault(cell.target, []).append(cell)
    return {target: TargetColumns(tuple(own)) for target, own in cells.items()}


@once
def summaries(run: Run) -> tuple[TargetSummary, ...]:
    """Summarise each target of the run, in the run's order."""
    columns = columns_of(run)
    metrics = [metric.name for metric in run.metrics]
    return tuple(
        _summary(run.id, target, columns.get(target, TargetColumns(())), metrics)
        for target in dict.fromkeys([*(info.name for info in run.targets), *columns])
    )


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


def common_averages(
    run: Run, metrics: Sequence[str]
) -> tuple[frozenset[str], dict[str, dict[str, float]]]:
    """Average the metrics over the cases that every target has all of them for.

    Averages over differing cases cannot be compared between targets: a target that answers the
    easy cases only would look better. Returns the common cases, and target -> metric -> mean,
    which is empty where no case is common.
    """
    columns = columns_of(run)
    complete = [own.cases(metric) for own in columns.values() for metric in metrics]
    shared = frozenset.intersection(*complete) if complete else None
    if not shared:
        return frozenset(), {}
    means: dict[str, dict[str, float]] = {}
    for target, own in columns.items():
        here = [case in shared for case in own.case_ids]
        found = {metric: mean_or_none(own.scores(metric).take(here).means()) for metric in metrics}
        means[target] = {metric: mean for metric, mean in found.items() if mean is not None}
    return shared, means


def _summary(
    run_id: str, target: str, columns: TargetColumns, metrics: Sequence[str]
) -> TargetSummary:
    tried = [one for cell in columns.cells for one in cell.attempts if one.state != "budget"]
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
        averages={metric: columns.average(metric) for metric in metrics},
        answered_averages=_answered_averages(columns.cells, metrics) if empty else None,
        p50_latency_s=lower_median(one.latency_s for one in tried),
        usd_per_1k=None if cost is None else cost * 1000,
        error_rate=_share(failed, tried),
        empty_rate=_share(empty, tried),
        grounded_rate=sum(known) / len(known) if known else None,
    )


def _answered_averages(cells: Sequence[Cell], metrics: Sequence[str]) -> dict[str, Average] | None:
    """Average without the empty answers; None where no empty answer carries a score."""
    if not any(
        attempt.state == "empty"
        for cell in cells
        if "empty" in [attempt.state for attempt in cell.attempts]
        for metric in metrics
        for _, attempt in _scored(cell, metric)
    ):
        return None
    averages: dict[str, Average] = {}
    for metric in metrics:
        found = (case_mean(cell, metric, answered_only=True) for cell in cells)
        means = [mean for mean in found if mean is not None]
        averages[metric] = Average(mean_or_none(means), len(means))
    return averages


def _scored(cell: Cell, metric: str) -> list[tuple[float, Attempt]]:
    """Pair each value of the metric with its attempt; a metric that the cell lacks has none."""
    column = cell.scores.get(metric)
    if column is None:
        return []
    pairs = zip(column, cell.attempts, strict=True)
    return [(value, attempt) for value, attempt in pairs if value is not None]


def _share(part: Sequence[Attempt], whole: Sequence[Attempt]) -> float | None:
    return len(part) / len(whole) if whole else None
