"""The verdict in a terminal: the table of the comment, in plain words or in colour."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from textwrap import wrap

from rich import box
from rich.console import Console, RenderableType
from rich.table import Table
from rich.text import Text

from gate.decision.words import counted, few
from gate.reports.common_cases import common_table
from gate.reports.facts import (
    STAND_IN,
    calls,
    compared,
    fallen_title,
    fate,
    not_compared,
    not_measured,
    not_yet,
    operation_facts,
    operation_failure,
    shown_operations,
    spent,
    told_above,
    warnings,
)
from gate.reports.layout import GAP, Grid, cells, narrow, verdict_grid, verdict_lines
from gate.reports.memory import memory_facts
from gate.reports.models import model_table
from gate.reports.notes import NotedRow, with_notes
from gate.reports.numbers import ascii_text
from gate.reports.page import HEADS, averages_instead, plain_headline, shown_rows, status_words
from gate.reports.untrusted import plain
from gate.types import Report, Verdict

NARROWEST = 40
"""Columns below which nothing is laid out: a narrower terminal breaks its lines itself."""

MOST_EDITS = 10
"""Edits of what decides that a terminal shows."""

_COLOURS = {
    "FAIL": "bold red",
    "missing": "bold red",
    "ok": "green",
    "unclear": "yellow",
    "unmeasured": "magenta",
    "not comparable": "magenta",
    "advisory": "dim",
    "watched": "dim",
}
_RULED = box.Box("    \n    \n \u2500\u2500 \n    \n    \n    \n    \n    \n")
_RULED_ASCII = box.Box("    \n    \n -- \n    \n    \n    \n    \n    \n", ascii=True)
_STATUS_COLOURS = {
    "pass": "bold green",
    "regression": "bold red",
    "inconclusive": "bold yellow",
    "broken": "bold magenta",
    "report": "bold cyan",
}


def terminal_text(report: Report, width: int, *, color: bool, unicode: bool = True) -> str:
    """Return the verdict for a terminal of `width` columns; no cell of a table is broken.

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
    for part in _parts(report, _Pen(unicode=unicode, width=max(width, NARROWEST))):
        console.print(part, soft_wrap=isinstance(part, Text))
    return "\n".join(line.rstrip() for line in stream.getvalue().splitlines()) + "\n"


@dataclass(frozen=True)
class _Pen:
    """Writes foreign and own text in the signs that the stream can show."""

    unicode: bool
    width: int

    def text(self, words: str, style: str = "") -> Text:
        """Return one line of text; outside of tables the terminal wraps it, so it can be copied."""
        return Text(self.spell(words), style)

    def spell(self, words: str) -> str:
        """Return one line without invisible signs."""
        return plain(words) if self.unicode else ascii_text(plain(words))

    def grid(self, grid: Grid) -> Table:
        """Return a table of cells that are spelled already."""
        shown = Table(
            box=_RULED if self.unicode else _RULED_ASCII,
            pad_edge=False,
            padding=(0, GAP - 1, 0, 0),
            show_edge=False,
        )
        for head in grid.heads:
            shown.add_column(Text(head), no_wrap=True, overflow="fold")
        for row in grid.rows:
            word = row[0].partition(" [")[0]
            shown.add_row(Text(row[0], _COLOURS.get(word, "")), *map(Text, row[1:]))
        return shown

    def note(self, number: int, note: str) -> Iterator[Text]:
        """Break a note between its words, and put it in from the left behind its number."""
        mark = f"[{number}] "
        lines = wrap(
            self.spell(note),
            self.width - len(mark),
            break_long_words=False,
            break_on_hyphens=False,
        )
        for place, line in enumerate(lines):
            yield Text((mark if place == 0 else " " * len(mark)) + line)


def _parts(report: Report, pen: _Pen) -> Iterator[RenderableType]:
    verdict = report.verdict
    mark, word = status_words(report)
    said = f"{word}: {plain_headline(report)}"
    yield pen.text(f"{mark} {said}" if pen.unicode else said, _STATUS_COLOURS[verdict.status])
    if report.stand_in:
        yield pen.text(STAND_IN)
    if verdict.broken is not None and not told_above(report):
        yield pen.text(f"Cause: {verdict.broken.message}")
    rows, notes = with_notes(shown_rows(report))
    models = averages_instead(report, rows) or (
        verdict.status != "broken" and (len(report.run.targets) > 1 or bool(report.others))
    )
    yield from _verdict_tables(rows, pen)
    if notes:
        yield Text("")
    for number, note in enumerate(notes, start=1):
        yield from pen.note(number, note)
    if models:
        yield from _models(report, pen)
    if rows or models:
        yield Text("")
    yield from map(pen.text, _lines(report))


def _verdict_tables(rows: tuple[NotedRow, ...], pen: _Pen) -> Iterator[RenderableType]:
    targets = list(dict.fromkeys(one.row.finding.target for one in rows))
    for target in targets:
        own = [
            tuple(map(pen.spell, cells(one))) for one in rows if one.row.finding.target == target
        ]
        yield Text("")
        if len(targets) > 1:
            yield pen.text(f"Target {target}")
        grid = verdict_grid(own, tuple(map(pen.spell, HEADS)), pen.width)
        if grid is None:
            yield from map(Text, verdict_lines(own))
        else:
            yield pen.grid(grid)
            yield from map(Text, grid.below)


def _models(report: Report, pen: _Pen) -> Iterator[RenderableType]:
    """Turn the model table on its side: names of dimensions are long and targets are few."""
    for found in (model_table(report), common_table(report.run)):
        if found is None:
            continue
        heads = ("", *(" ".join(row[: found.names]) for row in found.rows))
        rows = (
            (found.head[column], *(row[column] for row in found.rows))
            for column in range(found.names, len(found.head))
        )
        grid = Grid(tuple(map(pen.spell, heads)), tuple(tuple(map(pen.spell, row)) for row in rows))
        yield Text("")
        if grid.width <= pen.width:
            yield pen.grid(grid)
        else:
            yield from map(Text, narrow(grid))
        yield from map(pen.text, found.remarks)


def _lines(report: Report) -> Iterator[str]:
    verdict, coverage = report.verdict, report.verdict.coverage
    yield from _fallen(verdict)
    for one in shown_operations(report):
        facts = ", ".join(operation_facts(one, None, report))
        failure = operation_failure(one, report.policy) or one.because
        if failure or facts:
            yield f"{one.target}: {'; '.join(part for part in (failure, facts) if part)}"
    yield from (f"{what}: {said}" for what, said in memory_facts(report, few, str))
    later = not_yet(report)
    if later is not None:
        yield f"Not compared with the baseline: {later}"
    share = compared(report)
    if share is not None:
        yield f"Compared: {share}"
    for what, cases in not_compared(coverage):
        yield f"{what} ({len(cases)}): {few(cases)}"
    if coverage.not_sampled:
        yield f"Not in this sample: {counted(coverage.not_sampled, 'case')}"
    left_out = not_measured(report)
    if left_out is not None:
        yield f"Not measured here: {left_out}"
    yield from _cost(report)
    if report.run.stopped is not None:
        yield f"Stopped early: {report.run.stopped}"
    yield from (f"Note: {warning}" for warning in warnings(report))
    yield from _head(verdict)
    if verdict.next_step is not None:
        yield f"Next step: {verdict.next_step}"
    yield from (f"Reproduce: {line}" for line in verdict.reproduce)


def _fallen(verdict: Verdict) -> Iterator[str]:
    """Name the cases that were always right and are always wrong: those that fail the run first."""
    of_case: dict[tuple[str, str], dict[str, None]] = {}
    for one in verdict.fallen:
        of_case.setdefault((fate(one), one.case_id), {})[one.dimension] = None
    broke = [f"{case} ({', '.join(names)}{what})" for (what, case), names in of_case.items()]
    if broke:
        yield f"{fallen_title(verdict)}: {few(broke)}"


def _cost(report: Report) -> Iterator[str]:
    cost, counts = spent(report), calls(report)
    if cost is not None:
        yield cost + (f" ({counts})" if counts is not None else "")


def _head(verdict: Verdict) -> Iterator[str]:
    """Say what bears on the head besides this run: attempts, an acceptance, edits."""
    if verdict.attempts > 1:
        yield f"Pooled with earlier attempts on this head: {verdict.attempts} attempts"
    if verdict.accepted_by is not None:
        yield f"Accepted for this head by {verdict.accepted_by}"
    edits = verdict.edits
    yield from (f"Ignored edit of what decides: {one}" for one in edits[:MOST_EDITS])
    if len(edits) > MOST_EDITS:
        yield f"and {counted(len(edits) - MOST_EDITS, 'more edit')}: verdict.json lists them"
