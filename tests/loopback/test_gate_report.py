"""What a run leaves behind is enough to have its reports again, and to stay under a ceiling."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.gate_cli import Done, copy_of_repository, gate


@pytest.fixture(scope="module")
def wrong(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A failing run."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    return gate("run", "--offline=wrong", folder=folder)


def test_report__is_rendered_as_it_was(wrong: Done) -> None:
    """The comment of `gate report` is the comment of the run."""
    done = gate("report", "gate-out", "--format", "markdown", folder=wrong.folder)

    assert 0 == done.code, done.err
    assert (wrong.folder / "gate-out" / "comment.md").read_text("utf-8") == done.out


def test_report__verdict_is_the_same(wrong: Done) -> None:
    """Decided again from inputs/, it says the same."""
    done = gate("report", "gate-out", "--format", "json", folder=wrong.folder)

    assert (wrong.folder / "gate-out" / "verdict.json").read_text("utf-8") == done.out


def test_report__csv_has_both_sides(wrong: Done) -> None:
    """One row a case and dimension, with the baseline's mean."""
    done = gate("report", "gate-out", "--format", "csv", folder=wrong.folder)

    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert 144 == len(rows)
    assert all(row["baseline_mean"] and row["current_mean"] for row in rows)


def test_compare__decides_as_the_run_did(wrong: Done) -> None:
    """Run and compare meet in one place."""
    done = gate("compare", "gate-out", "--out", "again", folder=wrong.folder)

    assert 1 == done.code
    again = (wrong.folder / "again" / "run.json").read_text("utf-8")
    assert (wrong.folder / "gate-out" / "run.json").read_text("utf-8") == again
    assert wrong.verdict["headline"] in done.out + (
        wrong.folder / "again" / "verdict.json"
    ).read_text("utf-8")


def test_ceiling__that_the_run_fits_under_refuses_nothing(root: Path, tmp_path: Path) -> None:
    """Worst-case reserves of many calls at once are far above what the run costs."""
    folder = copy_of_repository(root, tmp_path)

    done = gate("run", "--offline", "--max-cost", "2", folder=folder)

    assert 0 == done.code, done.err
    assert "pass" == done.verdict["status"]


def test_ceiling__that_is_too_low_ends_without_a_verdict(root: Path, tmp_path: Path) -> None:
    """What was not asked is no error of the target, and the next step is the ceiling."""
    folder = copy_of_repository(root, tmp_path)

    done = gate("run", "--offline", "--max-cost", "0.45", folder=folder)

    assert 3 == done.code
    assert "--max-cost" in done.verdict["next_step"]
    assert 0 == done.verdict["operations"][0]["error_rate"]
    assert done.verdict["cost"]["usd"] <= 0.45
