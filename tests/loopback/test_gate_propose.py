"""The job that opens the pull request of a refresh: it believes nothing, and doubles nothing."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from gate.cli import hosting
from gate.cli.action import act
from gate.cli.signals import Signals
from gate.errors import CredentialsError, FileError, HostError
from gate.wire.github import GitHubAccess
from tests.loopback.github_world import ACTIONS, REPOSITORY, github
from tests.loopback.refresh_samples import (
    Proposer,
    make_baseline_of,
    measured,
    refreshed,
    renamed,
    small_repository,
)
from tests.unit.publish.publish_fakes import FakeRunner


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout, and two refreshes of it, the second one the newer."""
    place = small_repository(root, tmp_path_factory.mktemp("propose"))
    measured(place, "steady", "old")
    make_baseline_of(place, "old")
    renamed(place, "old", "new", "29991201T000000Z-aaaaaa")
    renamed(place, "old", "newer", "29991202T000000Z-aaaaaa")
    for run, out in (("new", "refresh"), ("newer", "later")):
        done = refreshed(place, run, out=out)
        assert 0 == done.code, done.err
    return place


@pytest.fixture
def job(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Proposer]:
    """The job in a copy of it."""
    workspace = Path(shutil.copytree(made, tmp_path / "w"))
    monkeypatch.chdir(workspace)
    with github() as hub:
        yield Proposer(hub, workspace, tmp_path / "runner")


def stored(job: Proposer, out: str = "refresh") -> Any:
    """What the folder says."""
    return json.loads((job.workspace / out / "refresh.json").read_text("utf-8"))


def test_propose__one_pull_request(job: Proposer) -> None:
    """Its branch has the files, the default branch is as it was, and again is no double."""
    (job.workspace / "refresh" / "pull-request.md").write_text("# pay me", "utf-8")
    for _ in range(2):
        assert 0 == job.propose()
    git, branch = job.hub.memory.git, stored(job)["branch"]
    (pull,) = job.pulls
    commit = git.branches[REPOSITORY, branch]

    assert job.parent == git.branches[REPOSITORY, "main"]
    assert [job.parent] == git.commits[commit]["parents"]
    assert git.commits[commit]["message"].startswith("Refresh the baseline\n\nRun 29")
    assert {"baseline.json", "evals/anchor.json", "gate.yaml"} == set(git.files(commit))
    proposed = (job.workspace / "refresh" / "baseline.json").read_text("utf-8")
    assert proposed == git.files(commit)["baseline.json"]
    assert (branch, "main") == (pull["head_ref"], pull["base_ref"])
    assert "Baseline refresh: 24 cases, 3 repeats" == pull["title"]
    assert "**No change larger than noise** against the old baseline." in pull["body"]
    assert "pay me" not in pull["body"]
    runner = FakeRunner(job.place)
    assert runner.outputs["pull-request-url"].endswith("/o/r/pull/8")
    assert pull["body"].strip() in runner.summary


def test_propose__a_newer_one_takes_the_place_of_an_open_one(job: Proposer) -> None:
    """With a word on it; and never the other way round. What people opened is left alone."""
    memory = job.hub.memory
    memory.add_pull(REPOSITORY, 7, "c" * 40, head_ref="baseline/19990101T000000Z-aaaaaa")
    assert 0 == job.propose()
    assert 0 == job.propose("later")
    with pytest.raises(HostError, match="A newer refresh is open already"):
        job.propose()
    first, second = job.pulls

    assert ("closed", "open") == (first["state"], second["state"])
    assert "earlier refresh" not in first["body"]
    assert "**1 earlier refresh was measured since" in second["body"]
    assert "open" == memory.pulls[REPOSITORY, 7]["state"]
    assert [(8, "Superseded by #9.")] == [
        (row["issue"], row["body"]) for row in memory.issue_comments.values()
    ]


def test_propose__refreshes_that_were_not_merged_are_counted(job: Proposer) -> None:
    """Measuring until it pleases is seen; what was merged, and what was before, is not counted."""
    ids = ("00000101T000000Z-old", "29991130T000000Z-a", "29991130T000000Z-b", "29991130T000000Z-c")
    for number, run_id in enumerate(ids, 20):
        job.hub.memory.add_pull(
            REPOSITORY,
            number,
            "d" * 40,
            head_ref=f"baseline/{run_id}",
            state="closed",
            author="github-actions[bot]",
            author_type="Bot",
            merged_at="2026-11-30T12:00:00Z" if run_id.endswith("c") else None,
        )
    assert 0 == job.propose()
    (pull,) = [row for row in job.pulls if row["state"] == "open"]

    assert "**2 earlier refreshes were measured since the baseline that is there" in pull["body"]
    assert "(`baseline/29991130T000000Z-a` and `baseline/29991130T000000Z-b`)" in pull["body"]


def test_propose__workflows_may_open_no_pull_requests(job: Proposer) -> None:
    """It says which setting, and where it can be done by hand; then the branch is used."""
    memory = job.hub.memory
    memory.actions_may_open = False
    with pytest.raises(HostError) as caught:
        job.propose()
    said, branch = str(caught.value), stored(job)["branch"]
    memory.actions_may_open = True

    assert "Allow GitHub Actions to create and approve pull requests" in said
    assert f"https://github.com/o/r/compare/main...{branch}?expand=1" in said
    assert (REPOSITORY, branch) in memory.git.branches
    assert 0 == job.propose()
    assert 1 == len(job.pulls)


def test_propose__a_rule_against_the_branch(job: Proposer) -> None:
    """Every branch may be protected but ours."""
    job.hub.memory.protected.add("baseline/")
    with pytest.raises(HostError, match=r"let it spare `baseline/\*\*/\*`"):
        job.propose()


def test_propose__a_branch_of_another_content(job: Proposer) -> None:
    """Nobody's work is overwritten."""
    job.hub.memory.git.branches[REPOSITORY, stored(job)["branch"]] = job.parent
    with pytest.raises(HostError, match="holds something else"):
        job.propose()


def test_propose__a_token_that_may_only_read(
    made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It says which permissions the job needs; without a token there is nothing to ask with."""
    monkeypatch.chdir(made)
    with github("+github-403") as hub:
        job = Proposer(hub, made, tmp_path / "runner")
        with pytest.raises(HostError, match="`contents: write` and `pull-requests: write`"):
            job.propose()
        with pytest.raises(CredentialsError):
            job.propose(GITHUB_TOKEN="")


def _link(folder: Path) -> None:
    shutil.move(folder / "baseline.json", folder / "elsewhere")
    (folder / "baseline.json").symlink_to(folder / "elsewhere")


def _bytes(folder: Path) -> None:
    with (folder / "baseline.json").open("a") as file:
        file.write("\n")


def _edited(**more: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "refresh.json"
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | more), "utf-8")

    return edit


def _first_file(**more: object) -> Callable[[Path], None]:
    def edit(folder: Path) -> None:
        path = folder / "refresh.json"
        told = json.loads(path.read_text("utf-8"))
        told["files"][0] |= more
        path.write_text(json.dumps(told), "utf-8")

    return edit


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (_link, "a link is not followed"),
        (_bytes, "is not the file that refresh.json names"),
        (_first_file(path=".github/workflows/x.yml"), "configuration of this checkout allows"),
        (_first_file(name="../../x"), "configuration of this checkout allows"),
        (_edited(files=[]), "proposes no baseline"),
        (_edited(branch="main"), "another branch"),
        (_edited(measured={"runs": [{"id": "../x", "repeats": 3}]}), "can name no branch"),
        (_edited(measured={"runs": []}), "another branch"),
        (_edited(schema=99), "newer gate"),
        (_edited(by="mallory"), "the host says octocat"),
        (lambda folder: (folder / "refresh.json").unlink(), "is not there"),
        (shutil.rmtree, "is no folder of its own"),
    ],
)
def test_propose__a_folder_that_is_not_believed(
    job: Proposer, edit: Callable[[Path], None], said: str
) -> None:
    """Nothing of it is asked of the host."""
    edit(job.workspace / "refresh")
    with pytest.raises(FileError, match=said):
        job.propose()

    assert [] == job.hub.memory.asked


def test_propose__scores_of_other_cases(job: Proposer) -> None:
    """A case that went badly cannot be left out, nor an anchor be moved."""
    cases = job.workspace / "evals" / "cases.yaml"
    kept = cases.read_text("utf-8")
    cases.write_text(kept.rpartition("\n- id:")[0] + "\n", "utf-8")
    with pytest.raises(FileError, match="unknown here"):
        job.propose()
    cases.write_text(kept, "utf-8")
    shutil.copy("baseline.json", "evals/anchor.json")
    with pytest.raises(FileError, match="is not what this checkout makes of its scores"):
        job.propose()


def test_act__proposes(job: Proposer, monkeypatch: pytest.MonkeyPatch) -> None:
    """As the action does it: exit code, outputs, and a refusal that says why."""
    quick = partial(GitHubAccess, request_pause_s=0.0, write_pause_s=0.0)
    monkeypatch.setattr(hosting, "GitHubAccess", quick)
    inputs = {"COMMAND": "propose", "OUT": "refresh", "REPEATS": "3", "TOKEN": ACTIONS}
    env = job.environment() | {f"INPUT_{name}": value for name, value in inputs.items()}

    def run() -> int:
        environment = dict(env)
        for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", *env):
            monkeypatch.setenv(name, env[name])
        return act(env, Signals(), environment=environment)

    assert 0 == run()
    assert FakeRunner(job.place).outputs["pull-request-url"].endswith("/pull/8")
    _edited(by="mallory")(job.workspace / "refresh")

    assert 2 == run()
