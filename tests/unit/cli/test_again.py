"""The lines to type to have a workflow's run again, in a clone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gate.cli.again import IN_A_BOX, from_elsewhere, own_folder
from gate.cli.request import Wish
from gate.types import Commits
from tests.loopback.action_samples import event, runner_environment

LINE = "gate run --replay gate-out/journal.sqlite --out again"
COMMITS = Commits(base="b" * 40, head="a" * 40, evaluated="c" * 40)
TREES = Wish(Path("gate.yaml"), Path("gate-out"), Path("base"), Path("candidate"))


def test_from_elsewhere__fetch_and_replay(tmp_path: Path) -> None:
    """Both trees as they were, and a container that may do nothing."""
    env = {
        **runner_environment(tmp_path, tmp_path, event()),
        "GITHUB_ACTION_REPOSITORY": "Acme/kappagate",
        "GITHUB_ACTION_REF": "v1",
    }

    fetch, replay = from_elsewhere([LINE], TREES, COMMITS, env)

    assert "gh run download 17 -R octo/demo -n gate-out -D gate-out" == fetch.split(" && ")[0]
    assert f"git worktree add --detach base {'b' * 40}" in fetch
    assert f"git worktree add --detach candidate {'c' * 40}" in fetch
    assert f"{IN_A_BOX} ghcr.io/acme/kappagate:v1 {LINE}" == replay


def test_from_elsewhere__trees_are_folders_of_checkouts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A commit belongs where the checkout is; the clone itself is no worktree."""
    monkeypatch.chdir(tmp_path)
    for place in ("base/.git", "candidate/.git", "base/apps", "candidate/apps"):
        Path(place).mkdir(parents=True)
    env = runner_environment(tmp_path, tmp_path, event())
    deep = replace(TREES, base_path=Path("base/apps"), candidate_path=Path("candidate/apps"))
    own = replace(TREES, base_path=Path())

    fetch, _ = from_elsewhere([LINE], deep, COMMITS, env)
    here, _ = from_elsewhere([LINE], own, COMMITS, env)

    assert f"git worktree add --detach base {'b' * 40}" in fetch
    assert f"git worktree add --detach candidate {'c' * 40}" in fetch
    assert f"git checkout -q --detach {'b' * 40}" in here
    assert f"git worktree add --detach candidate {'c' * 40}" in here


def test_from_elsewhere__an_action_of_the_repository_itself(tmp_path: Path) -> None:
    """It has no published image, so the gate itself is run, on the commit that was measured."""
    env = runner_environment(tmp_path, tmp_path, event())

    fetch, replay = from_elsewhere([LINE], Wish(Path("gate.yaml"), Path("gate-out")), COMMITS, env)

    assert fetch.endswith(f"git checkout -q --detach {'c' * 40}")
    assert LINE == replay


def test_from_elsewhere__an_enterprise_server(tmp_path: Path) -> None:
    """`gh` looks at github.com where no host is named; each folder is an artifact of its name."""
    env = {
        **runner_environment(tmp_path, tmp_path, event()),
        "GITHUB_SERVER_URL": "https://git.example.org:8443",
    }
    wish = Wish(Path("gate.yaml"), Path("out/search"))

    (first, *_) = from_elsewhere([LINE], wish, COMMITS, env)[0].split(" && ")

    named = "git.example.org:8443/octo/demo"
    assert f"gh run download 17 -R {named} -n search -D out/search" == first


def test_from_elsewhere__on_a_laptop() -> None:
    """The line as it was typed; and none where there is none."""
    assert (LINE,) == from_elsewhere([LINE], TREES, COMMITS, {})
    assert () == from_elsewhere([], TREES, COMMITS, {"GITHUB_ACTIONS": "true"})


def test_own_folder__of_a_replay_is_that_of_the_run() -> None:
    """Calls are followed in the folder that holds the journal."""
    wish = Wish(Path("gate.yaml"), Path("gate-out/w"))

    assert "gate-out/w" == own_folder(wish)
    assert "gate-out/w" == own_folder(
        replace(wish, out=Path("again"), replay=Path("gate-out/w/journal.sqlite"))
    )
