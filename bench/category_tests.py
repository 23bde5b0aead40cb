"""Do tests of single categories pay? Simulated runs, decided with and without them.

Scores lie on [0, 1], many at 1, with a jitter of 0.03 to 0.05 on two answers in five and rare
flips that cost 60% of a score, more often in few flaky cases (Beta(0.4) flip rates): noise `low`,
`mid` and `high` have paired standard deviations of 0.06, 0.13 and 0.25 between two single runs.
`wobble` moves every case for good by 0.15, up or down by chance, with mean zero. A drop of 0.3 in
one category breaks half of its cases for good. 48 cases in six categories, one new answer a case
against a baseline of five, unless the line says otherwise. The decision is the product's own.

    python bench/category_tests.py --runs 400
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.types import (
    Agreement,
    Attempt,
    Baseline,
    Cell,
    Commits,
    Comparison,
    Metric,
    Plan,
    Policy,
    Run,
    TargetInfo,
)

RATES = {"low": 125.0, "mid": 20.0, "high": 2.7}
"""Noise -> second parameter of the Beta distribution of flip rates; the first is 0.4."""
LOSS = 0.6
DEFAULT = ("low", "mid", "high")
MIXED = ("low", "mid", "high", "high", "high", "mid")


@dataclass(frozen=True)
class Scenario:
    """What is simulated."""

    name: str
    noise: Sequence[str] = DEFAULT
    """Noise of each dimension."""
    cases: int = 48
    categories: int = 6
    before: int = 5
    """Baseline answers a case."""
    after: int = 1
    """New answers a case."""
    wobble: float = 0.0
    fallen: int | None = None
    """Dimension that drops by 0.3 in the first category; None is no change."""


SCENARIOS = (
    Scenario("no change, 3 dimensions"),
    Scenario("no change, 6 dimensions (mixed profile)", MIXED),
    Scenario("no change, mixed, one answer on both sides", MIXED, before=1),
    Scenario("no change, mixed, 100 cases", MIXED, cases=100),
    Scenario("no change, 3 noisy dimensions", ("high",) * 3),
    Scenario("wobble, 3 quiet dimensions", ("low",) * 3, wobble=0.15),
    Scenario("wobble, 6 dimensions", ("low", "mid") * 3, wobble=0.15),
    Scenario("0.3 in one category, noisy dimension", fallen=2),
    Scenario("0.3 in one category, middling dimension", fallen=1),
    Scenario("0.3 in one category, one of 6 dimensions", MIXED, fallen=2),
)


def simulate(one: Scenario, rng: random.Random) -> tuple[Run, Baseline]:
    """Draw a baseline and a run."""
    metrics = tuple(Metric(name=f"d{place}") for place in range(len(one.noise)))
    sides: tuple[list[dict[str, tuple[float, ...]]], ...] = ([], [])
    for case in range(one.cases):
        columns: tuple[dict[str, tuple[float, ...]], ...] = ({}, {})
        for place, (metric, noise) in enumerate(zip(metrics, one.noise, strict=True)):
            level = 1.0 if rng.random() < 0.6 else rng.uniform(0.5, 1.0)
            level = min(level, 1.0 - 1.1 * one.wobble)
            rate = rng.betavariate(0.4, RATES[noise])
            broken = place == one.fallen and case % one.categories == 0 and rng.random() < 0.5
            now = level * (1.0 - LOSS) if broken else level
            now += rng.choice((-one.wobble, one.wobble))
            for column, mean, count in (
                (columns[0], level, one.before),
                (columns[1], now, one.after),
            ):
                column[metric.name] = tuple(_score(mean, rate, rng) for _ in range(count))
        for side, column in zip(sides, columns, strict=True):
            side.append(column)
    before, now = (
        tuple(
            Cell(
                target="t",
                case_id=f"case-{case:03d}",
                category=f"category-{case % one.categories}",
                scores=column,
                attempts=(Attempt(state="ok"),) * len(next(iter(column.values()))),
            )
            for case, column in enumerate(side)
        )
        for side in sides
    )
    ids = tuple(cell.case_id for cell in now)
    plan = Plan(case_ids=ids, total=len(ids), dataset=ids)
    targets = (TargetInfo(name="t", use="simulated"),)
    run = Run(id="run", plan=plan, targets=targets, metrics=metrics, cells=now)
    return run, Baseline(targets=targets, metrics=metrics, cells=before)


def _score(mean: float, rate: float, rng: random.Random) -> float:
    jitter = rng.uniform(0.03, 0.05) if rng.random() < 0.4 else 0.0
    value = mean * (1.0 - LOSS * (rng.random() < rate)) - jitter
    return round(min(1.0, max(0.0, value)), 4)


def failed(run: Run, comparison: Comparison, policy: Policy) -> tuple[bool, bool]:
    """Tell whether a run fails, and whether a category fails it."""
    licences = [Agreement(dimension=one.name, state="not_needed") for one in run.metrics]
    verdict = decide(
        run,
        comparison,
        licences,
        policy,
        narrowed=False,
        seed="gate-v1",
        commits=Commits(),
        reproduce=(),
    )
    by_category = any(
        one.category is not None and one.outcome == "regression" for one in verdict.comparisons
    )
    return verdict.status == "regression", by_category


def shares(one: Scenario, runs: int) -> tuple[float, float, float]:
    """Give the share of runs that fail without category tests, with them, and by a category."""
    rng = random.Random(f"category-tests/{one.name}")
    policy = Policy()
    without = with_them = by_category = 0
    for _ in range(runs):
        run, baseline = simulate(one, rng)
        comparison = compare(run, baseline, policy)
        plain = comparison.model_copy(update={"categories": ()})
        without += failed(run, plain, policy)[0]
        fails, category = failed(run, comparison, policy)
        with_them += fails
        by_category += category
    return without / runs, with_them / runs, by_category / runs


def main() -> int:
    """Simulate and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--runs", type=int, default=400)
    parser.add_argument("--only", default="", help="scenarios whose name has this in it")
    options = parser.parse_args()
    print(
        f"{options.runs} runs each; share that fails: without category tests, with, by a category"
    )
    for one in SCENARIOS:
        if options.only in one.name:
            found = shares(one, options.runs)
            print(f"  {one.name:45} " + "  ".join(f"{value:6.1%}" for value in found), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
