"""Has a judge drifted? New rulings on answers that it ruled on several times before.

Two tests, since a judge drifts in two ways. A judge that rules alike each time (same answer, same
score) drifts by flipping: more new rulings are unlike the old ones than its own old rulings are
unlike each other. A judge that wavers drifts by shifting: the new rulings lie to one side of the
old ones on average.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gate.stats.paired import sign_flip_p
from gate.stats.tables import bucket

__all__ = ["FEWEST_FLIPS", "FLIP_P", "SHIFT_P", "DriftTest", "drift_test", "is_flip"]

FEWEST_FLIPS = 2
"""One answer alone is no drift, however unlikely its flip."""

FLIP_P = 0.01
"""So many flips may come by the judge's own wavering, at most this often."""

SHIFT_P = 0.02
"""A shift of this size may come by luck, at most this often (two-sided)."""

_DUST = 1e-9


@dataclass(frozen=True)
class DriftTest:
    """What new rulings say beside the old ones."""

    n: int
    """Answers with a new ruling."""
    flipped: int
    """Those whose new ruling is none that the old ones lead to expect."""
    rate: float
    """Share of flips that the old rulings have among themselves, each held against the others of
    its answer; with one flip in two rulings added (Laplace)."""
    flip_p: float
    """Chance of so many flips or more at that rate (binomial)."""
    shift: float
    """Mean of the new rulings minus the means of the old ones."""
    shift_p: float
    """Two-sided sign-flip p of the shift."""
    far: float
    """Smallest mean shift that counts."""

    @property
    def flips(self) -> bool:
        """Whether more flipped than wavering explains."""
        return self.flipped >= FEWEST_FLIPS and self.flip_p <= FLIP_P

    @property
    def shifts(self) -> bool:
        """Whether the mean moved by more than luck, and far enough to matter."""
        return abs(self.shift) >= self.far - _DUST and self.shift_p <= SHIFT_P

    @property
    def drifted(self) -> bool:
        """Whether either test says so."""
        return self.flips or self.shifts


def is_flip(value: float, rulings: Sequence[float], *, far: float) -> bool:
    """Say whether a ruling is unlike all the others: another third of the scale, or too far off.

    Scores are in [0, 1]; `far` is the distance to the nearest of the others above which it is one.
    Raises ValueError for no other ruling.
    """
    nearest = min(abs(value - one) for one in rulings)
    return nearest > far + _DUST or bucket(value) not in {bucket(one) for one in rulings}


def drift_test(
    values: Sequence[float], rulings: Sequence[Sequence[float]], *, far: float
) -> DriftTest:
    """Test new rulings, one an answer, against the old ones of each, two or more.

    `far` is both the distance from which a ruling is a flip and the smallest mean shift that
    counts. Under no drift a new ruling is exchangeable with the old ones. Holding an old ruling
    against one fewer makes the rate a little too high, and the test a little too mild. Raises
    ValueError for no answer, and for numbers of answers that differ.
    """
    pairs = list(zip(values, rulings, strict=True))
    flipped = sum(is_flip(value, known, far=far) for value, known in pairs)
    own = [
        is_flip(known[place], [*known[:place], *known[place + 1 :]], far=far)
        for known in rulings
        for place in range(len(known))
    ]
    rate = (sum(own) + 1) / (len(own) + 2)
    moves = [value - math.fsum(known) / len(known) for value, known in pairs]
    drop = sign_flip_p(moves).p
    rise = sign_flip_p([-one for one in moves]).p
    return DriftTest(
        n=len(pairs),
        flipped=flipped,
        rate=rate,
        flip_p=_at_least(flipped, len(pairs), rate),
        shift=math.fsum(moves) / len(moves),
        shift_p=min(1.0, 2.0 * min(drop, rise)),
        far=far,
    )


def _at_least(count: int, n: int, rate: float) -> float:
    """Return the chance of `count` or more of `n` at a rate between 0 and 1, both left out."""
    yes, no, whole = math.log(rate), math.log1p(-rate), math.lgamma(n + 1)
    return min(
        1.0,
        math.fsum(
            math.exp(whole - math.lgamma(k + 1) - math.lgamma(n - k + 1) + k * yes + (n - k) * no)
            for k in range(count, n + 1)
        ),
    )
