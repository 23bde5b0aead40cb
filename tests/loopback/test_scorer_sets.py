"""`gate run --scorer`: a set decides on its own dimensions, a scorer by its name narrows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

SET = "Not measured here: faithfulness, claims, citation_precision,"
QUALITY = ["correctness", "relevance", "source_quality"]
WORDS = ("run", "--offline", "--sample", "16")

CONFIG = """\
dataset: {path: evals/cases.yaml}
targets:
  gemini-3.8-flash: {use: gemini, model: gemini-3.8-flash, thinking_level: low}
judge: {use: claude, model: claude-opus-5-5, effort: medium}
scorers: [quality, faithfulness, citations]
scorer_sets:
  quick: [quality]
  full: [quality, faithfulness, citations]
policy:
  max_baseline_age_days: 36500
  warn_baseline_age_days: 36500
  rules: {faithfulness: {margin: 0.2}}
"""
"""Two sets, and a rule for a dimension that one of them leaves out."""


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository with two sets, and a baseline of all dimensions."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    (folder / "gate.yaml").write_text(CONFIG, "utf-8")
    made = gate(*WORDS, "--scorer", "full", "--report-only", "--out", "base", folder=folder)
    assert 0 == made.code, made.err
    done = gate("baseline", "base/run.json", "--write", "baseline.json", folder=folder)
    assert 0 == done.code, done.err
    return folder


@pytest.fixture(scope="module")
def quick(folder: Path) -> Done:
    """The run of the cheap set."""
    return gate(*WORDS, "--scorer", "quick", folder=folder)


def dimensions(done: Done) -> list[str]:
    """Dimensions of the verdict's rows."""
    return sorted(row["dimension"] for row in done.verdict["comparisons"])


def test_set__passes_and_shows_its_own_rows(quick: Done) -> None:
    """Exit 0: the baseline's other dimensions are neither missing nor unmeasured."""
    assert (0, "pass") == (quick.code, quick.verdict["status"]), quick.err
    assert QUALITY == dimensions(quick)
    assert all(row["gating"] for row in quick.verdict["comparisons"])
    assert ["quick"] == quick.json("run.json")["plan"]["scorer_sets"]
    assert not quick.json("run.json")["plan"]["narrowed"]


def test_set__names_what_it_did_not_measure(quick: Done) -> None:
    """In the terminal, in the comment and in verdict.json; it is no warning."""
    comment = (quick.folder / "gate-out" / "comment.md").read_text("utf-8")

    assert SET in quick.out
    assert "(scorer set quick)" in quick.out
    assert "**Not measured here:** faithfulness" in comment
    assert "citation_f1" in quick.verdict["coverage"]["not_measured"]
    assert not [one for one in quick.verdict["warnings"] if "did not measure" in one]


def test_set__compare_and_report_say_the_same(quick: Done) -> None:
    """What they need stands in run.json."""
    compared = gate("compare", "gate-out/run.json", "--out", "compared", folder=quick.folder)
    again = quick.folder / "compared" / "verdict.json"
    reported = gate("report", "gate-out", folder=quick.folder)

    assert 0 == compared.code, compared.err
    assert SET in compared.out
    assert quick.verdict["comparisons"] == quick.json("../compared/verdict.json")["comparisons"]
    assert '"status": "pass"' in again.read_text("utf-8")
    assert "**Not measured here:** faithfulness" in reported.out


def test_set__replay_gives_the_same_bytes(quick: Done) -> None:
    """A set is part of the plan, so a replay has it too."""
    words = ("run", "--sample", "16", "--scorer", "quick", "--replay", "gate-out/journal.sqlite")
    again = gate(*words, "--out", "again", folder=quick.folder)

    assert 0 == again.code, again.err
    for name in ("run.json", "verdict.json", "comment.md"):
        first, second = (quick.folder / place / name for place in ("gate-out", "again"))
        assert first.read_bytes() == second.read_bytes()


def test_set__still_fails_a_run(folder: Path) -> None:
    """Facts are wrong: the cheap set sees it."""
    words = ("run", "--offline=wrong", "--sample", "16", "--scorer", "quick", "--out", "wrong")

    assert 1 == gate(*words, folder=folder).code


def test_scorer__by_its_own_name_narrows(folder: Path) -> None:
    """The same scorers as the set, and numbers without a verdict."""
    done = gate(*WORDS, "--scorer", "quality", "--out", "hand", folder=folder)

    assert 0 == done.code, done.err
    assert "Narrowed by hand" in done.out
    assert "Not measured here" not in done.out


def test_all__leaves_nothing_out(folder: Path) -> None:
    """The set of all scorers has a row for every dimension of the baseline, and no such line."""
    done = gate("compare", "base/run.json", folder=folder)

    assert 0 == done.code, done.err
    assert "faithfulness" in done.out
    assert "Not measured here" not in done.out


def test_default__of_the_configuration(folder: Path, tmp_path: Path) -> None:
    """`run.scorers` names the set that counts without `--scorer`; its baseline lacks the rest."""
    own = tmp_path / "own"
    shutil.copytree(folder, own)
    path = own / "gate.yaml"
    path.write_text(path.read_text("utf-8") + "run:\n  scorers: quick\n", "utf-8")
    done = gate(*WORDS, folder=own)
    gate("baseline", "gate-out/run.json", "--write", "baseline.json", folder=own)
    metrics: list[Any] = json.loads((own / "baseline.json").read_text("utf-8"))["metrics"]
    full = gate(*WORDS, "--scorer", "full", folder=own)

    assert (0, QUALITY) == (done.code, sorted(one["name"] for one in metrics))
    assert (0, "pass") == (full.code, full.verdict["status"]), full.err
    row = full.row("faithfulness")
    assert (None, False) == (row["baseline"], row["gating"])
    assert row["current"] is not None
