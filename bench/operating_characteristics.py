"""How often does the gate cry wolf, pass, not know, and see a drop? Simulated pull requests.

The product's own code decides (`compare` and `decide` on runs and baselines made of simulated
scores; nothing of a rule is copied), beside four rules of others on the same scores. The noise is
that of `noise.py`; it says something of the rules on such noise, and nothing of Gemini, Claude or
people. Counts are kept in a file, cell by cell, and a run that was ended goes on where it was.

    make characteristics                                 2,000 a cell without a change, 500 with
                                                         a drop (hours; two processes)
    python bench/operating_characteristics.py --quick    200 a cell, fewer cells (minutes)
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
from characteristic_counts import (
    DIMENSIONS,
    FEW,
    TARGETS,
    Counts,
    Setting,
    read_counts,
    settings,
)
from characteristics_page import write_page
from noise import FALLEN, PROFILES, Drop, Scores, draw
from rival_rules import RIVALS

from gate.decision import category_rows, findings, outcomes, rows
from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.stats import categories
from gate.stats.categories import CategoryTest
from gate.stats.columns import Repeats
from gate.stats.paired import DropTest, drop_p, paired_differences, sign_flip_p
from gate.types import (
    Agreement,
    Attempt,
    Baseline,
    Cell,
    Commits,
    Comparison,
    Identity,
    Metric,
    Plan,
    Policy,
    Provenance,
    Row,
    Run,
    TargetInfo,
    Verdict,
)

ROOT = Path(__file__).resolve().parents[1]
COUNTS = ROOT / "gate-out" / "characteristics.jsonl"
SEED = 20_261_201
POLICY = Policy()
__all__ = ["Drop", "Setting", "main", "simulate", "write_page"]
METRICS = tuple(Metric(name=f"d{i}", judged=True) for i in range(DIMENSIONS))
LICENCES = tuple(
    Agreement(dimension=one.name, state="validated", kappa=0.8, n=96, because="it is validated")
    for one in METRICS
)
_IDENTITIES = {one.name: Identity(judge="j", prompt="p", scorer="s") for one in METRICS}
_NAMES = tuple(TargetInfo(name=f"t{i}", use="recorded", settings="0") for i in range(TARGETS))
_WHEN = Provenance(created="2026-07-01T00:00:00Z")

CATEGORIES = 6
"""Of equal sizes: from 48 cases on each is tested by itself, too."""


def simulate(setting: Setting, pull_requests: int, *, shortcut: bool = True) -> Counts:
    """Simulate pull requests of one setting; the seed is the setting's own."""
    digest = hashlib.sha256(f"{SEED} {setting.key}".encode()).digest()
    source = np.random.default_rng(int.from_bytes(digest[:8], "big"))
    ours = {tests: Counter[str]() for tests in setting.families}
    rivals = {tests: Counter[str]() for tests in setting.families}
    row: Counter[str] = Counter()
    for _ in range(pull_requests):
        base, new = draw(
            PROFILES[setting.profile],
            setting.kind,
            source,
            targets=1 if setting.drop.size else TARGETS,
            cases=setting.cases,
            repeats=setting.repeats,
            drop=setting.drop,
        )
        run, baseline = run_of(new), baseline_of(base)
        with only_what_matters() if shortcut else nullcontext():
            comparison = compare(run, baseline, POLICY)
            verdicts = {
                tests: decide_part(run, comparison, targets_of(tests), min(tests, DIMENSIONS))
                for tests in setting.families
            }
        row[verdicts[FEW].comparisons[FALLEN].outcome] += 1
        for tests, verdict in verdicts.items():
            ours[tests][verdict.status] += 1
            for name, fails in RIVALS.items():
                part = np.s_[: targets_of(tests), : min(tests, DIMENSIONS)]
                rivals[tests][name] += fails(base[part], new[part])
    return Counts(
        setting,
        pull_requests,
        {str(tests): dict(found) for tests, found in ours.items()},
        dict(row),
        {str(tests): dict(found) for tests, found in rivals.items()},
    )


def targets_of(tests: int) -> int:
    """Give the targets of a family of so many tests."""
    return max(1, tests // DIMENSIONS)


def decide_part(run: Run, comparison: Comparison, targets: int, dimensions: int) -> Verdict:
    """Decide on the first targets and dimensions alone; the numbers of a row are its own."""
    names = {one.name for one in METRICS[:dimensions]}
    infos = {one.name for one in _NAMES[:targets]}
    part = comparison.model_copy(
        update={
            "rows": tuple(
                one for one in comparison.rows if one.dimension in names and one.target in infos
            ),
            "categories": tuple(
                one
                for one in comparison.categories
                if one.dimension in names and one.target in infos
            ),
            "operations": comparison.operations[:targets],
        }
    )
    whole = run.model_copy(
        update={"metrics": METRICS[:dimensions], "targets": run.targets[:targets]}
    )
    return decide(
        whole,
        part,
        LICENCES[:dimensions],
        POLICY,
        narrowed=False,
        seed="gate-v1",
        commits=Commits(),
        reproduce=(),
    )


@contextmanager
def only_what_matters() -> Iterator[None]:
    """Leave out tests that cannot fail anything, and advice, which is most of a run's time.

    A row whose p is above q fails no run and, by Benjamini-Hochberg, helps none to fail: so the
    run-label test, which can only raise p, is made only where the sign-flip p is at most q, and
    none at all where the mean did not drop. Rows of single categories have a share of q, and get
    none of their means and intervals above it: they take part by their p alone. Statuses stay what
    they are; the tests hold them to it.
    """
    of_categories = POLICY.q * POLICY.category_share
    whole_row = category_rows._row  # noqa: SLF001 - what is left out is its work

    def test(new: Repeats, base: Repeats, *, seed: str, **more: Any) -> DropTest:
        d = paired_differences(new, base)
        if sum(d) >= 0.0:
            return DropTest(1.0, "none", 1.0, None)
        flip = sign_flip_p(d, seed=seed)
        if flip.p > POLICY.q:
            return DropTest(flip.p, flip.method, flip.p, None)
        return drop_p(new, base, seed=seed, **more)

    def category(
        row: Row, metric: Metric, policy: Policy, tested: CategoryTest, clusters: list[str] | None
    ) -> Row:
        if tested.p <= of_categories:
            return whole_row(row, metric, policy, tested, clusters)
        n = len(tested.places)
        own = {"category": tested.category, "p": tested.p, "n": n, "expected": n}
        return row.model_copy(update={**own, "signed": None, "worst_signed": None, "worst_p": None})

    with (
        patch.object(rows, "drop_p", test),
        patch.object(category_rows, "_row", category),
        patch.object(categories, "CHECKED_UP_TO", of_categories),
        patch.object(outcomes, "settles", lambda *_, **__: ""),
        patch.object(findings, "fell_most", lambda *_: ()),
    ):
        yield


def run_of(scores: Scores) -> Run:
    """Make a run of simulated scores."""
    ids = _ids(scores)
    return Run(
        id="r",
        provenance=_WHEN,
        plan=Plan(case_ids=ids, total=len(ids), dataset=ids, repeats=scores.shape[3]),
        targets=_NAMES[: scores.shape[0]],
        metrics=METRICS,
        identities=_IDENTITIES,
        cells=_cells(scores),
    )


def baseline_of(scores: Scores) -> Baseline:
    """Make a baseline of simulated scores."""
    return Baseline(
        provenance=_WHEN,
        targets=_NAMES[: scores.shape[0]],
        metrics=METRICS,
        identities=_IDENTITIES,
        cells=_cells(scores),
    )


def _ids(scores: Scores) -> tuple[str, ...]:
    return tuple(f"case-{i:03d}" for i in range(scores.shape[2]))


def _cells(scores: Scores) -> tuple[Cell, ...]:
    attempts = (Attempt(state="ok", grounded=True),) * scores.shape[3]
    return tuple(
        Cell(
            target=info.name,
            case_id=case,
            category=f"category-{place % CATEGORIES}",
            case_digest=case,
            scores={
                metric.name: tuple(values) for metric, values in zip(METRICS, columns, strict=True)
            },
            attempts=attempts,
        )
        for info, of_target in zip(_NAMES, scores.transpose(0, 2, 1, 3).tolist(), strict=False)
        for place, (case, columns) in enumerate(zip(_ids(scores), of_target, strict=True))
    )


def main() -> int:
    """Simulate what is not yet counted, and write the page."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--pull-requests", type=int, default=2_000, help="in each cell")
    parser.add_argument("--drops", type=int, default=500, help="in each cell with a real drop")
    parser.add_argument("--quick", action="store_true", help="200 in each cell, and fewer cells")
    parser.add_argument("--only", default="", help="cells whose key starts so")
    parser.add_argument("--jobs", type=int, default=2, help="processes")
    parser.add_argument("--counts", type=Path, default=COUNTS, help="file of counts")
    parser.add_argument("--page", type=Path, default=ROOT / "docs", help="folder of the page")
    options = parser.parse_args()
    unchanged, dropped = (200, 200) if options.quick else (options.pull_requests, options.drops)
    known = read_counts(options.counts)
    wanted = {
        one: number
        for one in settings(quick=options.quick)
        for number in [dropped if one.drop.size else unchanged]
        if one.key.startswith(options.only)
        and (one.key not in known or known[one.key].simulated < number)
    }
    started = time.monotonic()
    options.counts.parent.mkdir(parents=True, exist_ok=True)
    with (
        ProcessPoolExecutor(options.jobs) as pool,
        options.counts.open("a", encoding="utf-8") as out,
    ):
        for place, counts in enumerate(pool.map(simulate, wanted, wanted.values())):
            out.write(json.dumps(asdict(counts)) + "\n")
            out.flush()
            print(
                f"{place + 1} of {len(wanted)}: {counts.setting.key} {counts.ours}, "
                f"{time.monotonic() - started:.0f} s",
                file=sys.stderr,
                flush=True,
            )
    found = {
        one.key: counts[one.key]
        for counts in [read_counts(options.counts)]
        for one in settings()
        if one.key in counts
    }
    for one in write_page(found, options.page, SEED):
        print(f"falls short: {one}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
