"""Runs, refreshes and proposals in a small copy of the repository's own gate."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from gate.cli.baseline_command import command as baseline_command
from gate.cli.propose_command import propose_folder
from gate.cli.refresh_command import command as refresh_command
from gate.errors import GateError
from gate.publish.baseline_pr import Repository
from gate.types import Occasion
from gate.wire.github_changes import GitHubChanges
from tests.gate_cli import copy_of_repository, gate
from tests.loopback.action_samples import runner_environment
from tests.loopback.github_world import ACTIONS, REPOSITORY, Hub

CASES = 24
"""Cases that are kept: enough to fail and to pass."""


def small_repository(root: Path, folder: Path) -> Path:
    """A copy with the first cases and the scorer set `quick` alone, and no baseline."""
    place = copy_of_repository(root, folder)
    (place / "baseline.json").unlink()
    config = (place / "gate.yaml").read_text("utf-8")
    (place / "gate.yaml").write_text(
        config.replace("  - faithfulness\n  - citations\n", ""), "utf-8"
    )
    head, *cases = (place / "evals" / "cases.yaml").read_text("utf-8").split("\n- id:")
    kept = "\n- id:".join([head, *cases[:CASES]])
    (place / "evals" / "cases.yaml").write_text(f"{kept}\n", "utf-8")
    return place


def measured(folder: Path, world: str, out: str, *words: str, repeats: int = 3) -> Path:
    """Run the gate in a world and return its folder."""
    said = ("--report-only", "--repeats", str(repeats), "--out", out, *words)
    done = gate("run", f"--offline={world}", *said, folder=folder)
    assert done.code in (0, 3), done.err
    return folder / out


@dataclass(frozen=True)
class Answered:
    """How a command ended that ran in this process."""

    code: int
    """Exit code."""
    err: str = ""
    """What it raised."""


def refreshed(folder: Path, run: str, *words: str, out: str = "refresh") -> Answered:
    """Make a refresh of a run, as a workflow's own job would."""
    env = {
        "GITHUB_ACTIONS": "true",
        "GITHUB_EVENT_NAME": "workflow_dispatch",
        "GITHUB_EVENT_PATH": "",
        "GITHUB_REPOSITORY": REPOSITORY,
        "GITHUB_RUN_ID": "17",
        "GITHUB_ACTOR": "octocat",
    }
    said = ["--offline", "--repeats", "3", "--out", out, *words]
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in env.items():
            patch.setenv(name, value)
        try:
            made = refresh_command.main([f"{run}/run.json", *said], standalone_mode=False)
        except GateError as error:
            return Answered(error.exit_code, str(error))
    return Answered(made)


def make_baseline_of(folder: Path, run: str) -> None:
    """Make the repository's baseline of a run."""
    path = str(folder / "baseline.json")
    baseline_command.main([str(folder / run), "--write", path], standalone_mode=False)


def renamed(folder: Path, run: str, out: str, run_id: str) -> None:
    """Copy a run under another id, as if it had been made again."""
    (folder / out).mkdir()
    told = json.loads((folder / run / "run.json").read_text("utf-8"))
    (folder / out / "run.json").write_text(json.dumps(told | {"id": run_id}), "utf-8")


def page(folder: Path, out: str = "refresh") -> str:
    """The pull request's text."""
    return (folder / out / "pull-request.md").read_text("utf-8")


@dataclass
class Proposer:
    """The job that proposes, in front of a stand-in for GitHub."""

    hub: Hub
    """GitHub."""
    workspace: Path
    """Its checkout."""
    place: Path
    """Folder of the runner's own files."""
    parent: str = field(init=False)
    """The commit that was measured."""

    def __post_init__(self) -> None:
        """Give the repository the commit that was measured."""
        files = ("gate.yaml", "baseline.json")
        there = {one: (self.workspace / one).read_text("utf-8") for one in files}
        self.parent = self.hub.memory.git.begin(REPOSITORY, there)

    def environment(self, **more: str) -> dict[str, str]:
        """What the runner says."""
        told: dict[str, object] = {"inputs": {"reason": "", "repeats": "3"}}
        return {
            **runner_environment(self.place, self.workspace, told),
            "GITHUB_EVENT_NAME": "workflow_dispatch",
            "GITHUB_API_URL": self.hub.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_SHA": self.parent,
            "GITHUB_TOKEN": ACTIONS,
            **more,
        }

    def propose(self, out: str = "refresh", *, config: str = "gate.yaml", **more: str) -> int:
        """Propose a folder and return the exit code."""

        def opened(occasion: Occasion, token: str) -> Repository:
            assert (REPOSITORY, ACTIONS) == (occasion.repository, token)
            host = self.hub.host()
            return Repository(host, GitHubChanges(host))

        return propose_folder(
            self.workspace / out,
            self.environment(**more),
            config_path=self.workspace / config,
            repeats=3,
            opened=opened,
        )

    @property
    def pulls(self) -> list[dict[str, Any]]:
        """Pull requests of the repository but the one that is always there."""
        return [row for (_, number), row in self.hub.memory.pulls.items() if number > 7]
