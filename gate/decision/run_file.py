"""`run.json` as lines: one (target, case) a line, so that a large run is written and read in parts.

Every line but the cells' is short. The same file is read whatever its line ends and blanks are; in
this form it is read without holding the text.
"""

from __future__ import annotations

from collections.abc import Iterator

from pydantic import TypeAdapter

from gate.decision.json_text import line
from gate.types import Cell, Run

_CELL = TypeAdapter(Cell)

_AT_ONCE = 500
"""Cells that are written together."""


def run_lines(run: Run) -> Iterator[str]:
    """Write a run as JSON, one (target, case) a line, in the run's order.

    Each part ends in a line end. Keys stand in the order of the record, `cells` among them.
    """
    head = run.model_copy(update={"cells": ()}).model_dump(mode="json")
    last = len(head) - 1
    yield "{\n"
    for place, (key, value) in enumerate(head.items()):
        after = "\n" if place == last else ",\n"
        if key == "cells" and run.cells:
            yield '"cells": [\n'
            yield from _cell_lines(run)
            yield f"]{after}"
        else:
            yield f"{line(key)}: {line(value)}{after}"
    yield "}\n"


def _cell_lines(run: Run) -> Iterator[str]:
    for start in range(0, len(run.cells), _AT_ONCE):
        part = b",\n".join(map(_CELL.dump_json, run.cells[start : start + _AT_ONCE])).decode()
        yield part + ("\n" if start + _AT_ONCE >= len(run.cells) else ",\n")
