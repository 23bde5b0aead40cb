"""A report as a page of safe Markdown pieces; the templates only put them in their places."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.decision.words import counted
from gate.reports import folds, lines
from gate.reports.changed import untold
from gate.reports.detail import Detail
from gate.reports.facts import STAND_IN, nothing_measured, partial
from gate.reports.folds import Fold
from gate.reports.notes import NotedRow, with_notes
from gate.reports.rows import TableRow, table_rows
from gate.reports.tables import table
from gate.reports.untrusted import sentence, span
from gate.types import Outcome, Report, Status

HEADS = (
    "",
    "dimension",
    "baseline → now",
    "change (90% interval)",
    "worse / better",
    "judge trust",
)
"""Titles of the table's columns."""

WORDS: Mapping[Status, tuple[str, str]] = {
    "pass": ("✅", "Pass"),
    "regression": ("❌", "Regression"),
    "inconclusive": ("❔", "Unclear"),
    "broken": ("🚫", "No verdict"),
    "report": ("📋", "Report"),
}
"""Status -> mark and word."""

_SECOND = re.compile(r"(?<=[a-z0-9)]{2}[.!?] )[a-z]+(?=[ ,;:.]|$)")
"""The first word of a sentence inside a text, when it is written small."""

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
    """The rows, one table for each target, under its name when there are several; then the notes
    on them."""
    operations: tuple[str, ...]
    """How the targets worked: lines."""
    memory: tuple[str, ...]
    """Right answers that their pages do not bear out: lines."""
    money: str | None
    """What the run cost, and what the words of the table mean; None where no run was made."""
    coverage: tuple[str, ...]
    """Which cases were compared and which were not: lines."""
    notes: tuple[str, ...]
    """What a reader must know: lines."""
    folds: tuple[Fold, ...]
    """Details under a title."""
    identities: str
    """Commits, baseline, judge; empty where nothing of it is known."""
    more: str | None
    """What the summary has and the comment has not, though it would fit."""
    left_out: str | None
    """What did not fit."""


def build(report: Report, detail: Detail) -> Page:
    """Make the page of a report, not longer than `detail` allows."""
    rows = shown_rows(report)
    shown = _kept(rows, detail.rows)
    return Page(
        heading=heading(report),
        stand_in=STAND_IN if report.stand_in else None,
        lead=lines.lead(report, detail),
        tables=_tables(report, shown, detail),
        operations=lines.operations(report, detail),
        memory=lines.memory(report, detail),
        money=lines.money(report),
        coverage=lines.coverage(report, detail),
        notes=lines.notes(report, detail),
        folds=folds.all_folds(report, shown, detail),
        identities=lines.identities(report),
        more=_more(report, detail),
        left_out=_left_out(report, len(rows) - len(shown), detail),
    )


def shown_rows(report: Report) -> tuple[TableRow, ...]:
    """Return the rows of the table: none where a broken run measured nothing at all.

    Of a part of a plan only what can be compared with the baseline all the same.
    """
    if nothing_measured(report):
        return ()
    rows = table_rows(report)
    if not partial(report):
        return rows
    return tuple(row for row in rows if row.finding.outcome != "unmeasured")


def averages_instead(report: Report, rows: Sequence[object]) -> bool:
    """Whether the run's own averages stand in the place of a table without rows."""
    if rows or nothing_measured(report):
        return False
    return report.verdict.status != "broken" or partial(report)


def status_words(report: Report) -> tuple[str, str]:
    """Return the mark and the words of the verdict."""
    verdict = report.verdict
    if verdict.status == "regression" and verdict.accepted_by is not None:
        return "☑️", "Accepted regression"
    return WORDS[verdict.status]


def plain_headline(report: Report) -> str:
    """Return the verdict's sentences without a status word at their beginning: the mark says it.

    A sentence after the first begins with a capital, unless it begins with a name.
    """
    verdict = report.verdict
    word = status_words(report)[1]
    # Who accepted it stands on a line of its own.
    text = verdict.headline.removeprefix(f"Regression, accepted by {verdict.accepted_by}: ")
    known = "|".join(re.escape(one) for one in (word, verdict.status))
    said = re.sub(rf"^(?:{known})\s*:\s*", "", text, flags=re.IGNORECASE)
    names = _names(report)
    return _SECOND.sub(lambda found: found[0] if found[0] in names else found[0].capitalize(), said)


def _names(report: Report) -> set[str]:
    run = report.run
    rows = report.verdict.comparisons
    return {
        *(one.name for one in run.targets),
        *(one.name for one in run.metrics),
        *(one.case_id for one in run.cells),
        *(name for one in rows for name in (one.target, one.dimension)),
    }


def heading(report: Report) -> str:
    """Return mark, word and sentence."""
    mark, word = status_words(report)
    return f"{mark} {word}: {sentence(plain_headline(report))}"


def _tables(report: Report, whole: tuple[TableRow, ...], detail: Detail) -> tuple[str, ...]:
    if not whole:
        return (folds.models(report, detail.rows),) if averages_instead(report, whole) else ()
    rows, notes = with_notes(whole)
    targets = list(dict.fromkeys(one.row.finding.target for one in rows))
    parts = []
    for target in targets:
        own = table(
            HEADS,
            [_cells(one, detail) for one in rows if one.row.finding.target == target],
        )
        parts.append(f"**Target** {span(target, 100)}\n\n{own}" if len(targets) > 1 else own)
    if detail.remarks and notes:
        numbered = enumerate(notes, start=1)
        parts.append("\n".join(f"- [{number}] {sentence(note)}" for number, note in numbered))
    return tuple(parts)


def _cells(one: NotedRow, detail: Detail) -> tuple[str, ...]:
    row = one.row
    mark = f"\N{NO-BREAK SPACE}{one.mark}" if one.mark and detail.remarks else ""
    return (
        f"{row.mark} {row.word}{mark}",
        sentence(row.finding.dimension, 100),
        row.moved,
        row.changed,
        row.counts,
        row.trust,
    )


def _kept(rows: tuple[TableRow, ...], most: int) -> tuple[TableRow, ...]:
    """Keep the rows that matter most, in their order."""
    if len(rows) <= most:
        return rows

    def weight(index: int) -> tuple[bool, int, int]:
        finding = rows[index].finding
        return not finding.gating, _GRAVEST_FIRST.index(finding.outcome), index

    kept = sorted(sorted(range(len(rows)), key=weight)[:most])
    return tuple(rows[index] for index in kept)


def _more(report: Report, detail: Detail) -> str | None:
    """Say what stands in the summary alone where every story fits."""
    left = untold(report).count - detail.listed
    if left <= 0 or detail.stories < len(report.stories):
        return None
    return counted(left, "more changed case" if report.stories else "changed case")


def _left_out(report: Report, rows: int, detail: Detail) -> str | None:
    parts = []
    stories = len(report.stories) - detail.stories
    if stories > 0:
        parts.append(
            counted(stories + max(untold(report).count - detail.listed, 0), "changed case")
        )
    if not detail.tables:
        parts.append("the tables of categories, p values and models")
    if not detail.remarks:
        parts.append("the notes on rows")
    if rows > 0:
        parts.append(counted(rows, "row") + " of the table")
    return ", ".join(parts) or None
