"""The model table: targets side by side in system-wide averages, with what they cost.

It decides nothing. Averages hold all cases that have a value, so they differ from those of the
verdict's table, which holds compared cases only; where targets have a dimension on different
numbers of cases the number stands beside the average, and `common_cases` has the table that can be
compared.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.reports.common_cases import (
    ABOUT_F1,
    COVERAGE,
    F1_OF_AVERAGES,
    MOST_METRICS,
    PRECISION,
    ModelTable,
)
from gate.reports.numbers import figure, percent, seconds, usd
from gate.reports.summary_stats import Average, TargetSummary, summaries
from gate.scorers.alce import f1
from gate.types import Report

_OPERATIONS = ("p50", "per 1k", "errors", "empty", "grounded")


def model_table(report: Report) -> ModelTable:
    """Put all targets of the run, and of the runs shown beside it, side by side."""
    metrics = report.run.metrics[:MOST_METRICS]
    runs = (report.run, *report.others)
    several = len(runs) > 1
    units = {metric.name: metric.unit for metric in metrics}
    found = [one for run in runs for one in summaries(run)]
    counted = {name for name in units if len({_of(one.averages, name).n for one in found}) > 1}
    with_f1 = {PRECISION, COVERAGE} <= units.keys()
    remarks = [ABOUT_F1] if with_f1 else []
    if len(report.run.metrics) > MOST_METRICS:
        left = ", ".join(metric.name for metric in report.run.metrics[MOST_METRICS:])
        remarks.append(f"not shown: {left}")

    def averages(of: Mapping[str, Average]) -> tuple[str, ...]:
        cells = [
            figure(_of(of, name).mean, unit)
            + (f" (n {_of(of, name).n})" if name in counted else "")
            for name, unit in units.items()
        ]
        if with_f1:
            means = (_of(of, PRECISION).mean, _of(of, COVERAGE).mean)
            cells.append(figure(f1(*means)))
        return tuple(cells)

    rows: list[tuple[str, ...]] = []
    for one in found:
        run = (one.run,) if several else ()
        rows.append((one.target, *run, *averages(one.averages), *_operations(one)))
        if one.answered_averages is not None:
            answered = averages(one.answered_averages)
            blank = [""] * len(_OPERATIONS)
            rows.append(("without empty answers", *run, *answered, *blank))
    return ModelTable(
        head=(
            "target",
            *(("run",) if several else ()),
            *units,
            *((F1_OF_AVERAGES,) if with_f1 else ()),
            *_OPERATIONS,
        ),
        rows=tuple(rows),
        names=2 if several else 1,
        remarks=tuple(remarks),
    )


def _operations(one: TargetSummary) -> tuple[str, ...]:
    return (
        seconds(one.p50_latency_s),
        usd(one.usd_per_1k),
        percent(one.error_rate),
        percent(one.empty_rate),
        percent(one.grounded_rate),
    )


def _of(averages: Mapping[str, Average], metric: str) -> Average:
    return averages.get(metric, Average(None, 0))
