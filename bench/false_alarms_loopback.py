"""False alarms in the loopback world: whole noisy runs through the SDKs, decided by two rules.

The answering model is the stand-in `flaky`: noise whose mean is the same for every seed, so every
regression found here is a false alarm. The baseline is five flaky runs of other seeds. Both rules
see the same runs: the default rule, and the plain one (a mean drop larger than 0.05 in any gating
dimension). The numbers say something of the rules on this stand-in and nothing of Gemini, Claude
or people.

`operating_characteristics.py` asks the same of many more runs, on simulated scores alone.

    make wolf                       200 seeds of the scorer set `quick`, 60 of all scorers
    python bench/false_alarms_loopback.py --seeds 20 --scorer quick
"""

from __future__ import annotations

import argparse
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gate.cli.offline import loopback_world
from gate.cli.progress import NoProgress
from gate.cli.reading import read_calibration, read_cases, read_config
from gate.cli.request import Request
from gate.cli.running import Hands, make_run
from gate.config import Config
from gate.config.scorer_sets import ScorerChoice
from gate.decision.baseline import make_baseline
from gate.decision.calibration import agreements
from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.engine.plan import choose_cases, make_jobs, make_plan
from gate.types import Baseline, Calibration, Commits, Policy, Run, Verdict

ROOT = Path(__file__).resolve().parents[1]
BASELINE_SEEDS = range(9001, 9006)
"""Seeds of the five baseline runs; no gated run shares one."""


@dataclass(frozen=True)
class Bench:
    """What all runs share."""

    config: Config
    calibration: Calibration | None
    folder: Path
    scorers: ScorerChoice

    def run(self, variant: str) -> Run:
        """Make one run of a variant, through the real SDK clients."""
        cases = read_cases(self.config, ROOT)
        chosen = choose_cases(cases, sample=None, seed="gate-v1")
        plan = make_plan(
            cases,
            chosen,
            seed="gate-v1",
            sample=None,
            repeats=1,
            narrowed=False,
            scorer_sets=self.scorers.sets,
        )
        out = self.folder / variant.replace(":", "-")
        out.mkdir()
        with loopback_world(variant, lambda: None) as world:
            request = Request(
                config=self.config,
                root=ROOT,
                out=out,
                jobs=make_jobs(chosen, [use.name for use in self.config.targets], 1),
                plan=plan,
                targets=self.config.targets,
                scorers=self.scorers.uses,
                max_cost_usd=None,
                world=world,
                replay=None,
                commits=Commits(),
            )
            return make_run(request, Hands(NoProgress())).run

    def decide(self, run: Run, baseline: Baseline, policy: Policy) -> Verdict:
        """Decide on a run."""
        comparison = compare(run, baseline, policy)
        licences = agreements(
            self.calibration, run.metrics, run.identities, policy, judge_family=run.judge_family
        )
        return decide(
            run,
            comparison,
            licences,
            policy,
            narrowed=False,
            seed="gate-v1",
            commits=Commits(),
            reproduce=(),
        )


@dataclass(frozen=True)
class Outcome:
    """One seed under both rules."""

    seed: int
    ours: str
    plain: str
    deltas: dict[str, float]
    sds: dict[str, float]


def outcomes(seeds: Sequence[int], folder: Path, scorers: Sequence[str] = ()) -> Iterator[Outcome]:
    """Run every seed against the flaky baseline; `scorers` names scorer sets, none is all."""
    config = read_config(ROOT / "gate.yaml", {})
    choice = config.choose_scorers(scorers)
    bench = Bench(config, read_calibration(ROOT / config.calibration), folder, choice)
    baseline = make_baseline([bench.run(f"flaky:{seed}") for seed in BASELINE_SEEDS])
    plain = config.policy.model_copy(update={"rule": "threshold", "threshold": 0.05})
    for seed in seeds:
        run = bench.run(f"flaky:{seed}")
        comparison = compare(run, baseline, config.policy)
        yield Outcome(
            seed=seed,
            ours=bench.decide(run, baseline, config.policy).status,
            plain=bench.decide(run, baseline, plain).status,
            deltas={row.dimension: row.signed or 0.0 for row in comparison.rows},
            sds={row.dimension: row.sd or 0.0 for row in comparison.rows},
        )


def table(found: Sequence[Outcome]) -> str:
    """Render what was found."""
    lines = [f"{len(found)} runs without a change, stand-in world, full set, one answer a case"]
    for name, statuses in (
        ("default rule", Counter(one.ours for one in found)),
        ("plain 0.05 rule", Counter(one.plain for one in found)),
    ):
        shares = ", ".join(
            f"{status} {count} ({count / len(found):.1%})"
            for status, count in sorted(statuses.items())
        )
        lines.append(f"  {name:16} {shares}")
    for dimension in found[0].deltas:
        sd = statistics.median(one.sds[dimension] for one in found)
        mean = statistics.fmean(one.deltas[dimension] for one in found)
        lines.append(f"  {dimension:16} median paired sd {sd:.3f}, mean change {mean:+.4f}")
    return "\n".join(lines)


def main() -> int:
    """Run and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=200)
    parser.add_argument("--scorer", action="append", default=[], help="a scorer set; all without")
    options = parser.parse_args()
    started = time.monotonic()
    found = []
    with tempfile.TemporaryDirectory() as folder:
        for one in outcomes(range(1, options.seeds + 1), Path(folder), options.scorer):
            found.append(one)
            if len(found) % 20 == 0:
                print(f"{len(found)} of {options.seeds}", file=sys.stderr, flush=True)
    print(table(found))
    print(f"  {time.monotonic() - started:.0f} s in all")
    return 0


if __name__ == "__main__":
    sys.exit(main())
