"""Against a baseline of averages alone: a plain difference, which cannot tell noise from a drop."""

from __future__ import annotations

from gate.decision.baseline_file import PUBLISHED_AS
from gate.decision.rounding import result
from gate.decision.rows import sign_of
from gate.decision.sides import Sides, made, scored
from gate.stats.summary import mean_or_none
from gate.types import Cell, Metric, Policy, Row

SAMPLE = "cases"
"""Named in `Row.incomparable` when the run is a sample: its cases are not those of the average."""


def average_row(sides: Sides, target: str, metric: Metric, policy: Policy) -> Row:
    """Compare the run's average over its scored cases with the baseline's average.

    Averages are rounded to 1e-9. Cases that lack their score since something failed count as
    expected, so that a run which fails on the hard cases does not look better for it; cases without
    a value, such as an answer without citations, do not, since an average does not say how many it
    rests on. A sample is not compared with the average of the full set. A dimension that the
    baseline lacks has no baseline number.
    """
    sign = sign_of(metric, policy)
    known = sides.baseline.averages.get(target, {})
    baseline = known.get(metric.name, known.get(PUBLISHED_AS.get(metric.name, "")))
    cells = {case: sides.new.get((target, case)) for case in sides.planned}
    columns = [scored(cell, metric.name) for cell in cells.values()]
    current = mean_or_none(mean_or_none(column) for column in columns)
    n = sum(bool(column) for column in columns)
    lost = tuple(case for case, cell in cells.items() if _lost(cell, metric))
    expected = n + len(lost)
    row = Row(
        target=target,
        dimension=metric.name,
        judged=metric.judged,
        direction_known=sign is not None,
        watched=metric.watched,
        baseline=None,
        current=None if current is None else result(current),
        delta=None,
        signed=None,
        newly_unscored=() if baseline is None else lost,
        averages_only=True,
    )
    if baseline is None:
        return row
    if sides.sampled:
        return row.model_copy(
            update={"current": None, "expected": max(1, expected), "incomparable": (SAMPLE,)}
        )
    if row.current is None:
        return row.model_copy(update={"expected": max(1, expected)})
    delta = result(row.current - result(baseline))
    return row.model_copy(
        update={
            "baseline": result(baseline),
            "delta": delta,
            "signed": None if sign is None else result(sign * delta),
            "n": n,
            "expected": expected,
        }
    )


def _lost(cell: Cell | None, metric: Metric) -> bool:
    """Tell whether a case lacks its score since something failed, not since it has no value."""
    if scored(cell, metric.name):
        return False
    if cell is None or not any(attempt.state == "ok" for attempt in made(cell)):
        return True
    return bool(set(cell.failures.get(metric.name, ())) - {None, "undefined"})
