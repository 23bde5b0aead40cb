"""A report as a page of safe Markdown pieces; the templates only put them in their places."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from gate.decision.words import counted
from gate.reports import folds, lines
from gate.reports.detail import Detail
from gate.reports.folds import Fold
from gate.reports.rows import UNMEASURED, TableRow, table_rows, with_notes
from gate.reports.tables import table
from gate.reports.untrusted import sentence, span
from gate.types import Outcome, Report, Status

STAND_IN = (
    "Stand-in world: these numbers show the mechanism and say nothing of Gemini, Claude or people."
)
"""Stands wherever numbers of the loopback world are shown."""

WORDS: Mapping[Status, tuple[str, str]] = {
    "pass": ("✅", "Pass"),
    "regression": ("❌", "Regression"),
    "inconclusive": ("❔", "Unclear"),
    "broken": ("🚫", "No verdict"),
    "report": ("📋", "Report"),
}
"""Status -> mark and word."""

_GRAVEST_FIRST: tuple[Outcome, ...] = (
    "regression",
    "missing",
    "incomparable",
    "unmeasured",
    "inconclusive",
    "pass",
)


@dataclass(frozen=True)
class Page:
    """Everything that a template shows, as Markdown that needs no more care."""

    heading: str
    """Mark, word and the verdict's sentence."""
    stand_in: str | None
    """The notice of the loopback world."""
    lead: tuple[str, ...]
    """What to look at first: lines."""
    tables: tuple[str, ...]
    """The rows, one table for each target, under its name when there are several."""
    operations: tuple[str, ...]
    """How the targets worked: lines."""
    money: str
    """What the run cost, and what the words of the table mean."""
    coverage: tuple[str, ...]
    """Which cases were compared and which were not: lines."""
    notes: tuple[str, ...]
    """What a reader must know: lines."""
    folds: tuple[Fold, ...]
    """Details under a title."""
    identities: str
    """Commits, baseline, judge."""
    left_out: str | None
    """What did not fit."""


def build(report: Report, detail: Detail) -> Page:
    """Make the page of a report, not longer than `detail` allows."""
    rows = table_rows(report)
    shown = _kept(rows, detail.rows)
    return Page(
        heading=heading(report),
        stand_in=STAND_IN if report.stand_in else None,
        lead=lines.lead(report, detail),
        tables=_tables(report, shown, detail),
        operations=lines.operations(report, detail),
        money=lines.money(report),
        coverage=lines.coverage(report, detail),
        notes=lines.notes(report, detail),
        folds=folds.all_folds(report, shown, detail),
        identities=lines.identities(report),
        left_out=_left_out(report, len(rows) - len(shown), detail),
    )


def status_words(report: Report) -> tuple[str, str]:
    """Return the mark and the words of the verdict."""
    verdict = report.verdict
    if verdict.status == "regression" and verdict.accepted_by is not None:
        return "☑️", "Accepted regression"
    return WORDS[verdict.status]


def plain_headline(report: Report) -> str:
    """Return the verdict's sentence without a status word at its beginning: the mark says it."""
    word = status_words(report)[1]
    known = "|".join(re.escape(one) for one in (word, report.verdict.status))
    return re.sub(rf"^(?:{known})\s*:\s*", "", report.verdict.headline, flags=re.IGNORECASE)


def heading(report: Report) -> str:
    """Return mark, word and sentence."""
    mark, word = status_words(report)
    return f"{mark} {word}: {sentence(plain_headline(report))}"


def _tables(report: Report, whole: tuple[TableRow, ...], detail: Detail) -> tuple[str, ...]:
    rows, notes = with_notes(whole)
    if report.verdict.status == "broken":
        return _unmeasured(whole, detail)
    if not rows:
        return (folds.models(report, detail.rows),)
    targets = list(dict.fromkeys(row.finding.target for row in rows))
    parts = []
    for target in targets:
        own = table(
            (
                "",
                "dimension",
                "baseline → now",
                "change (90% interval)",
                "worse / better",
                "judge trust",
            ),
            [_cells(row, detail) for row in rows if row.finding.target == target],
        )
        parts.append(f"**Target** {span(target, 100)}\n\n{own}" if len(targets) > 1 else own)
    if detail.remarks:
        parts.extend(f"note {number}: {sentence(note)}" for number, note in enumerate(notes, 1))
    return tuple(parts)


def _cells(row: TableRow, detail: Detail) -> tuple[str, ...]:
    remarks = [sentence(one, 300) for one in row.remarks] if detail.remarks else []
    return (
        f"{row.mark} {row.word}",
        sentence(row.finding.dimension, 100),
        row.moved,
        row.changed,
        row.counts,
        "; ".join([row.trust, *remarks]),
    )


def _unmeasured(rows: tuple[TableRow, ...], detail: Detail) -> tuple[str, ...]:
    """Say of a broken run what was not measured, and no number of quality."""
    lost = [row for row in rows if row.finding.outcome in UNMEASURED]
    if not lost:
        return ()
    cells = [
        (
            f"{row.mark} {row.word}",
            sentence(row.finding.target, 100),
            sentence(row.finding.dimension, 100),
            "; ".join(sentence(one, 300) for one in row.remarks) if detail.remarks else "",
        )
        for row in lost
    ]
    return (table(("", "target", "dimension", "why"), cells),)


def _kept(rows: tuple[TableRow, ...], most: int) -> tuple[TableRow, ...]:
    """Keep the rows that matter most, in their order."""
    if len(rows) <= most:
        return rows

    def weight(index: int) -> tuple[bool, int, int]:
        finding = rows[index].finding
        return not finding.gating, _GRAVEST_FIRST.index(finding.outcome), index

    kept = sorted(sorted(range(len(rows)), key=weight)[:most])
    return tuple(rows[index] for index in kept)


def _left_out(report: Report, rows: int, detail: Detail) -> str | None:
    parts = []
    stories = len(report.stories) - detail.stories
    if stories > 0 and report.verdict.status != "broken":
        parts.append(counted(stories, "changed case"))
    if not detail.tables:
        parts.append("the tables of categories, p values and models")
    if not detail.remarks:
        parts.append("the remarks on rows")
    if rows > 0:
        parts.append(counted(rows, "row") + " of the table")
    return ", ".join(parts) or None
