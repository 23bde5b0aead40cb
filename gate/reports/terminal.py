"""The verdict in a terminal: the table of the comment, in plain words or in colour."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from gate.decision.words import counted, few
from gate.reports.facts import not_compared, operation_facts, paid
from gate.reports.models import common_table, model_table
from gate.reports.numbers import ascii_text
from gate.reports.page import STAND_IN, plain_headline, status_words
from gate.reports.rows import UNMEASURED, TableRow, table_rows, with_notes
from gate.reports.untrusted import plain
from gate.types import Report

NARROWEST = 80
"""Columns below which a table would lose digits: a narrower terminal breaks its lines instead."""

_COLOURS = {
    "FAIL": "bold red",
    "missing": "bold red",
    "ok": "green",
    "unclear": "yellow",
    "unmeasured": "magenta",
    "not comparable": "magenta",
    "advisory": "dim",
}
_STATUS_COLOURS = {
    "pass": "bold green",
    "regression": "bold red",
    "inconclusive": "bold yellow",
    "broken": "bold magenta",
    "report": "bold cyan",
}


def terminal_text(report: Report, width: int, *, color: bool, unicode: bool = True) -> str:
    """Return the verdict for a terminal of `width` columns, 80 at least.

    Without `color` there is no control sequence in it; without `unicode` there is only ASCII.
    Foreign text is one line without invisible signs, so it cannot steer the terminal.
    """
    stream = io.StringIO()
    console = Console(
        file=stream,
        width=max(width, NARROWEST),
        force_terminal=color,
        color_system="standard" if color else None,
        legacy_windows=False,
        highlight=False,
        markup=False,
        emoji=False,
        _environ={},
    )
    for part in _parts(report, _Pen(unicode=unicode)):
        console.print(part, soft_wrap=isinstance(part, Text))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


@dataclass(frozen=True)
class _Pen:
    """Writes foreign and own text in the signs that the stream can show."""

    unicode: bool

    def text(self, words: str, style: str = "") -> Text:
        """Return one line of text; outside of tables the terminal wraps it, so it can be copied."""
        return Text(self.spell(words), style)

    def spell(self, words: str) -> str:
        """Return one line without invisible signs."""
        return plain(words) if self.unicode else ascii_text(plain(words))

    def table(self, heads: Iterable[str], *, broken: range) -> Table:
        """Return an empty table; only the columns `broken` may break their cells in lines."""
        empty = Table(box=box.SIMPLE_HEAD if self.unicode else box.ASCII, pad_edge=False)
        for number, head in enumerate(heads):
            empty.add_column(self.text(head), no_wrap=number not in broken, overflow="fold")
        return empty


def _parts(report: Report, pen: _Pen) -> Iterator[RenderableType]:
    verdict = report.verdict
    mark, word = status_words(report)
    said = f"{word}: {plain_headline(report)}"
    yield pen.text(f"{mark} {said}" if pen.unicode else said, _STATUS_COLOURS[verdict.status])
    if report.stand_in:
        yield pen.text(STAND_IN)
    if verdict.broken is not None and verdict.broken.message not in verdict.headline:
        yield pen.text(f"Cause: {verdict.broken.message}")
    rows = table_rows(report)
    if verdict.status == "broken":
        for row in rows:
            if row.finding.outcome in UNMEASURED:
                because = f" ({'; '.join(row.remarks)})" if row.remarks else ""
                yield pen.text(f"{row.word}: {row.finding.target} {row.finding.dimension}{because}")
    else:
        yield from _verdict_tables(rows, pen)
    if verdict.status != "broken" and (not rows or len(report.run.targets) > 1 or report.others):
        yield from _models(report, pen)
    yield from map(pen.text, _lines(report))


def _verdict_tables(whole: Sequence[TableRow], pen: _Pen) -> Iterator[RenderableType]:
    rows, notes = with_notes(whole)
    targets = list(dict.fromkeys(row.finding.target for row in rows))
    heads = (
        *("", "dimension", "baseline → now", "change (90% interval)", "worse / better"),
        "judge trust",
    )
    for target in targets:
        shown = pen.table(heads, broken=range(2, len(heads)))
        for row in rows:
            if row.finding.target == target:
                shown.add_row(
                    pen.text(row.word, _COLOURS[row.word]),
                    pen.text(row.finding.dimension),
                    pen.text(row.moved),
                    pen.text(row.changed),
                    pen.text(row.counts),
                    pen.text("; ".join([row.trust, *row.remarks])),
                )
        if len(targets) > 1:
            yield pen.text(f"Target {target}")
        yield shown
    yield from (pen.text(f"note {number}: {note}") for number, note in enumerate(notes, 1))


def _models(report: Report, pen: _Pen) -> Iterator[RenderableType]:
    """Turn the model table on its side: names of dimensions are long and targets are few."""
    for found in (model_table(report), common_table(report.run)):
        if found is None:
            continue
        heads = ["", *(" ".join(row[: found.names]) for row in found.rows)]
        shown = pen.table(heads, broken=range(1, len(heads)))
        for column in range(found.names, len(found.head)):
            figures = (row[column] for row in found.rows)
            shown.add_row(*map(pen.text, [found.head[column], *figures]))
        yield shown
        yield from map(pen.text, found.remarks)


def _lines(report: Report) -> Iterator[str]:
    verdict, coverage = report.verdict, report.verdict.coverage
    for one in verdict.operations:
        facts = list(operation_facts(one, None))
        if one.outcome == "regression":
            facts.append(f"FAIL: {one.because or 'it worked worse than the baseline'}")
        elif one.because is not None:
            facts.append(one.because)
        yield f"{one.target}: {', '.join(facts)}"
    if coverage.cases and coverage.compared != coverage.cases:
        yield f"Compared: {coverage.compared} of {counted(coverage.cases, 'case')}"
    for what, cases in not_compared(coverage):
        yield f"{what} ({len(cases)}): {few(cases)}"
    if coverage.not_sampled:
        yield f"Not in this sample: {counted(coverage.not_sampled, 'case')}"
    yield f"This run: {paid(verdict.cost.usd, verdict.cost.known_usd)}"
    yield from (f"Note: {warning}" for warning in verdict.warnings)
    if verdict.next_step is not None:
        yield f"Next step: {verdict.next_step}"
    yield from (f"Reproduce: {line}" for line in verdict.reproduce)
