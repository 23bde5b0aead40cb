"""Intervals hold the truth as often as they say, on scores as the gate meets them: seeded.

Beside the simulations with each function's own tests, which use kinder noise.
"""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from gate.stats.agreement import Weights, bootstrap_kappa, cohen_kappa
from gate.stats.paired import guarded_lower_bound, t_interval
from gate.stats.seeded import stream
from gate.stats.stratified import stratified_mean

SAMPLES = 1_000
LOSS = 0.6


def noise(purpose: str) -> np.random.Generator:
    """Random numbers of one test."""
    return np.random.Generator(stream("gate-v1", purpose))


def differences(
    source: np.random.Generator, cases: int, repeats: tuple[int, int], hit: float = 0.0
) -> NDArray[np.float64]:
    """Paired differences of flaky cases: most are ties, a few cases lose 0.6 now and then.

    A share `hit` of the cases loses it in every new answer: a drop of 0.6 x `hit`, a little less
    where they lost it anyhow.
    """
    rates = source.beta(0.4, 2.8, (SAMPLES, cases, 1))
    base, new = (source.random((SAMPLES, cases, count)) < rates for count in repeats)
    fallen = source.random((SAMPLES, cases, 1)) < hit
    found: NDArray[np.float64] = LOSS * (base.mean(axis=2) - (new | fallen).mean(axis=2))
    return found


@pytest.mark.parametrize(
    ("cases", "repeats", "least"),
    [(24, (1, 1), 0.87), (24, (3, 3), 0.87), (48, (5, 1), 0.84), (100, (5, 1), 0.86)],
)
def test_t_interval__flaky_cases(cases: int, repeats: tuple[int, int], least: float) -> None:
    """90% intervals of an unchanged system: near 90%, a little less where repeats are unequal.

    Five against one makes differences skewed, and a skewed mean needs more cases.
    """
    rows = differences(noise(f"t {cases} {repeats}"), cases, repeats)
    intervals = [t_interval(row) for row in rows]
    inside = sum(
        low is not None and high is not None and low <= 0.0 <= high for low, high in intervals
    )
    assert least <= inside / SAMPLES <= 0.94


@pytest.mark.parametrize("cases", [24, 48, 100])
def test_guarded_lower_bound__hard_failures(cases: int) -> None:
    """With a true drop of about 0.10 made of hard failures the bound is above it in 6% at most."""
    hit = 0.19
    truth = -LOSS * hit * (1 - 0.4 / 3.2)
    rows = differences(noise(f"guarded {cases}"), cases, (5, 1), hit)
    above = sum((guarded_lower_bound(row) or -1.0) > truth for row in rows)
    assert above / SAMPLES <= 0.06


def test_stratified_mean__flaky_categories() -> None:
    """90% intervals of a weighted mean over three categories, one of them flaky."""
    source = noise("stratified flaky")
    parts = {
        "calm": (source.random((SAMPLES, 20)) < 0.4) * -0.05 + 0.02,
        "flaky": differences(source, 16, (3, 3)),
        "small": source.normal(-0.1, 0.2, (SAMPLES, 8)),
    }
    weights = {"calm": 0.5, "flaky": 0.3, "small": 0.2}
    truth = 0.2 * -0.1
    hits = 0
    for place in range(SAMPLES):
        groups = {name: part[place].tolist() for name, part in parts.items()}
        estimate = stratified_mean(groups, weights)
        assert estimate.low is not None
        assert estimate.high is not None
        hits += estimate.low <= truth <= estimate.high
    assert 0.87 <= hits / SAMPLES <= 0.93


SHARES = np.array([0.2, 0.3, 0.5])
TRUTH = 0.7 * np.diag(SHARES) + 0.3 * np.outer(SHARES, SHARES)


def tables(labels: int, purpose: str) -> NDArray[np.int64]:
    """Samples of labels whose kappa is 0.7 under all weights."""
    drawn: NDArray[np.int64] = noise(purpose).multinomial(labels, TRUTH.ravel(), SAMPLES)
    return drawn.reshape(SAMPLES, 3, 3)


@pytest.mark.parametrize("weights", ["linear", "quadratic"])
def test_cohen_kappa__weighted_covers(weights: Weights) -> None:
    """100 labels: 95% intervals of weighted kappa."""
    kappas = [cohen_kappa(table, weights) for table in tables(100, f"kappa {weights}")]
    inside = sum((one.low or 0.0) <= 0.7 <= (one.high or 0.0) for one in kappas)
    assert 0.92 <= inside / SAMPLES <= 0.97


def test_bootstrap_kappa__covers() -> None:
    """100 labels: 95% percentile intervals; resampling falls a little short of its word."""
    found = [
        bootstrap_kappa(table, resamples=400) for table in tables(100, "kappa bootstrap")[:400]
    ]
    inside = sum((low or 0.0) <= 0.7 <= (high or 0.0) for low, high in found)
    assert 0.91 <= inside / 400 <= 0.98
