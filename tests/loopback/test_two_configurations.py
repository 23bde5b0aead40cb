"""Two configurations in one repository: each has its comment, its status and its baseline."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gate.cli import hosting
from gate.cli.action import act
from gate.cli.proposal_folder import about, branch_of
from gate.cli.signals import Signals
from gate.errors import FileError
from gate.wire.github import GitHubAccess
from tests.gate_cli import copy_of_repository
from tests.loopback.action_samples import HEAD, event, runner_environment
from tests.loopback.github_world import ACTIONS, REPOSITORY, Hub, github
from tests.loopback.refresh_samples import (
    Proposer,
    make_baseline_of,
    measured,
    refreshed,
    renamed,
    small_repository,
)

OTHER = "search/gate.yaml"
"""The second configuration."""


def add_other(folder: Path) -> None:
    """A package with a configuration of its own, on the same cases, labels and calibration."""
    (folder / "search").mkdir()
    text = (folder / "gate.yaml").read_text("utf-8")
    for right, wrong in (
        ("name: default", "name: search"),
        ("path: evals/", "path: ../evals/"),
        ("calibration: evals/", "calibration: ../evals/"),
        ("- evals/labels/", "- ../evals/labels/"),
    ):
        assert right in text
        text = text.replace(right, wrong)
    (folder / OTHER).write_text(text, "utf-8")


def step(
    hub: Hub, place: Path, workspace: Path, number: int, **inputs: str
) -> tuple[int, dict[str, Any]]:
    """A run of the workflow, and its verdict."""
    env = {
        **runner_environment(place, workspace, event(repository=REPOSITORY)),
        "GITHUB_API_URL": hub.url,
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_RUN_ID": str(number),
        "INPUT_TOKEN": ACTIONS,
        "INPUT_SCORERS": "quick",
        "INPUT_SAMPLE": "13",
        **{f"INPUT_{name.upper()}": one for name, one in inputs.items()},
    }
    code = act(env, Signals(), environment={})
    return code, json.loads((workspace / inputs["out"] / "verdict.json").read_text("utf-8"))


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """A GitHub with pull request 7; calls follow each other at once."""
    quick = partial(GitHubAccess, request_pause_s=0.0, write_pause_s=0.0)
    monkeypatch.setattr(hosting, "GitHubAccess", quick)
    monkeypatch.setattr(sys, "argv", ["gate"])
    with github(head=HEAD) as found:
        yield found


def test_two__comments_statuses_and_baselines(
    root: Path, tmp_path: Path, hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is worse for one is as ever for the other; no run touches what the other one wrote."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    copy_of_repository(root, workspace)
    add_other(workspace)
    monkeypatch.chdir(workspace)
    place = tmp_path / "runner"
    code, first = step(hub, place, workspace, 17, offline="wrong", out="one")
    make_baseline_of(workspace / "search", "../one")
    before, (body,) = dict(hub.memory.issue_comments), hub.bodies()
    other, second = step(hub, place, workspace, 18, offline="wrong", out="two", config=OTHER)

    assert (1, "regression", 0, "pass") == (code, first["status"], other, second["status"])
    assert body == hub.bodies()[0]
    assert [*before] == [*hub.memory.issue_comments][:1]
    assert 2 == len(hub.bodies())
    assert "<sub>configuration `search` · " in hub.bodies()[1]
    newest = {row["context"]: row["state"] for row in hub.memory.statuses}
    assert {"kappagate / default": "failure", "kappagate / search": "success"} == newest

    changed = hub.bodies()[1]
    step(hub, place, workspace, 19, offline="true", out="three")
    assert 2 == len(hub.bodies())
    assert body != hub.bodies()[0]
    assert changed == hub.bodies()[1]


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout with both, each with a baseline and a refresh; that of `search` is newer."""
    place = small_repository(root, tmp_path_factory.mktemp("two"))
    measured(place, "steady", "old")
    make_baseline_of(place, "old")
    add_other(place)
    make_baseline_of(place / "search", "../old")
    for day, words in ((1, ()), (2, ("--config", OTHER)), (3, ())):
        run = f"run-{day}"
        renamed(place, "old", run, f"2999120{day}T000000Z-aaaaaa")
        done = refreshed(place, run, *words, out=f"refresh-{day}")
        assert 0 == done.code, done.err
    return place


@pytest.fixture
def job(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proposer]:
    """The job that proposes, in the checkout."""
    monkeypatch.chdir(made)
    with github() as found:
        yield Proposer(found, made, tmp_path / "runner")


def test_two__refreshes_are_open_side_by_side(job: Proposer) -> None:
    """One never closes the other's, nor waits for it, nor counts it as its own try."""
    assert 0 == job.propose("refresh-2", config=OTHER)
    assert 0 == job.propose("refresh-1")
    assert 0 == job.propose("refresh-3")

    assert [
        ("open", "baseline/search/29991202T000000Z-aaaaaa"),
        ("closed", "baseline/29991201T000000Z-aaaaaa"),
        ("open", "baseline/29991203T000000Z-aaaaaa"),
    ] == [(pull["state"], pull["head_ref"]) for pull in job.pulls]
    first, _, third = job.pulls
    assert "Baseline refresh of search: 24 cases, 3 repeats" == first["title"]
    assert "Baseline refresh: 24 cases, 3 repeats" == third["title"]
    assert "**1 earlier refresh was measured since" in third["body"]
    git = job.hub.memory.git
    files = git.files(git.branches[REPOSITORY, first["head_ref"]])
    assert {"search/baseline.json", "search/evals/anchor.json"} == {
        path for path in files if path not in ("gate.yaml", "baseline.json")
    }


def test_two__a_refresh_of_the_other(job: Proposer) -> None:
    """It is not proposed under this configuration's name."""
    with pytest.raises(FileError, match="another branch"):
        job.propose("refresh-1", config=OTHER)
    assert [] == job.hub.memory.asked


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("default", ""),
        ("search", "search"),
        ("search agent", "search-agent-"),
        ("search/agent", "search-agent-"),
        ("@acme/team", "acme-team-"),
        ("søk", "s-k-"),
        ("搜索", ""),
        ("x" * 60, "x" * 40 + "-"),
    ],
)
def test_about__no_foreign_sign(name: str, short: str) -> None:
    """A branch that git takes and a title that mentions nobody; different names stay different."""
    said = about(name)

    assert said.startswith(short)
    assert said.replace("-", "").replace("_", "").isascii()
    assert "/" not in said
    assert "@" not in said
    assert (said == short) is (name in ("default", "search"))
    assert branch_of(name, "R1").endswith("/R1")


def test_about__names_that_look_alike() -> None:
    """They have branches of their own."""
    names = ("a b", "a/b", "a.b", "a-b", "搜", "索")

    assert len(names) == len({about(name) for name in names})
