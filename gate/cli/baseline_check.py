"""`gate baseline --check`: would runs that changed nothing fail against this baseline?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from gate.cli.reading import read_baseline_file, read_calibration, read_config
from gate.decision.calibration import agreements
from gate.decision.judge_noise import noise_of_baseline, noise_words
from gate.decision.leave_one_out import FEWEST, LeftOut, leave_one_out, repeats_of
from gate.decision.standing import gating_dimensions
from gate.decision.words import counted, listed
from gate.errors import ConfigError, FileError
from gate.types import Agreement, Baseline, Calibration, Policy

CONFIG = Path("gate.yaml")

FALSE_ALARMS = 0.06
"""What share of unchanged runs may fail (docs/characteristics.md)."""

RARE = 0.05
"""More failures than so seldom come of luck are said to be no luck."""

QUICK = 5_000
"""Up to so many scores a baseline is checked in well under a second."""


def check_baseline_file(path: Path | None, env: Mapping[str, str]) -> str:
    """Return what is to be said of a baseline, of the configured one where none is named.

    Policy and licences are those of gate.yaml where there is one. Raises FileError and ConfigError.
    """
    config = read_config(CONFIG, env) if CONFIG.exists() else None
    if path is None:
        path = Path("baseline.json" if config is None else config.baseline)
    baseline = read_baseline_file(path)
    if baseline is None:
        raise ConfigError("there is no such baseline to check: name it with --check FILE", path)
    policy = Policy() if config is None else config.policy
    calibration = None if config is None else read_calibration(Path(config.calibration))
    licences, as_if = licences_for(baseline, policy, calibration)
    try:
        found = leave_one_out(baseline, policy, licences)
    except FileError as error:
        raise FileError(error.args[0], path) from error
    return "\n".join(
        [
            f"{path}: {summary(found)}",
            *_lines(found),
            *(f"  {one.dimension}: {noise_words(one)}" for one in noise_of_baseline(baseline)),
            *(["No dimension may fail a run yet: all were judged as if they might."] * as_if),
        ]
    )


def quick_summary(
    baseline: Baseline, policy: Policy, calibration: Calibration | None
) -> str | None:
    """Return the one sentence, or None where it would take long or there are no two repeats."""
    scores = sum(len(column) for cell in baseline.cells for column in cell.scores.values())
    if scores > QUICK or repeats_of(baseline) < FEWEST:
        return None
    licences, _ = licences_for(baseline, policy, calibration)
    return summary(leave_one_out(baseline, policy, licences))


def licences_for(
    baseline: Baseline, policy: Policy, calibration: Calibration | None
) -> tuple[tuple[Agreement, ...], bool]:
    """Return the licences of a baseline's dimensions, and whether they are only supposed.

    Where none may fail a run yet, all are taken as if they might: how noisy they are is known
    before the labels are.
    """
    known = agreements(
        calibration,
        baseline.metrics,
        baseline.identities,
        policy,
        world=baseline.provenance.world,
    )
    if gating_dimensions(baseline.metrics, known, policy):
        return known, False
    supposed = [one.model_copy(update={"state": "validated"}) for one in known]
    return tuple(supposed), True


def summary(found: Sequence[LeftOut]) -> str:
    """Return the one sentence: how many unchanged runs failed, and what the others got."""
    statuses = Counter(one.status for one in found)
    failed = statuses.pop("regression", 0)
    others = listed([f"{count} {status}" for status, count in sorted(statuses.items())])
    said = f"{failed} of {counted(len(found), 'unchanged run')} failed"
    return f"{said} ({others})" if others else said


def _lines(found: Sequence[LeftOut]) -> list[str]:
    lines = [
        f"  repeat {one.repeat} would have failed: {listed(list(one.failed))}"
        for one in found
        if one.status == "regression"
    ]
    unclear = Counter(name for one in found for name in one.unclear)
    lines += [
        f"  {name}: inconclusive in {count} of {len(found)}" for name, count in unclear.items()
    ]
    if more_than_luck(sum(bool(one.failed) for one in found), len(found)):
        lines.append(
            "  So many are more than luck: the repeats differ by more than noise. Make the "
            "baseline of runs of one system, judge and week."
        )
    return lines


def more_than_luck(failed: int, repeats: int) -> bool:
    """Tell whether so many false alarms would be rare: at 6% each, in one baseline of twenty.

    Binomial: two of five, five of 24, seven of fifty.
    """
    rest = 1.0 - FALSE_ALARMS
    fewer = sum(
        math.comb(repeats, k) * FALSE_ALARMS**k * rest ** (repeats - k) for k in range(failed)
    )
    return 1.0 - fewer <= RARE
