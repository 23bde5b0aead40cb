"""What do sequential looks spare, and do error rates stay? Simulated, decided by the gate's code.

The pull requests of `bench/confirm.py` (48 cases, three dimensions, a baseline of five repeats, one
answer a case), decided once on all cases, and at three looks after a third, two thirds and all of
them in hash order. A run stops at the first look that fails or passes it. Printed are how often it
fails and passes by either rule, and the share of the answers that the looks ask.

    python bench/looks.py                       a quarter of an hour
    python bench/looks.py --heads 40            a quick look
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from confirm import (
    BASELINE_REPEATS,
    CASES,
    LICENCES,
    NOISE,
    Scene,
    drawn,
    run_of,
    worse,
)

from gate.decision.baseline import make_baseline
from gate.decision.on_head import NOTHING, decide_on_head
from gate.engine.plan import parts_of
from gate.types import Baseline, Case, Plan, Policy, Question, Run, Status

LOOKS = 3

SCENES = (
    Scene("no change"),
    Scene("drop 0.05, hard", drop=0.05),
    Scene("drop 0.08, hard", drop=0.08),
    Scene("drop 0.10, hard", drop=0.10),
    Scene("drop 0.12, hard", drop=0.12),
    Scene("drop 0.20, hard", drop=0.20),
)


@dataclass(frozen=True)
class Head:
    """One pull request, decided at once and in looks."""

    once: Status
    """By all cases."""
    looked: Status
    """At the look that it stopped at."""
    asked: int
    """Cases that were asked until then."""


def main(words: Sequence[str]) -> int:
    """Simulate and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--heads", type=int, default=400, help="pull requests a line")
    given = parser.parse_args(words)
    began = time.monotonic()
    print(f"{given.heads} heads a line, {CASES} cases, {len(NOISE)} dimensions, one answer a case")
    heads_of = ("fails once", "in looks", "passes once", "in looks")
    print(f"{'':20} " + " ".join(f"{one:>11}" for one in heads_of) + f" {'asked':>6}")
    for scene in SCENES:
        heads = [head_of(scene, seed) for seed in range(given.heads)]
        print(line_of(scene, heads), flush=True)
    print(f"{time.monotonic() - began:.0f} s")
    return 0


def line_of(scene: Scene, heads: Sequence[Head]) -> str:
    """Render how often a head fails and passes, and what was asked for it."""
    shares = [
        sum(status == wanted for status in statuses) / len(heads)
        for wanted in ("regression", "pass")
        for statuses in ([one.once for one in heads], [one.looked for one in heads])
    ]
    asked = sum(one.asked for one in heads) / len(heads) / CASES
    return f"{scene.name:20} " + " ".join(f"{one:11.1%}" for one in shares) + f" {asked:6.2f}"


def head_of(scene: Scene, seed: int) -> Head:
    """Simulate one pull request."""
    source = Random(f"looks/{scene.name}/{seed}")
    before = drawn(source)
    baseline = make_baseline([run_of(before, source, f"base-{i}") for i in range(BASELINE_REPEATS)])
    run = run_of(worse(before, scene.drop, scene.rise, source), source, f"run-{seed}")
    once = decided(run, baseline)
    asked: set[str] = set()
    for look, part in enumerate(PARTS, start=1):
        asked |= {case.id for case in part}
        looked = decided(at_look(run, asked, look), baseline)
        if look == LOOKS or looked in ("regression", "pass"):
            return Head(once, looked, len(asked))
    raise AssertionError("the last look decides")


def at_look(run: Run, asked: set[str], look: int) -> Run:
    """Return the run as it stands at a look."""
    plan = Plan(
        case_ids=tuple(sorted(asked)),
        total=CASES,
        dataset=run.plan.dataset,
        looks=LOOKS,
        look=None if look == LOOKS else look,
        planned=None if look == LOOKS else CASES,
    )
    cells = tuple(cell for cell in run.cells if cell.case_id in asked)
    return run.model_copy(update={"plan": plan, "cells": cells})


def decided(run: Run, baseline: Baseline) -> Status:
    """Decide as `gate run` does."""
    _, verdict = decide_on_head(run, baseline, LICENCES, Policy(), NOTHING)
    return verdict.status


PARTS = parts_of(
    [Case(question=Question(id=f"case-{i:02d}", input="?")) for i in range(CASES)],
    LOOKS,
    seed="gate-v1",
)
"""What each look adds."""


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
