"""Watched dimensions that fell: said in a warning, never a regression of their own.

The number of claims is the first of them. Faithfulness and citations are shares of what an answer
says, so an answer that says less has less to get wrong: a rise of theirs that comes with fewer
claims is no gain by itself.
"""

from __future__ import annotations

from collections.abc import Sequence

from gate.decision.judged import Judged
from gate.decision.rounding import result
from gate.decision.words import amount, listed
from gate.types import Policy

CLAIMS = "claims"
"""The dimension that counts what an answer claims."""

OF_THE_PAGES = (
    *("faithfulness", "citation_precision", "source_coverage", "citation_f1"),
    *("alce_recall", "alce_precision"),
)
"""Dimensions that are shares of what an answer says, or of what its pages say."""

LEAST = 0.1
"""Share of its baseline mean by which a watched dimension must have moved to be mentioned."""

_SMALL_P = 0.0001


def warnings_of(rows: Sequence[Judged], policy: Policy, *, named: bool) -> list[str]:
    """Warn of each watched row that fell by more than chance and by a tenth of its baseline.

    Chance is the row's own p, at most the policy's q; without a baseline of single cases there is
    no p and no warning. `named` says whose answers they are, where there are several targets.
    """
    return [
        _fewer_claims(row, rows, named=named)
        if row.finding.dimension == CLAIMS
        else _fell(row, named=named)
        for row in rows
        if row.standing.cause == "watched" and _fallen(row, policy)
    ]


def _fallen(row: Judged, policy: Policy) -> bool:
    one = row.standing.row
    if row.said.outcome != "inconclusive" or None in (one.p, one.signed, one.baseline):
        return False
    drop, least = -(one.signed or 0.0), LEAST * abs(one.baseline or 0.0)
    return (one.p or 0.0) <= policy.q and result(drop) > 0.0 and result(drop - least) >= 0.0


def _fewer_claims(row: Judged, rows: Sequence[Judged], *, named: bool) -> str:
    finding = row.finding
    whose = f" of {finding.target}" if named else ""
    risen = [
        f"{one.dimension} ({amount(one.baseline)} → {amount(one.current)})"
        for one in (other.finding for other in rows)
        if one.target == finding.target
        and one.dimension in OF_THE_PAGES
        and one.outcome in ("regression", "pass", "inconclusive")
        and one.baseline is not None
        and one.current is not None
        and one.current > one.baseline
        and amount(one.current) != amount(one.baseline)
    ]
    meanwhile = f", while {listed(risen)} rose" if risen else ""
    return (
        f"Answers{whose} make fewer claims: {_ends(row)} an answer ({_p(row)}){meanwhile}: read "
        "faithfulness and citations with that in mind, since shorter and vaguer answers have less "
        "to get wrong."
    )


def _fell(row: Judged, *, named: bool) -> str:
    finding = row.finding
    whose = f" of {finding.target}" if named else ""
    moved = "fell" if (finding.delta or 0.0) < 0.0 else "rose"
    return (
        f"{finding.dimension}{whose} {moved} by more than chance: {_ends(row)} ({_p(row)}). It is "
        "watched, and fails no run."
    )


def _ends(row: Judged) -> str:
    before, after = row.finding.baseline or 0.0, row.finding.current or 0.0
    return f"{_figure(before)} → {_figure(after)}"


def _figure(value: float) -> str:
    """Say a count that is a mean: one decimal, two digits below 1."""
    return f"{value:.1f}" if abs(value) >= 1.0 or value == 0.0 else f"{value:.2g}"


def _p(row: Judged) -> str:
    p = row.finding.p or 0.0
    return "p under 0.0001" if p < _SMALL_P else f"p {round(p, 4):g}"
