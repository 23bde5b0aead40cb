"""The rules of one row: regression, pass, inconclusive, or why it says nothing.

Benjamini-Hochberg runs over the rows that can fail the run; advisory rows are read among
themselves at the same rate, and none of their p-values weighs on the others. Watched rows are in
neither family and have no outcome: smallest effects and margins are meant for what can be decided.
Where both sides have three repeats or more, hard failures are a second way to regress.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from gate.decision.hard_failures import HardFailures, hard_failures, mean_rate
from gate.decision.rounding import result
from gate.decision.rows import FRACTION, margin_of
from gate.decision.settling import UNPRICED, Prices, settles
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
    q: float | None = None
    """Rate that `p` is held against; None where a plain threshold decides."""
    confirm: ConfirmFinding | None = None
    """What the second look says."""


@dataclass(frozen=True)
class _Adjusted:
    """The p-values of one row within its family."""

    p: float
    holm: float
    worst: float | None
    """Adjusted with every newly unscored case of the family at its worst value."""
    q: float
    """Rate of false alarms of its family's tests of the mean."""
    hard: HardFailures | None
    """The second track, where the row has the repeats."""


def outcomes_of(
    standings: Sequence[Standing],
    policy: Policy,
    units: Mapping[str, str],
    prices: Prices = UNPRICED,
) -> tuple[Said, ...]:
    """Say what each row says, in the rows' order; `units` gives the unit of each dimension.

    `prices` are what more cases would cost.
    """
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
        rows = {index: standings[index].row for index in family}
        hard = hard_failures(rows, units, policy)
        adjusted |= _family(rows, mean_rate(policy, second_track=bool(hard)), hard)
    return tuple(
        _said(one, adjusted.get(index), policy, units.get(one.row.dimension, FRACTION), prices)
        for index, one in enumerate(standings)
    )


def category_outcomes_of(
    categories: Sequence[Standing],
    wholes: Sequence[Standing],
    policy: Policy,
    units: Mapping[str, str],
    prices: Prices = UNPRICED,
) -> tuple[Said, ...]:
    """Say what rows of single categories say: a family of their own, with its share of q.

    `wholes` are the rows of all cases, one of which each category is of. The fewer cases of these
    a category has, the larger must its drop be: the smallest effect times the root of their ratio,
    so that chance reaches both equally rarely.
    """
    ns = {(one.row.target, one.row.dimension): one.row.n for one in wholes}
    rows = {index: one.row for index, one in enumerate(categories)}
    family = _family(rows, policy.q * policy.category_share, {})
    return tuple(
        _said(
            one,
            family[index],
            _of_category(policy, one.row, ns[one.row.target, one.row.dimension]),
            units.get(one.row.dimension, FRACTION),
            prices,
        )
        for index, one in enumerate(categories)
    )


def categories_to_test(
    categories: Sequence[Standing], wholes: Sequence[Standing], policy: Policy
) -> list[Standing]:
    """Give the categories that count: of rows that can fail the run and were measured."""
    open_ = {
        (one.row.target, one.row.dimension)
        for one in wholes
        if one.gating and _blank(one.row, policy) is None
    }
    return [one for one in categories if (one.row.target, one.row.dimension) in open_]


def of_all_cases(policy: Policy, *, beside_categories: bool) -> Policy:
    """Give the rules of the rows of all cases: beside tested categories they share q with them."""
    share = policy.category_share if beside_categories else 0.0
    return policy.model_copy(update={"q": policy.q * (1.0 - share)})


def _of_category(policy: Policy, row: Row, n: int) -> Policy:
    """Give the rules of one category, whose rate its family has."""
    effect = min_effect_of(row.dimension, policy) * math.sqrt(n / row.n)
    rule = policy.rules.get(row.dimension, Rule()).model_copy(update={"min_effect": effect})
    return policy.model_copy(update={"rules": {**policy.rules, row.dimension: rule}})


def min_effect_of(dimension: str, policy: Policy) -> float:
    """Give the smallest mean drop that can be a regression in this dimension."""
    own = policy.rules.get(dimension, Rule()).min_effect
    return policy.min_effect if own is None else own


def _family(
    family: Mapping[int, Row], q: float, hard: Mapping[int, HardFailures]
) -> dict[int, _Adjusted]:
    """Adjust the p-values of a family, whose tests of the mean share the rate `q`."""
    rows = tuple(family.values())
    ps = [row.p for row in rows if row.p is not None]
    worst = [p if row.worst_p is None else row.worst_p for row, p in zip(rows, ps, strict=True)]
    return {
        place: _Adjusted(p, by_holm, None if row.worst_p is None else at_worst, q, hard.get(place))
        for (place, row), p, by_holm, at_worst in zip(
            family.items(),
            benjamini_hochberg(ps),
            holm(ps),
            benjamini_hochberg(worst),
            strict=True,
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


def _said(
    one: Standing, adjusted: _Adjusted | None, policy: Policy, unit: str, prices: Prices
) -> Said:
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
        else _paired(one, adjusted, policy, unit, prices)
    )
    q = None if policy.rule == "threshold" else adjusted.q
    return replace(said, p=adjusted.p, p_holm=adjusted.holm, q=q)


def _paired(one: Standing, adjusted: _Adjusted, policy: Policy, unit: str, prices: Prices) -> Said:
    """Apply the rules in their order: regression, worst values, pass."""
    row = one.row
    drop = result(-(row.signed or 0.0))
    turned = adjusted.hard is not None and adjusted.hard.found(policy)
    fell = turned or adjusted.p <= adjusted.q
    if fell and drop >= _floor(one, policy):
        words = adjusted.hard.words if turned and adjusted.hard is not None else None
        return Said("regression", None, words)
    if _only_at_worst(one, adjusted, policy):
        return _if_worst(row)
    held = fell and drop >= min_effect_of(row.dimension, policy)
    remark = "fell by more than noise, but by less than its licence can fail" if held else None
    margin = margin_of(row.dimension, policy)
    if row.guarded is not None and row.guarded > -margin:
        return Said("pass", None, remark)
    way = settles(row, margin, unit, prices, policy.pass_level, effect=_floor(one, policy))
    return Said("inconclusive", "held" if held else "noise", remark, way)


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
    return adjusted.worst <= adjusted.q and result(-one.row.worst_signed) >= _floor(one, policy)


def _floor(one: Standing, policy: Policy) -> float:
    """Give the smallest mean drop with which this row may fail the run."""
    effect = min_effect_of(one.row.dimension, policy)
    return max(effect, policy.provisional_drop) if one.weak else effect
