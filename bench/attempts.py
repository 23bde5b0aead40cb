"""Does re-running until green work? Racing against pooling, decided by the gate's own code.

Somebody whose pull request is red runs the same head again, up to four times, until it is green.
*Racing* judges each attempt alone: one lucky attempt is enough. *Pooling* is what the gate does:
earlier attempts' scores join each later one as repeats.

Answers are simulated: 48 cases, three dimensions, a baseline of five repeats, one answer a case and
attempt. Most scores are near 1; each case has its own chance to lose 0.6 in an answer, so the
paired difference of two single runs has a standard deviation of about 0.08, 0.25 and 0.25. Where
correctness drops, the chance rises by a half in some cases: what got worse fails every other time,
which is what re-running hopes for. Green is exit code 0, which a tolerated inconclusive run has,
too. The numbers say something of the rule on such noise, and nothing of Gemini, Claude or people.

    python bench/attempts.py                       two to three minutes
    python bench/attempts.py --heads 40            a quick look
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from gate.decision.attempts import attempt_of
from gate.decision.baseline import make_baseline
from gate.decision.on_head import Head, decide_on_head
from gate.types import (
    Agreement,
    Attempt,
    AttemptState,
    Baseline,
    Cell,
    Commits,
    Identity,
    Metric,
    Plan,
    Policy,
    Provenance,
    Run,
    TargetInfo,
)

MOST = 4
"""Attempts on one head."""
CASES = 48
HEAD = "0" * 40
LOSS = 0.6
"""What a bad answer loses."""
RISE = 0.5
"""By how much the chance of a bad answer rises in a case that got worse."""
NOISE = {"relevance": 0.01, "correctness": 0.12, "source_quality": 0.12}
"""Dimension -> mean chance of a case to lose `LOSS` in one answer."""
FALLEN = "correctness"
"""The dimension that drops."""
METRICS = tuple(Metric(name=name, judged=True) for name in NOISE)
LICENCES = tuple(
    Agreement(dimension=name, state="validated", kappa=0.8, n=96, because="it is validated")
    for name in NOISE
)


@dataclass(frozen=True)
class World:
    """One repository: how likely each case is to be answered badly, before and after."""

    before: dict[str, list[float]]
    after: dict[str, list[float]]

    @classmethod
    def drawn(cls, source: Random, drop: float) -> World:
        """Draw one in which correctness falls by `drop`."""
        before = {
            name: [source.betavariate(0.4, 0.4 * (1 - mean) / mean) for _ in range(CASES)]
            for name, mean in NOISE.items()
        }
        fallen = set(source.sample(range(CASES), round(CASES * drop / (LOSS * RISE))))
        after = {
            name: [
                min(1.0, p + RISE) if name == FALLEN and i in fallen else p
                for i, p in enumerate(chances)
            ]
            for name, chances in before.items()
        }
        return cls(before, after)


def run_of(chances: dict[str, list[float]], source: Random, name: str, repeats: int = 1) -> Run:
    """Make a run of simulated answers."""
    cases = [f"case-{i:02d}" for i in range(CASES)]
    return Run(
        id=name,
        provenance=Provenance(created="2026-07-01T00:00:00Z", commits=Commits(head=HEAD)),
        plan=Plan(case_ids=tuple(cases), total=CASES, dataset=tuple(cases)),
        targets=(TargetInfo(name="search", use="recorded", settings="0"),),
        metrics=METRICS,
        identities={one.name: Identity(judge="j", prompt="p", scorer="s") for one in METRICS},
        cells=tuple(
            Cell(
                target="search",
                case_id=case,
                case_digest=case,
                scores={
                    metric: tuple(_score(values[i], source) for _ in range(repeats))
                    for metric, values in chances.items()
                },
                attempts=(Attempt(state="ok", grounded=True),) * repeats,
            )
            for i, case in enumerate(cases)
        ),
    )


def _score(chance: float, source: Random) -> float:
    bad = LOSS if source.random() < chance else 0.0
    jitter = source.uniform(0.0, 0.1) if source.random() < 0.4 else 0.0
    return round(max(0.0, 1.0 - bad - jitter), 4)


def greens(runs: Sequence[Run], baseline: Baseline, *, pooled: bool) -> int:
    """Return the number of the first attempt that is green, from 1; beyond all where none is."""
    state = AttemptState(head_sha=HEAD)
    for number, run in enumerate(runs, start=1):
        head = Head(earlier=state if pooled and state.attempts else None)
        _, verdict = decide_on_head(run, baseline, LICENCES, Policy(), head)
        if verdict.exit_code == 0:
            return number
        one = attempt_of(run, verdict, run_id=number, run_attempt=1)
        state = AttemptState(head_sha=HEAD, attempts=(*state.attempts, one))
    return len(runs) + 1


def green_by(drop: float, heads: int, seed: int) -> dict[str, list[float]]:
    """Return the share of heads that are green after 1, 2, ... attempts, under both rules."""
    found: dict[str, Counter[int]] = {"racing": Counter(), "pooling": Counter()}
    for place in range(heads):
        source = Random(f"{seed} {drop} {place}")
        world = World.drawn(source, drop)
        baseline = make_baseline([run_of(world.before, source, "baseline", repeats=5)])
        runs = [run_of(world.after, source, f"attempt-{number}") for number in range(MOST)]
        for rule, firsts in found.items():
            firsts[greens(runs, baseline, pooled=rule == "pooling")] += 1
    return {
        rule: [
            sum(firsts[k] for k in range(1, number + 1)) / heads for number in range(1, MOST + 1)
        ]
        for rule, firsts in found.items()
    }


def main() -> int:
    """Simulate and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--heads", type=int, default=150, help="heads of each drop")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    started = time.monotonic()
    print("| true drop | heads | rule | " + " | ".join(f"{k + 1}" for k in range(MOST)) + " |")
    print("|---|---|---|" + "---|" * MOST)
    for drop in (0.0, 0.10, 0.15):
        shares = green_by(drop, options.heads, options.seed)
        for rule, values in shares.items():
            cells = " | ".join(f"{value:.1%}" for value in values)
            print(f"| {drop:.2f} | {options.heads} | {rule} | {cells} |", flush=True)
    print(f"\nShare green by attempt; {time.monotonic() - started:.0f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
