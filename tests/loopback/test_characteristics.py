"""False alarms, in small: noisy runs without a change, decided by both rules.

The large versions are `make wolf` and `make attempts`.
"""

from __future__ import annotations

import importlib.util
import statistics
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest


@pytest.fixture(scope="module")
def found(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Sequence[Any]:
    """Eight noisy runs against a baseline of five others."""
    bench = _load(root / "bench" / "false_alarms_loopback.py")
    return list(bench.outcomes(range(1, 9), tmp_path_factory.mktemp("flaky"), ["quick"]))


def test_flaky__noise_is_large_on_two_dimensions(found: Sequence[Any]) -> None:
    """The paired standard deviation is at least 0.2: real runs are like that."""
    for dimension in ("correctness", "source_quality"):
        assert statistics.median(one.sds[dimension] for one in found) >= 0.2


def test_flaky__our_rule_cries_wolf_less_often_than_the_plain_one(found: Sequence[Any]) -> None:
    """At most one of eight for us, and more for a plain mean drop of 0.05."""
    ours = sum(one.ours == "regression" for one in found)
    plain = sum(one.plain == "regression" for one in found)

    assert ours <= 1
    assert ours < plain


def test_flaky__no_run_is_broken(found: Sequence[Any]) -> None:
    """Noise is not a fault: every run has a verdict."""
    assert {one.ours for one in found} <= {"pass", "inconclusive", "regression"}


def test_attempts__pooling_lets_fewer_through_than_racing(root: Path) -> None:
    """Running a worse head again until it is green, in small."""
    bench = _load(root / "bench" / "attempts.py")

    shares = bench.green_by(0.10, 12, 1)

    assert shares["racing"][0] == shares["pooling"][0]
    assert shares["racing"][-1] > shares["racing"][0]
    assert shares["pooling"][-1] < shares["racing"][-1]


def _load(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # Dataclasses look their module up by name.
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module
