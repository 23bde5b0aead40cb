"""Each verdict from the image, by the runner's contract: all that it tells is one verdict."""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.container.engine import RUNNERS_UID, checkout
from tests.container.step import Job
from tests.loopback.github_world import github
from tests.recorded_events import labelled
from tests.surfaces import check_files, check_surfaces

QUICK = {"scorers": "quick", "sample": "13"}
Begin = Callable[..., Job]
"""Starts a job; `faults` of GitHub as `+NAME`."""


@pytest.fixture
def pull(packages: Path) -> dict[str, Any]:
    """The event of a labelled pull request that GitHub recorded."""
    return copy.deepcopy(labelled(packages))


@pytest.fixture
def begin(
    image: str, tools: Path, root: Path, tmp_path: Path, pull: dict[str, Any]
) -> Iterator[Begin]:
    """Make jobs on that pull request; each is on a GitHub of its own."""
    worlds = ExitStack()

    def job(faults: str = "") -> Job:
        hub = worlds.enter_context(github(faults))
        hub.memory.add_pull(
            pull["repository"]["full_name"],
            pull["number"],
            pull["pull_request"]["head"]["sha"],
            head_repository=pull["pull_request"]["head"]["repo"]["full_name"],
        )
        return Job(tools, root, image, checkout(root, tmp_path), hub, pull)

    with worlds:
        yield job


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({"offline": "true"}, ("pass", 0, "success", "Pass")),
        ({"offline": "wrong"}, ("regression", 1, "failure", "Regression")),
        ({"offline": "flaky:1"}, ("inconclusive", 0, "success", "Unclear, tolerated")),
        (
            {"offline": "flaky:1", "on_inconclusive": "fail"},
            ("inconclusive", 3, "error", "Unclear"),
        ),
        ({"offline": "steady+judge-refuses"}, ("broken", 3, "error", "No verdict")),
        ({"offline": "true", "report_only": "true"}, ("report", 0, "success", "Report only")),
    ],
    ids=["pass", "regression", "tolerated", "inconclusive", "broken", "report"],
)
def test_step__all_surfaces_agree(
    begin: Begin, inputs: dict[str, str], expected: tuple[str, int, str, str]
) -> None:
    """Comment, job summary, outputs, commit status and exit code; files are the runner's user's."""
    job = begin()
    told = job.step(**inputs, **QUICK)

    check_surfaces(told, *expected, head=job.event["pull_request"]["head"]["sha"])
    assert told.outputs["comment-url"].startswith("http")
    fetch, replay = told.verdict.reproduce
    assert f"gh run download 1 -R {job.event['repository']['full_name']}" in fetch
    assert "--replay gate-out/journal.sqlite" in replay
    assert {RUNNERS_UID} == {path.stat().st_uid for path in job.workspace.rglob("*")}


def test_step__a_forks_token_may_only_read(begin: Begin, pull: dict[str, Any]) -> None:
    """The verdict stands in exit code, outputs, summary and files; a warning says what is not."""
    pull["pull_request"]["head"]["repo"]["full_name"] = "stranger/Hello-World"
    told = begin("+github-403").step(offline="wrong", **QUICK)

    check_files(told, "regression", 1)
    assert ((), None) == (told.comments, told.status)
    assert "comment-url" not in told.outputs
    assert "GitHub did not add the comment: 403" in told.warnings


def test_step__cancelled(begin: Begin) -> None:
    """SIGINT, as a runner cancels: a partial report on every surface, before its SIGTERM."""
    job = begin()
    told, seconds = job.interrupted(lambda: job.answered(4), offline="true")

    check_surfaces(
        told, "broken", 130, "error", "Interrupted", head=job.event["pull_request"]["head"]["sha"]
    )
    assert "SIGINT" in told.verdict.headline
    assert 6 > seconds


def test_step__cancelled_when_it_has_begun(begin: Begin) -> None:
    """The comment that says "running" does not stay."""
    job = begin()
    told, seconds = job.interrupted(lambda: bool(job.hub.bodies()), offline="true")

    assert (130, "130", "broken") == (told.code, told.outputs["exit-code"], told.outputs["status"])
    assert "Running" not in told.comment
    assert told.status is not None
    assert "error" == told.status["state"]
    assert 6 > seconds
