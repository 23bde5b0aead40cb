"""The table of a baseline refresh: old, new and anchor, with the gate's own test in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from gate.decision.anchoring import whole_rows
from gate.decision.comparison import DIFFERS
from gate.decision.refresh import Refreshed, Side
from gate.decision.rows import margin_of
from gate.decision.words import counted, listed, setting
from gate.reports.numbers import MISSING, change, figure, interval
from gate.reports.rows import trust_words
from gate.reports.tables import table
from gate.reports.untrusted import sentence, span
from gate.types import Agreement, Baseline, Cell, Finding, Policy, Row, Trust

MOST_ROWS = 150
"""Rows that a pull request shows; a body holds 65,536 characters."""

Turn = Literal["worse", "better", "same", "incomparable", "none"]
"""How a row stands to an earlier baseline, by more than noise."""


@dataclass(frozen=True)
class Told:
    """One target in one dimension, in words; names are foreign."""

    target: str
    """System under test."""
    dimension: str
    """The metric."""
    figures: tuple[str, str, str]
    """Means of old, new and anchor."""
    repeats: str
    """Lowest and highest mean of a single repeat."""
    against: tuple[str, str]
    """The gate's own test against old and anchor."""
    trust: str
    """The judge's licence."""
    old: Turn
    """How it turned against the old baseline."""


def told_rows(found: Refreshed, policy: Policy) -> list[Told]:
    """Return the rows, targets in the run's order and dimensions in the scorers'."""
    licences = {one.dimension: one for one in found.agreements}
    swings = {(target, name): (low, high) for target, name, low, high in found.swings}
    rows = []
    for target in found.run.targets:
        for metric in found.run.metrics:
            key, unit = (target.name, metric.name), metric.unit
            old, anchor = _pick(found.old, key), _pick(found.held, key)
            low, high = swings.get(key, (None, None))
            trust = trust_of(licences[metric.name])
            rows.append(
                Told(
                    target=target.name,
                    dimension=metric.name,
                    figures=(
                        figure(_mean(found.old, key), unit),
                        figure(case_mean(found.run.cells, *key), unit),
                        figure(_mean(found.held, key), unit),
                    ),
                    repeats=MISSING
                    if low is None
                    else f"{figure(low, unit)} to {figure(high, unit)}",
                    against=(_words(old, unit, policy), _words(anchor, unit, policy)),
                    trust="watched" if metric.watched else trust_words(trust),
                    old=turn_of(old),
                )
            )
    return rows


def table_of(rows: Sequence[Told]) -> tuple[str, str]:
    """Return the table as Markdown, and what is said of rows that found no room."""
    several = len({row.target for row in rows}) > 1
    head = [
        *(["target"] if several else []),
        *("dimension", "old", "new", "anchor", "repeats"),
        *("new against old", "new against the anchor", "judge trust"),
    ]
    lines = [
        [
            *([span(row.target)] if several else []),
            sentence(row.dimension),
            row.figures[0],
            f"**{row.figures[1]}**",
            row.figures[2],
            row.repeats,
            *row.against,
            row.trust,
        ]
        for row in rows[:MOST_ROWS]
    ]
    left = len(rows) - MOST_ROWS
    return table(head, lines), f"{counted(left, 'more row')} found no room." if left > 0 else ""


def case_mean(cells: Sequence[Cell], target: str, dimension: str) -> float | None:
    """Return the mean over cases of the mean over repeats; None without a score."""
    means = []
    for cell in cells:
        values = [one for one in cell.scores.get(dimension, ()) if one is not None]
        if cell.target == target and values:
            means.append(math.fsum(values) / len(values))
    return math.fsum(means) / len(means) if means else None


def trust_of(agreement: Agreement) -> Trust:
    """Return the licence as it stands beside a row."""
    return Trust.model_validate(agreement.model_dump(include=set(Trust.model_fields)))


def turn_of(pair: tuple[Row, Finding] | None) -> Turn:
    """Say how a row stands: worse by the gate's test, better by its 90% interval, or neither."""
    if pair is None or not pair[0].expected:
        return "none"
    row, finding = pair
    if finding.outcome == "incomparable":
        return "none" if finding.watched else "incomparable"
    if finding.outcome == "unmeasured" or finding.watched:
        return "none"
    if finding.outcome == "regression":
        return "worse"
    return "better" if _rose(row) else "same"


def _rose(row: Row) -> bool:
    if row.signed is None or row.delta is None or row.low is None or row.high is None:
        return False
    least = row.low if row.signed * row.delta >= 0.0 else -row.high
    return row.signed > 0.0 and least > 0.0


def _pick(side: Side | None, key: tuple[str, str]) -> tuple[Row, Finding] | None:
    if side is None:
        return None
    pairs = zip(side.comparison.rows, whole_rows(side.verdict), strict=True)
    return next((pair for pair in pairs if (pair[0].target, pair[0].dimension) == key), None)


def _mean(side: Side | None, key: tuple[str, str]) -> float | None:
    if side is None:
        return None
    return _mean_of(side.baseline, key)


def _mean_of(baseline: Baseline, key: tuple[str, str]) -> float | None:
    if baseline.averages_only:
        return baseline.averages.get(key[0], {}).get(key[1])
    return case_mean(baseline.cells, *key)


def _words(pair: tuple[Row, Finding] | None, unit: str, policy: Policy) -> str:
    """Say what the gate's own test says."""
    if pair is None:
        return MISSING
    row, finding = pair
    if finding.outcome == "incomparable":
        parts = listed([DIFFERS.get(one, one) for one in row.incomparable])
        return f"🚫 not comparable: another {parts}"
    if not row.expected or finding.outcome == "missing":
        return "not in it"
    if finding.outcome == "unmeasured":
        return f"🚫 too few cases in common ({row.n} of {row.expected})"
    ends = interval(row.low, row.high, unit)
    moved = f"{change(row.delta, unit)} {ends}".rstrip()
    return f"{moved}: {_said(row, finding, policy)}"


def _said(row: Row, finding: Finding, policy: Policy) -> str:
    held = "" if finding.gating or finding.watched else ", advisory"
    if finding.watched:
        return "watched"
    if finding.outcome == "regression":
        return f"❌ worse by more than noise{held}"
    if _rose(row):
        return f"⬆️ better by more than noise{held}"
    if finding.outcome == "pass":
        return f"no drop larger than {setting(margin_of(row.dimension, policy))}{held}"
    return f"too noisy to rule out a drop of {setting(margin_of(row.dimension, policy))}{held}"
