"""Tests for a drop at their edges: near ties, odd weights, single cases, the last flip drawn."""

from __future__ import annotations

import math

import pytest

from gate.stats.design import Design
from gate.stats.paired import (
    drop_p,
    guarded_bound_of_moments,
    guarded_lower_bound,
    run_label_p,
    sign_flip_p,
)

STEP = 1e-9
"""Differences are whole numbers of it."""


def fewer_flips(n: int, most: int) -> float:
    """Chance that at most so many of n signs are flipped."""
    return sum(math.comb(n, k) for k in range(most + 1)) / (1 << n)


@pytest.mark.parametrize("n", [2, 4, 16])
def test_sign_flip_p__sums_that_rounding_may_have_parted_are_ties(n: int) -> None:
    """Half a step each: n differences of a step, half of them flipped, tie with none flipped."""
    assert fewer_flips(n, n // 2) == sign_flip_p([-STEP] * n).p


def test_sign_flip_p__drawn_sums_tie_as_near_as_counted_ones() -> None:
    """Nine of eighteen, within four standard errors."""
    expected = fewer_flips(18, 9)
    flip = sign_flip_p([-STEP] * 18)

    assert "sampled" == flip.method
    assert abs(flip.p - expected) <= 4 * math.sqrt(expected * (1 - expected) / 20_000)


@pytest.mark.parametrize("flips", [500, 2_000, 2_500])
def test_sign_flip_p__as_many_flips_are_drawn_as_are_asked_for(flips: int) -> None:
    """No pattern of signs is above the largest sum, so each of them counts."""
    assert 1.0 == sign_flip_p([0.5] * 20, flips=flips).p


def test_sign_flip_p__a_case_without_weight_is_left_out() -> None:
    """Zero is a weight, and says nothing."""
    assert sign_flip_p([-0.2, -0.3]) == sign_flip_p([-0.4, 0.9, -0.6], weights=[1.0, 0.0, 1.0])


@pytest.mark.parametrize("weights", [[2.0, -1.0], [1.0, -0.5]])
def test_sign_flip_p__refuses_one_negative_weight(weights: list[float]) -> None:
    """Also where the sum is positive."""
    with pytest.raises(ValueError, match="none negative"):
        sign_flip_p([0.1, -0.2], weights=weights)


NEW = [[0.3], [0.6], [0.2], [0.9], [0.4]]
BASE = [[0.5, 0.6], [0.5, 0.3], [0.4, 0.9], [0.8, 0.6], [0.7, 0.1]]


def test_drop_p__weights_and_seed_go_to_the_labels() -> None:
    """Unequal repeats under a design: the run labels are weighted and drawn as asked for."""
    design = Design(strata=list("abbbb"), sizes={"a": 60.0, "b": 40.0})

    found = {seed: drop_p(NEW, BASE, design=design, seed=seed).run_label_p for seed in "xy"}

    expected = {seed: run_label_p(NEW, BASE, weights=design.weights, seed=seed) for seed in "xy"}
    assert expected == found
    assert found["x"] != found["y"]
    assert found["x"] != run_label_p(NEW, BASE, seed="x")


def test_guarded_lower_bound__one_case_has_no_spread_of_its_own() -> None:
    """Whatever its sd is taken for, the bound is that of the case and the invented one."""
    assert guarded_bound_of_moments(0.25, 7.0, 1) == guarded_lower_bound([0.25])
