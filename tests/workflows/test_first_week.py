"""What `gate init` writes, unedited, through its first week: a label, a baseline, a night.

The models' own clients ask the loopback world in their vendors' place, by the variables that those
clients read; everything else is as in a user's repository.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.gate_cli import gate
from tests.loopback.github_world import REPOSITORY, Hub, github
from tests.workflows.acting import (
    BASE,
    HEAD,
    PINNED,
    Repository,
    commit,
    jobs,
    labelled,
    on_github,
)

CASES = 24


@pytest.fixture
def hub() -> Iterator[Hub]:
    """GitHub with pull request 7, which a maintainer has labelled, and the vendors beside it."""
    with github(head=HEAD) as world:
        world.memory.permissions["maint"] = "write"
        world.memory.pulls[REPOSITORY, 7]["labels"] = ["gate"]
        yield world


@pytest.fixture
def fresh(image: str, job_image: str, root: Path, tmp_path: Path, hub: Hub) -> Repository:
    """A repository with what `gate init` writes, and nothing else."""
    folder = tmp_path / "repository"
    folder.mkdir()
    done = gate("init", "--yes", "--action", PINNED, folder=folder)
    assert 0 == done.code, done.err
    spread(folder)
    sha = commit(folder)
    git = hub.memory.git
    began = git.begin(REPOSITORY, {"gate.yaml": (folder / "gate.yaml").read_text("utf-8")})
    git.commits[sha] = {**git.commits[began], "parents": [BASE, HEAD]}
    git.branches[REPOSITORY, "main"] = sha
    return on_github(root, folder, action_image=image, job_image=job_image, hub=hub)


def spread(folder: Path) -> None:
    """Let every checkout be of the folder as it is now."""
    for tree in ("base", "candidate", "whole"):
        place = folder.parent / "trees" / tree
        shutil.rmtree(place, ignore_errors=True)
        shutil.copytree(folder, place, ignore=shutil.ignore_patterns(".git"))


def go(repository: Repository, workflow: str, event: dict[str, object], name: str) -> str:
    """Let an event start a workflow, with keys that the stand-in takes."""
    vendors = repository.hub.url.partition("/github")[0]
    keys = [word for one in ("GEMINI", "ANTHROPIC") for word in ("-s", f"{one}_API_KEY=key")]
    places = [f"{one}_BASE_URL={vendors}" for one in ("GOOGLE_GEMINI", "ANTHROPIC")]
    more = [*keys, *(word for one in places for word in ("--env", one))]
    return repository.run(workflow, event, name, more=[*more, "--var", "KAPPAGATE_NIGHTLY=on"])


def test_init__its_first_week(fresh: Repository) -> None:
    """Numbers on a pull request; a baseline proposed; with it, a night's verdict on the commit."""
    memory = fresh.hub.memory
    log = go(fresh, "gate.yml", labelled("gate"), "pull_request")

    assert {"gate": True} == jobs(log), log[-3000:]
    (comment,) = fresh.hub.bodies()
    assert "Report: Nothing is enforced (report-only mode)" in comment
    row = memory.statuses[-1]
    assert (HEAD, "success", "kappagate / default") == (row["sha"], row["state"], row["context"])
    assert [f"gate-judged-{BASE}-1-1"] == [one.name for one in fresh.caches.iterdir()]

    branch = {"full_name": REPOSITORY, "default_branch": "main"}
    inputs = {"reason": "", "repeats": "5", "measured": ""}
    log = go(fresh, "baseline.yml", {"inputs": inputs, "repository": branch}, "workflow_dispatch")

    assert {"measure": True, "propose": True} == jobs(log), log[-3000:]
    ((_, number), pull) = list(memory.pulls.items())[-1]
    assert (8, f"First baseline: {CASES} cases, 5 repeats") == (number, pull["title"])
    files = memory.git.files(memory.git.branches[REPOSITORY, pull["head_ref"]])
    assert {"gate.yaml", "baseline.json", "evals/anchor.json"} == set(files)

    # It is merged.
    for path in ("baseline.json", "evals/anchor.json"):
        (fresh.folder / path).write_text(files[path], "utf-8")
    spread(fresh.folder)
    log = go(fresh, "nightly.yml", {"repository": branch}, "schedule")

    assert {"measure": True, "report": True} == jobs(log), log[-3000:]
    verdict = json.loads((fresh.artifacts / "gate-out" / "verdict.json").read_text("utf-8"))
    assert CASES == verdict["coverage"]["compared"]
    assert memory.git.branches[REPOSITORY, "main"] == memory.statuses[-1]["sha"]
    assert "success" == memory.statuses[-1]["state"]
