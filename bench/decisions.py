"""Decisions on simulated pull requests and licences, as digests that every machine must give.

The same scores must end in the same verdict, to the last digit that a report shows, whatever the
version of Python and in whatever order cells stand. The digests are kept in
tests/golden/decisions.json; `make pythons` holds every supported Python to them.

    python bench/decisions.py                check this interpreter
    python bench/decisions.py --write        renew the file, after a decision was changed on purpose
"""

from __future__ import annotations

import argparse
import json
import platform
import random
import sys
from dataclasses import replace
from itertools import product
from pathlib import Path

import numpy as np
from noise import KINDS, PROFILES, Drop, draw
from operating_characteristics import LICENCES, POLICY, baseline_of, run_of

from gate.decision.beside import beside
from gate.decision.calibration import agreements
from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.types import Baseline, Calibration, Commits, Metric, Run, Verdict, digest

ROOT = Path(__file__).resolve().parents[1]
GOLDEN = ROOT / "tests" / "golden" / "decisions.json"
CALIBRATION = ROOT / "evals" / "calibration.json"

DROPS = (Drop(), Drop(0.10), Drop(0.20, everywhere=True))
SHAPES = ((24, (5, 1)), (48, (5, 3)), (100, (3, 1)))
"""Cases, and answers a case of the baseline and of the run."""


def decisions(*, shuffled: bool) -> dict[str, str]:
    """Decide on all of them: name -> status and digest of the whole verdict.

    `shuffled` puts cells and dimensions within them in another order first.
    """
    found = {}
    for kind, (cases, repeats), drop in product(KINDS, SHAPES, DROPS):
        base, new = draw(
            PROFILES["mixed"],
            kind,
            np.random.default_rng(cases),
            targets=1,
            cases=cases,
            repeats=repeats,
            drop=drop,
        )
        sides = run_of(new), baseline_of(base)
        verdict = _decided(*(_shuffled(*sides) if shuffled else sides))
        name = f"{kind}/{cases}/{repeats[0]}v{repeats[1]}/{drop.name}"
        found[name] = (
            f"{verdict.status} {digest(verdict.model_dump(mode='json', exclude_defaults=True))}"
        )
    return found | licences()


def licences() -> dict[str, str]:
    """License the project's own dimensions: name -> state and digest of kappa and its neighbours.

    The labels are of stand-in answers, and were drafted by a model: they show the arithmetic alone.
    """
    calibration = Calibration.model_validate_json(CALIBRATION.read_text(encoding="utf-8"))
    found = {}
    for part in calibration.sets:
        metric = Metric(name=part.dimension, judged=True, counts=part.counts)
        (one,) = agreements(calibration, [metric], {part.dimension: part.identity}, POLICY)
        numbers = [
            number.model_dump(mode="json", exclude_defaults=True)
            for number in (one, beside(part, one, POLICY))
        ]
        found[f"licence of {part.dimension}"] = f"{one.state} {digest(numbers)}"
    return found


def _decided(run: Run, baseline: Baseline) -> Verdict:
    return decide(
        run,
        compare(run, baseline, POLICY),
        LICENCES,
        POLICY,
        narrowed=False,
        seed="gate-v1",
        commits=Commits(),
        reproduce=(),
    )


def _shuffled(run: Run, baseline: Baseline) -> tuple[Run, Baseline]:
    """Put cells and what they hold in another order; the dimensions keep theirs."""
    lot = random.Random(len(run.cells))
    sides = []
    for cells in (run.cells, baseline.cells):
        mixed = [
            replace(one, scores=dict(lot.sample(sorted(one.scores.items()), len(one.scores))))
            for one in cells
        ]
        lot.shuffle(mixed)
        sides.append(tuple(mixed))
    return (
        run.model_copy(update={"cells": sides[0]}),
        baseline.model_copy(update={"cells": sides[1]}),
    )


def wrong() -> list[str]:
    """Decide on all of them in another order, and say which decisions are not those of the file."""
    found = decisions(shuffled=True)
    wanted = json.loads(GOLDEN.read_text(encoding="utf-8"))
    return [
        f"{name}: {found.get(name)}, and not {wanted.get(name)}"
        for name in {**wanted, **found}
        if wanted.get(name) != found.get(name)
    ]


def main() -> int:
    """Check this interpreter, or write the file."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--write", action="store_true", help="renew the file")
    options = parser.parse_args()
    if options.write:
        found = decisions(shuffled=False)
        GOLDEN.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
        return 0
    said = wrong()
    print(f"Python {platform.python_version()}: {len(said)} decisions differ", *said, sep="\n  ")
    return 1 if said else 0


if __name__ == "__main__":
    sys.exit(main())
