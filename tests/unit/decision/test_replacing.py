"""What a calibration would lose if another one took its place."""

from __future__ import annotations

from gate.decision.licence import agreement_of
from gate.decision.replacing import losses
from gate.types import Calibration, CalibrationSet, Policy
from tests.unit.decision.decision_samples import labelled

GOOD = labelled([[8, 0, 0], [0, 8, 0], [0, 0, 20]])
BLIND = labelled([[0, 0, 8], [0, 0, 8], [0, 0, 20]])


def lost(before: CalibrationSet | None, *now: CalibrationSet) -> tuple[str, ...]:
    """What is lost, in words."""
    old = None if before is None else Calibration(sets=(before,))
    return losses(old, Calibration(sets=now), Policy(), None)


def test_losses__nothing() -> None:
    """A first file, the same labels again, more of them, and a licence won: no loss."""
    more = labelled([[9, 0, 0], [0, 9, 0], [0, 0, 30]])

    assert () == lost(None, GOOD)
    assert () == lost(GOOD, GOOD)
    assert () == lost(GOOD, more)
    assert () == lost(BLIND, GOOD)


def test_losses__a_licence() -> None:
    """As many labels, and a judge that no longer tells them apart."""
    assert ("correctness: 36 labels -> 36, validated -> undefined",) == lost(GOOD, BLIND)
    assert ("correctness: 36 labels -> 0, validated -> not in it",) == lost(GOOD)


def test_losses__most_labels() -> None:
    """Without a licence to lose the labels count: half of them may go, and no more."""
    half = BLIND.model_copy(update={"items": BLIND.items[:18]})
    fewer = BLIND.model_copy(update={"items": BLIND.items[:17]})
    kept = fewer.model_copy(update={"tuning": BLIND.items[17:]})

    assert () == lost(BLIND, half)
    assert ("correctness: 36 labels -> 17, undefined -> undefined",) == lost(BLIND, fewer)
    assert () == lost(BLIND, kept)


def test_losses__of_what_could_fail_no_run() -> None:
    """From a judge that is no better than chance to a blind one no licence is lost."""
    chance = labelled([[2, 2, 4], [2, 2, 4], [5, 5, 10]])

    assert ("unvalidated", "undefined") == tuple(
        agreement_of(one, Policy(), one.identity).state for one in (chance, BLIND)
    )
    assert () == lost(chance, BLIND)
