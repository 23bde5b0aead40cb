"""The rules of one row: regression, pass, inconclusive, or why it says nothing.

Benjamini-Hochberg runs over the rows that can fail the run; advisory rows are read among
themselves at the same rate, and none of their p-values weighs on the others. Watched rows are in
neither family and have no outcome: smallest effects and margins are meant for what can be decided.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gate.decision.rounding import result
from gate.decision.rows import FRACTION, margin_of
from gate.decision.settling import settles
from gate.decision.standing import Standing
from gate.decision.words import counted, few
from gate.stats.correction import benjamini_hochberg, holm
from gate.types import ConfirmFinding, Outcome, Policy, Row, Rule

Doubt = Literal["noise", "unscored", "held", "unconfirmed"]
"""Why a row is inconclusive: too noisy, a regression only if the cases without a score had the
worst one, a drop that is too small for the row's licence, or one that a second look did not
find."""


@dataclass(frozen=True)
class Said:
    """What a row says."""

    outcome: Outcome
    """The outcome."""
    doubt: Doubt | None = None
    """Why it is inconclusive."""
    remark: str | None = None
    """What a reader must know of it."""
    settles: str | None = None
    """What would settle it."""
    p: float | None = None
    """Benjamini-Hochberg-adjusted p within the row's family."""
    p_holm: float | None = None
    """Holm-adjusted p within the row's family."""
    confirm: ConfirmFinding | None = None
    """What the second look says."""


@dataclass(frozen=True)
class _Adjusted:
    """The p-values of one row within its family."""

    p: float
    holm: float
    worst: float | None
    """Adjusted with every newly unscored case of the family at its worst value."""


def outcomes_of(
    standings: Sequence[Standing], policy: Policy, units: Mapping[str, str]
) -> tuple[Said, ...]:
    """Say what each row says, in the rows' order; `units` gives the unit of each dimension."""
    adjusted: dict[int, _Adjusted] = {}
    for gating in (True, False):
        family = [
            index
            for index, one in enumerate(standings)
            if one.gating is gating
            and one.cause != "watched"
            and one.row.p is not None
            and _blank(one.row, policy) is None
        ]
        adjusted |= _family([standings[index].row for index in family], family)
    return tuple(
        _said(one, adjusted.get(index), policy, units.get(one.row.dimension, FRACTION))
        for index, one in enumerate(standings)
    )


def min_effect_of(dimension: str, policy: Policy) -> float:
    """Give the smallest mean drop that can be a regression in this dimension."""
    own = policy.rules.get(dimension, Rule()).min_effect
    return policy.min_effect if own is None else own


def _family(rows: Sequence[Row], places: Sequence[int]) -> dict[int, _Adjusted]:
    ps = [row.p for row in rows if row.p is not None]
    worst = [p if row.worst_p is None else row.worst_p for row, p in zip(rows, ps, strict=True)]
    return {
        place: _Adjusted(p, by_holm, None if row.worst_p is None else at_worst)
        for place, row, p, by_holm, at_worst in zip(
            places, rows, benjamini_hochberg(ps), holm(ps), benjamini_hochberg(worst), strict=True
        )
    }


def _blank(row: Row, policy: Policy) -> Outcome | None:
    """Say why a row has no outcome of its own, or None."""
    if row.missing:
        return "missing"
    if row.incomparable:
        return "incomparable"
    if row.n == 0 or result(row.n / (row.expected - row.undefined)) < policy.coverage:
        return "unmeasured"
    return None


def _said(one: Standing, adjusted: _Adjusted | None, policy: Policy, unit: str) -> Said:
    row = one.row
    blank = _blank(row, policy)
    if blank is not None:
        return Said(blank)
    if one.cause == "watched":
        return Said("inconclusive")
    if row.signed is None:
        return Said("inconclusive", "noise", settles="knowing whether higher or lower is better")
    if adjusted is None:
        return _plain(one, result(-row.signed), policy)
    said = (
        _plain(one, result(-row.signed), policy)
        if policy.rule == "threshold"
        else _paired(one, adjusted, policy, unit)
    )
    return Said(said.outcome, said.doubt, said.remark, said.settles, adjusted.p, adjusted.holm)


def _paired(one: Standing, adjusted: _Adjusted, policy: Policy, unit: str) -> Said:
    """Apply the rules in their order: regression, worst values, pass."""
    row = one.row
    drop = result(-(row.signed or 0.0))
    fell = adjusted.p <= policy.q
    if fell and drop >= _floor(one, policy):
        return Said("regression")
    if _only_at_worst(one, adjusted, policy):
        return _if_worst(row)
    held = fell and drop >= min_effect_of(row.dimension, policy)
    remark = "fell by more than noise, but by less than its licence can fail" if held else None
    margin = margin_of(row.dimension, policy)
    if row.guarded is not None and row.guarded > -margin:
        return Said("pass", None, remark)
    return Said("inconclusive", "held" if held else "noise", remark, settles(row, margin, unit))


def _if_worst(row: Row) -> Said:
    """Say that a row would have regressed, had the cases without a score had the worst one."""
    cases = few(row.newly_unscored)
    return Said(
        "inconclusive",
        "unscored",
        f"a regression if the {counted(len(row.newly_unscored), 'case')} without a score now "
        f"({cases}) had the worst one",
        f"scores of {cases}",
    )


def _plain(one: Standing, drop: float, policy: Policy) -> Said:
    """Apply the plain threshold: strict, on numbers rounded to 1e-9."""
    if drop <= policy.threshold:
        worst = one.row.worst_signed
        hidden = one.row.undefined and worst is not None and result(-worst) > policy.threshold
        return _if_worst(one.row) if hidden else Said("pass")
    if one.weak and drop < policy.provisional_drop:
        return Said(
            "inconclusive",
            "held",
            "fell by more than the threshold, but by less than its licence can fail",
            "a licence that is not provisional: label more answers",
        )
    return Said("regression")


def _only_at_worst(one: Standing, adjusted: _Adjusted, policy: Policy) -> bool:
    if adjusted.worst is None or one.row.worst_signed is None:
        return False
    return adjusted.worst <= policy.q and result(-one.row.worst_signed) >= _floor(one, policy)


def _floor(one: Standing, policy: Policy) -> float:
    """Give the smallest mean drop with which this row may fail the run."""
    effect = min_effect_of(one.row.dimension, policy)
    return max(effect, policy.provisional_drop) if one.weak else effect
