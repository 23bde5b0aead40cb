"""`gate run` on every variant of the world: the table of variants, cell by cell.

`test_world_variants.py` holds the same table without the gate; here every number is what the real
command measured, through the real SDK clients, and wrote to run.json. The variant with noise of
its own is held there, over many seeds.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from statistics import mean
from typing import Any

import pytest
import yaml

from gate.loopback.variants import TABLE, VARIANTS
from tests.gate_cli import copy_of_repository, gate
from tests.loopback.world_driver import word_for

TABLED: dict[str, Any] = yaml.safe_load(TABLE.read_text(encoding="utf-8"))
DIMENSIONS = (
    *("relevance", "correctness", "source_quality", "faithfulness"),
    *("citation_precision", "source_coverage", "citation_f1", "alce_recall", "alce_precision"),
)
STILL = [name for name in VARIANTS if name != "flaky"]

Scores = Mapping[str, Mapping[str, float | None]]
"""Dimension -> case -> score."""


@pytest.fixture(scope="module")
def measured(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Scores]:
    """Variant -> the scores of all cases, in all dimensions."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    found: dict[str, Scores] = {}
    for variant in STILL:
        done = gate("run", f"--offline={variant}", "--report-only", folder=folder)
        assert 0 == done.code, done.err
        cells = done.json("run.json")["cells"]
        assert len(cells) >= 48
        found[variant] = {
            name: {cell["case_id"]: cell["scores"].get(name, [None])[0] for cell in cells}
            for name in DIMENSIONS
        }
    return found


def moved(new: Mapping[str, float | None], base: Mapping[str, float | None]) -> float | None:
    """The mean difference over the cases in which both have a value; None without one."""
    pairs = [(new[case], base[case]) for case in base]
    known = [x - y for x, y in pairs if x is not None and y is not None]
    return mean(known) if known else None


@pytest.mark.parametrize("variant", STILL)
def test_variant__moves_every_dimension_as_the_table_says(
    measured: Mapping[str, Scores], variant: str
) -> None:
    """`falls` is more than 0.05, `same` at most 0.05, `undefined` without a single value."""
    base = measured[TABLED[variant]["against"]]
    changes = {name: moved(measured[variant][name], base[name]) for name in DIMENSIONS}

    expected = {name: TABLED[variant][name] for name in DIMENSIONS}
    assert expected == {name: word_for(change) for name, change in changes.items()}, changes


def test_steady__every_dimension_is_measured(measured: Mapping[str, Scores]) -> None:
    """On all cases what needs no page; on nine of ten what needs some (five refusals cite none)."""
    counts = {
        name: sum(score is not None for score in scores.values())
        for name, scores in measured["steady"].items()
    }
    assert {48} == {counts[name] for name in ("relevance", "correctness", "source_quality")}
    assert min(counts.values()) >= 36, json.dumps(counts)
