"""Kappa in the terminal: a line a dimension, its interval, its table, and why."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from gate.stats.agreement import bucket
from gate.types import Agreement, CalibrationItem, CalibrationSet

_ROWS = ("low", "med", "high")


MOST = 12
"""Differing answers that are named for a dimension."""


def agreement_text(agreements: Sequence[Agreement], sets: Sequence[CalibrationSet]) -> str:
    """Return the agreements for a terminal of 80 columns or more, plain text.

    `sets` are the labels behind them, in the same order.
    """
    return "\n".join(_one(one, part) for one, part in zip(agreements, sets, strict=True))


def differing(part: CalibrationSet) -> list[CalibrationItem]:
    """List the answers on which judge and people differ, the widest gap first."""
    gaps = [
        (abs(_ROWS.index(item.human) - _ROWS.index(bucket(item.judge))), item)
        for item in part.items
    ]
    gaps.sort(key=lambda pair: (-pair[0], pair[1].case_id, pair[1].answer or ""))
    return [item for gap, item in gaps if gap]


def _one(one: Agreement, part: CalibrationSet) -> str:
    head = f"{one.dimension}: kappa {_number(one.kappa)}, {one.state}"
    facts = (
        f"  95% interval {_number(one.low)} to {_number(one.high)}, "
        f"one-sided lower bound {_number(one.lower_one_sided)}\n"
        f"  {one.n} labels, {one.off_modal} off the commonest cell, "
        f"raw agreement {_number(one.agreement)}\n"
        f"  for comparison: linear {_number(one.linear)}, quadratic {_number(one.quadratic)}, "
        f"AC1 {_number(one.ac1)}"
    )
    why = fill(one.because, width=78, initial_indent="  ", subsequent_indent="  ")
    return "\n".join([head, facts, *_table(one), why, *_apart(part)]) + "\n"


def _apart(part: CalibrationSet) -> list[str]:
    found = differing(part)
    lines = [
        f"  differs: {one.case_id} ({one.target or 'any target'}"
        + (f", answer {one.answer[:8]}" if one.answer else "")
        + f"): people {one.human}, judge {one.judge:.2f}"
        for one in found[:MOST]
    ]
    more = len(found) - len(lines)
    return [*lines, f"  ... and {more} more (--json lists all)"] if more else lines


def _table(one: Agreement) -> list[str]:
    if not one.table:
        return []
    head = "  people \\ judge" + "".join(f"{name:>6}" for name in _ROWS)
    return [
        head,
        *(
            f"  {name:>14}" + "".join(f"{count:>6}" for count in row)
            for name, row in zip(_ROWS, one.table, strict=True)
        ),
    ]


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"
