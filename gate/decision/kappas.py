"""Kappa of a set of labels: the table, its uncertainty, and how independent the labels are."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, replace

from gate.decision.categories import categories_of, judge_said
from gate.decision.rounding import result
from gate.stats.agreement import Kappa, cohen_kappa, contingency, off_modal
from gate.stats.clustered import clustered_kappa, design_effect
from gate.stats.tables import Table
from gate.types import CalibrationItem, CalibrationSet


@dataclass(frozen=True)
class Measured:
    """What the labels of one dimension say of its judge."""

    table: tuple[tuple[int, ...], ...]
    """Counts, q x q: rows human, columns judge, in the order of the categories."""
    kappa: Kappa
    """Unweighted kappa, rounded to 1e-9 so that a kappa of just the bar is so on every machine; its
    interval is clustered by case where a case has several labels."""
    off_modal: int
    """Labels off the most frequent (human, judge) cell."""
    cases: int
    """Cases that the labels come from."""
    design_effect: float | None
    """Clustered variance over that of independent labels; None where no case has several."""


def measure(labelled: CalibrationSet) -> Measured:
    """Compare people with the judge; `labelled` has at least one label.

    Answers to one case, and claims of one answer, go right or wrong together, so labels of one
    case count as a cluster. Raises ValueError for a judge's score outside [0, 1].
    """
    tables = tables_of(labelled)
    table = sum(tables[1:], start=tables[0])
    alone = len(tables) == len(labelled.items)
    return Measured(
        table=tuple(tuple(int(count) for count in row) for row in table),
        kappa=_rounded(cohen_kappa(table) if alone else clustered_kappa(tables)),
        off_modal=off_modal(table),
        cases=len(tables),
        design_effect=None if alone else design_effect(tables),
    )


def _rounded(kappa: Kappa) -> Kappa:
    value, se, low, high, bound = (
        None if one is None else result(one)
        for one in (kappa.value, kappa.se, kappa.low, kappa.high, kappa.lower_one_sided)
    )
    return replace(kappa, value=value, se=se, low=low, high=high, lower_one_sided=bound)


def tables_of(labelled: CalibrationSet, shift: float = 0.0) -> list[Table]:
    """Count people's ratings against the judge's, one table a case, rows human.

    `shift` moves the edges of the judge's buckets. Raises ValueError for a judge's score outside
    [0, 1].
    """
    by_case: dict[str, list[CalibrationItem]] = defaultdict(list)
    for item in labelled.items:
        by_case[item.case_id].append(item)
    words = categories_of(labelled.counts)
    return [
        contingency([one.human for one in items], [judge_said(one, shift) for one in items], words)
        for items in by_case.values()
    ]
