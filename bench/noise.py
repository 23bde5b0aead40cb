"""Simulated scores: how noisy an unchanged system is, and what a real drop looks like.

A case has a level (many at 1.0), every answer loses a little now and then, and each case has its
own chance that an answer is bad (a few cases are flaky, most are not). The profiles `low` to
`vhigh` are set so that the difference of two single answers to a case has the standard deviations
that two runs of one unchanged model have shown: 0.05, 0.13, 0.25, 0.40. A drop of size e is a
random share of cases that lose most of their score in every answer: hard failures.

Three kinds of noise: `independent` (an answer is bad in one dimension), `shared` (a bad answer
pulls all dimensions down together), `wobble` (independent, and each case moves by 0.2 up or down,
or not at all, between any two versions, with no change on average).
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Kind = Literal["independent", "shared", "wobble"]
"""How bad answers go together."""

KINDS: tuple[Kind, ...] = ("independent", "shared", "wobble")

Scores = NDArray[np.float64]
"""Targets x dimensions x cases x repeats."""

WOBBLE = 0.2
"""How far a case moves between two versions, in two cases of three."""

FLAKINESS = 0.4
"""First shape parameter of the chances of a bad answer: far below 1, so few cases have most."""

_QUANTILES = 4_001
_JITTERS = (0.0, 0.03, 0.05)
_JITTER_CHANCES = (0.60, 0.05, 0.35)
_LEVELS = (1.0, 0.9, 0.7)
_LEVEL_CHANCES = (0.70, 0.15, 0.15)


@dataclass(frozen=True)
class Noise:
    """How one dimension of an unchanged system varies."""

    bad: float
    """Mean chance of a bad answer over cases."""
    loss: float = 0.6
    """Share of its score that a bad answer loses."""
    fall: float = 0.6
    """Share of its score that a case loses in every answer where the dimension drops."""
    steps: int | None = None
    """Scores are so many equal steps, without jitter; None for a fine scale with jitter."""

    @property
    def levels(self) -> tuple[float, ...]:
        """What cases score when nothing goes wrong."""
        return (1.0,) if self.steps == 1 else _LEVELS


NOISES: dict[str, Noise] = {
    "low": Noise(0.0033),
    "mid": Noise(0.0275),
    "high": Noise(0.135),
    "vhigh": Noise(0.50, loss=0.90),
    "binary": Noise(0.05, loss=1.0, fall=1.0, steps=1),
    "steps": Noise(0.08, loss=0.75, fall=0.75, steps=4),
    "collapse": Noise(0.02, loss=1.0, fall=1.0),
}
"""The last three were in no simulation by which a rule of the gate was chosen."""

PROFILES: dict[str, tuple[str, ...]] = {
    "mixed": ("low", "mid", "high", "high", "high", "mid"),
    "low": ("low",) * 6,
    "mid": ("mid",) * 6,
    "high": ("high",) * 6,
    "vhigh": ("vhigh",) * 6,
    "binary": ("binary",) * 6,
    "steps": ("steps",) * 6,
    "collapse": ("collapse",) * 6,
}
"""Profile -> noise of its dimensions; the first three are what a run of three dimensions has."""

HELD_OUT = ("binary", "steps", "collapse")
"""Profiles that no rule was tuned on: a pass/fail score, a judge of five levels, rare failures
that cost the whole score."""


@dataclass(frozen=True)
class Drop:
    """A real change."""

    size: float = 0.0
    """Drop of the mean; 0 is no change."""
    everywhere: bool = False
    """In all dimensions of the first target, in the same cases; else in its third one alone."""

    @property
    def name(self) -> str:
        """How tables call it."""
        if not self.size:
            return "no change"
        return f"{self.size:.2f} in {'all' if self.everywhere else 'one'}"


FALLEN = 2
"""The dimension that drops where one does: a noisy one of the mixed profile."""


@lru_cache
def chances(noise: Noise) -> NDArray[np.float64]:
    """Give the quantiles of the chance of a bad answer over cases: Beta(0.4, b)."""
    source = np.random.default_rng(7)
    drawn = source.beta(FLAKINESS, FLAKINESS * (1 - noise.bad) / noise.bad, size=1_000_000)
    found: NDArray[np.float64] = np.quantile(drawn, (np.arange(_QUANTILES) + 0.5) / _QUANTILES)
    return found


@lru_cache
def mean_score(noise: Noise, *, wobbly: bool) -> float:
    """Give the mean score of an unchanged system over many cases, before jitter."""
    source = np.random.default_rng(8)
    level = _levels(noise, source, (400_000,))
    if wobbly:
        level = level - WOBBLE * (source.random(400_000) < 1 / 3)
    rate = chances(noise)[source.integers(_QUANTILES, size=400_000)]
    bad = source.random(400_000) < rate
    return float((level * np.where(bad, 1.0 - noise.loss, 1.0)).mean())


def draw(
    names: tuple[str, ...],
    kind: Kind,
    source: np.random.Generator,
    *,
    targets: int,
    cases: int,
    repeats: tuple[int, int],
    drop: Drop = Drop(),
) -> tuple[Scores, Scores]:
    """Draw the scores of a baseline and of a run; `repeats` are (baseline, run)."""
    shape = (targets, cases)
    flaky = [source.integers(_QUANTILES, size=shape) for _ in names]
    lucks = [
        [source.random((*shape, one)) for _ in range(1 if kind == "shared" else len(names))]
        for one in repeats
    ]
    hit = source.random(cases)
    sides: tuple[list[NDArray[np.float64]], ...] = ([], [])
    for place, name in enumerate(names):
        noise = NOISES[name]
        # Whoever answers badly in all dimensions at once is flaky in all of them.
        rate = chances(noise)[flaky[0 if kind == "shared" else place]]
        level = _levels(noise, source, shape)
        moves = source.integers(3, size=shape) if kind == "wobble" else np.full(shape, 2)
        for side, (into, count) in enumerate(zip(sides, repeats, strict=True)):
            bad = lucks[side][0 if kind == "shared" else place] < rate[..., None]
            now = np.repeat((level - WOBBLE * (moves == side))[..., None], count, axis=2)
            if side and drop.size and (drop.everywhere or place == FALLEN):
                share = drop.size / (noise.fall * mean_score(noise, wobbly=kind == "wobble"))
                now[0, hit < share] *= 1.0 - noise.fall
            into.append(_scores(noise, now, bad, source))
    return np.stack(sides[0], axis=1), np.stack(sides[1], axis=1)


def _levels(
    noise: Noise, source: np.random.Generator, shape: tuple[int, ...]
) -> NDArray[np.float64]:
    if len(noise.levels) == 1:
        return np.full(shape, noise.levels[0])
    return source.choice(noise.levels, size=shape, p=_LEVEL_CHANCES)


def _scores(
    noise: Noise, level: NDArray[np.float64], bad: NDArray[np.bool_], source: np.random.Generator
) -> NDArray[np.float64]:
    scores = level * np.where(bad, 1.0 - noise.loss, 1.0)
    if noise.steps is None:
        scores = scores - source.choice(_JITTERS, size=scores.shape, p=_JITTER_CHANCES)
    else:
        scores = np.rint(scores * noise.steps) / noise.steps
    clipped: NDArray[np.float64] = np.clip(np.round(scores, 4), 0.0, 1.0)
    return clipped
