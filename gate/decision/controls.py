"""Control answers: which flipped, in which dimensions the judge drifted, and what is said of it.

A few stored answers are judged again in each run. A ruling that is unlike the stored ones has the
others judged too, and where these look like drift all of them are judged once more: only what both
times say is drift, so no unlucky ruling decides. What it cannot see: a drift that spares answers
like these, and one much smaller than `min_effect`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from gate.decision.identity import differing
from gate.decision.rounding import result
from gate.decision.words import amount, counted, few, listed
from gate.stats.drift import DriftTest, drift_test, is_flip
from gate.stats.sampling import order_key
from gate.types import Control, ControlCheck, ControlReading, Controls, Identity, Policy, Rule, Run

FEWEST_CONTROLS = 3
"""Fewer cannot show drift: two flips of two come by chance too often (an eighth each at best)."""

DRIFT = "judge drift"
"""Stands among the parts of an identity that differ where the judge drifted."""

ROUNDS = 2
"""Times that all must say so."""

EXAMPLES = 3
"""Control answers that show a drift in the report."""

_CALLED = {"scorer": "scorer or a setting of the judge"}

_WRITE = ": write the file again"

FEWEST_RULINGS = 3
"""Rulings that a control answer has at least."""


@dataclass(frozen=True)
class Drift:
    """What the control answers say of one dimension."""

    dimension: str
    """The metric."""
    rounds: tuple[DriftTest, ...]
    """The tests of each time that they were judged."""

    @property
    def suspected(self) -> bool:
        """Whether the first time looks like drift."""
        return self.rounds[0].drifted

    @property
    def drifted(self) -> bool:
        """Whether both times say so, in the same direction."""
        signs = {math.copysign(1.0, one.shift) for one in self.rounds}
        both = len(self.rounds) == ROUNDS and all(one.drifted for one in self.rounds)
        return both and len(signs) == 1

    @property
    def flipped(self) -> str:
        """Say how many flipped the last time, such as `6 of 8`."""
        return f"{self.rounds[-1].flipped} of {self.rounds[-1].n}"

    @property
    def words(self) -> str:
        """Say it: how many flipped, and by how much the mean moved."""
        last = self.rounds[-1]
        way = "lower" if last.shift < 0 else "higher"
        mean = f"{amount(abs(last.shift))} {way}" if result(last.shift) else "no higher or lower"
        return f"{last.flipped} of {counted(last.n, 'control answer')} flipped, {mean} on average"


def in_order(controls: Iterable[Control], seed: str) -> tuple[Control, ...]:
    """Return the control answers in the order in which a run of this seed asks them."""
    return tuple(sorted(controls, key=lambda one: order_key(f"{seed} controls", one.case_id)))


def comparable_dimensions(
    controls: Controls, identities: Mapping[str, Identity], names: Iterable[str]
) -> tuple[tuple[str, ...], dict[str, str]]:
    """Return the dimensions of a run that the file says something of, and why not the others.

    `identities` hold the run's prompt and scorer; `names` are its judged dimensions. Another judge
    is no hindrance: that it rules alike is what is asked.
    """
    known, skipped = [], {}
    for name in names:
        stored = controls.identities.get(name)
        if stored is None:
            skipped[name] = "the file has no scores of it: write it again with `gate controls`"
            continue
        changed = differing(stored, identities.get(name))
        if changed and changed != ("judge",):
            # Another judge has other settings, which are part of each scorer: that is the cause.
            what = (
                f"they are of another judge ({stored.judge})"
                if "judge" in changed
                else f"{listed([_CALLED.get(one, one) for one in changed])} changed"
            )
            skipped[name] = f"{what}{_WRITE}"
            continue
        known.append(name)
    return tuple(known), skipped


def reading_of(
    control: Control, dimension: str, values: Sequence[float | None], policy: Policy
) -> ControlReading | None:
    """Put the new scores of a control answer beside its stored ones; None where it has none."""
    stored = control.scores.get(dimension, ())
    if len(stored) < FEWEST_RULINGS:
        return None
    first = values[0]
    return ControlReading(
        case_id=control.case_id,
        dimension=dimension,
        stored=stored,
        values=tuple(values),
        flipped=None if first is None else is_flip(first, stored, far=_far(dimension, policy)),
    )


def any_flipped(readings: Iterable[ControlReading]) -> bool:
    """Whether one of the first few is a reason to ask the others."""
    return any(one.flipped for one in readings)


def drifts(check: ControlCheck, policy: Policy) -> tuple[Drift, ...]:
    """Test each dimension of which all control answers were judged again, in their order."""
    if not check.whole:
        return ()
    by_dimension: dict[str, list[ControlReading]] = {}
    for one in check.readings:
        if len(one.stored) >= FEWEST_RULINGS:
            by_dimension.setdefault(one.dimension, []).append(one)
    found = []
    for dimension, readings in by_dimension.items():
        tests = tuple(
            test
            for place in range(min(check.rounds, ROUNDS))
            if (test := _test(readings, place, _far(dimension, policy))) is not None
        )
        if tests:
            found.append(Drift(dimension, tests))
    return tuple(found)


def _test(readings: Sequence[ControlReading], place: int, far: float) -> DriftTest | None:
    pairs = [
        (value, one.stored)
        for one in readings
        if len(one.values) > place and (value := one.values[place]) is not None
    ]
    if not pairs:
        return None
    values, rulings = zip(*pairs, strict=True)
    return drift_test(values, rulings, far=far)


def suspects(check: ControlCheck, policy: Policy) -> tuple[str, ...]:
    """Name the dimensions that look like drift the first time."""
    return tuple(one.dimension for one in drifts(check, policy) if one.suspected)


def drifted(run: Run, policy: Policy) -> dict[str, Drift]:
    """Return the dimensions in which the judge drifted; none where nobody asked."""
    if run.controls is None:
        return {}
    return {one.dimension: one for one in drifts(run.controls, policy) if one.drifted}


def told(run: Run, policy: Policy) -> tuple[str, ...]:
    """Say in sentences what the control answers of a run say; nothing where there are none."""
    check = run.controls
    if check is None:
        return ()
    skipped = _by_reason(check.skipped)
    why = _hindrance(check)
    return (
        _summary(check) if why is None else f"Control answers could not be judged: {why}.",
        *(f"{name}: {DRIFT}, {one.words}." for name, one in drifted(run, policy).items()),
        *(
            f"Not judged again, {few(names, 5)}: {because}."
            for because, names in skipped.items()
            if because != why
        ),
    )


def title(check: ControlCheck) -> str:
    """Say in a few words what came of them: that none could be judged is not that none flipped."""
    why = _hindrance(check)
    if why is not None:
        return f"Control answers could not be judged: {why.removesuffix(_WRITE)}"
    flipped = len({one.case_id for one in check.readings if one.flipped})
    return f"Control answers: {len(check.case_ids)} judged again, {flipped or 'none'} flipped"


def examples(run: Run, policy: Policy) -> tuple[ControlReading, ...]:
    """Return a few control answers that show a drift, those that moved furthest first.

    Of each the dimension in which it moved furthest.
    """
    names = drifted(run, policy)
    if run.controls is None or not names:
        return ()
    moved = [
        (-abs(value - math.fsum(one.stored) / len(one.stored)), one.case_id, one.dimension, one)
        for one in run.controls.readings
        if one.dimension in names and one.stored and (value := _last(one)) is not None
    ]
    furthest: dict[str, ControlReading] = {}
    for *_, one in sorted(moved, key=lambda each: each[:3]):
        furthest.setdefault(one.case_id, one)
    return tuple(furthest.values())[:EXAMPLES]


def _last(one: ControlReading) -> float | None:
    return one.values[-1] if one.values else None


def _by_reason(skipped: Mapping[str, str]) -> dict[str, list[str]]:
    reasons: dict[str, list[str]] = {}
    for name, why in skipped.items():
        reasons.setdefault(why, []).append(name)
    return reasons


def _hindrance(check: ControlCheck) -> str | None:
    """Say why none has a new score; None where one has."""
    if any(one.flipped is not None for one in check.readings):
        return None
    if check.stopped:
        return check.stopped
    if check.case_ids:
        return "the judge gave no score"
    reasons = list(_by_reason(check.skipped))
    return reasons[0] if len(reasons) == 1 else "none is of the present judge, scorers and cases"


def _summary(check: ControlCheck) -> str:
    flipped = {one.case_id for one in check.readings if one.flipped}
    again = f" ({check.rounds} times)" if check.rounds > 1 else ""
    asked = f"{len(check.case_ids)} of {check.of}" if not check.whole else f"all {check.of}"
    said = f"{len(flipped)} flipped in some dimension" if flipped else "none flipped"
    other = f"; another judge than theirs ({check.judge})" if check.judge else ""
    return f"Control answers: {asked} judged again{again}, {said}{other}{_because(check)}."


def _because(check: ControlCheck) -> str:
    return f"; {check.stopped}" if check.stopped else ""


def doubt(run: Run, policy: Policy) -> str | None:
    """Warn of drift that was suspected and could not be asked about again; None where none was."""
    check = run.controls
    if check is None or check.rounds >= ROUNDS:
        return None
    why = check.stopped or "nobody asked"
    if check.whole:
        names = suspects(check, policy)
        missing = f"were not judged a second time ({why}), and once alone decides nothing"
    else:
        names = tuple(dict.fromkeys(one.dimension for one in check.readings if one.flipped))
        missing = f"were not all judged ({why}), and a few alone decide nothing"
    if not names:
        return None
    return f"The judge may have drifted in {listed(names)}: the control answers {missing}."


def _far(dimension: str, policy: Policy) -> float:
    """Return the smallest mean drop that can be a regression: smaller drift decides nothing."""
    own = policy.rules.get(dimension, Rule()).min_effect
    return policy.min_effect if own is None else own
