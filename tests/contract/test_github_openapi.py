"""Our calls, and the stand-in's replies, held to GitHub's own OpenAPI document by Prism.

Both are npm packages: `npm ci --prefix tests/npm` fetches them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from gate.errors import HostError
from gate.types import CommitState, CommitStatus
from gate.wire.github import GitHubHost
from gate.wire.github_changes import GitHubChanges
from tests.contract.github_openapi import DOCUMENT, held_to, sliced
from tests.loopback.github_world import ACTIONS, PERSON, REPOSITORY, Hub, access, github

HEAD = "a" * 40


@pytest.fixture(scope="module")
def hub(packages: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    """The stand-in behind Prism."""
    with github() as found:
        document = tmp_path_factory.mktemp("openapi") / "github.json"
        document.write_text(json.dumps(sliced(packages / DOCUMENT, found.url)), "utf-8")
        with held_to(packages, document, found.url) as url:
            yield Hub(url, found.memory)


def host(hub: Hub, token: str = ACTIONS) -> GitHubHost:
    """The real client, in front of Prism, which takes its time."""
    return GitHubHost(access(hub.url, token, timeout_s=20), REPOSITORY)


def test_calls__comments(hub: Hub) -> None:
    """Made, listed, changed, removed; by people, by apps, by accounts that are gone."""
    hub.memory.add_comment(REPOSITORY, 7, "x", "mona")
    hub.memory.add_comment(REPOSITORY, 7, "x", None)
    made = host(hub).create_comment(7, "one")
    changed = host(hub, PERSON).edit_comment(made.id, "two")
    listed = host(hub).comments(7)
    host(hub).delete_comment(made.id)

    assert "two" == changed.body
    assert ["x", "x", "two"] == [one.body for one in listed]


def test_calls__who_and_what(hub: Hub) -> None:
    """The account, the pull request, its labels' events, a permission."""
    memory = hub.memory
    memory.events.append(
        {"id": 900, "repository": REPOSITORY, "issue": 7, "event": "labeled", "label": "gate",
         "login": "mona", "type": "User", "created": 900}
    )  # fmt: skip
    memory.add_pull(REPOSITORY, 7, HEAD, labels=["gate"], head_repository="mona/r")
    found = host(hub).pull_request(7)

    assert host(hub).viewer().bot
    assert "octo-person" == host(hub, PERSON).viewer().login
    assert ("mona/r", ("gate",)) == (found.head_repository, found.labels)
    assert [found] == host(hub).open_pull_requests()
    assert ["gate"] == [one.label for one in host(hub).label_events(7)]
    assert "read" == host(hub).permission("mona")


def test_calls__how_it_is_set_up(hub: Hub) -> None:
    """Labels and environments that are there, and two writes that are refused on purpose."""
    hub.memory.labels.add("run: gate")
    hub.memory.environments.add("gate-paid")
    asked = host(hub)

    assert asked.has_label("run: gate")
    assert not asked.has_label("other")
    assert asked.has_environment("gate-paid")
    assert not asked.has_environment("other")
    assert asked.may_comment(7)
    assert asked.may_set_status()
    assert [] == [row for row in hub.memory.statuses if row["sha"] == "0" * 40]


@pytest.mark.parametrize("state", get_args(CommitState))
def test_calls__status(hub: Hub, state: CommitState) -> None:
    """Every state that we know is one of GitHub's."""
    host(hub).set_status(HEAD, CommitStatus(state, "kappagate / x", "why", "https://run"))

    assert state == hub.memory.statuses[-1]["state"]
    assert state == host(hub).statuses(HEAD)[0].state


def test_calls__a_change_and_its_pull_request(hub: Hub) -> None:
    """Blobs, tree, commit, branch, pull request, each as GitHub takes it."""
    parent = hub.memory.git.begin(REPOSITORY, {"baseline.json": "old\n", "kept": "k"})
    changes = GitHubChanges(host(hub))
    base, name = changes.default_branch(), "baseline/20261201T000000Z-abc123"
    commit = changes.commit(parent, "Refresh the baseline", {"baseline.json": "né\n"})
    before = changes.branch(name)
    changes.create_branch(name, commit)
    made = changes.create_pull_request(base, name, "Baseline refresh", "new | old")
    changes.close_pull_request(made.number)

    assert ("main", None, commit) == (base, before, changes.branch(name))
    assert {"baseline.json": "né\n", "kept": "k"} == hub.memory.git.files(commit)
    assert changes.tree(commit) != changes.tree(parent)
    assert (name, REPOSITORY) == (made.branch, made.head_repository)
    assert "closed" == host(hub).pull_request(made.number).state
    assert [name] == changes.left_branches("github-actions[bot]")


def test_calls__what_is_wrong_is_refused(hub: Hub) -> None:
    """Else this file would show nothing."""
    wrong = CommitStatus("green", "x", "why", None)  # type: ignore[arg-type]  # on purpose
    before = len(hub.memory.statuses)
    with pytest.raises(HostError) as caught:
        host(hub).set_status(HEAD, wrong)

    assert 422 == caught.value.status
    assert before == len(hub.memory.statuses)
