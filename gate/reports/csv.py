"""`report.csv`: one line for each target, case and dimension, for spreadsheets and notebooks.

A number that is undefined is an empty cell. Texts that a spreadsheet would run as a formula get
an apostrophe in front. Differences are in the metric's own direction: a fall in latency is
negative.
"""

from __future__ import annotations

import csv
import io
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

from gate.decision.baseline_file import PUBLISHED_AS
from gate.reports.options import NoOptions
from gate.reports.summary_stats import case_mean
from gate.reports.untrusted import plain
from gate.types import Artifact, Cell, Differences, Report

HEAD = (
    "target",
    "case_id",
    "category",
    "dimension",
    "baseline_mean",
    "current_mean",
    "delta",
    "attempts",
    "scored",
    "state",
    "stand_in",
    "alias",
)
"""Columns; `state` names how the attempts ended, `scored` counts those with a value, and `alias` is
the name that gemini-search-mcp publishes the dimension under, where it is another."""

_TEXTS = 1_000
"""Texts that are remembered: names of targets and categories."""

_NUMBERS = 50_000
"""Numbers whose text is remembered: scores of four decimals and their differences are fewer."""

_FORMULA = ("=", "+", "-", "@", "\N{FULLWIDTH EQUALS SIGN}", "\N{FULLWIDTH PLUS SIGN}")
_FORMULA_WIDE = ("\N{FULLWIDTH HYPHEN-MINUS}", "\N{FULLWIDTH COMMERCIAL AT}")


@dataclass(frozen=True)
class CsvReporter:
    """All numbers of the run and of its baseline, case by case."""

    Options = NoOptions
    """Options of `use: csv`."""
    options: NoOptions
    """The options."""

    def render(self, report: Report) -> Artifact:
        """Render `report.csv`."""
        stream = io.StringIO()
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(HEAD)
        writer.writerows(_lines(report))
        return Artifact(name="report.csv", media_type="text/csv", text=stream.getvalue())


def cell_text(text: str) -> str:
    """Return foreign text for a cell: one line, and no formula."""
    shown = plain(text)
    return f"'{shown}" if shown.startswith((*_FORMULA, *_FORMULA_WIDE)) else shown


def _lines(report: Report) -> Iterator[tuple[str, ...]]:
    signs = _signs(report)
    metrics = [
        (one.name, cell_text(one.name), PUBLISHED_AS.get(one.name, ""))
        for one in report.run.metrics
    ]
    stand_in = "yes" if report.stand_in else "no"
    text = lru_cache(maxsize=_TEXTS)(cell_text)
    compared = _compared(report)
    for cell in report.run.cells:
        states = "+".join(dict.fromkeys(one.state for one in cell.attempts))
        whose = (text(cell.target), cell_text(cell.case_id), text(cell.category))
        attempts = str(len(cell.attempts))
        for name, shown, alias in metrics:
            row = compared.get((cell.target, name))
            ends = None if row is None else row.find(cell.case_id)
            column = cell.scores.get(name, ())
            yield (
                *whose,
                shown,
                *_numbers(ends, signs[name], cell, name),
                attempts,
                str(len(column) - column.count(None)),
                states,
                stand_in,
                alias,
            )


class _Finder:
    """Finds the compared cases of a row, which mostly are asked for in their order."""

    def __init__(self, cases: Differences) -> None:
        self._cases = cases
        ids = cases.case_ids
        in_order = all(one <= other for one, other in pairwise(ids))
        self._order = range(len(ids)) if in_order else sorted(range(len(ids)), key=ids.__getitem__)
        self._ids = ids if in_order else [ids[place] for place in self._order]
        self._next = 0

    def find(self, case_id: str) -> tuple[float, float] | None:
        """Give the baseline mean and the current mean of a case; None where it was not compared."""
        place = self._next
        if place >= len(self._ids) or self._ids[place] != case_id:
            place = bisect_left(self._ids, case_id)
            if place >= len(self._ids) or self._ids[place] != case_id:
                return None
        self._next = place + 1
        found = self._order[place]
        return self._cases.baselines[found], self._cases.currents[found]


def _compared(report: Report) -> dict[tuple[str, str], _Finder]:
    """Give target and dimension -> its compared cases."""
    rows = () if report.comparison is None else report.comparison.rows
    return {
        (row.target, row.dimension): _Finder(row.differences)
        for row in rows
        if row.category is None
    }


def _numbers(
    ends: tuple[float, float] | None, sign: int, cell: Cell, metric: str
) -> tuple[str, str, str]:
    """Write baseline mean, current mean and their difference."""
    if ends is None:
        return "", _number(case_mean(cell, metric)), ""
    before, now = ends
    return _number(before * sign), _number(now * sign), _number((now - before) * sign)


def _signs(report: Report) -> dict[str, int]:
    """Tell which metrics a comparison turned round: in it, higher is always better."""
    signs = {}
    for metric in report.run.metrics:
        rule = report.policy.rules.get(metric.name)
        better = metric.better if rule is None or rule.better is None else rule.better
        signs[metric.name] = -1 if better == "lower" else 1
    return signs


@lru_cache(maxsize=_NUMBERS)
def _number(value: float | None) -> str:
    """Write a number with all its digits; what is undefined is empty."""
    return "" if value is None else repr(round(value, 12) + 0.0)
