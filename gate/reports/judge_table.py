"""How far the judge agrees with people, for the job summary: what licenses, and what does not."""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.words import counted
from gate.reports.numbers import figure
from gate.reports.tables import table
from gate.reports.untrusted import sentence
from gate.types import Agreement

_HEAD = ("dimension", "licence", "κ (lower bound)", "95% interval", "labels", "cases")
_BESIDE = ("linear", "quadratic", "AC1", "raw agreement")


def judge_table(agreements: Sequence[Agreement], most: int) -> str:
    """Return a table of the dimensions that have labels, as safe Markdown; empty without any.

    The last four columns stand there for comparison and license nothing.
    """
    rows = [
        (
            sentence(one.dimension, 100),
            one.state,
            _with_bound(one),
            _interval(one),
            f"{one.n} {one.counts or 'answers'}",
            str(one.cases),
            *(figure(value) for value in (one.linear, one.quadratic, one.ac1, one.agreement)),
        )
        for one in agreements
        if one.n
    ]
    if not rows:
        return ""
    parts = [table((*_HEAD, *_BESIDE), rows[:most])]
    if len(rows) > most:
        parts.append(f"and {counted(len(rows) - most, 'more row')}")
    return "\n\n".join([*parts, "From `linear` on: for comparison, licensing nothing."])


def _with_bound(one: Agreement) -> str:
    if one.kappa is None:
        return "undefined"
    return f"{figure(one.kappa)} ({figure(one.lower_one_sided)})"


def _interval(one: Agreement) -> str:
    return figure(None) if one.low is None else f"{figure(one.low)} … {figure(one.high)}"
