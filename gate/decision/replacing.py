"""What a calibration would lose if another one took its place. Pure."""

from __future__ import annotations

from collections.abc import Mapping

from gate.decision.licence import BEST_FIRST, MAY_GATE, agreement_of
from gate.decision.words import counted
from gate.types import Calibration, Policy, TrustState

FEWEST_LEFT = 0.5
"""Share of a dimension's labels below which most of them are lost."""

_GONE = "not in it"


def losses(
    before: Calibration | None, now: Calibration, policy: Policy, judge_family: str | None
) -> tuple[str, ...]:
    """Say of each dimension what it loses: `relevance: 85 labels -> 12, validated -> undefined`.

    A loss is a licence that allows less than it did, of those that may fail a run, or fewer than
    half of the labels, those kept for tuning included. Each side is licensed by its own judge, so
    one that changed is no loss by itself. Raises FileError for scores outside [0, 1].
    """
    if before is None:
        return ()
    new = _standings(now, policy, judge_family)
    said = []
    for name, (labels, state) in _standings(before, policy, judge_family).items():
        left, becomes = new.get(name, (0, None))
        worse = state in MAY_GATE and (
            becomes is None or BEST_FIRST.index(becomes) > BEST_FIRST.index(state)
        )
        if worse or left < FEWEST_LEFT * labels:
            said.append(
                f"{name}: {counted(labels, 'label')} -> {left}, {state} -> {becomes or _GONE}"
            )
    return tuple(said)


def _standings(
    calibration: Calibration, policy: Policy, judge_family: str | None
) -> Mapping[str, tuple[int, TrustState]]:
    """Give each dimension's labels and licence."""
    return {
        one.dimension: (
            len(one.items) + len(one.tuning),
            agreement_of(one, policy, one.identity, judge_family).state,
        )
        for one in calibration.sets
    }
