"""`report.csv`: one line for each target, case and dimension, for spreadsheets and notebooks.

A number that is undefined is an empty cell. Texts that a spreadsheet would run as a formula get
an apostrophe in front. Differences are in the metric's own direction: a fall in latency is
negative.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import dataclass

from gate.decision.baseline_file import PUBLISHED_AS
from gate.reports.options import NoOptions
from gate.reports.summary_stats import case_mean
from gate.reports.untrusted import plain
from gate.types import Artifact, Difference, Report

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
    differences = _differences(report)
    for cell in report.run.cells:
        states = "+".join(dict.fromkeys(one.state for one in cell.attempts))
        for metric in report.run.metrics:
            found = differences.get((cell.target, cell.case_id, metric.name))
            numbers = _numbers(found, signs[metric.name], case_mean(cell, metric.name))
            column = cell.scores.get(metric.name, ())
            yield (
                cell_text(cell.target),
                cell_text(cell.case_id),
                cell_text(cell.category),
                cell_text(metric.name),
                *map(_number, numbers),
                str(len(cell.attempts)),
                str(sum(value is not None for value in column)),
                states,
                "yes" if report.stand_in else "no",
                PUBLISHED_AS.get(metric.name, ""),
            )


def _numbers(
    found: Difference | None, sign: int, mean: float | None
) -> tuple[float | None, float | None, float | None]:
    if found is None:
        return None, mean, None
    return found.baseline * sign, found.current * sign, found.delta * sign


def _signs(report: Report) -> dict[str, int]:
    """Tell which metrics a comparison turned round: in it, higher is always better."""
    signs = {}
    for metric in report.run.metrics:
        rule = report.policy.rules.get(metric.name)
        better = metric.better if rule is None or rule.better is None else rule.better
        signs[metric.name] = -1 if better == "lower" else 1
    return signs


def _differences(report: Report) -> dict[tuple[str, str, str], Difference]:
    rows = () if report.comparison is None else report.comparison.rows
    return {
        (row.target, one.case_id, row.dimension): one
        for row in rows
        if row.category is None
        for one in row.differences
    }


def _number(value: float | None) -> str:
    """Write a number with all its digits; what is undefined is empty."""
    return "" if value is None else repr(round(value, 12) + 0.0)
