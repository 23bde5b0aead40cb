"""A baseline refresh from end to end: what the pull request says, or why there is none."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.loopback.github_world import github
from tests.loopback.refresh_samples import (
    Proposer,
    make_baseline_of,
    measured,
    page,
    refreshed,
    small_repository,
)

SWINGS = "flaky:1"
"""The world of the old baseline: noise from call to call."""


@pytest.fixture(scope="module")
def workspace(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose baseline is three repeats of a noisy world."""
    place = small_repository(root, tmp_path_factory.mktemp("refresh"))
    measured(place, SWINGS, "old")
    make_baseline_of(place, "old")
    return place


@pytest.fixture
def place(workspace: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(workspace, tmp_path / "w"))


def test_refresh__a_lucky_run(place: Path) -> None:
    """Too few repeats are no baseline; of those that were asked for all count, and are shown."""
    measured(place, "steady", "better")
    alone = refreshed(place, "better", "--repeats", "5")
    together = refreshed(place, "better")
    said = page(place)

    assert 3 == alone.code
    assert "3 repeats of each case and 5 are asked for" in alone.err
    assert 0 == together.code, together.err
    assert "**Better than the old baseline by more than noise:**" in said
    assert "A rise that no change explains may be luck" in said
    assert "Repeats: 3 of each case, of one run" in said
    assert "none was discarded" in said
    assert "the old baseline becomes it" in said
    assert "Started by `octocat` in [this run](https://github.com/o/r/" in said
    assert {"baseline.json", "anchor.json", "refresh.json", "pull-request.md"} == {
        one.name for one in (place / "refresh").iterdir()
    }


def test_refresh__a_regressed_branch(place: Path) -> None:
    """Refused without a reason; with one it is said first, kept, and shown from then on."""
    measured(place, "wrong", "worse")
    silent = refreshed(place, "worse")
    reasoned = refreshed(place, "worse", "--reason", "fixes #1, @octo: <b>wanted</b>")
    said = page(place)
    baseline = json.loads((place / "refresh" / "baseline.json").read_text("utf-8"))

    assert 2 == silent.code
    assert "below the anchor" in silent.err
    assert "--reason" in silent.err
    assert 0 == reasoned.code, reasoned.err
    assert said.startswith("# Baseline refresh: below the anchor, 24 cases, 3 repeats\n")
    assert "**With a recorded reason:** correctness is 0." in said
    assert "❌ worse by more than noise" in said
    assert 2 == said.count("`fixes #1, @octo: <b>wanted</b>`")
    assert ["fixes #1, @octo: <b>wanted</b>"] == [one["text"] for one in baseline["reasons"]]

    for name, path in (("baseline.json", "baseline.json"), ("anchor.json", "evals/anchor.json")):
        shutil.copy(place / "refresh" / name, place / path)
    again = refreshed(place, "worse")

    assert 0 == again.code, again.err
    assert "### Recorded reasons" in page(place)
    assert "**With a recorded reason:**" not in page(place)


def test_refresh__a_changed_judge(
    place: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing is compared, the calibration is renewed, and kappa is said before and now."""
    monkeypatch.chdir(place)
    config = (place / "gate.yaml").read_text("utf-8")
    (place / "gate.yaml").write_text(config.replace("effort: medium", "effort: high"), "utf-8")
    measured(place, "steady", "new")
    measured(place, "wrong", "rated", repeats=1)
    silent = refreshed(place, "new", "--rated", "rated/run.json")
    words = ("--rated", "rated/run.json", "--reason", "effort high")
    done = refreshed(place, "new", *words)
    said = page(place)
    calibration = json.loads((place / "refresh" / "calibration.json").read_text("utf-8"))
    old = json.loads((place / "evals" / "calibration.json").read_text("utf-8"))
    kept = [one for one in old["sets"] if one["dimension"] not in ("correctness", "relevance")]

    assert 2 == silent.code
    assert (
        "not to be held against the anchor (another scorer or setting of the judge)" in silent.err
    )
    assert 0 == done.code, done.err
    assert "🚫 not comparable: another scorer or setting of the judge" in said
    assert "Anchor: **another one begins with this baseline**" in said
    assert "- correctness: κ 0.77 (≥ 0.61), n 85 → " in said
    assert "the other rated answers were not judged again" in said
    assert [one["dimension"] for one in old["sets"]] == [
        one["dimension"] for one in calibration["sets"]
    ]
    assert all(one in calibration["sets"] for one in kept if one["dimension"] != "source_quality")
    with github() as hub:
        job = Proposer(hub, place, tmp_path / "runner")
        assert 0 == job.propose()
        (pull,) = job.pulls
        files = hub.memory.git.files(pull["head_sha"])
    renewed = (place / "refresh" / "calibration.json").read_text("utf-8")
    assert renewed == files["evals/calibration.json"]


def test_refresh__errors(place: Path) -> None:
    """No pull request at all: a broken machine is no score."""
    measured(place, "steady+judge-refuses", "broken")
    done = refreshed(place, "broken")

    assert 3 == done.code
    assert "no baseline is made of runs with errors" in done.err
    assert "scores lost to the judge" in done.err
    assert not (place / "refresh").exists()
