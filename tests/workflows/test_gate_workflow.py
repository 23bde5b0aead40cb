"""The labelled gate as a runner would run it: who may start it, on what, and what is told."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.loopback.github_world import REPOSITORY, github
from tests.workflows.acting import HEAD, Repository, jobs, labelled, make_repository

Make = Callable[[str], Repository]
"""Makes a repository in which a variant of the loopback world answers."""


@pytest.fixture
def make(image: str, job_image: str, root: Path, tmp_path: Path) -> Iterator[Make]:
    """A repository with pull request 7, which carries the label, and a maintainer."""
    worlds = ExitStack()

    def made(variant: str) -> Repository:
        hub = worlds.enter_context(github(head=HEAD))
        hub.memory.permissions["maint"] = "write"
        hub.memory.pulls[REPOSITORY, 7]["labels"] = ["gate"]
        return make_repository(
            root, tmp_path, action_image=image, job_image=job_image, hub=hub, variant=variant
        )

    with worlds:
        yield made


def status(repository: Repository) -> tuple[str, str]:
    """State and first word of the newest commit status."""
    row = repository.hub.memory.statuses[-1]
    return row["state"], row["description"].partition(":")[0]


def test_gate__a_labelled_pull_request(make: Make) -> None:
    """The label is used up, comment and status say what came of it, the folder is kept."""
    repository = make("true")
    log = repository.run("gate.yml", labelled("gate"))

    assert {"gate": True} == jobs(log), log[-3000:]
    assert ("success", "Pass") == status(repository)
    assert [] == repository.hub.memory.pulls[REPOSITORY, 7]["labels"]
    (comment,) = repository.hub.bodies()
    assert "Pass: no drop" in comment
    assert (repository.folder.parent / "artifacts" / "gate-out" / "verdict.json").exists()


def test_gate__a_drop_is_accepted_for_nothing(make: Make) -> None:
    """A regression fails the job; whoever may write accepts it, and nothing is asked again."""
    repository = make("wrong")
    log = repository.run("gate.yml", labelled("gate"))
    assert {"gate": False} == jobs(log), log[-3000:]
    assert ("failure", "Regression") == status(repository)

    memory = repository.hub.memory
    memory.events.append(
        {"id": 900, "repository": REPOSITORY, "issue": 7, "event": "labeled",
         "label": "kappagate: accept", "login": "maint", "type": "User", "created": 900}
    )  # fmt: skip
    memory.pulls[REPOSITORY, 7]["labels"].append("kappagate: accept")
    log = repository.run("gate.yml", labelled("kappagate: accept"))

    assert {"accept": True} == jobs(log), log[-3000:]
    assert ("success", "Regression accepted by maint") == status(repository)
    assert 1 == len(repository.hub.bodies())


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
    """Before a key is used."""
    repository = make("true")
    log = repository.run("gate.yml", labelled(label, sender, head))

    assert expected == jobs(log), log[-3000:]
    assert ((), []) == (repository.hub.bodies(), repository.hub.memory.statuses)


def test_gate__a_push_takes_the_labels_away(make: Make) -> None:
    """They belong to the commit that they were set on."""
    repository = make("true")
    repository.hub.memory.pulls[REPOSITORY, 7]["labels"] = ["gate", "kappagate: accept", "bug"]
    event = {name: value for name, value in labelled("gate").items() if name != "label"}
    log = repository.run("gate.yml", {**event, "action": "synchronize"})

    assert {"strip": True} == jobs(log), log[-3000:]
    assert ["bug"] == repository.hub.memory.pulls[REPOSITORY, 7]["labels"]


@pytest.mark.parametrize(
    ("sha", "good"), [(HEAD, True), ("9" * 40, False)], ids=["its head", "a push meanwhile"]
)
def test_gate_fork__a_commit_that_was_looked_at(make: Make, sha: str, *, good: bool) -> None:
    """A maintainer names it; comment and status stand on it, and nothing where it moved on."""
    repository = make("true")
    event = {"inputs": {"pr": "7", "sha": sha}, "repository": {"full_name": REPOSITORY}}
    log = repository.run("gate-fork.yml", event, "workflow_dispatch")

    assert {"gate-fork": good} == jobs(log), log[-3000:]
    told = [(row["sha"], row["state"]) for row in repository.hub.memory.statuses]
    assert told == ([(HEAD, "success")] if good else [])
    assert good is bool(repository.hub.bodies())
