"""The calibration of a judge that changed: what is renewed, what stays, and how kappa moved.

Only sets whose judge, prompt or scorer is another one now are replaced, and only by labels that
the present judge has rated: the others keep what they say, and license nothing while they are
stale. It cannot see whether the labels are right.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.decision.identity import differing
from gate.decision.licence import agreement_of
from gate.errors import FileError
from gate.types import (
    Agreement,
    Calibration,
    CalibrationItem,
    CalibrationSet,
    Identity,
    LabelSet,
    Policy,
)


@dataclass(frozen=True)
class KappaMove:
    """One dimension whose judge changed."""

    dimension: str
    """The metric."""
    parts: tuple[str, ...]
    """What of its identity is another one: judge, prompt, scorer."""
    before: Agreement
    """Kappa of the judge that was."""
    after: Agreement | None
    """Kappa of the judge that is; None where no label belongs to what it has rated."""


def changed_sets(
    calibration: Calibration | None, identities: Mapping[str, Identity]
) -> dict[str, tuple[str, ...]]:
    """Name the dimensions whose calibration is of another instrument, and the parts that differ."""
    sets = () if calibration is None else calibration.sets
    return {
        one.dimension: parts
        for one in sets
        if (parts := differing(one.identity, identities.get(one.dimension)))
    }


def renewed(
    calibration: Calibration, found: Calibration, identities: Mapping[str, Identity]
) -> Calibration | None:
    """Put newly paired labels into the sets of a changed judge; None where none can be renewed.

    `found` is what the labels and the present judge say (see `calibrate`).
    """
    changed = changed_sets(calibration, identities)
    fresh = {one.dimension: one for one in found.sets if one.dimension in changed and one.items}
    if not fresh:
        return None
    sets = tuple(fresh.get(one.dimension, one) for one in calibration.sets)
    return calibration.model_copy(update={"created": found.created, "sets": sets})


def kappa_moves(
    calibration: Calibration | None,
    fresh: Calibration | None,
    identities: Mapping[str, Identity],
    policy: Policy,
    judge_family: str | None,
) -> tuple[KappaMove, ...]:
    """Say how kappa moved in every dimension whose judge changed.

    `fresh` is the calibration from now on; None where it is the old one.
    """
    before = {} if calibration is None else {one.dimension: one for one in calibration.sets}
    after = {} if fresh is None else {one.dimension: one for one in fresh.sets}
    moves = []
    for name, parts in changed_sets(calibration, identities).items():
        now = after.get(name)
        own = before[name]
        moves.append(
            KappaMove(
                name,
                parts,
                agreement_of(own, policy, own.identity),
                None
                if now is None or now == own
                else agreement_of(now, policy, identities.get(name), judge_family),
            )
        )
    return tuple(moves)


def check_renewed(
    calibration: Calibration | None,
    fresh: Calibration,
    identities: Mapping[str, Identity],
    labels: Sequence[LabelSet],
) -> None:
    """Refuse a renewed calibration that says of people what they did not say. Raises FileError.

    For a calibration that was made where nobody here can see it: sets of a judge that did not
    change must be the old ones, and every rating of a person must stand in a labels file. What the
    judge said is the word of whoever asked it.
    """
    changed = changed_sets(calibration, identities)
    old = {} if calibration is None else {one.dimension: one for one in calibration.sets}
    if [one.dimension for one in fresh.sets] != list(old):
        raise FileError(
            "the renewed calibration has other dimensions than the one of this checkout: renew it "
            "with `gate kappa --write`"
        )
    said = _said(labels)
    for one in fresh.sets:
        if one == old[one.dimension]:
            continue
        if one.dimension not in changed or differing(one.identity, identities.get(one.dimension)):
            raise FileError(
                f"the renewed calibration changes {one.dimension}, whose judge is the same: only "
                "labels that a changed judge has rated are renewed"
            )
        for item in one.items:
            if _word(one, item) not in said:
                raise FileError(
                    f"the renewed calibration has a label of {one.dimension} for case "
                    f"{item.case_id} that no labels file has: renew it with `gate kappa --write`"
                )


Word = tuple[str, str, str, str]
"""Case, what was rated, in which dimension (empty for an item, whose digest says it), the word."""


def _said(labels: Sequence[LabelSet]) -> set[Word]:
    said: set[Word] = set()
    for file in labels:
        for label in file.labels:
            answer = label.answer or ""
            said |= {(label.case_id, answer, name, word) for name, word in label.scores.items()}
            said |= {(label.case_id, one.item, "", one.label) for one in label.items}
    return said


def _word(part: CalibrationSet, item: CalibrationItem) -> Word:
    if item.item is not None:
        return (item.case_id, item.item, "", item.human)
    return (item.case_id, item.answer or "", part.dimension, item.human)
