"""Labels and what the judge said of the same answers: what licenses dimensions.

The licence is never computed from the run being gated: its answers are new and unlabelled.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.decision.identity import joined
from gate.decision.licence import BEST_FIRST, agreement_of, unlabelled
from gate.decision.pairing import Found, Pairer, Unpaired
from gate.decision.sensitivity import disarmed
from gate.decision.tried import kept_for_tuning
from gate.decision.words import listed
from gate.types import (
    Agreement,
    Calibration,
    CalibrationItem,
    CalibrationSet,
    Identity,
    JudgedItem,
    LabelSet,
    Metric,
    Policy,
    Run,
    Sensitivity,
)
from gate.types.word import Word

__all__ = [
    "OF_THIS_RUN",
    "Pairing",
    "Unpaired",
    "agreement_of",
    "agreements",
    "calibrate",
    "weaken",
]

OF_THIS_RUN = "labels and scores are of the run that is being judged"
"""Why a licence from ratings of the gated run itself is provisional at best: who rates its answers
knows the verdict that the ratings lead to."""


class Pairing(Word):
    """A calibration, and what could not be part of it."""

    calibration: Calibration
    """The labels that have a judge's score."""
    paired: dict[str, int] = {}  # noqa: RUF012 - pydantic copies a default for each record
    """Dimension -> labels that have a judge's score."""
    unpaired: tuple[Unpaired, ...] = ()
    """Labels without one, in the order of the files."""


def agreements(
    calibration: Calibration | None,
    metrics: Sequence[Metric],
    identities: Mapping[str, Identity],
    policy: Policy,
    *,
    judge_family: str | None = None,
    world: str | None = None,
    sensitivity: Sensitivity | None = None,
) -> tuple[Agreement, ...]:
    """Give the licence of every metric of a run, in the metrics' order.

    `identities`, `judge_family` (of a panel all of them in one text) and `world` (of its
    provenance) are the run's. `sensitivity` takes the licence of dimensions that do not see
    damages. Metrics without a judge need no licence.
    Raises FileError for a calibration whose scores lie outside [0, 1].
    """
    sets = {} if calibration is None else {one.dimension: one for one in calibration.sets}
    found = []
    for metric in metrics:
        name, labelled = metric.name, sets.get(metric.name)
        if not metric.judged:
            found.append(
                Agreement(dimension=name, state="not_needed", because="measured without a judge")
            )
        elif labelled is not None and labelled.counts != metric.counts:
            found.append(_of_something_else(metric, labelled))
        elif labelled is not None:
            current = identities.get(name)
            licence = agreement_of(labelled, policy, current, judge_family, world=world)
            found.append(disarmed(licence, sensitivity, current))
        else:
            found.append(unlabelled(name, metric.counts))
    known = {one.dimension: one for one in found}
    composed = {metric.name: metric.of for metric in metrics if metric.of}
    return tuple(
        _weakest(one.dimension, [known[part] for part in composed[one.dimension] if part in known])
        if one.state == "unlabelled" and one.dimension in composed
        else one
        for one in found
    )


def _of_something_else(metric: Metric, labelled: CalibrationSet) -> Agreement:
    """Give the licence of a dimension whose labels are of something that it does not count."""
    wanted = metric.counts or "whole answers"
    return unlabelled(metric.name, metric.counts).model_copy(
        update={
            "because": f"the calibration has labels of {labelled.counts or 'whole answers'} for "
            f"it, and it counts {wanted}: label {wanted}, then `gate kappa --write` again"
        }
    )


def _weakest(dimension: str, parts: Sequence[Agreement]) -> Agreement:
    """Give a composed metric the weakest licence of the metrics that it is computed from."""
    weakest = max(
        parts,
        key=lambda one: (BEST_FIRST.index(one.state), 1.0 if one.kappa is None else -one.kappa),
        default=None,
    )
    if weakest is None or weakest.state == "unlabelled":
        return unlabelled(dimension)
    return weakest.model_copy(
        update={
            "dimension": dimension,
            "because": f"computed from {listed([one.dimension for one in parts])}, with the weaker "
            f"licence of {weakest.dimension}: {weakest.because}",
        }
    )


def weaken(agreements: Sequence[Agreement], because: str = OF_THIS_RUN) -> tuple[Agreement, ...]:
    """Turn validated licences into provisional ones, and add why; all others stay as they are.

    For labels that license less than their numbers say: see `OF_THIS_RUN`.
    """
    return tuple(
        one.model_copy(update={"state": "provisional", "because": f"{one.because}, but {because}"})
        if one.state == "validated"
        else one
        for one in agreements
    )


def calibrate(
    runs: Sequence[Run],
    label_sets: Sequence[LabelSet],
    target: str | None = None,
    created: str | None = None,
    judged: Sequence[Sequence[JudgedItem]] = (),
    *,
    tuning: float = 0.0,
) -> Pairing:
    """Pair people's ratings with the judge's scores of the same answers.

    A label that names its answer (by digest) takes the mean of the judge's scores over all
    attempts, in all runs, that gave this very answer. A label that does not is paired by case and
    target, and such labels license provisionally at best; `target` says whose answers were rated,
    and is needed where the runs have several targets. Labels of another target are passed over.
    `judged` holds the items that the judge labelled in each run, in the order of the runs: labels
    of items are paired with these by digest. `tuning` is the share of the cases whose labels are
    kept for mending the prompt and license nothing.
    Where several people rated one answer, all ratings are kept and `agreed` says which one counts.
    Raises DatasetError when an unbound label leaves its target open or one person's two labels of
    one answer contradict each other, and FileError when the runs of one dimension were not judged
    alike.
    """
    pairer = Pairer(runs, target, judged)
    for labels in label_sets:
        pairer.add(labels)
    sets = tuple(
        CalibrationSet(
            dimension=dimension,
            counts=pairer.counts.get(dimension),
            identity=joined(
                [runs[i].identities.get(dimension, Identity()) for i in sorted(found.runs)],
                dimension,
            ),
            drafted_by=tuple(sorted(found.drafted_by)),
            drafted_by_families=tuple(sorted(found.families)),
            approved_by=tuple(sorted(found.approved_by)),
            models=tuple(sorted(found.models)) if any(one.ratings for one in rated) else (),
            items=tuple(one for one in rated if not kept_for_tuning(one.case_id, tuning)),
            tuning=tuple(one for one in rated if kept_for_tuning(one.case_id, tuning)),
        )
        for dimension, found, rated in _by_dimension(pairer)
    )
    return Pairing(
        calibration=Calibration(created=created, sets=sets),
        paired={one.dimension: len(one.items) + len(one.tuning) for one in sets},
        unpaired=tuple(pairer.unpaired),
    )


def _by_dimension(pairer: Pairer) -> list[tuple[str, Found, list[CalibrationItem]]]:
    return [
        (dimension, found, found.rated(pairer.counts.get(dimension)))
        for dimension, found in sorted(pairer.found.items())
    ]
