"""A whole gate with `judge: {use: gemini}`: labels, baseline, a verdict, and its replay."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gate.loopback.gemini_judge import google_judge_name
from tests.gate_cli import Done, copy_of_repository, gate

RUN = ("run", "--scorer", "quick", "--sample", "16")
LABELS = ("--labels", "evals/labels/loopback.yaml", "--write", "evals/calibration.json")


def judged_by_gemini(config: Path) -> None:
    """Put Gemini in the place of the judge."""
    text = config.read_text("utf-8")
    for old, new in (
        ("use: claude", "use: gemini"),
        ("claude-opus-5-5", "gemini-4-argon"),
        ("  effort: medium\n", ""),
    ):
        assert old in text
        text = text.replace(old, new)
    config.write_text(text, "utf-8")


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose labels and baseline are of the Gemini judge."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    (folder / "evals" / "sensitivity.json").unlink()
    judged_by_gemini(folder / "gate.yaml")
    judged_by_gemini(folder / "evals" / "stored.gate.yaml")
    for words in (
        ("run", "--config", "evals/stored.gate.yaml", "--offline", "--report-only", "--out", "s"),
        ("kappa", "s/run.json", *LABELS, "--replace"),
        (*RUN, "--offline", "--report-only", "--out", "base"),
        ("baseline", "base/run.json", "--write", "baseline.json"),
    ):
        done = gate(*words, folder=folder)
        assert 0 == done.code, done.err
    return folder


@pytest.fixture(scope="module")
def wrong(folder: Path) -> Done:
    """A run whose answers are wrong."""
    return gate(*RUN, "--offline=wrong", folder=folder)


def test_run__fails_on_what_the_judge_saw(wrong: Done) -> None:
    """Labels of this judge license it, and only what became worse fails."""
    assert (1, "regression") == (wrong.code, wrong.verdict["status"]), wrong.err
    assert "regression" == wrong.row("correctness")["outcome"]
    assert "validated" == wrong.row("correctness")["trust"]["state"]
    assert "pass" == wrong.row("source_quality")["outcome"]


def test_run__names_the_judge_and_its_form(wrong: Done) -> None:
    """Google alone was asked: answers and rulings, each counted and priced."""
    run = wrong.json("run.json")

    judges = {one["judge"] for one in run["identities"].values()}
    assert {f"{google_judge_name()} [json_schema]"} == judges
    assert "loopback" == run["judge_family"]
    assert (32, 0) == (run["cost"]["calls"], run["cost"]["cached_calls"])
    assert run["cost"]["usd"] > 0


def test_replay__gives_the_same_verdict(wrong: Done, folder: Path) -> None:
    """From the journal alone, rulings of the judge among it."""
    words = (*RUN, "--replay", "gate-out/journal.sqlite", "--out", "again")
    again = gate(*words, folder=folder)

    assert 1 == again.code, again.err
    told = json.loads((folder / "again" / "verdict.json").read_text("utf-8"))
    assert wrong.verdict["comparisons"] == told["comparisons"]


def test_doctor__speaks_of_one_vendor(folder: Path) -> None:
    """No key of Claude is asked for, and a judge of the target's own family is pointed out."""
    done = gate("doctor", "--json", folder=folder)

    found = {one["topic"]: one for one in json.loads(done.out)}
    assert ["key: Gemini"] == [topic for topic in found if topic.startswith("key: ")]
    assert ("ok", "gemini-4-argon (latest)") == (
        found["model: judge"]["state"],
        found["model: judge"]["says"],
    )
    assert "of the family of gemini-3.8-flash" in found["families"]["says"]
