"""Two configurations in folders of one repository, each measured from two checkouts by the action.

Each has its own comment, status and baseline, and nothing of one decides on the other.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from gate.cli.action import act
from gate.cli.signals import Signals
from tests.gate_cli import copy_of_repository, gate
from tests.loopback.action_samples import HEAD, event, runner_environment
from tests.loopback.github_world import ACTIONS, REPOSITORY, Hub, github
from tests.runner_grammar import read_file_commands

BASE, MERGED = "b" * 40, "c" * 40
WORSE = "gemini-3.1-pro-preview"
APPS = {"a": "true", "b": f"wrong@{WORSE}"}
"""Application -> the world that its candidate is measured in."""
TREES = ("--base-path", "base", "--candidate-path", "candidate")


def checkout(root: Path, folder: Path, commit: str) -> None:
    """A repository with two applications, at a commit."""
    for name in APPS:
        app = folder / "apps" / name
        app.mkdir(parents=True)
        copy_of_repository(root, app)
        place = app / "gate.yaml"
        place.write_text(place.read_text("utf-8").replace("name: default", f"name: {name}"))
    lower = folder / "apps" / "b" / "baseline.json"
    lower.write_text(lower.read_text("utf-8").replace("1.0", "0.9"), "utf-8")
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text(commit, "utf-8")


@pytest.fixture(scope="module")
def workspace(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Both checkouts; the pull request edits a baseline, cases and a prompt of `a`."""
    folder = tmp_path_factory.mktemp("workspace")
    checkout(root, folder / "base", BASE)
    checkout(root, folder / "candidate", MERGED)
    worse = folder / "candidate" / "apps" / "b" / "gate.yaml"
    text = worse.read_text("utf-8")
    worse.write_text(text.replace("model: gemini-3.8-flash", f"model: {WORSE}"), "utf-8")
    app = folder / "candidate" / "apps" / "a"
    (app / "baseline.json").write_text("{}", "utf-8")
    cases = (app / "evals" / "cases.yaml").read_text("utf-8")
    (app / "evals" / "cases.yaml").write_text(f"# Moved down.\n\n{cases}", "utf-8")
    return folder


class Measured:
    """What the action left for each application."""

    def __init__(self, workspace: Path, place: Path, hub: Hub) -> None:
        """Run it for each, in one workspace."""
        self.codes, self.verdicts = {}, {}
        self.outputs: dict[str, dict[str, str]] = {}
        for name, world in APPS.items():
            inputs = {
                "config": f"apps/{name}/gate.yaml",
                "base-path": "base",
                "candidate-path": "candidate",
                "out": f"out-{name}",
                "scorers": "quick",
                "offline": world,
            }
            files = place / name
            env = {
                **runner_environment(files, workspace, event(HEAD, REPOSITORY)),
                "GITHUB_API_URL": hub.url,
                "GITHUB_REPOSITORY": REPOSITORY,
                "INPUT_TOKEN": ACTIONS,
                **{f"INPUT_{key.upper()}": value for key, value in inputs.items()},
            }
            self.codes[name] = act(env, Signals(), environment={})
            text = (workspace / f"out-{name}" / "verdict.json").read_text("utf-8")
            self.verdicts[name] = json.loads(text)
            self.outputs[name] = read_file_commands((files / "output").read_text("utf-8"))
        self.bodies = hub.bodies()
        self.statuses = hub.memory.statuses


@pytest.fixture(scope="module")
def measured(workspace: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Measured]:
    """Both applications of a pull request, at one host."""
    with pytest.MonkeyPatch.context() as patch, github(head=HEAD) as hub:
        patch.chdir(workspace)
        patch.setattr(sys, "argv", ["gate"])
        yield Measured(workspace, tmp_path_factory.mktemp("files"), hub)


def compared(verdict: Any) -> list[float]:
    """Means of the baseline that it was compared with, one a row that may fail it."""
    rows = [row for row in verdict["comparisons"] if row["category"] is None]
    return [row["baseline"] for row in rows if row["gating"]]


def test_monorepo__each_has_its_verdict_comment_and_status(measured: Measured) -> None:
    """One of them is red, and the other is not."""
    ends = {name: one["status"] for name, one in measured.verdicts.items()}
    last = {one["context"]: one["state"] for one in measured.statuses}

    assert {"a": 0, "b": 1} == measured.codes
    assert {"a": "pass", "b": "regression"} == ends
    assert {"kappagate / a": "success", "kappagate / b": "failure"} == last
    assert 2 == len(measured.bodies)


def test_monorepo__each_is_compared_with_the_bases_own_baseline(measured: Measured) -> None:
    """The candidate has broken its own, in vain; it is listed by its path from the root."""
    edits = {name: one["edits"] for name, one in measured.verdicts.items()}

    higher, lower = (compared(one) for one in measured.verdicts.values())
    assert [True] * 3 == [ours > theirs for ours, theirs in zip(higher, lower, strict=True)]
    assert {"a": ["baseline `apps/a/baseline.json`: changed"], "b": []} == edits


def test_monorepo__commits_are_those_of_the_checkouts(measured: Measured) -> None:
    """Not of the folder of the configuration, which is none."""
    commits = {"base": BASE, "head": HEAD, "evaluated": MERGED}

    assert [commits] * 2 == [one["commits"] for one in measured.verdicts.values()]


def test_monorepo__without_the_action(measured: Measured, workspace: Path) -> None:
    """The line of a terminal finds the same files, and replays what the action paid for."""
    words = ("--config", "apps/a/gate.yaml", "--scorer", "quick", "--out", "again")
    done = gate(*("run", *TREES, *words, "--replay", "out-a/journal.sqlite"), folder=workspace)

    assert 0 == done.code, done.err
    again = json.loads((workspace / "again" / "verdict.json").read_text("utf-8"))
    same = ("headline", "comparisons", "edits")
    assert {name: measured.verdicts["a"][name] for name in same} == {
        name: again[name] for name in same
    }
