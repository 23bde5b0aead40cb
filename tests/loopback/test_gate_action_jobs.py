"""The three jobs of gate-code.yml, each in a workspace of its own with what it is handed."""

from __future__ import annotations

import json
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from gate.cli.action import act
from gate.cli.signals import Signals
from tests.gate_cli import copy_of_repository
from tests.loopback.action_samples import HEAD, event, runner_environment
from tests.loopback.github_world import ACTIONS, REPOSITORY, Hub, github

BASE, MERGED = "b" * 40, "c" * 40
OFFLINE = {"collect": {"offline": "true", "scorers": "quick"}, "judge": {"offline": "true"}}


def checkout(root: Path, folder: Path, commit: str) -> None:
    """What decides or what is measured, at a commit."""
    folder.mkdir(parents=True)
    copy_of_repository(root, folder)
    (folder / ".git").mkdir()
    (folder / ".git" / "HEAD").write_text(commit, "utf-8")


def inputs_of(root: Path, job: str) -> dict[str, str]:
    """The inputs of the action in a job of the workflow."""
    text = (root / "gate" / "cli" / "workflows" / "gate-code.yml").read_text("utf-8")
    steps: list[dict[str, Any]] = yaml.safe_load(text)["jobs"][job]["steps"]
    (step,) = [one for one in steps if "kappagate@" in one.get("uses", "")]
    return dict(step["with"])


def perform(
    job: str, root: Path, place: Path, handed: dict[str, Path], hub: Hub
) -> tuple[int, Path]:
    """Run a job with what other jobs left for it; return exit code and folder of results."""
    workspace = place / job
    checkout(root, workspace / "base", BASE)
    if "candidate-path" in inputs_of(root, job):
        checkout(root, workspace / "candidate", MERGED)
        settings = workspace / "candidate" / "gate.yaml"
        settings.write_text(settings.read_text("utf-8").replace("deadline_s: 6", "deadline_s: 7"))
    out = workspace / "gate-out"
    for name, path in handed.items():
        out.mkdir(exist_ok=True)
        shutil.copytree(path, out / name) if path.is_dir() else shutil.copy(path, out / name)
    inputs = {**inputs_of(root, job), **OFFLINE.get(job, {})}
    env = {
        **runner_environment(place / f"{job}-files", workspace, event(HEAD, REPOSITORY)),
        "GITHUB_API_URL": hub.url,
        "GITHUB_REPOSITORY": REPOSITORY,
        "INPUT_TOKEN": ACTIONS,
        **{f"INPUT_{name.upper()}": value for name, value in inputs.items()},
    }
    return act(env, Signals(), environment={}), out


def test_three_jobs__one_verdict(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only the last one posts; it tells edits and the commit of what the first one measured."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["gate"])
    with github(head=HEAD) as hub:
        first, collected = perform("collect", root, tmp_path, {}, hub)
        second, judged = perform(
            "judge", root, tmp_path, {"answers.json": collected / "answers.json"}, hub
        )
        assert (0, ()) == (hub.calls("POST", "PATCH"), hub.bodies())
        handed = {path.name: path for path in judged.iterdir()}
        third, reported = perform("report", root, tmp_path, handed, hub)
        statuses = [one["state"] for one in hub.memory.statuses]
        bodies = hub.bodies()

    assert (0, 0, 0) == (first, second, third)
    verdict = json.loads((reported / "verdict.json").read_text("utf-8"))
    assert ("pass", ["success"]) == (verdict["status"], statuses)
    assert {"base": BASE, "head": HEAD, "evaluated": MERGED} == verdict["commits"]
    assert ["`run.retry.deadline_s`: `6` → `7`"] == verdict["edits"]
    assert 1 == len(bodies)
    assert "deadline_s" in bodies[0]


def test_three_jobs__nothing_was_judged(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last one says so on the pull request, as an error."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["gate"])
    with github(head=HEAD) as hub:
        code, _ = perform("report", root, tmp_path, {}, hub)
        statuses = [one["state"] for one in hub.memory.statuses]

    assert (2, ["error"]) == (code, statuses)
