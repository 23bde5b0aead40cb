"""How often control answers cry wolf, and how often they see a judge that moved: a simulation.

Prints the table of docs/verdict.md. Each run has eight control answers with three stored rulings
each, judges three of them again, all eight where one flipped, and all once more where a dimension
then looks drifted. Takes about a minute.

    python bench/drift.py [--runs 2000]
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Callable
from dataclasses import dataclass

from gate.stats.drift import drift_test, is_flip

ANSWERS, RULINGS, FIRST, FAR = 8, 3, 3, 0.05
LEVELS = (0.0, 0.25, 0.5, 0.75, 1.0)

Ruling = Callable[[random.Random, float], float]
"""One ruling on an answer of this true score."""


@dataclass(frozen=True)
class Judge:
    """How a judge wavers."""

    name: str
    """Its row in the table."""
    sd: float = 0.0
    """Standard deviation of its rulings."""
    flips: float = 0.0
    """Share of rulings that land on a neighbouring level."""
    levels: bool = False
    """Whether it rates on five levels."""

    def ruling(self, chance: random.Random, true: float, shift: float) -> float:
        """Rate an answer."""
        moved = true + shift + (chance.gauss(0.0, self.sd) if self.sd else 0.0)
        if self.flips and chance.random() < self.flips:
            moved += chance.choice((-0.25, 0.25))
        score = min(1.0, max(0.0, moved))
        return round(score * 4) / 4 if self.levels else score


JUDGES = (
    Judge("rules alike each time"),
    Judge("sd 0.05", sd=0.05),
    Judge("sd 0.10", sd=0.10),
    Judge("five levels, alike each time", levels=True),
    Judge("five levels, 5% on a neighbouring one", flips=0.05, levels=True),
)


def run_once(judge: Judge, chance: random.Random, dimensions: int, shift: float) -> tuple[int, int]:
    """Return how many dimensions drifted, and how many control answers were judged."""
    truths = [[chance.choice(LEVELS) for _ in range(ANSWERS)] for _ in range(dimensions)]
    stored = [
        [[judge.ruling(chance, one, 0.0) for _ in range(RULINGS)] for one in row] for row in truths
    ]

    def again() -> list[list[float]]:
        return [[judge.ruling(chance, one, shift) for one in row] for row in truths]

    first = again()
    if not any(
        is_flip(value, known, far=FAR)
        for row, rulings in zip(first, stored, strict=True)
        for value, known in list(zip(row, rulings, strict=True))[:FIRST]
    ):
        return 0, FIRST
    tests = [drift_test(row, known, far=FAR) for row, known in zip(first, stored, strict=True)]
    if not any(one.drifted for one in tests):
        return 0, ANSWERS
    second = [drift_test(row, known, far=FAR) for row, known in zip(again(), stored, strict=True)]
    drifted = sum(
        one.drifted and two.drifted and (one.shift < 0) == (two.shift < 0)
        for one, two in zip(tests, second, strict=True)
    )
    return drifted, 2 * ANSWERS


def share(judge: Judge, dimensions: int, shift: float, runs: int) -> tuple[float, float]:
    """Return the share of runs in which a dimension drifted, and control answers a run."""
    chance = random.Random(f"{judge.name} {dimensions} {shift}")
    found = [run_once(judge, chance, dimensions, shift) for _ in range(runs)]
    return sum(hit > 0 for hit, _ in found) / runs, sum(asked for _, asked in found) / runs


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=2000)
    runs = parser.parse_args().runs
    lines = [
        (
            "| the judge | false drift, 3 dimensions | 9 dimensions | judged a run "
            "| 0.10 stricter | 0.20 stricter | a level stricter |"
        ),
        "|---|---|---|---|---|---|---|",
    ]
    for judge in JUDGES:
        false3, asked = share(judge, 3, 0.0, runs)
        false9, _ = share(judge, 9, 0.0, runs)
        moves = [share(judge, 1, shift, runs // 2)[0] for shift in (-0.10, -0.20, -0.25)]
        power = " | ".join(f"{one:.0%}" for one in moves)
        lines.append(f"| {judge.name} | {false3:.1%} | {false9:.1%} | {asked:.1f} | {power} |")
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
