"""The second look: what would fail a run is asked again, of candidate and base, before it does."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

MODEL = "gemini-3.5-flash-lite"
TREES = ("--base-path", "base", "--candidate-path", "candidate", "--scorer", "quick")


def _trees(root: Path, folder: Path) -> Path:
    """A base, and a candidate that asks another model under the same target's name."""
    for name in ("base", "candidate"):
        (folder / name).mkdir()
        copy_of_repository(root, folder / name)
    file = folder / "candidate" / "gate.yaml"
    text = file.read_text("utf-8")
    file.write_text(text.replace("model: gemini-3.8-flash", f"model: {MODEL}"), "utf-8")
    return folder


def _row(done: Done, name: str = "gate-out") -> Any:
    verdict = json.loads((done.folder / name / "verdict.json").read_text("utf-8"))
    return next(row for row in verdict["comparisons"] if row["dimension"] == "correctness")


@pytest.fixture(scope="module")
def wrong(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The candidate's model answers wrongly, and the base's does not."""
    folder = _trees(root, tmp_path_factory.mktemp("wrong"))
    return gate("run", *TREES, f"--offline=wrong@{MODEL}", folder=folder)


def test_really_wrong__is_confirmed(wrong: Done) -> None:
    """Exit 1; comment and terminal say so with the fresh numbers."""
    assert 1 == wrong.code, wrong.err
    confirm = _row(wrong)["confirm"]
    assert "confirmed" == confirm["outcome"]
    assert confirm["candidate"] < confirm["base"] - 0.3
    said = f"confirmed: asked again, candidate {confirm['candidate']:.2f} and base"
    assert said in wrong.out
    assert said in (wrong.folder / "gate-out" / "comment.md").read_text("utf-8")
    assert "Confirmed: asked again, candidate" in wrong.verdict["headline"]
    assert "correctness would regress" in wrong.err


def test_really_wrong__both_arms_stand_in_the_run(wrong: Done) -> None:
    """Cell by cell, and their calls in the journal under attempts of their own."""
    run = wrong.json("run.json")
    confirm = run["confirm"]

    assert [["gemini-3.8-flash", "correctness"]] == confirm["suspects"]
    assert len(confirm["case_ids"]) == len(confirm["candidate"]) == len(confirm["base"])
    assert confirm["fallen"] < len(confirm["case_ids"])
    lines = (wrong.folder / "gate-out" / "results.jsonl").read_text("utf-8").splitlines()
    attempts = [json.loads(line)["attempt"] for line in lines]
    assert [48, len(confirm["case_ids"])] == [attempts.count(0), attempts.count(1)]
    assert attempts.count(1) == attempts.count(2)


def test_really_wrong__replay_and_compare_decide_the_same(wrong: Done) -> None:
    """The replay asks again from the journal; a comparison reads both arms from the run."""
    again = gate(
        *("run", *TREES, "--replay", "gate-out/journal.sqlite", "--out", "again"),
        folder=wrong.folder,
    )
    compared = gate(
        *("compare", "gate-out/run.json", "--config", "base/gate.yaml", "--out", "decided"),
        folder=wrong.folder,
    )

    assert (1, 1) == (again.code, compared.code), again.err + compared.err
    run = (wrong.folder / "gate-out" / "run.json").read_bytes()
    assert run == (wrong.folder / "again" / "run.json").read_bytes()
    assert _row(wrong) == _row(wrong, "again") == _row(wrong, "decided")


def test_replay_without_the_base__stands_as_it_was(wrong: Done) -> None:
    """Of the candidate's tree alone nothing can be asked of the base, and the row says so."""
    trees = ("--base-path", "candidate", "--scorer", "quick")
    done = gate(
        *("run", *trees, "--replay", "gate-out/journal.sqlite", "--out", "alone"),
        folder=wrong.folder,
    )

    assert 1 == done.code, done.err
    confirm = _row(wrong, "alone")["confirm"]
    assert "not asked" == confirm["outcome"]
    assert "name both trees with --base-path and --candidate-path" in confirm["because"]


def test_unlucky_first_look__is_not_confirmed(root: Path, tmp_path: Path) -> None:
    """Wrong when first asked and well from then on: exit 0, with words."""
    done = gate("run", *TREES, "--offline=wrong@first", folder=_trees(root, tmp_path))

    assert 0 == done.code, done.err
    assert ("inconclusive", "not confirmed") == (
        _row(done)["outcome"],
        _row(done)["confirm"]["outcome"],
    )
    assert "not confirmed: the candidate did not fall again" in done.verdict["headline"]


def test_drift__hits_both_arms_and_is_not_confirmed(root: Path, tmp_path: Path) -> None:
    """A world in which every model answers wrongly since the baseline is not the candidate's."""
    done = gate("run", *TREES, "--offline=wrong", folder=_trees(root, tmp_path))

    assert 0 == done.code, done.err
    said = "not confirmed: base fell as well (drift of web, search or judge)"
    assert said in done.verdict["headline"]
    assert said in (done.folder / "gate-out" / "comment.md").read_text("utf-8")
    assert "a new baseline" in done.verdict["next_step"]


def test_too_little_money__is_said_and_the_first_look_stands(root: Path, tmp_path: Path) -> None:
    """And the same command with more money goes on with the second look."""
    words = ("run", *TREES, f"--offline=wrong@{MODEL}")
    folder = _trees(root, tmp_path)
    done = gate(*words, "--max-cost", "1.5", folder=folder)

    assert 1 == done.code, done.err
    assert "not asked" == _row(done)["confirm"]["outcome"]
    assert "Not confirmed, and stands as it was: " in done.verdict["headline"]
    assert "raise --max-cost" in done.verdict["headline"]

    more = gate(*words, "--max-cost", "9", folder=folder)

    assert "going on with the run" in more.err
    assert "confirmed" == _row(more)["confirm"]["outcome"]
    assert done.json("run.json")["id"] == more.json("run.json")["id"]


def test_switched_off__one_look_decides(root: Path, tmp_path: Path) -> None:
    """`policy: {confirm: false}` in the base."""
    folder = _trees(root, tmp_path)
    file = folder / "base" / "gate.yaml"
    text = file.read_text("utf-8").replace("policy:\n", "policy:\n  confirm: false\n")
    file.write_text(text, "utf-8")

    done = gate("run", *TREES, "--offline=wrong", folder=folder)

    assert 1 == done.code, done.err
    assert _row(done)["confirm"] is None
    assert done.json("run.json")["confirm"] is None
