"""This repository's own workflows: the action of the very commit, and of the base, with no key."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.loopback.github_world import REPOSITORY, github
from tests.workflows.acting import HEAD, Repository, change_model, commit, jobs, labelled, merged

Make = Callable[[str], Repository]
"""Makes this repository on a GitHub; the loopback world's variant answers."""
FEW = 'scorers: quick\n          sample: "13"'
"""Inputs by which a run asks little."""


def check_out(root: Path, tree: Path) -> None:
    """Copy what a checkout has, as it lies here."""
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True,
        check=True,
    ).stdout.splitlines()  # fmt: skip
    for name in files:
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, tree / name)


def commit_all(tree: Path, *paths: str) -> None:
    """Make a repository of a folder."""
    commit = ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"]
    for words in (["init", "-q", "-b", "main"], ["add", *paths], commit):
        subprocess.run(["git", *words], cwd=tree, check=True)


@pytest.fixture
def make(root: Path, job_image: str, tmp_path: Path) -> Iterator[Make]:
    """This repository with pull request 7, which carries the label, and a maintainer."""
    worlds = ExitStack()

    def made(variant: str) -> Repository:
        hub = worlds.enter_context(github(head=HEAD))
        hub.memory.permissions["maint"] = "write"
        hub.memory.pulls[REPOSITORY, 7]["labels"] = ["gate"]
        folder = tmp_path / "repository"
        workflows = folder / ".github" / "workflows"
        workflows.mkdir(parents=True)
        text = (root / ".github" / "workflows" / "gate.yml").read_text("utf-8")
        assert 'offline: "true"' in text
        stood_in = text.replace('offline: "true"', f"offline: {variant}\n          {FEW}")
        (workflows / "gate.yml").write_text(stood_in, "utf-8")
        merged(hub, commit(folder))
        for tree in ("base", "candidate"):
            check_out(root, tmp_path / "trees" / tree)
        change_model(tmp_path / "trees" / "candidate", variant)
        # Nothing of the pull request is run: its own action could not be built.
        (tmp_path / "trees" / "candidate" / "Dockerfile").write_text("FROM nothing:here", "utf-8")
        for one in ("artifacts", "caches"):
            (tmp_path / one).mkdir()
        return Repository(folder, tmp_path, job_image, hub)

    with worlds:
        yield made


def test_ci__the_action_of_this_commit(root: Path, job_image: str, tmp_path: Path) -> None:
    """Built from the checkout, run against the loopback world."""
    tree = tmp_path / "repository"
    check_out(root, tree)
    commit_all(tree, "-A")

    done = subprocess.run(
        [
            *(Path(sys.executable).with_name("act"), "push", "-W", ".github/workflows/ci.yml"),
            *("-j", "action", "-P", f"ubuntu-24.04={job_image}", "--rm", "--actor", "maint"),
            *("--pull=false", "--action-offline-mode", "--no-cache-server"),
        ],
        cwd=tree,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )

    assert {"action": True} == jobs(done.stdout), (done.stdout + done.stderr)[-3000:]


def test_gate__the_action_of_the_base(make: Make) -> None:
    """A drop fails the job and is told; whoever may write accepts it, and nothing is run again."""
    repository = make("wrong@gemini-3.5-flash-lite")
    memory = repository.hub.memory
    log = repository.run("gate.yml", labelled("gate"))
    assert {"gate": False} == jobs(log), log[-3000:]
    assert "failure" == memory.statuses[-1]["state"]
    assert [] == memory.pulls[REPOSITORY, 7]["labels"]
    assert (repository.artifacts / "gate-out" / "verdict.json").exists()

    memory.events.append(
        {"id": 900, "repository": REPOSITORY, "issue": 7, "event": "labeled",
         "label": "kappagate: accept", "login": "maint", "type": "User", "created": 900}
    )  # fmt: skip
    memory.pulls[REPOSITORY, 7]["labels"].append("kappagate: accept")
    log = repository.run("gate.yml", labelled("kappagate: accept"))

    assert {"accept": True} == jobs(log), log[-3000:]
    assert memory.statuses[-1]["description"].startswith("Regression accepted by maint:")
    assert 1 == len(repository.hub.bodies())


def test_gate__no_drop(make: Make) -> None:
    """Green, on the head that was labelled."""
    repository = make('"true"')
    log = repository.run("gate.yml", labelled("gate"))

    assert {"gate": True} == jobs(log), log[-3000:]
    row = repository.hub.memory.statuses[-1]
    assert (HEAD, "success", "kappagate / default") == (row["sha"], row["state"], row["context"])


@pytest.mark.parametrize(
    ("label", "sender", "head", "expected"),
    [
        ("bug", "maint", HEAD, {}),
        ("gate", "stranger", HEAD, {"gate": False}),
        ("gate", "maint", "9" * 40, {"gate": False}),
    ],
    ids=["another label", "somebody who may not write", "a push meanwhile"],
)
def test_gate__measures_nothing(
    make: Make, label: str, sender: str, head: str, expected: dict[str, bool]
) -> None:
    """Before anything is checked out."""
    repository = make('"true"')
    log = repository.run("gate.yml", labelled(label, sender, head))

    assert expected == jobs(log), log[-3000:]
    assert ((), []) == (repository.hub.bodies(), repository.hub.memory.statuses)


def test_gate__a_push_takes_the_labels_away(make: Make) -> None:
    """They belong to the commit that they were set on."""
    repository = make('"true"')
    repository.hub.memory.pulls[REPOSITORY, 7]["labels"] = ["gate", "kappagate: accept", "bug"]
    event = {name: value for name, value in labelled("gate").items() if name != "label"}
    log = repository.run("gate.yml", {**event, "action": "synchronize"})

    assert {"strip": True} == jobs(log), log[-3000:]
    assert ["bug"] == repository.hub.memory.pulls[REPOSITORY, 7]["labels"]
