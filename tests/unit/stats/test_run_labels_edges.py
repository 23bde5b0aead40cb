"""Run labels at their edges: ties, weights, the drawn ways, the switch to the normal limit."""

from __future__ import annotations

import math
import statistics
from random import Random

import numpy as np
import pytest

from gate.stats.run_labels import run_label_p
from gate.stats.seeded import stream, uniforms

MANY = 2_100


def normal_limit(new: np.ndarray, base: np.ndarray, weights: np.ndarray | None = None) -> float:
    """The z test of the weighted sum, with each case's variance of shuffled labels."""
    counts = np.ones(len(new)) if weights is None else weights
    pooled = np.concatenate([new, base], axis=1).var(axis=1, ddof=1)
    variances = pooled * (1 / new.shape[1] + 1 / base.shape[1])
    moves = new.mean(axis=1) - base.mean(axis=1)
    z = (counts * moves).sum() / math.sqrt((counts**2 * variances).sum())
    return statistics.NormalDist().cdf(z)


@pytest.mark.parametrize("k_base", [1, 3, 999])
def test_run_label_p__one_lowest_run_is_drawn_by_the_stream_of_the_seed(k_base: int) -> None:
    """Each of the pooled runs is the new one for as large a part of [0, 1), the lowest first."""
    drawn = uniforms(stream("any", "run-label"), 5_000)
    base = [0.1 + place / 2_000 for place in range(k_base)]

    found = run_label_p([[0.05]], [base], seed="any", shuffles=5_000)

    lowest = int((drawn * (k_base + 1) < 1.0).sum())
    assert (1 + lowest) / 5_001 == found


def test_run_label_p__ways_above_a_thousand_are_drawn_by_sorting() -> None:
    """Four of fourteen: 1,001 ways. The lowest four are new where they have the lowest keys."""
    keys = uniforms(stream("any", "run-label"), 20_000 * 14).reshape(20_000, 14)
    low = [[0.1, 0.2, 0.3, 0.4]]

    found = run_label_p(low, [[1.0] * 10], seed="any", shuffles=20_000)

    lowest = int((keys[:, :4].max(axis=1) < keys[:, 4:].min(axis=1)).sum())
    assert lowest > 0
    assert (1 + lowest) / 20_001 == found


def test_run_label_p__ways_too_many_to_list_are_drawn_evenly() -> None:
    """Eight against eight runs have 12,870 ways; near the middle no shift of them is hidden."""
    draw = np.random.Generator(stream("gate-v1", "drawn-ways"))
    new, base = draw.random((60, 8)) + 0.02, draw.random((60, 8))
    limit = normal_limit(new, base)

    assert 0.2 < limit < 0.8
    assert limit == pytest.approx(run_label_p(new.tolist(), base.tolist()), abs=0.02)


@pytest.mark.parametrize("scale", [1.0, 1e-6, 1e6])
@pytest.mark.parametrize("weights", [(1.0, 1.0), (1e6, 1e6), (1e6, 1e-3)])
@pytest.mark.parametrize("side", ["new", "base"])
def test_run_label_p__the_largest_rise_ties_with_itself(
    side: str, weights: tuple[float, float], scale: float
) -> None:
    """No labels give more, so p is 1, however the sums are rounded and whichever side is zero."""
    random = Random(5)
    for repeats in [2, 3] * 15:
        scores = [[scale * random.random() for _ in range(repeats)] for _ in weights]
        zeros = [[0.0] * (repeats - 1) for _ in weights]
        losses = [[-score for score in own] for own in scores]
        new, base = (scores, zeros) if side == "new" else (zeros, losses)

        assert 1.0 == run_label_p(new, base, weights=np.array(weights), shuffles=300)


def test_run_label_p__a_case_moves_when_only_a_new_run_does() -> None:
    """By hand: .5 .5 .9 and .5 .4 give 2/3 x 1/2 + 1/3 at or below the sum that was seen."""
    found = run_label_p([[0.5, 0.9], [0.4]], [[0.5], [0.5]])

    assert found == pytest.approx(2 / 3, abs=0.02)


@pytest.mark.parametrize(("count", "shuffled"), [(2_000, True), (2_001, False)])
def test_run_label_p__two_thousand_moving_cases_are_still_shuffled(
    count: int, *, shuffled: bool
) -> None:
    """Nine shuffles give tenths, the limit does not; cases that do not move are not counted."""
    draw = np.random.Generator(stream("gate-v1", "still-shuffled"))
    new, base = draw.random((count, 1)).tolist(), draw.random((count, 1)).tolist()

    found = run_label_p([*new, [0.5]], [*base, [0.5]], shuffles=9)

    assert shuffled is (found in {tenths / 10 for tenths in range(1, 11)})


def test_run_label_p__normal_limit_of_unequal_repeats_and_weights() -> None:
    """Sampling without replacement, two new runs against three, by a formula of its own."""
    draw = np.random.Generator(stream("gate-v1", "weighted-limit"))
    new, base = draw.random((MANY, 2)), draw.random((MANY, 3)) + 0.005
    weights = np.repeat([0.5, 1.5], MANY // 2)
    plain, weighted = normal_limit(new, base), normal_limit(new, base, weights)

    assert 0.05 < plain < 0.6
    assert 0.05 < weighted < 0.6
    assert plain == pytest.approx(run_label_p(new.tolist(), base.tolist()), abs=1e-6)
    assert weighted == pytest.approx(
        run_label_p(new.tolist(), base.tolist(), weights=weights), abs=1e-6
    )


def test_run_label_p__no_move_on_average_is_a_tie_in_the_limit_too() -> None:
    """As many cases up as down: a sum of zero counts as reached, so p is not below a half."""
    new, base = [[0.75], [0.25]] * (MANY // 2), [[0.5], [0.5]] * (MANY // 2)

    found = run_label_p(new, base)

    assert 0.5 <= found
    assert 0.5 == pytest.approx(found)
