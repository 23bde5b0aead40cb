"""Kappa in the terminal: a line a dimension, its interval, its table, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from textwrap import fill

from gate.decision.categories import categories_of, judge_said
from gate.decision.words import counted
from gate.reports.untrusted import quoted
from gate.types import Agreement, CalibrationItem, CalibrationSet

MOST = 12
"""Differing answers or items that are named for a dimension."""

_SHOWN = 100
"""Characters of an item's text that are shown."""


def agreement_text(
    agreements: Sequence[Agreement],
    sets: Sequence[CalibrationSet],
    texts: Mapping[str, str] | None = None,
) -> str:
    """Return the agreements for a terminal of 80 columns or more, plain text.

    `sets` are the labels behind them, in the same order; `texts` are what a person reads of the
    items, by digest.
    """
    return "\n".join(
        _one(one, part, texts or {}) for one, part in zip(agreements, sets, strict=True)
    )


def differing(part: CalibrationSet) -> list[CalibrationItem]:
    """List the answers or items on which judge and people differ, the widest gap first."""
    words = list(categories_of(part.counts))
    gaps = [
        (abs(words.index(item.human) - words.index(judge_said(item))), item) for item in part.items
    ]
    gaps.sort(key=lambda pair: (-pair[0], *_place(pair[1])))
    return [item for gap, item in gaps if gap]


def _place(item: CalibrationItem) -> tuple[str, str, str]:
    return item.case_id, item.answer or "", item.item or ""


def _one(one: Agreement, part: CalibrationSet, texts: Mapping[str, str]) -> str:
    known = "kappa undefined" if one.kappa is None else f"kappa {one.kappa:.4f}, {one.state}"
    head = f"{one.dimension}: {known}"
    compared = f"AC1 {_number(one.ac1)}"
    if part.counts is None:
        compared = f"linear {_number(one.linear)}, quadratic {_number(one.quadratic)}, {compared}"
    spread = "" if one.design_effect is None else f", design effect {one.design_effect:.2f}"
    # Perfect agreement has an interval without width, which is no certainty: the bound says more.
    wide = one.low != one.high
    interval = f", 95% interval {_number(one.low)} to {_number(one.high)}" if wide else ""
    facts = (
        f"  one-sided 95% lower bound {_number(one.lower_one_sided)}{interval}\n"
        f"  {counted(one.n, 'label')} of {part.counts or 'answers'} "
        f"to {counted(one.cases, 'case')}{spread}\n"
        f"  {one.off_modal} off the commonest cell, raw agreement {_number(one.agreement)}, "
        f"for comparison: {compared}"
    )
    why = fill(one.because, width=78, initial_indent="  ", subsequent_indent="  ")
    return "\n".join([head, facts, *_table(one), why, *_apart(part, texts)]) + "\n"


def _apart(part: CalibrationSet, texts: Mapping[str, str]) -> list[str]:
    found = differing(part)
    lines = []
    for one in found[:MOST]:
        judge = f"{one.judge:.2f}" if isinstance(one.judge, float) else one.judge
        answer = f", answer {one.answer[:8]}" if one.answer else ""
        item = f", {one.item[:8]}" if one.item else ""
        place = f"{one.case_id} ({one.target or 'any target'}{answer}{item})"
        lines.append(f"  differs: {place}: people {one.human}, judge {judge}")
        if one.item is not None and one.item in texts:
            lines.append(f"    {quoted(texts[one.item], _SHOWN)}")
    more = len(found) - MOST
    return [*lines, f"  ... and {more} more (--json lists all)"] if more > 0 else lines


def _table(one: Agreement) -> list[str]:
    if not one.table:
        return []
    wide = max(6, *(len(name) + 2 for name in one.categories))
    head = "  people \\ judge" + "".join(f"{name:>{wide}}" for name in one.categories)
    return [
        head,
        *(
            f"  {name:>14}" + "".join(f"{count:>{wide}}" for count in row)
            for name, row in zip(one.categories, one.table, strict=True)
        ),
    ]


def _number(value: float | None) -> str:
    return "undefined" if value is None else f"{value:.4f}"
