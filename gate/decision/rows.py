"""The paired numbers of one target in one dimension, before any rule.

The unit is the case: its repeats are averaged on each side first. Only cases that are scored on
both sides and whose text is unchanged are compared.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

from gate.decision.controls import DRIFT, drifted
from gate.decision.identity import differing
from gate.decision.rounding import OTHER_DIGITS, RESULT_PLACES, SCORE_PLACES, result
from gate.decision.sides import Sides, made, undefined
from gate.decision.spread import spread_of
from gate.decision.weighing import design_of
from gate.stats.columns import Repeats, paired, rounded
from gate.stats.paired import PSEUDO_CASE, drop_p
from gate.stats.power import smallest_visible_drop
from gate.stats.summary import mean_or_none
from gate.types import Cell, Differences, Metric, Policy, Row, Rule

FRACTION = "fraction"
"""The unit of scores on [0, 1], for which the policy's defaults are meant."""

GUARD_IN_MARGINS = PSEUDO_CASE / 0.10
"""The guard's pseudo-case in units of the default margin, for scores that are not on [0, 1]."""


def sign_of(metric: Metric, policy: Policy) -> float | None:
    """Give 1 when higher is better, -1 when lower is, None when that is unknown.

    A rule's `better` counts for a metric that does not know its own: it turns no metric round.
    """
    better: str | None = metric.better
    if better == "unknown":
        better = policy.rules.get(metric.name, Rule()).better
    return {"higher": 1.0, "lower": -1.0}.get(better or "unknown")


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

    Where judge, prompt or scorer is known to differ, or the judge drifted, there is the run's own
    mean and no baseline to hold it against: never a delta.
    """
    sign = sign_of(metric, policy)
    found = _Cases(sides, target, metric, 1.0 if sign is None else sign)
    name = metric.name
    incomparable: tuple[str, ...] = ()
    if found.expected:
        before, now = (side.identities.get(name) for side in (sides.baseline, sides.run))
        drift = (DRIFT,) if name in drifted(sides.run, policy) else ()
        incomparable = differing(before, now) or drift
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
    if not found.compared:
        return blank
    return blank.model_copy(update=_numbers(found, sign, metric, policy))


class _Cases:
    """The cases of a row: compared, lost since the baseline, and expected."""

    def __init__(self, sides: Sides, target: str, metric: Metric, sign: float) -> None:
        """Pair the cases; scores are signed so that higher is better."""
        side = sides.of(target)
        self.seed = sides.run.plan.seed
        self.pairs = paired(
            _signed(side.new, metric, sign),
            _signed(side.base, metric, sign),
            gone=side.gone,
            changed=side.changed,
        )
        self.lost: list[tuple[str, list[float], int]] = []
        self.undefined = 0
        places: list[int] = []
        for place, base in self.pairs.lost:
            cell = side.new[place]
            attempts = len(made(cell))
            if cell is not None and attempts:
                places.append(place)
                self.lost.append((side.cases[place], base, attempts))
                self.undefined += undefined(cell, metric.name)
        # A sample would have held its share of the cases that are gone, the full set all of them.
        self.expected = self.pairs.known + math.floor(sides.share * self.pairs.gone + 0.5)
        self.worst = _worst(metric, sign, self.pairs.least)
        self.design = design_of(sides, target, metric.name, self.pairs.compared)
        self.extended = design_of(sides, target, metric.name, [*self.pairs.compared, *places])
        self.compared = tuple(map(side.cases.__getitem__, self.pairs.compared))
        self.categories = tuple(map(side.categories.__getitem__, self.pairs.compared))
        self.current = rounded(self.pairs.new.averages(), RESULT_PLACES)
        self.baseline = rounded(self.pairs.base.averages(), RESULT_PLACES)
        self.delta = rounded(self.current - self.baseline, RESULT_PLACES)

    @property
    def differences(self) -> Differences:
        """Give the compared cases."""
        new, base = self.pairs.new, self.pairs.base
        return Differences(
            case_ids=self.compared,
            categories=self.categories,
            baselines=array("d", self.baseline.tobytes()),
            currents=array("d", self.current.tobytes()),
            new=array("d", new.values.tobytes()),
            new_ends=new.ends,
            base=array("d", base.values.tobytes()),
            base_ends=base.ends,
        )


def _signed(cells: Sequence[Cell | None], metric: Metric, sign: float) -> Repeats:
    name = metric.name
    columns = [() if cell is None else cell.scores.get(name, ()) for cell in cells]
    places = SCORE_PLACES if metric.unit == FRACTION else None
    return Repeats.of(columns).turned(sign, places, OTHER_DIGITS)


def _worst(metric: Metric, sign: float, least: float) -> float:
    """Give the worst value that a case can have, signed: the end of [0, 1], or the worst seen."""
    return min(0.0, sign) if metric.unit == FRACTION else least


def _own_mean(sides: Sides, target: str, metric: Metric) -> float | None:
    """Give the run's own mean over its scored cases, for rows without a baseline."""
    side = sides.of(target)
    cells = [cell for cell, gone in zip(side.new, side.gone, strict=True) if not gone]
    scores = _signed(cells, metric, 1.0)
    means = rounded(scores.take(scores.counts > 0).averages(), RESULT_PLACES)
    mean = mean_or_none(means.tolist())
    return None if mean is None else result(mean)


def _numbers(
    found: _Cases, sign: float | None, metric: Metric, policy: Policy
) -> dict[str, object]:
    """Give the numbers of a row with at least one compared case."""
    d: list[float] = found.delta.tolist()
    direction = 1.0 if sign is None else sign
    baseline = result(found.design.mean(found.baseline))
    current = result(found.design.mean(found.current))
    signed = result(found.design.mean(found.delta))
    guard = guard_of(metric.unit, margin_of(metric.name, policy))
    spread = spread_of(found.delta, found.design, guard, policy.pass_level)
    low, high = spread.low, spread.high
    if low is not None and high is not None:
        low, high = sorted((result(direction * low), result(direction * high)))
    numbers: dict[str, object] = {
        "baseline": result(direction * baseline),
        "current": result(direction * current),
        "delta": result(direction * signed),
        "low": low,
        "high": high,
        "n": len(d),
        "nonzero": len(d) - d.count(0.0),
        "sd": spread.sd,
        "weighted": found.design.strata is not None,
        "clusters": found.design.units,
        "differences": found.differences,
    }
    if sign is None:
        return numbers
    test = drop_p(found.pairs.new, found.pairs.base, design=found.design, seed=found.seed)
    return {
        **numbers,
        **_worst_numbers(found),
        "signed": signed,
        "guarded": spread.guarded,
        "p": test.p,
        "p_method": test.method,
        "worse": int((found.delta < 0.0).sum()),
        "better": int((found.delta > 0.0).sum()),
        "smallest_visible_drop": smallest_visible_drop(spread.sd, len(d)),
    }


def _worst_numbers(found: _Cases) -> dict[str, object]:
    """Compare again with each newly unscored case at its worst value: a check on selection."""
    if not found.lost:
        return {}
    new = found.pairs.new.extended([[found.worst] * attempts for _, _, attempts in found.lost])
    base = found.pairs.base.extended([known for _, known, _ in found.lost])
    now, before = (rounded(side.averages(), RESULT_PLACES) for side in (new, base))
    return {
        "worst_signed": result(found.extended.mean(now - before)),
        "worst_p": drop_p(new, base, design=found.extended, seed=found.seed).p,
    }
