"""The labelled gate as a runner would run it: who may start it, on what, and what is told."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.loopback.github_world import REPOSITORY, github
from tests.workflows.acting import BASE, HEAD, Repository, jobs, labelled, make_repository

WORSE = "wrong@gemini-3.5-flash-lite"
"""A pull request that changes to a model which answers wrongly."""

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


def remembered(repository: Repository, sha: str, state: str) -> None:
    """Let the stand-in know of an earlier commit status."""
    memory = repository.hub.memory
    row = {"id": memory.tick(), "created": memory.tick(), "login": "maint", "type": "User"}
    told = {"sha": sha, "state": state, "context": "kappagate / default"}
    memory.statuses.append({**row, **told, "description": None, "target_url": None})


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
    assert (repository.artifacts / "gate-out" / "verdict.json").exists()


def test_gate__a_drop_is_accepted_for_nothing(make: Make) -> None:
    """A regression fails the job; whoever may write accepts it, and nothing is asked again."""
    repository = make(WORSE)
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
    ("label", "sender", "head", "there", "expected"),
    [
        ("bug", "maint", HEAD, ["bug", "gate"], {}),
        ("gate", "stranger", HEAD, ["gate"], {"gate": False}),
        ("gate", "maint", "9" * 40, ["gate"], {"gate": False}),
        ("gate", "maint", HEAD, ["bug"], {"gate": False}),
    ],
    ids=["another label", "somebody who may not write", "a push meanwhile", "label taken away"],
)
def test_gate__measures_nothing(
    make: Make, label: str, sender: str, head: str, there: list[str], expected: dict[str, bool]
) -> None:
    """Before a key is used."""
    repository = make("true")
    repository.hub.memory.pulls[REPOSITORY, 7]["labels"] = there
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
    place = {"full_name": REPOSITORY, "default_branch": "main"}
    event = {"inputs": {"pr": "7", "sha": sha}, "repository": place}
    log = repository.run("gate-fork.yml", event, "workflow_dispatch")

    assert {"gate-fork": good} == jobs(log), log[-3000:]
    told = [(row["sha"], row["state"]) for row in repository.hub.memory.statuses]
    assert told == ([(HEAD, "success")] if good else [])
    assert good is bool(repository.hub.bodies())


def test_gate__two_labels_at_once(make: Make) -> None:
    """Each has a job of its own: with nothing measured yet there is nothing to accept."""
    repository = make(WORSE)
    memory = repository.hub.memory
    memory.pulls[REPOSITORY, 7]["labels"] = ["gate", "kappagate: accept"]
    accepted = repository.run("gate.yml", labelled("kappagate: accept"))
    gated = repository.run("gate.yml", labelled("gate"))

    assert {"accept": False} == jobs(accepted), accepted[-3000:]
    assert "Nothing was measured on this head" in accepted
    assert {"gate": False} == jobs(gated), gated[-3000:]
    assert ("failure", "Regression") == status(repository)


def test_gate_shards__parts_are_decided_on_as_one(make: Make) -> None:
    """Two machines measure, a third one decides on all of it."""
    repository = make(WORSE)
    log = repository.run("gate-shards.yml", labelled("gate"))

    ended = {"admit": True, "measure-1": True, "measure-2": True, "report": False}
    assert ended == jobs(log), log
    assert ("failure", "Regression") == status(repository)
    assert [] == repository.hub.memory.pulls[REPOSITORY, 7]["labels"]
    verdict = json.loads((repository.artifacts / "gate-out" / "verdict.json").read_text("utf-8"))
    assert 13 == verdict["coverage"]["compared"]
    (comment,) = repository.hub.bodies()
    assert "Regression: correctness fell" in comment


def test_gate_code__three_jobs(make: Make) -> None:
    """Answers, scores and report go from one to the next."""
    repository = make("true")
    log = repository.run("gate-code.yml", labelled("gate"))

    assert {"admit": True, "collect": True, "judge": True, "report": True} == jobs(log), log[-3000:]
    assert ("success", "Pass") == status(repository)
    (comment,) = repository.hub.bodies()
    assert "Pass: no drop" in comment


@pytest.mark.parametrize(
    ("state", "carried"), [("success", "success"), ("failure", "failure"), (None, "failure")]
)
def test_gate_queue__the_heads_verdict(make: Make, state: str | None, carried: str) -> None:
    """What is queued has the newest status of its pull request's head, or a failure for none."""
    repository = make("true")
    memory = repository.hub.memory
    for told in filter(None, ("failure", state)) if state else ():
        remembered(repository, HEAD, told)
    queued = "5" * 40
    ref = f"refs/heads/gh-readonly-queue/main/pr-7-{BASE}"
    group = {"head_sha": queued, "head_ref": ref, "base_sha": BASE, "base_ref": "refs/heads/main"}
    event = {"merge_group": group, "repository": {"full_name": REPOSITORY}}
    log = repository.run("gate-queue.yml", event, "merge_group")

    assert {"carry": carried == "success"} == jobs(log), log[-3000:]
    row = memory.statuses[-1]
    assert (queued, carried) == (row["sha"], row["state"])
    assert "kappagate / default" == row["context"]
