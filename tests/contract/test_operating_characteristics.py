"""The operating characteristics in small: the product's own decisions on simulated scores.

The large version is `make characteristics`; its page is docs/characteristics.md.
"""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

PULL_REQUESTS = 40


@pytest.fixture(scope="module")
def bench(root: Path) -> Iterator[Any]:
    """The bench, which imports the files beside it."""
    sys.path.insert(0, str(root / "bench"))
    yield importlib.import_module("operating_characteristics")
    sys.path.remove(str(root / "bench"))


@pytest.fixture(scope="module")
def unchanged(bench: Any) -> Any:
    """Counts of pull requests without a change: 24 cases, the default repeats, 3/6/18 tests."""
    return bench.simulate(bench.Setting("mixed", "independent", 24, (5, 1)), PULL_REQUESTS)


def test_unchanged__false_alarms_are_rare(unchanged: Any) -> None:
    """At most 10% here, where 6% is the aim and 40 runs are few; system 1's rule fails half."""
    for tests in ("3", "6", "18"):
        assert PULL_REQUESTS * 0.10 >= unchanged.ours[tests].get("regression", 0)

    assert PULL_REQUESTS * 0.4 <= unchanged.rivals["18"]["mean drop > 0.05"]


def test_unchanged__something_passes(unchanged: Any) -> None:
    """With three dimensions, at least a third of unchanged runs of 24 cases pass."""
    assert PULL_REQUESTS / 3 <= unchanged.ours["3"]["pass"]


def test_drop_everywhere__is_seen(bench: Any) -> None:
    """A drop of 0.20 in all dimensions fails nine of ten, and its row passes in none."""
    drop = bench.Drop(0.20, everywhere=True)
    counts = bench.simulate(bench.Setting("mixed", "shared", 24, (5, 1), drop), PULL_REQUESTS // 2)

    assert 0.9 * PULL_REQUESTS / 2 <= counts.ours["6"]["regression"]
    assert 0 == counts.row.get("pass", 0)


def test_margin__is_seldom_passed(bench: Any) -> None:
    """A true drop of the margin in one dimension: its row passes in a tenth at most."""
    counts = bench.simulate(
        bench.Setting("mixed", "independent", 48, (3, 1), bench.Drop(0.10)), PULL_REQUESTS // 2
    )

    assert 0.10 * PULL_REQUESTS / 2 >= counts.row.get("pass", 0)


@pytest.mark.parametrize("kind", ["independent", "shared", "wobble"])
def test_shortcut__changes_no_status(bench: Any, kind: str) -> None:
    """Leaving out tests that cannot fail anything gives the very counts of the whole decision."""
    dropped = bench.Setting("vhigh", kind, 14, (5, 1), bench.Drop(0.20))
    categories = bench.Setting("mixed", kind, 48, (5, 1), bench.Drop(0.10))

    for setting in (dropped, categories):
        assert bench.simulate(setting, 8, shortcut=False) == bench.simulate(setting, 8)


def test_page__says_what_it_is(bench: Any, unchanged: Any, tmp_path: Path) -> None:
    """Page and plots say that the noise is simulated, with how many runs and which seed."""
    bench.write_page({unchanged.setting.key: unchanged}, tmp_path, 7)

    page = (tmp_path / "characteristics.md").read_text(encoding="utf-8")
    assert "**simulated noise**: 40 pull requests a cell, seed 7." in page
    plots = sorted(path.name for path in tmp_path.glob("*.svg"))
    assert [f"characteristics-{name}.svg" for name in ("false-alarms", "power", "unchanged")] == (
        plots
    )
    assert all(f"({name})" in page for name in plots)


def test_decisions__are_those_of_every_python(root: Path, bench: Any) -> None:
    """To the last digit, in whatever order cells stand; `make pythons` asks every interpreter."""
    assert [] == importlib.import_module("decisions").wrong()


def test_decisions__are_those_of_every_processor(root: Path) -> None:
    """A library picks other sums by the processor; here it is told to be an old one."""
    older = {
        "OPENBLAS_CORETYPE": "Prescott",
        "NPY_DISABLE_CPU_FEATURES": "AVX2 FMA3 AVX512F AVX512CD AVX512_SKX",
    }

    done = subprocess.run(
        [sys.executable, "bench/decisions.py"],
        cwd=root,
        env={**os.environ, **older},
        capture_output=True,
        text=True,
        check=False,
    )

    assert 0 == done.returncode, done.stdout


def test_readme__shows_the_figures_of_the_page(root: Path) -> None:
    """Of 48 cases and three tests: false alarms with a decimal, power without, passes below."""
    page = (root / "docs" / "characteristics.md").read_text("utf-8")
    readme = (root / "README.md").read_text("utf-8")
    tables = [
        [cell.strip() for cell in line.split("|")[1:-1]]
        for line in page.splitlines()
        if line.startswith(("| 5 v 1 | independent | 48 |", "| mixed | 5 v 1 | independent | 48 |"))
    ]
    unchanged, power, passed = tables
    wobble = next(line for line in page.splitlines() if line.startswith("| 5 v 1 | wobble | 48 |"))
    alarms = [unchanged[3].split()[0], *unchanged[7:]]
    one, everywhere = (power[place].split(" / ") for place in (3, 5))

    shown = [
        [cell.strip() for cell in line.split("|")[2:-1]]
        for line in readme.partition("one dimension 0.10 worse: fails")[2].splitlines()[2:7]
    ]
    assert [list(row) for row in zip(alarms, one, everywhere, strict=True)] == shown
    share, wrongly = unchanged[6].split(" / ")[0], passed[4].split()[0]
    assert f"It passes {share} of the unchanged runs there, and {wrongly} of the dim" in readme
    ours, _, plain = (wobble.split("|")[place].split()[0] for place in (4, 7, 8))
    assert f"it fails {ours} and a mean drop larger than 0.05 fails {plain}" in readme
