"""Kappa in the terminal: a line a dimension, its interval, its table, and why."""

from __future__ import annotations

from collections.abc import Sequence
from textwrap import fill

from gate.types import Agreement

_ROWS = ("low", "med", "high")


def agreement_text(agreements: Sequence[Agreement]) -> str:
    """Return the agreements for a terminal of 80 columns or more, plain text."""
    return "\n".join(_one(agreement) for agreement in agreements)


def _one(one: Agreement) -> str:
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
    return "\n".join([head, facts, *_table(one), why]) + "\n"


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
