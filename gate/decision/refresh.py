"""A baseline refresh, decided: what changes, held against the old baseline and the anchor. Pure.

Both are asked with the gate's own test, the new scores being the run. The anchor is the first
accepted baseline: many small drops, each too small to fail a pull request, add up against it.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.anchoring import Fall, Unreached, falls_of, floors, lost, unreached
from gate.decision.calibration import agreements
from gate.decision.comparison import compare
from gate.decision.renewing import KappaMove, kappa_moves
from gate.decision.verdict import decide
from gate.errors import ConfigError
from gate.types import (
    Agreement,
    Baseline,
    Calibration,
    Commits,
    Comparison,
    Measured,
    Plan,
    Policy,
    Reason,
    Run,
    Verdict,
)


@dataclass(frozen=True)
class Past:
    """What the default branch has."""

    baseline: Baseline | None
    """The baseline that is replaced; None where there is none."""
    anchor: Baseline | None
    """The first accepted baseline; None where none was kept."""
    calibration: Calibration | None
    """What licenses dimensions."""

    @property
    def reference(self) -> Baseline | None:
        """What stands for the anchor: the old baseline where none was kept."""
        return self.anchor or self.baseline


@dataclass(frozen=True)
class Why:
    """Who asks for the refresh, and why."""

    reason: str | None = None
    """The reason that was given; None or blank where none was."""
    by: str | None = None
    """Who started it; None where nobody knows."""


@dataclass(frozen=True)
class Side:
    """The new scores held against an earlier baseline."""

    baseline: Baseline
    """The earlier one."""
    comparison: Comparison
    """The numbers."""
    verdict: Verdict
    """What the gate would say of a run with the new scores."""


@dataclass(frozen=True)
class Refreshed:
    """What is proposed."""

    baseline: Baseline
    """The new baseline, reasons included."""
    anchor: Baseline | None
    """The anchor that is written; None where the one that is there stays."""
    calibration: Calibration | None
    """The renewed calibration; None where the old one stays."""
    run: Run
    """The new scores as a run."""
    old: Side | None
    """Against the old baseline; None where there is none."""
    held: Side | None
    """Against the anchor, or what stands for it; None where there is neither."""
    agreements: Sequence[Agreement]
    """Licences of the new scores."""
    moves: Sequence[KappaMove]
    """Dimensions whose judge changed."""
    falls: Sequence[Fall]
    """Where the new scores are below the anchor."""
    unreached: Sequence[Unreached]
    """What of the anchor the new scores cannot be held against."""
    lost: Sequence[str]
    """Dimensions of the old baseline that the new one does not have."""
    needed: Sequence[str]
    """Why a reason had to be given, in words; empty where none had to be."""
    measured: Measured
    """What it rests on."""
    why: Why
    """Who asked, and why."""
    swings: Sequence[tuple[str, str, float, float]]
    """Target, dimension, and the lowest and highest mean of a single repeat (`swings_of`)."""


def refresh(
    new: Baseline,
    measured: Measured,
    past: Past,
    policy: Policy,
    *,
    renewed: Calibration | None = None,
    why: Why | None = None,
) -> Refreshed:
    """Decide on new scores that may become the baseline.

    `renewed` is the calibration from now on, None where the old one stays. Raises ConfigError
    (exit 2) where they are worse than the anchor, or cannot be held against it, and no reason is
    given for it.
    """
    why = why or Why()
    run = run_of(new, measured)
    licences = agreements(
        renewed or past.calibration,
        new.metrics,
        new.identities,
        policy,
        judge_family=run.family_names,
        world=new.provenance.world,
    )
    old = _held_against(past.baseline, run, licences, policy)
    held = _held_against(past.reference, run, licences, policy)
    before = () if past.baseline is None else past.baseline.reasons
    falls = [] if held is None else falls_of(held.comparison, held.verdict, policy)
    gone = [] if held is None else unreached(held.comparison, held.verdict)
    ends = any(one.ends for one in gone)
    left = [] if old is None else lost(old.comparison, old.baseline)
    beyond = [fall for fall in falls if fall.beyond(floors(before), policy)]
    needed = [*(fall.words for fall in beyond), *(one.words for one in gone), *left]
    reason = _recorded(run, why, falls, needed, new_anchor=ends)
    baseline = new.model_copy(
        update={"reasons": before if reason is None else (*before, reason), "accepted": {}}
    )
    return Refreshed(
        baseline=baseline,
        anchor=_anchor(past, baseline, begins=ends),
        calibration=renewed,
        run=run,
        old=old,
        held=held,
        agreements=licences,
        moves=kappa_moves(past.calibration, renewed, new.identities, policy, run.family_names),
        falls=falls,
        unreached=gone,
        lost=left,
        needed=needed,
        measured=measured,
        why=why,
        swings=swings_of(run),
    )


def run_of(baseline: Baseline, measured: Measured) -> Run:
    """Return a baseline's scores as the run that they would be."""
    cases = tuple(sorted({cell.case_id for cell in baseline.cells}))
    return Run(
        id=measured.runs[-1].id,
        provenance=baseline.provenance,
        plan=Plan(
            repeats=measured.repeats,
            case_ids=cases,
            total=len(cases),
            dataset=cases,
            clusters=baseline.clusters,
        ),
        targets=baseline.targets,
        metrics=baseline.metrics,
        identities=baseline.identities,
        cells=tuple(sorted(baseline.cells, key=lambda cell: (cell.target, cell.case_id))),
        judge_family=measured.judge_family,
        judge_families=measured.judge_families,
    )


def swings_of(run: Run) -> list[tuple[str, str, float, float]]:
    """Give the lowest and the highest mean of a single repeat, by target and dimension.

    So far luck alone moves a run. A repeat's mean is over the cases that it has a value for.
    """
    found: dict[tuple[str, str], list[list[float]]] = {}
    for cell in run.cells:
        for name, column in cell.scores.items():
            repeats = found.setdefault((cell.target, name), [])
            repeats += [[] for _ in range(len(column) - len(repeats))]
            for place, value in enumerate(column):
                if value is not None:
                    repeats[place].append(value)
    means = {
        key: [math.fsum(one) / len(one) for one in repeats if one] for key, repeats in found.items()
    }
    return [(*key, min(some), max(some)) for key, some in means.items() if some]


def _held_against(
    baseline: Baseline | None, run: Run, licences: Sequence[Agreement], policy: Policy
) -> Side | None:
    """Compare by the gate's own test, however old the earlier one is."""
    if baseline is None:
        return None
    ageless = policy.model_copy(
        update={
            "max_baseline_age_days": math.inf,
            "warn_baseline_age_days": math.inf,
            "report_only": False,
        }
    )
    comparison = compare(run, baseline, ageless)
    verdict = decide(
        run,
        comparison,
        licences,
        ageless,
        narrowed=False,
        seed=run.plan.seed,
        commits=Commits(),
        reproduce=(),
    )
    return Side(baseline, comparison, verdict)


def _recorded(
    run: Run, why: Why, falls: Sequence[Fall], needed: Sequence[str], *, new_anchor: bool
) -> Reason | None:
    """Return the reason that is kept; None where none is needed. Raises ConfigError."""
    if not needed:
        return None
    text = " ".join((why.reason or "").split())
    if not text:
        raise ConfigError(
            f"a refresh like this one needs a recorded reason ({'; '.join(needed)}): look whether "
            "it is wanted. If it is, say why with --reason (in the workflow the input `reason`, "
            "and `measured` to pay for nothing twice); if not, mend it and measure again"
        )
    accepted: dict[str, dict[str, float]] = {}
    for fall in () if new_anchor else falls:
        accepted.setdefault(fall.target, {})[fall.name] = fall.drop
    return Reason(
        run=run.id,
        text=text[:LONGEST_REASON],
        by=why.by,
        created=run.provenance.created,
        accepted=accepted,
        new_anchor=new_anchor,
    )


LONGEST_REASON = 1_000
"""Characters of a reason that are kept."""


def _anchor(past: Past, new: Baseline, *, begins: bool) -> Baseline | None:
    """Return the anchor that is written: the first accepted baseline, and another when it ends."""
    first = past.reference
    if begins or first is None or not first.cells:
        return new
    return None if past.anchor is not None else first
