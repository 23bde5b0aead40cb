"""Which second track sees hard failures, and at what price? docs/verdict.md has the table.

24 or 48 cases, three dimensions (low, mid and high noise), 3 v 3 or 5 v 3 repeats, and the kinds of
noise of `noise.py`, with a fourth for false alarms alone: `churn`, in which a tenth of the cases
breaks for good and another tenth is mended. Each candidate shares the rate of 0.10 with the mean
test. The chosen one is the product's own function; the others are here for comparison only.

    python bench/hard_failures.py                        400 pull requests a cell (half an hour)
"""

from __future__ import annotations

import argparse
import math
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product

import numpy as np
from noise import FALLEN, KINDS, PROFILES, Drop, Scores, draw
from numpy.typing import NDArray

from gate.stats.columns import Repeats
from gate.stats.correction import benjamini_hochberg
from gate.stats.hard_failures import MIDDLE, turned_cases
from gate.stats.paired import drop_p
from gate.stats.run_labels import run_label_p

NAMES = PROFILES["mixed"][:3]
SIZES = (24, 48)
REPEATS = ((3, 3), (5, 3))
SPREAD = Drop(0.08)
"""Stands for a drop that is no hard failure: every answer to every case loses so much in one."""
DROPS = {
    "no change": Drop(),
    "0.10 in one": Drop(0.10),
    "0.20 in one": Drop(0.20),
    "0.10 in all": Drop(0.10, everywhere=True),
    "0.08 spread": SPREAD,
}
CHURN = "churn"
CHANGED = 0.1
"""Share of cases that churn breaks, and share that it mends."""
Q, MIN_EFFECT = 0.10, 0.05
SPLITS = (0.01, 0.02, 0.03, 0.05)

Side = NDArray[np.float64]
"""Cases x repeats of one dimension."""


def by_turned(base: Side, new: Side) -> float:
    """Give the p of the chosen track."""
    return turned_cases(new.tolist(), base.tolist()).p


def by_flags(base: Side, new: Side) -> float:
    """Shuffle labels within cases on flags "below the middle"; exact, by convolution."""
    bad_new, bad_base = (side < MIDDLE for side in (new, base))
    found, kinds = 0, Counter[int]()
    for now, before in zip(bad_new.sum(axis=1), bad_base.sum(axis=1), strict=True):
        kinds[int(now + before)] += 1
        found += int(now)
    ours, all_of = new.shape[1], new.shape[1] + base.shape[1]
    chances = np.ones(1)
    for bad, count in sorted(kinds.items()):
        ways = math.comb(all_of, bad)
        one = [
            math.comb(ours, k) * math.comb(all_of - ours, bad - k) / ways
            for k in range(min(ours, bad) + 1)
        ]
        for _ in range(count):
            chances = np.convolve(chances, one)
    return min(1.0, float(chances[found:].sum()))


def by_signs(base: Side, new: Side) -> float:
    """Count broken against mended cases: a sign test, which asks about cases in general."""
    right, wrong = (base >= MIDDLE).all(axis=1), (base < MIDDLE).all(axis=1)
    broken = int((right & (new < MIDDLE).all(axis=1)).sum())
    mended = int((wrong & (new >= MIDDLE).all(axis=1)).sum())
    both = broken + mended
    return sum(math.comb(both, k) for k in range(broken, both + 1)) / 2**both


def by_labels(base: Side, new: Side) -> float:
    """Shuffle labels within cases on the scores themselves."""
    return run_label_p(_repeats(new), _repeats(base), shuffles=2_000)


CANDIDATES: Mapping[str, Callable[[Side, Side], float]] = {
    "turned cases": by_turned,
    "flags, shuffled": by_flags,
    "broken against mended": by_signs,
    "scores, shuffled": by_labels,
}


@dataclass(frozen=True)
class Row:
    """One dimension of one pull request."""

    drop: float
    mean_p: float
    hard: Mapping[str, float]


def rules() -> dict[str, Callable[[Sequence[Row]], bool]]:
    """Give the rules of the table."""
    found: dict[str, Callable[[Sequence[Row]], bool]] = {"mean alone": lambda rows: _mean(rows, Q)}
    for name in CANDIDATES:
        for part in SPLITS if name == "turned cases" else (0.02, 0.05):
            found[f"{name} {Q - part:.2f}/{part:.2f}"] = lambda rows, name=name, part=part: (  # type: ignore[misc]  # defaults bind the loop's values
                _mean(rows, Q - part) or _hard(rows, name, part)
            )
    return found


def _mean(rows: Sequence[Row], q: float) -> bool:
    adjusted = benjamini_hochberg([row.mean_p for row in rows])
    return any(p <= q and row.drop >= MIN_EFFECT for p, row in zip(adjusted, rows, strict=True))


def _hard(rows: Sequence[Row], name: str, q: float) -> bool:
    adjusted = benjamini_hochberg([row.hard[name] for row in rows])
    return any(p <= q and row.drop >= MIN_EFFECT for p, row in zip(adjusted, rows, strict=True))


def simulate(
    kind: str, cases: int, repeats: tuple[int, int], drop: Drop, number: int
) -> list[list[Row]]:
    """Simulate pull requests."""
    kinds = (*KINDS, CHURN)
    source = np.random.default_rng(
        [cases, repeats[0], round(100 * drop.size), int(drop.everywhere), kinds.index(kind)]
    )
    found = []
    for _ in range(number):
        base, new = draw(
            NAMES,
            "independent" if kind == CHURN else kind,  # type: ignore[arg-type]  # one of KINDS
            source,
            targets=1,
            cases=cases,
            repeats=repeats,
            drop=Drop() if drop is SPREAD else drop,
        )
        if drop is SPREAD:
            new[:, FALLEN] = np.clip(new[:, FALLEN] - SPREAD.size, 0.0, 1.0)
        if kind == CHURN:
            luck = source.random(cases)
            new[:, :, luck < CHANGED] *= 0.4
            base[:, :, luck > 1 - CHANGED] *= 0.4
        found.append(_rows(base[0], new[0]))
    return found


def _rows(base: Scores, new: Scores) -> list[Row]:
    found = []
    for before, now in zip(base, new, strict=True):
        drop = float((before.mean(axis=1) - now.mean(axis=1)).mean())
        if drop <= 0.0:
            # Nothing that did not fall fails, or helps another row to.
            found.append(Row(drop, 1.0, dict.fromkeys(CANDIDATES, 1.0)))
            continue
        hard = {name: test(before, now) for name, test in CANDIDATES.items()}
        found.append(Row(drop, drop_p(_repeats(now), _repeats(before)).p, hard))
    return found


def _repeats(side: Side) -> Repeats:
    return Repeats(np.round(side, 4).ravel(), np.full(len(side), side.shape[1]))


def main() -> int:
    """Simulate and print a table for each kind of noise."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pull-requests", type=int, default=400, help="in each cell")
    parser.add_argument("--kind", action="append", choices=(*KINDS, CHURN), help="all without")
    parser.add_argument("--cases", type=int, action="append", help="24 and 48 without")
    options = parser.parse_args()
    for kind, cases, repeats in product(
        options.kind or (*KINDS, CHURN), options.cases or SIZES, REPEATS
    ):
        print(f"\n{kind}, {cases} cases, {repeats[0]} v {repeats[1]}\n")
        drops = {name: DROPS[name] for name in (["no change"] if kind == CHURN else DROPS)}
        print(f"| rule | {' | '.join(drops)} |")
        print(f"|---|{'---|' * len(drops)}", flush=True)
        found = [
            simulate(kind, cases, repeats, one, options.pull_requests) for one in drops.values()
        ]
        for name, fails in rules().items():
            shares = [sum(map(fails, one)) / len(one) for one in found]
            print(f"| {name} | {' | '.join(f'{one:.1%}' for one in shares)} |", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
