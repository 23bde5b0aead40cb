"""Targets side by side on the cases that all of them have a value for.

Averages over differing cases cannot be compared between targets: one that has a value for the
easy cases only would look better. Each dimension has the common cases of its own, since one may be
undefined where another is not: an answer that cites nothing has no citation precision. It decides
nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.reports.numbers import figure
from gate.reports.once import once
from gate.reports.summary_stats import columns_of, common_averages
from gate.scorers.alce import f1
from gate.types import Metric, Run

MOST_METRICS = 10
"""Columns of dimensions: a wider table cannot be read, and can be made huge by its cells."""

PRECISION, COVERAGE = "citation_precision", "source_coverage"
"""The two dimensions of citation F1."""

F1_OF_AVERAGES = "F1 of averages"
"""Column of the harmonic mean of their two averages."""

ABOUT_F1 = (
    f"{F1_OF_AVERAGES}: of the averaged {PRECISION} and {COVERAGE}, as gemini-search-mcp gives it; "
    "it is not citation_f1, the mean of each case's own F1"
)
"""Keeps the two apart."""


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


@dataclass(frozen=True)
class _Column:
    """One dimension on its common cases: target -> mean."""

    metric: Metric
    cases: frozenset[str]
    means: Mapping[str, float | None]

    @property
    def head(self) -> str:
        return f"{self.metric.name} (n {len(self.cases)})"


@once
def common_table(run: Run) -> ModelTable | None:
    """Put the targets side by side on their common cases, with the number of those.

    Only dimensions are shown that some target has on other cases than another, and both of citation
    F1 where one of them is; None when there is no such dimension, or none with a common case.
    """
    found = [_column(run, metric) for metric in _uneven(run)]
    lacking = [one.metric.name for one in found if not one.cases]
    columns = [one for one in found if one.cases]
    shown, left = columns[:MOST_METRICS], columns[MOST_METRICS:]
    if not shown:
        return None
    remarks = ["on the cases that every target has a value for, n of them"]
    if lacking:
        remarks.append(f"no case that every target has: {', '.join(lacking)}")
    if left:
        remarks.append(f"not shown: {', '.join(one.metric.name for one in left)}")
    harmonic = _f1_column(shown)
    measured = {one for column in shown for one in column.means}
    return ModelTable(
        head=("target", *(one.head for one in shown), *([] if harmonic is None else [harmonic[0]])),
        rows=tuple(
            (
                target,
                *(figure(one.means.get(target), one.metric.unit) for one in shown),
                *([] if harmonic is None else [figure(harmonic[1].get(target))]),
            )
            for target in dict.fromkeys([*(one.name for one in run.targets), *sorted(measured)])
            if target in measured
        ),
        remarks=tuple(remarks),
    )


def _uneven(run: Run) -> list[Metric]:
    """Give the dimensions that targets have on different cases; counts alone may tie."""
    columns = columns_of(run).values()
    names = {one.name for one in run.metrics if len({own.cases(one.name) for own in columns}) > 1}
    if names & {PRECISION, COVERAGE}:
        names |= {PRECISION, COVERAGE}
    return [one for one in run.metrics if one.name in names]


def _column(run: Run, metric: Metric) -> _Column:
    shared, means = common_averages(run, [metric.name])
    return _Column(metric, shared, {one: own.get(metric.name) for one, own in means.items()})


def _f1_column(columns: Sequence[_Column]) -> tuple[str, dict[str, float | None]] | None:
    """Give title and figures of F1 where both of its averages stand in the table."""
    found = {one.metric.name: one for one in columns}
    precision, coverage = found.get(PRECISION), found.get(COVERAGE)
    if precision is None or coverage is None:
        return None
    n = f" (n {len(precision.cases)})" if precision.cases == coverage.cases else ""
    return f"{F1_OF_AVERAGES}{n}", {
        target: f1(mean, coverage.means.get(target)) for target, mean in precision.means.items()
    }
