"""A GitHub Enterprise Server: its API below `/api/v3`, GraphQL at `/api/graphql`, pages of its own.

As the runner there tells it, by GITHUB_API_URL and GITHUB_SERVER_URL; nothing else is known.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from gate.cli import hosting
from gate.cli.action import act
from gate.cli.signals import Signals
from gate.loopback.github import PREFIX, SERVER_PREFIX
from gate.types import Viewer
from gate.wire.github import GitHubAccess, GitHubHost
from tests.gate_cli import copy_of_repository
from tests.loopback.action_samples import HEAD, event, runner_environment
from tests.loopback.github_world import REPOSITORY, Hub, github
from tests.loopback.refresh_samples import (
    Proposer,
    make_baseline_of,
    measured,
    refreshed,
    renamed,
    small_repository,
)
from tests.unit.publish.publish_fakes import FakeRunner

APP = "ghs_app"
"""Token of an app, whose name only GraphQL tells."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hub]:
    """An Enterprise Server with pull request 7; calls follow each other at once."""
    quick = partial(GitHubAccess, request_pause_s=0.0, write_pause_s=0.0)
    monkeypatch.setattr(hosting, "GitHubAccess", quick)
    with github(head=HEAD) as hub:
        hub.memory.people[APP] = ("kappa[bot]", "Bot")
        yield replace(hub, url=hub.url.replace(PREFIX, SERVER_PREFIX))


def home(server: Hub) -> str:
    """Where its pages are."""
    return server.url.removesuffix(SERVER_PREFIX)


def told(server: Hub) -> dict[str, str]:
    """What the runner there says of it."""
    return {
        "GITHUB_API_URL": server.url,
        "GITHUB_SERVER_URL": home(server),
        "GITHUB_GRAPHQL_URL": f"{home(server)}/api/graphql",
        "GITHUB_REPOSITORY": REPOSITORY,
    }


@pytest.mark.parametrize(
    ("api", "graphql"),
    [
        ("https://api.github.com", "https://api.github.com/graphql"),
        ("https://api.acme.ghe.com", "https://api.acme.ghe.com/graphql"),
        ("https://git.example.org/api/v3", "https://git.example.org/api/graphql"),
        ("https://git.example.org:8443/api/v3/", "https://git.example.org:8443/api/graphql"),
    ],
)
def test_graphql__beside_the_rest(api: str, graphql: str) -> None:
    """GITHUB_GRAPHQL_URL need not be read: it follows from GITHUB_API_URL on each GitHub."""
    host = GitHubHost(GitHubAccess("t", api), REPOSITORY)
    with host._asking("look") as client:
        assert graphql == client.requester.graphql_url


def test_viewer__an_app(server: Hub) -> None:
    """It is asked for where such a server has GraphQL."""
    assert Viewer("kappa[bot]", bot=True) == server.host(APP).viewer()
    assert [("GET", "/user"), ("POST", "/api/graphql")] == server.memory.asked


def test_action__comment_and_status(
    root: Path, tmp_path: Path, server: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One comment, run after run, a status, and every address on the server."""
    place = tmp_path / "runner"
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    copy_of_repository(root, workspace)
    env = {
        **runner_environment(place, workspace, event(repository=REPOSITORY)),
        **told(server),
        "INPUT_TOKEN": APP,
    }
    few = {"INPUT_OFFLINE": "wrong", "INPUT_SCORERS": "quick", "INPUT_SAMPLE": "13"}
    monkeypatch.chdir(workspace)
    monkeypatch.setattr(sys, "argv", ["gate"])
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    assert 1 == act({**env, **few}, Signals(), environment={})
    (first,) = server.bodies()
    assert 1 == act({**env, "INPUT_COMMAND": "compare"}, Signals(), environment={})

    page = f"{home(server)}/{REPOSITORY}"
    run = f"{page}/actions/runs/17/attempts/1"
    (second,) = server.bodies()
    status = server.memory.statuses[-1]
    assert FakeRunner(place).outputs["comment-url"].startswith(f"{page}/pull/7#issuecomment-")
    assert f"-R {home(server).removeprefix('http://')}/{REPOSITORY} " in first
    assert all(f"[this run]({run})" in body for body in (first, second))
    assert all("github.com" not in body for body in (first, second))
    assert ("failure", run) == (status["state"], status["target_url"])
    assert ["kappa[bot]"] == [one["login"] for one in server.memory.issue_comments.values()]
    assert ("POST", "/api/graphql") in server.memory.asked


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout, and a refresh of its baseline."""
    place = small_repository(root, tmp_path_factory.mktemp("server"))
    measured(place, "steady", "old")
    make_baseline_of(place, "old")
    renamed(place, "old", "new", "29991201T000000Z-aaaaaa")
    assert 0 == refreshed(place, "new").code
    return place


def test_action__proposes(
    made: Path, tmp_path: Path, server: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A pull request there; where workflows may open none, the page there on which people may."""
    workspace = Path(shutil.copytree(made, tmp_path / "w"))
    monkeypatch.chdir(workspace)
    job = Proposer(server, workspace, tmp_path / "runner")
    inputs = {"COMMAND": "propose", "OUT": "refresh", "REPEATS": "3", "TOKEN": APP}
    env = job.environment(**told(server)) | {f"INPUT_{name}": one for name, one in inputs.items()}
    for name, value in env.items():
        monkeypatch.setenv(name, value)
    page = f"{home(server)}/{REPOSITORY}"

    server.memory.actions_may_open = False
    assert 3 == act(env, Signals(), environment=dict(env))
    said = FakeRunner(job.place).outputs["headline"]
    assert f"{page}/compare/main...baseline/29991201T000000Z-aaaaaa?expand=1" in said
    server.memory.actions_may_open = True
    assert 0 == act(env, Signals(), environment=dict(env))
    assert f"{page}/pull/8" == FakeRunner(job.place).outputs["pull-request-url"]
    (pull,) = job.pulls
    assert "github.com" not in pull["body"]
