"""What the judge saw of damages, in the terminal: a line a dimension and damage."""

from __future__ import annotations

from textwrap import fill

from gate.decision.sensitivity import FEWEST_DAMAGES, SEEN_SHARE, Seen, blindness, seen_by
from gate.types import Sensitivity, SensitivitySet


def sensitivity_lines(sensitivity: Sensitivity) -> str:
    """Return what was seen for a terminal of 80 columns, plain text."""
    head = f"{'dimension':<20}{'damage':<20}{'seen':>10}   says"
    rows = [row for part in sensitivity.sets for row in _rows(part)]
    blind = [
        fill(f"{part.dimension} may fail no run: {because}", width=79)
        for part in sensitivity.sets
        if (because := blindness(part)) is not None
    ]
    none = [part.dimension for part in sensitivity.sets if not seen_by(part)]
    untried = [fill(f"No good answer could be damaged for: {', '.join(none)}.", width=79)]
    return (
        "\n".join([head, *rows, *([""] if blind or none else []), *blind, *(untried * bool(none))])
        + "\n"
    )


def _rows(part: SensitivitySet) -> list[str]:
    return [
        f"{part.dimension if not number else '':<20}{one.damage:<20}"
        f"{f'{one.seen} of {one.counted}':>10}   {_says(one)}"
        for number, one in enumerate(seen_by(part))
    ]


def _says(one: Seen) -> str:
    if one.counted < FEWEST_DAMAGES:
        return f"nothing: {FEWEST_DAMAGES} are needed"
    return f"blind: under {SEEN_SHARE:.0%}" if one.blind else "sees it"
