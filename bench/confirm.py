"""What does the second look cost and save? Simulated, decided by the gate's own code.

Each head is one pull request on a repository of its own: 48 cases, three dimensions, a baseline of
five repeats, one answer a case. What would fail it is asked again, of candidate and base, one
answer a case and arm, as `gate run` does with two checkouts. *One look* is the same run decided
without that.

Most scores are near 1; each case has its own chance to lose 0.6 in an answer, so that the paired
difference of two single runs has a standard deviation of about 0.08, 0.25 and 0.25. A drop of
correctness is a rise of that chance in some cases: to certainty (`hard`) or by a half (`flaky`).
Under a *drift* the world itself has changed since the baseline, so that both arms lose that much
in cases of their own; the candidate may do so in others besides. The numbers say something of the
rule on such noise, and nothing of Gemini, Claude or people.

    python bench/confirm.py                       about a quarter of an hour
    python bench/confirm.py --heads 40            a quick look
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from gate.decision.baseline import make_baseline
from gate.decision.comparison import compare
from gate.decision.confirming import suspicion_of
from gate.decision.verdict import decide
from gate.types import (
    Agreement,
    Attempt,
    Cell,
    Commits,
    Comparison,
    Confirm,
    Identity,
    Metric,
    Plan,
    Policy,
    Provenance,
    Run,
    TargetInfo,
    Verdict,
)

CASES = 48
BASELINE_REPEATS = 5
LOSS = 0.6
"""What a bad answer loses."""
NOISE = {"relevance": 0.01, "correctness": 0.12, "source_quality": 0.12}
"""Dimension -> mean chance of a case to lose `LOSS` in one answer."""
FALLEN = "correctness"
"""The dimension that drops."""
METRICS = tuple(Metric(name=name, judged=True) for name in NOISE)
LICENCES = tuple(
    Agreement(dimension=name, state="validated", kappa=0.8, n=96, because="it is validated")
    for name in NOISE
)
TARGET = "search"

Chances = dict[str, list[float]]
"""Dimension -> each case's chance of a bad answer."""


@dataclass(frozen=True)
class Scene:
    """What happened since the baseline."""

    name: str
    drop: float = 0.0
    """Mean drop of correctness that is the candidate's."""
    drift: float = 0.0
    """Mean drop of correctness that is the world's: both arms have it."""
    rise: float = 1.0
    """By how much the chance of a bad answer rises in a case that got worse."""


SCENES = (
    Scene("no change"),
    Scene("drift 0.10", drift=0.10),
    Scene("drift 0.20", drift=0.20),
    Scene("drop 0.10, hard", drop=0.10),
    Scene("drop 0.10, flaky", drop=0.10, rise=0.5),
    Scene("drop 0.20, hard", drop=0.20),
    Scene("drop 0.20, flaky", drop=0.20, rise=0.5),
    Scene("drop 0.20, hard, drift 0.10", drop=0.20, drift=0.10),
)


@dataclass(frozen=True)
class Head:
    """One pull request, decided with one look and with two."""

    one_look: bool
    """Whether one look fails it."""
    two_looks: bool
    """Whether both together do."""
    asked: int
    """Answers of the second look, both arms."""


def main(words: Sequence[str]) -> int:
    """Simulate and print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--heads", type=int, default=1000, help="pull requests a line")
    parser.add_argument(
        "--again", type=int, default=1, help="answers a case and arm when asked again"
    )
    given = parser.parse_args(words)
    began = time.monotonic()
    print(f"{given.heads} heads a line, {CASES} cases, {len(NOISE)} dimensions, one answer a case")
    print(f"{'':30} {'one look':>9} {'two looks':>9} {'kept':>6} {'more calls':>10}")
    for scene in SCENES:
        heads = [head_of(scene, seed, given.again) for seed in range(given.heads)]
        print(line_of(scene, heads), flush=True)
    print(f"{time.monotonic() - began:.0f} s")
    return 0


def line_of(scene: Scene, heads: Sequence[Head]) -> str:
    """Render the share of failed heads by each rule, and of the calls that the second look adds."""
    one = sum(head.one_look for head in heads) / len(heads)
    two = sum(head.two_looks for head in heads) / len(heads)
    more = sum(head.asked for head in heads) / len(heads) / CASES
    kept = f"{two / one:6.0%}" if one else f"{'':>6}"
    return f"{scene.name:30} {one:9.1%} {two:9.1%} {kept} {more:10.1%}"


def head_of(scene: Scene, seed: int, again: int = 1) -> Head:
    """Simulate one pull request."""
    source = Random(f"{scene.name}/{seed}")
    before = drawn(source)
    base = worse(before, scene.drift, 1.0, source)
    candidate = worse(base, scene.drop, scene.rise, source)
    baseline = make_baseline([run_of(before, source, f"base-{i}") for i in range(BASELINE_REPEATS)])
    run = run_of(candidate, source, f"run-{seed}")
    comparison = compare(run, baseline, Policy())
    verdict = decided(run, comparison)
    one_look = verdict.exit_code == 1
    suspicion = suspicion_of(run, comparison, verdict, Policy())
    if suspicion is None:
        return Head(one_look, one_look, 0)
    cases = suspicion.case_ids
    confirm = Confirm(
        suspects=suspicion.rows,
        case_ids=cases,
        fallen=suspicion.fallen,
        repeats=again,
        candidate=cells_of(candidate, source, cases, again),
        base=cells_of(base, source, cases, again),
    )
    second = run.model_copy(update={"confirm": confirm})
    two_looks = decided(second, comparison).exit_code == 1
    return Head(one_look, two_looks, 2 * again * len(cases))


def drawn(source: Random) -> Chances:
    """Draw how likely each case is to be answered badly, in one repository."""
    return {
        name: [source.betavariate(0.4, 0.4 * (1 - mean) / mean) for _ in range(CASES)]
        for name, mean in NOISE.items()
    }


def decided(run: Run, comparison: Comparison) -> Verdict:
    """Decide as `gate run` does."""
    return decide(
        run,
        comparison,
        LICENCES,
        Policy(),
        narrowed=False,
        seed=run.plan.seed,
        commits=Commits(),
        reproduce=(),
    )


def worse(chances: Chances, drop: float, rise: float, source: Random) -> Chances:
    """Let correctness fall by `drop` on average, in cases chosen by lot."""
    before = chances[FALLEN]
    after = list(before)
    order = source.sample(range(CASES), CASES)
    lost = 0.0
    for case in order:
        if lost >= drop * CASES:
            break
        after[case] = min(1.0, before[case] + rise)
        lost += LOSS * (after[case] - before[case])
    return {**chances, FALLEN: after}


def run_of(chances: Chances, source: Random, name: str) -> Run:
    """Make a run of simulated answers."""
    cases = tuple(f"case-{i:02d}" for i in range(CASES))
    return Run(
        id=name,
        provenance=Provenance(created="2026-07-01T00:00:00Z"),
        plan=Plan(case_ids=cases, total=CASES, dataset=cases),
        targets=(TargetInfo(name=TARGET, use="recorded", settings="0"),),
        metrics=METRICS,
        identities={one.name: Identity(judge="j", prompt="p", scorer="s") for one in METRICS},
        cells=cells_of(chances, source, cases, 1),
    )


def cells_of(
    chances: Chances, source: Random, cases: Sequence[str], repeats: int
) -> tuple[Cell, ...]:
    """Simulate answers to some of the cases."""
    return tuple(
        Cell(
            target=TARGET,
            case_id=case,
            case_digest=case,
            scores={
                metric: tuple(
                    _score(values[int(case.removeprefix("case-"))], source) for _ in range(repeats)
                )
                for metric, values in chances.items()
            },
            attempts=(Attempt(state="ok", grounded=True),) * repeats,
        )
        for case in cases
    )


def _score(chance: float, source: Random) -> float:
    bad = LOSS if source.random() < chance else 0.0
    jitter = source.uniform(0.0, 0.1) if source.random() < 0.4 else 0.0
    return round(max(0.0, 1.0 - bad - jitter), 4)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
