"""`gate publish DIR`: what is believed of a folder that a stranger may have made."""

from __future__ import annotations

import json
import shutil
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from gate.cli.hosting import Host, Pull
from gate.cli.publish_command import publish_folder
from gate.cli.reading import read_run
from gate.cli.signals import Signals
from gate.decision.attempts import attempt_of
from gate.errors import ConfigError, CredentialsError, FileError
from gate.publish.accepting import Accepted
from gate.publish.comment import CommentOutcome, Recalled
from gate.types import Acceptance, AttemptState, CommentMode, Occasion, Verdict
from tests.gate_cli import copy_of_repository, gate
from tests.loopback.action_samples import BASE, HEAD, event, runner_environment
from tests.unit.publish.publish_fakes import Answer, FakeHost, FakeRunner

FORK = {
    "workflow_run": {
        "head_sha": HEAD,
        "pull_requests": [],
        "head_repository": {"full_name": "evil/demo"},
    }
}


@dataclass
class FakePulls:
    """Pull requests as the host has them."""

    pulls: Sequence[Pull] = (Pull(7, HEAD, from_fork=True),)
    """All there are."""

    def numbered(self, number: int) -> Pull:
        """The one of this number."""
        return next(one for one in self.pulls if one.number == number)

    def with_head(self, sha: str) -> Sequence[Pull]:
        """Those with this head."""
        return [one for one in self.pulls if one.head_sha == sha]


@dataclass
class FakePast:
    """A host that remembers."""

    state: AttemptState | None = None
    """Attempts."""
    accepted: Acceptance | None = None
    """Who accepted."""
    unreadable: str | None = None
    """Why the attempts cannot be had."""
    refusal: str | None = None
    """Why it cannot be said that a run begins."""
    announced: list[str] = field(default_factory=list)
    """What was said of runs that begin."""

    def attempts(self, occasion: Occasion, name: str) -> Recalled:
        """The attempts."""
        assert "default" == name
        return Recalled(self.state, self.unreadable, asked=self.unreadable is None)

    def acceptance(self, occasion: Occasion, label: str, earlier: AttemptState | None) -> Accepted:
        """Who accepted by the label."""
        return Accepted(self.accepted, warning=f"asked for {label}")

    def announce(
        self, occasion: Occasion, name: str, body: str, *, mode: CommentMode
    ) -> CommentOutcome:
        """Keep what is said."""
        self.announced.append(body)
        return CommentOutcome(warning=self.refusal)


@dataclass
class Publishing:
    """A folder, a runner and a host."""

    folder: Path
    """The folder, to be spoilt."""
    runner: FakeRunner
    """The runner."""
    host: FakeHost = field(default_factory=FakeHost)
    """The host."""
    pulls: FakePulls = field(default_factory=FakePulls)
    """Its pull requests."""
    past: FakePast = field(default_factory=FakePast)
    """What it remembers."""
    occasions: list[Occasion] = field(default_factory=list)
    """What the host was opened for."""

    def publish(
        self,
        told: dict[str, object] | None = None,
        *,
        token: str = "t",
        **more: object,
    ) -> int:
        """Publish the folder on an event."""
        env = runner_environment(self.runner.folder, self.folder.parent, told or event())
        env["GITHUB_TOKEN"] = token

        def opened(occasion: Occasion, _: str) -> Host:
            self.occasions.append(occasion)
            return Host(self.host.doors, self.pulls, self.past)

        return publish_folder(self.folder, env, Signals(), opened=opened, **more)  # type: ignore[arg-type]  # a test's shorthand

    def edit(self, name: str, **values: object) -> None:
        """Change keys of a JSON file of the folder."""
        path = self.folder / name
        path.write_text(json.dumps(json.loads(path.read_text("utf-8")) | values), "utf-8")


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace of a run that regressed, made in a workflow."""
    place = tmp_path_factory.mktemp("made")
    workspace = copy_of_repository(root, place)
    env = runner_environment(place / "runner", workspace, event())
    words = ("run", "--offline=wrong", "--scorer", "quick", "--sample", "13")
    assert 1 == gate(*words, folder=workspace, env=env).code
    return workspace


def test_replay__tells_the_commits_of_the_first_run(made: Path) -> None:
    """On a laptop, where no runner names any: the same bytes."""
    words = ("run", "--replay", "gate-out/journal.sqlite", "--out", "again", "--scorer", "quick")
    first, again = (made / name / "run.json" for name in ("gate-out", "again"))
    seed = json.loads(first.read_text("utf-8"))["plan"]["seed"]
    assert 1 == gate(*words, "--sample", "13", "--seed", seed, folder=made).code

    assert first.read_bytes() == again.read_bytes()
    commits = json.loads(again.read_text("utf-8"))["provenance"]["commits"]
    assert {"base": BASE, "head": HEAD, "evaluated": None} == commits


@pytest.fixture
def publishing(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Publishing:
    """A copy of it in a trusted checkout."""
    shutil.copytree(made, tmp_path / "work")
    monkeypatch.chdir(tmp_path / "work")
    return Publishing(tmp_path / "work" / "gate-out", FakeRunner(tmp_path / "files"))


def test_publish__a_folder(publishing: Publishing, capsys: pytest.CaptureFixture[str]) -> None:
    """Comment, status, annotations, summary and outputs; the exit code is the posting's own."""
    assert 0 == publishing.publish()

    ((body, mode),) = publishing.host.bodies
    ((name, verdict),) = publishing.host.statuses
    assert ("update", "default", "regression") == (mode, name, verdict.status)
    assert (publishing.folder / "comment.md").read_text("utf-8") == body
    assert (publishing.folder / "summary.md").read_text("utf-8") == publishing.runner.summary
    assert ("1", HEAD) == (
        publishing.runner.outputs["exit-code"],
        publishing.runner.outputs["head-sha"],
    )
    assert "file=evals/cases.yaml,line=" in capsys.readouterr().out


def test_publish__its_texts_are_rendered_again(publishing: Publishing) -> None:
    """Nobody reads comment.md."""
    (publishing.folder / "comment.md").write_text("@org/team all is well")
    (publishing.folder / "summary.md").write_text("all is well")
    publishing.publish()

    assert "all is well" not in publishing.host.bodies[0][0] + publishing.runner.summary


def test_publish__a_verdict_that_was_edited(publishing: Publishing) -> None:
    """What lies beside it decides otherwise."""
    publishing.edit("verdict.json", status="pass", exit_code=0)

    with pytest.raises(FileError, match="says pass, and what lies beside it decides regression"):
        publishing.publish()


def test_publish__a_run_that_was_edited(publishing: Publishing) -> None:
    """Its digest stands in the inputs."""
    publishing.edit("run.json", warnings=["mine"])

    with pytest.raises(FileError, match="is not what the verdict of this folder was read from"):
        publishing.publish()


@pytest.mark.parametrize(
    ("name", "values"),
    [
        ("verdict.json", {"status": "fine"}),
        ("verdict.json", {"schema": 99}),
        ("inputs/decision.json", {"policy": []}),
    ],
)
def test_publish__another_shape(
    publishing: Publishing, name: str, values: dict[str, object]
) -> None:
    """A file that is not of its schema is refused by name."""
    publishing.edit(name, **values)

    with pytest.raises(FileError, match=name):
        publishing.publish()
    assert [] == publishing.host.bodies


@pytest.mark.parametrize(
    "name",
    ["verdict.json", "run.json", "results.jsonl", "inputs", "inputs/baseline.json"],
)
def test_publish__a_link(publishing: Publishing, name: str, tmp_path: Path) -> None:
    """It could lead to anything that the trusted job can read."""
    path = publishing.folder / name
    moved = tmp_path / "elsewhere"
    path.rename(moved)
    path.symlink_to(moved)

    with pytest.raises(FileError, match="a link is not followed"):
        publishing.publish()


def test_publish__the_folder_is_a_link(publishing: Publishing, tmp_path: Path) -> None:
    """So could the folder itself."""
    publishing.folder.rename(tmp_path / "elsewhere")
    publishing.folder.symlink_to(tmp_path / "elsewhere")

    with pytest.raises(FileError, match="a link is not followed"):
        publishing.publish()


@pytest.mark.parametrize("name", ["verdict.json", "run.json", "inputs/decision.json"])
def test_publish__a_file_too_large(publishing: Publishing, name: str) -> None:
    """Before a byte of it is read."""
    with (publishing.folder / name).open("r+b") as stream:
        stream.truncate(2**33)

    with pytest.raises(FileError, match="is larger than"):
        publishing.publish()


def test_publish__no_verdict(publishing: Publishing) -> None:
    """It says which folder is meant."""
    (publishing.folder / "verdict.json").unlink()

    with pytest.raises(FileError, match="holds no verdict"):
        publishing.publish()


def test_publish__no_inputs(publishing: Publishing) -> None:
    """A verdict alone is a word that nobody can check."""
    shutil.rmtree(publishing.folder / "inputs")

    with pytest.raises(FileError, match="cannot be decided once more"):
        publishing.publish()


def test_publish__another_commit(publishing: Publishing) -> None:
    """A green folder of another commit is shown on none."""
    with pytest.raises(FileError, match=f"measured {HEAD}, and the host names 4444"):
        publishing.publish(event(head="4" * 40))
    assert ([], []) == (publishing.host.bodies, publishing.host.statuses)


def test_publish__another_configuration(publishing: Publishing) -> None:
    """It would take the comment and the status of the one that it is not."""
    config = Path("gate.yaml")
    config.write_text(config.read_text("utf-8").replace("name: default", "name: other"), "utf-8")

    with pytest.raises(FileError, match="is of the configuration 'default'"):
        publishing.publish()


def test_publish__a_forks_folder(publishing: Publishing) -> None:
    """The host names the pull request; there is a comment, and no status on a stranger's word."""
    assert 0 == publishing.publish(FORK)

    assert (1, []) == (len(publishing.host.bodies), publishing.host.statuses)


def test_publish__two_pull_requests_of_one_head(publishing: Publishing) -> None:
    """A person chooses."""
    publishing.pulls.pulls = (Pull(7, HEAD, from_fork=True), Pull(8, HEAD, from_fork=True))

    with pytest.raises(ConfigError, match="pull requests 7, 8 have this head"):
        publishing.publish(FORK)
    assert 0 == publishing.publish(FORK, pull_request=8)


def test_publish__a_pull_request_that_moved_on(publishing: Publishing) -> None:
    """Its head by the host is another one by now."""
    publishing.pulls.pulls = (Pull(7, "5" * 40, from_fork=False),)

    with pytest.raises(FileError, match="the pull request moved on"):
        publishing.publish(pull_request=7)


def test_publish__a_number_without_a_token(publishing: Publishing) -> None:
    """The host must be asked for its head."""
    with pytest.raises(CredentialsError, match="GITHUB_TOKEN"):
        publishing.publish(token="", pull_request=7)


def test_publish__no_token(publishing: Publishing) -> None:
    """Summary and outputs all the same."""
    assert 0 == publishing.publish(token="")

    assert "regression" == publishing.runner.outputs["status"]
    assert [] == publishing.host.bodies


@pytest.mark.parametrize(("comment", "code"), [("required", 2), ("update", 0)])
def test_publish__a_comment_that_cannot_be_posted(
    publishing: Publishing, comment: str, code: int
) -> None:
    """It fails the job where it is required."""
    publishing.host.answer = Answer(None, "403")

    assert code == publishing.publish(comment=comment)


def test_publish__an_acceptance_of_the_folders_own(publishing: Publishing) -> None:
    """Nobody accepts a regression by writing so into the folder."""
    publishing.edit("inputs/decision.json", acceptance={"by": "eve", "head_sha": HEAD})
    publishing.edit("verdict.json", exit_code=0, accepted_by="eve")

    assert 0 == publishing.publish(token="")
    assert ("1", "") == (
        publishing.runner.outputs["exit-code"],
        publishing.runner.outputs["accepted-by"],
    )


def test_publish__an_acceptance_by_the_host(publishing: Publishing) -> None:
    """It counts, though the folder was measured before."""
    publishing.past.accepted = Acceptance(by="grace", head_sha=HEAD)

    assert 0 == publishing.publish(accept_label="ship it")
    ((_, verdict),) = publishing.host.statuses
    assert (0, "grace") == (verdict.exit_code, verdict.accepted_by)
    assert "grace" in publishing.host.bodies[0][0]


def test_publish__attempts_that_a_fork_left_out(
    publishing: Publishing, capsys: pytest.CaptureFixture[str]
) -> None:
    """The host remembers them; the attempt that is published is none of them."""
    run = read_run(publishing.folder)
    fallen = Verdict(status="regression", exit_code=1, headline="fell")
    attempts = [attempt_of(run, fallen, run_id=number, run_attempt=1) for number in (11, 12)]
    publishing.past.state = AttemptState(head_sha=HEAD, attempts=tuple(attempts))
    ours = {"workflow_run": {**FORK["workflow_run"], "id": 12, "run_attempt": 1}}

    assert 0 == publishing.publish(ours)
    assert "2" == publishing.runner.outputs["attempts"]
    assert "asked for kappagate: accept" in capsys.readouterr().out


def test_publish__attempts_behind_a_link(publishing: Publishing, tmp_path: Path) -> None:
    """They are read as little as any other file behind one."""
    (publishing.folder / "inputs" / "attempts.json").symlink_to(tmp_path / "secret")

    with pytest.raises(FileError, match="a link is not followed"):
        publishing.publish()
