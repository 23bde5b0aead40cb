"""The text of a screen: question, answer, sources, and what a good answer must say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from gate.labelling.lines import Line, Stretch, beside, cut, wrapped
from gate.labelling.passages import passages
from gate.labelling.sheet import Sheet, Slot
from gate.reports.untrusted import plain

WIDE = 120
"""Columns from which the expectations and sources stand beside the answer."""

_WIDEST = 96
"""Columns of one column of text: longer lines are hard to read."""

_HEAD = 10
_GAP = 4


def body(sheet: Sheet, slot: Slot, width: int) -> list[Line]:
    """Lay an answer out in `width` columns."""
    first = list(_passages(sheet, slot, min(width, _WIDEST)))
    if width < WIDE:
        narrow = min(width, _WIDEST)
        parts = [
            *(_question(sheet, narrow), _expected(sheet, slot, narrow)),
            *(_answer(sheet, narrow), _sources(sheet, narrow)),
        ]
        return [*first, *(line for part in parts for line in part), *_pages(sheet, narrow)]
    left = min(_WIDEST, (width - _GAP) * 3 // 5)
    right = min(_WIDEST, width - _GAP - left)
    beneath = [*_expected(sheet, slot, right), *_sources(sheet, right)]
    both = beside([*_question(sheet, left), *_answer(sheet, left)], beneath, left, _GAP)
    return [*first, *both, *_pages(sheet, left)]


def _question(sheet: Sheet, width: int) -> Iterator[Line]:
    yield from _part("Question", wrapped(sheet.question, width - _HEAD), bold=True)


def _answer(sheet: Sheet, width: int) -> Iterator[Line]:
    yield from _part("Answer", wrapped(sheet.text, width - _HEAD) or ["(empty)"])


def _sources(sheet: Sheet, width: int) -> Iterator[Line]:
    lines: list[str | Stretch] = []
    for number, source in enumerate(sheet.sources, start=1):
        names = dict.fromkeys((plain(source.title), plain(source.domain)))
        title = " · ".join(name for name in names if name) or "(no title)"
        lines += _hanging(f"{number}. ", title, width - _HEAD)
        # One line: addresses of grounded search are long redirects that say nothing.
        lines.append(Stretch("   " + cut(plain(source.uri), width - _HEAD - 3), "dim"))
    yield from _part("Sources", lines or ["(none)"])


def _expected(sheet: Sheet, slot: Slot, width: int) -> Iterator[Line]:
    lines: list[str | Stretch] = []
    if slot.kind is not None:
        return  # items are rated by the pages, whatever the case expects
    if sheet.remark is not None:
        lines += [Stretch(line, "dim") for line in wrapped(sheet.remark, width - _HEAD)]
    for heading, text in sheet.expected:
        lines += _hanging(f"{heading}: " if heading else "- ", text, width - _HEAD)
    if lines:
        yield from _part("Expected", lines)


def _passages(sheet: Sheet, slot: Slot, width: int) -> Iterator[Line]:
    """What the pages say that is nearest to the item, by its words alone."""
    if slot.kind is None:
        return
    lines: list[str | Stretch] = []
    for page, text in passages(slot.text, sheet.pages):
        lines += _hanging(f"page {page}: ", text, width - _HEAD)
    yield from _part("Nearest", lines or ["(no passage of the pages shares a word with it)"])


def _pages(sheet: Sheet, width: int) -> Iterator[Line]:
    for number, page in enumerate(sheet.pages, start=1):
        lines = ["(its text was not read, or not kept)"]
        if page is not None and page.text:
            lines = wrapped(page.text, width - _HEAD)
        yield from _part(f"Page {number}", lines)


def _hanging(mark: str, text: str, width: int) -> list[str | Stretch]:
    """Break a text behind a mark, further lines under its first word."""
    deep = len(mark) if len(mark) <= _HEAD else 2
    lines = wrapped(f"{mark}{text}" if deep != len(mark) else text, width - deep) or [""]
    if deep != len(mark):
        return [lines[0], *(" " * deep + line for line in lines[1:])]
    return [mark + lines[0], *(" " * deep + line for line in lines[1:])]


def _part(name: str, lines: Sequence[str | Stretch], *, bold: bool = False) -> Iterator[Line]:
    """Put a name before the first line, and an empty line after the last."""
    for number, line in enumerate(lines):
        shown = line if isinstance(line, Stretch) else Stretch(line, "bold" if bold else "")
        head = Stretch(f"{name if number == 0 else '':<{_HEAD}}", "head")
        yield (head, shown)
    yield ()
