"""The model table: targets side by side in system-wide averages, with what they cost.

It decides nothing. Averages hold all cases that have a value, so they differ from those of the
verdict's table, which holds compared cases only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.words import counted
from gate.reports.numbers import figure, percent, seconds, usd
from gate.reports.summary_stats import Average, TargetSummary, common_averages, summaries
from gate.types import Report, Run

MOST_METRICS = 8
"""Columns of dimensions: a wider table cannot be read, and can be made huge by its cells."""


@dataclass(frozen=True)
class ModelTable:
    """Plain text cells; the head and the leading columns hold names, which may be foreign."""

    head: tuple[str, ...]
    """Column titles."""
    rows: tuple[tuple[str, ...], ...]
    """One for each target of each run, followed by one without its empty answers where a foreign
    tool scored some; as many cells as the head."""
    names: int = 1
    """Leading columns that hold names; all others hold figures of ours."""
    remarks: tuple[str, ...] = ()
    """How to read it."""


def model_table(report: Report) -> ModelTable:
    """Put all targets of the run, and of the runs shown beside it, side by side."""
    metrics = report.run.metrics[:MOST_METRICS]
    runs = (report.run, *report.others)
    several = len(runs) > 1
    units = {metric.name: metric.unit for metric in metrics}
    head = ("target", *(("run",) if several else ()), *units)
    found = [one for run in runs for one in summaries(run)]
    remarks = []
    if len(report.run.metrics) > MOST_METRICS:
        left = ", ".join(metric.name for metric in report.run.metrics[MOST_METRICS:])
        remarks.append(f"not shown: {left}")
    rows: list[tuple[str, ...]] = []
    for one in found:
        run = (one.run,) if several else ()
        rows.append((one.target, *run, *_averages(one.averages, units), *_operations(one)))
        if one.answered_averages is not None:
            answered = _averages(one.answered_averages, units)
            rows.append(("without empty answers", *run, *answered, *[""] * 5))
    return ModelTable(
        head=(*head, "p50", "per 1k", "errors", "empty", "grounded"),
        rows=tuple(rows),
        names=2 if several else 1,
        remarks=tuple(remarks),
    )


def common_table(run: Run) -> ModelTable | None:
    """Put the targets side by side on the cases that all of them have a value for.

    Only dimensions that some target lacks on some case are shown; None when there is no such
    dimension or no common case.
    """
    found = summaries(run)
    uneven = [
        metric
        for metric in run.metrics
        if len({_of(one.averages, metric.name).n for one in found}) > 1
    ][:MOST_METRICS]
    shared, means = common_averages(run, [metric.name for metric in uneven])
    if not uneven or not shared:
        return None
    return ModelTable(
        head=("target", *(metric.name for metric in uneven)),
        rows=tuple(
            (target, *(figure(own.get(metric.name), metric.unit) for metric in uneven))
            for target, own in _in_order(means, found)
        ),
        remarks=(f"on {counted(len(shared), 'case')} that every target has all of these for",),
    )


def _averages(averages: dict[str, Average], units: dict[str, str]) -> tuple[str, ...]:
    return tuple(figure(_of(averages, name).mean, unit) for name, unit in units.items())


def _operations(one: TargetSummary) -> tuple[str, ...]:
    return (
        seconds(one.p50_latency_s),
        usd(one.usd_per_1k),
        percent(one.error_rate),
        percent(one.empty_rate),
        percent(one.grounded_rate),
    )


def _of(averages: dict[str, Average], metric: str) -> Average:
    return averages.get(metric, Average(None, 0))


def _in_order(
    means: dict[str, dict[str, float]], found: Sequence[TargetSummary]
) -> list[tuple[str, dict[str, float]]]:
    return [(one.target, means[one.target]) for one in found if one.target in means]
