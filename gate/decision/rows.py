"""The paired numbers of one target in one dimension, before any rule.

The unit is the case: its repeats are averaged on each side first. Only cases that are scored on
both sides and whose text is unchanged are compared.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gate.decision.identity import differing
from gate.decision.rounding import result, score
from gate.decision.sides import Sides, made, scored, undefined
from gate.stats.paired import PSEUDO_CASE, drop_p, guarded_lower_bound, t_interval
from gate.stats.power import smallest_visible_drop
from gate.stats.summary import mean_or_none, sd_or_none
from gate.types import Cell, Difference, Metric, Policy, Row, Rule

FRACTION = "fraction"
"""The unit of scores on [0, 1], for which the policy's defaults are meant."""

GUARD_IN_MARGINS = PSEUDO_CASE / 0.10
"""The guard's pseudo-case in units of the default margin, for scores that are not on [0, 1]."""


def sign_of(metric: Metric, policy: Policy) -> float | None:
    """Give 1 when higher is better, -1 when lower is, None when that is unknown.

    A rule's `better` goes before the metric's own.
    """
    better = policy.rules.get(metric.name, Rule()).better or metric.better
    return {"higher": 1.0, "lower": -1.0}.get(better)


def margin_of(dimension: str, policy: Policy) -> float:
    """Give the drop that a pass rules out in this dimension."""
    own = policy.rules.get(dimension, Rule()).margin
    return policy.margin if own is None else own


def guard_of(unit: str, margin: float) -> float:
    """Give the pseudo-case that guards the pass rule: -0.5 for scores on [0, 1].

    Other units have no scale of their own, so there it is five margins, as by default it is.
    """
    return PSEUDO_CASE if unit == FRACTION else GUARD_IN_MARGINS * margin


def row_of(sides: Sides, target: str, metric: Metric, policy: Policy) -> Row:
    """Compare one target in one dimension, case by case.

    Where judge, prompt or scorer is known to differ there is the run's own mean and no baseline to
    hold it against: never a delta.
    """
    sign = sign_of(metric, policy)
    found = _Cases(sides, target, metric, 1.0 if sign is None else sign)
    name = metric.name
    incomparable = (
        differing(sides.baseline.identities.get(name), sides.run.identities.get(name))
        if found.expected
        else ()
    )
    blank = Row(
        target=target,
        dimension=name,
        judged=metric.judged,
        direction_known=sign is not None,
        watched=metric.watched,
        baseline=None,
        current=None,
        delta=None,
        signed=None,
        expected=found.expected,
        newly_unscored=tuple(case for case, _, _ in found.lost),
        undefined=found.undefined,
        incomparable=incomparable,
    )
    if incomparable or not found.expected:
        return blank.model_copy(update={"current": _own_mean(sides, target, metric)})
    if not found.differences:
        return blank
    return blank.model_copy(update=_numbers(found, sign, metric, policy))


class _Cases:
    """The cases of a row: compared, lost since the baseline, and expected."""

    def __init__(self, sides: Sides, target: str, metric: Metric, sign: float) -> None:
        """Pair the cases; scores are signed so that higher is better."""
        self.seed = sides.run.plan.seed
        self.differences: list[Difference] = []
        self.lost: list[tuple[str, list[float], int]] = []
        self.expected = 0
        self.undefined = 0
        removed = 0
        values: list[float] = []
        for case in sorted({*sides.planned, *sides.removed}):
            key = (target, case)
            base = _signed(sides.base.get(key), metric, sign)
            new = _signed(sides.new.get(key), metric, sign)
            values += base + new
            if case in sides.removed:
                removed += bool(base)
                continue
            self.expected += bool(base)
            attempts = len(made(sides.new.get(key)))
            if not base or key in sides.changed:
                continue
            if new:
                self.differences.append(_difference(sides.base[key], new, base))
            elif attempts:
                self.lost.append((case, base, attempts))
                self.undefined += undefined(sides.new[key], metric.name)
        # A sample would have held its share of the cases that are gone, the full set all of them.
        self.expected += math.floor(sides.share * removed + 0.5)
        self.worst = _worst(metric, sign, values)


def _signed(cell: Cell | None, metric: Metric, sign: float) -> list[float]:
    return [score(sign * value, metric.unit) for value in scored(cell, metric.name)]


def _difference(cell: Cell, new: Sequence[float], base: Sequence[float]) -> Difference:
    return Difference(
        case_id=cell.case_id,
        category=cell.category,
        baseline=_mean(base),
        current=_mean(new),
        new=tuple(new),
        base=tuple(base),
    )


def _worst(metric: Metric, sign: float, values: Sequence[float]) -> float:
    """Give the worst value that a case can have, signed: the end of [0, 1], or the worst seen."""
    if metric.unit == FRACTION:
        return min(0.0, sign)
    return min(values, default=0.0)


def _mean(values: Sequence[float]) -> float:
    return result(math.fsum(values) / len(values))


def _own_mean(sides: Sides, target: str, metric: Metric) -> float | None:
    """Give the run's own mean over its scored cases, for rows without a baseline."""
    cells = [sides.new.get((target, case)) for case in sides.planned]
    means = [_mean(values) for cell in cells if (values := _signed(cell, metric, 1.0))]
    mean = mean_or_none(means)
    return None if mean is None else result(mean)


def _numbers(
    found: _Cases, sign: float | None, metric: Metric, policy: Policy
) -> dict[str, object]:
    """Give the numbers of a row with at least one compared case."""
    pairs = found.differences
    d = [result(pair.delta) for pair in pairs]
    direction = 1.0 if sign is None else sign
    baseline = _mean([pair.baseline for pair in pairs])
    current = _mean([pair.current for pair in pairs])
    signed = _mean(d)
    low, high = t_interval(d)
    if low is not None and high is not None:
        low, high = sorted((result(direction * low), result(direction * high)))
    sd = sd_or_none(d)
    numbers: dict[str, object] = {
        "baseline": result(direction * baseline),
        "current": result(direction * current),
        "delta": result(direction * signed),
        "low": low,
        "high": high,
        "n": len(d),
        "nonzero": sum(x != 0.0 for x in d),
        "sd": sd,
        "differences": tuple(pairs),
    }
    if sign is None:
        return numbers
    test = drop_p([pair.new for pair in pairs], [pair.base for pair in pairs], seed=found.seed)
    return {
        **numbers,
        **_worst_numbers(found),
        "signed": signed,
        "guarded": guarded_lower_bound(d, guard_of(metric.unit, margin_of(metric.name, policy))),
        "p": test.p,
        "p_method": test.method,
        "worse": sum(x < 0.0 for x in d),
        "better": sum(x > 0.0 for x in d),
        "smallest_visible_drop": smallest_visible_drop(sd, len(d)),
    }


def _worst_numbers(found: _Cases) -> dict[str, object]:
    """Compare again with each newly unscored case at its worst value: a check on selection."""
    if not found.lost:
        return {}
    new = [list(pair.new) for pair in found.differences]
    base = [list(pair.base) for pair in found.differences]
    for _, known, attempts in found.lost:
        new.append([found.worst] * attempts)
        base.append(known)
    d = [_mean(fresh) - _mean(known) for fresh, known in zip(new, base, strict=True)]
    return {"worst_signed": _mean(d), "worst_p": drop_p(new, base, seed=found.seed).p}
