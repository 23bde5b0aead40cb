"""The action and the host: what is posted for each end of a command."""

from __future__ import annotations

import json
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from gate.cli.action import act
from gate.cli.hosting import Host
from gate.cli.signals import Signals
from gate.errors import CallError
from gate.types import Occasion
from tests.gate_cli import copy_of_repository, gate
from tests.loopback.action_samples import HEAD, event, runner_environment
from tests.loopback.github_world import ACTIONS, REPOSITORY, github
from tests.loopback.test_gate_publish import FakePast, FakePulls
from tests.runner_grammar import commands_in
from tests.unit.publish.publish_fakes import Answer, FakeHost, FakeRunner


@pytest.fixture(scope="module")
def made(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace of a run that regressed."""
    workspace = copy_of_repository(root, tmp_path_factory.mktemp("made"))
    words = ("run", "--offline=wrong", "--scorer", "quick", "--sample", "13")
    assert 1 == gate(*words, folder=workspace).code
    return workspace


class Action:
    """The action in this process, with a host that keeps what it is told."""

    def __init__(self, workspace: Path, place: Path) -> None:
        """Begin with a host that takes all."""
        self.host = FakeHost()
        self.past = FakePast()
        self.runner = FakeRunner(place)
        self.env = runner_environment(place, workspace, event())
        self.environment: dict[str, str] = {}
        self.opened: list[tuple[Occasion, str]] = []

    def run(self, **inputs: str) -> int:
        """Run it with these inputs and return its exit code."""
        given = {f"INPUT_{name.replace('_', '-').upper()}": one for name, one in inputs.items()}
        env = {**self.env, "INPUT_TOKEN": "t", **given}
        self.environment.update(env)

        def opened(occasion: Occasion, token: str) -> Host:
            self.opened.append((occasion, token))
            return Host(self.host.doors, FakePulls(), self.past)

        return act(env, Signals(), environment=self.environment, opened=opened)


@pytest.fixture
def action(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Action:
    """An action in the workspace of the run."""
    monkeypatch.chdir(made)
    monkeypatch.setattr(sys, "argv", ["gate"])
    return Action(made, tmp_path)


def test_act__a_verdict(action: Action) -> None:
    """The same on all surfaces, and the command's exit code."""
    assert 1 == action.run(command="compare", comment="on-change")

    ((body, mode),) = action.host.bodies
    ((name, verdict),) = action.host.statuses
    assert ("on-change", "default", "regression", 1) == (
        mode,
        name,
        verdict.status,
        verdict.exit_code,
    )
    assert verdict.headline.split("(")[0] in body
    assert verdict.headline == action.runner.outputs["headline"]
    assert action.host.answer == Answer(action.runner.outputs["comment-url"])
    ((occasion, token),) = action.opened
    assert (7, "t") == (occasion.pull_request, token)


def test_act__on_inconclusive_and_report_only_are_told(action: Action) -> None:
    """Numbers without a verdict, where the workflow says so."""
    assert 0 == action.run(command="compare", report_only="true")

    assert "report" == action.host.statuses[0][1].status


def test_act__a_command_that_cannot_run(action: Action) -> None:
    """A required status must not hang: it is an error, with the sentence."""
    assert 2 == action.run(command="compare", path="no.json")

    ((name, verdict),) = action.host.statuses
    assert ("default", "broken", 2) == (name, verdict.status, verdict.exit_code)
    assert "no.json" in action.host.bodies[0][0]
    assert "" == action.runner.outputs["verdict-path"]


def test_act__the_job_before_left_no_run(action: Action) -> None:
    """The comment says whose log to read, not how the command is typed."""
    assert 2 == action.run(command="compare", out="empty")

    ((_, verdict),) = action.host.statuses
    assert verdict.headline.startswith("the job that measures left no run: empty/run.json is not")
    assert "--help" not in action.host.bodies[0][0]


def test_act__a_configuration_that_cannot_be_read(action: Action) -> None:
    """Nobody knows whose comment and status it would be."""
    assert 2 == action.run(command="run", config="no.yaml")

    assert ([], []) == (action.host.bodies, action.host.statuses)


@pytest.mark.parametrize(("comment", "code"), [("update", 0), ("required", 2)])
def test_act__a_comment_that_is_refused(action: Action, comment: str, code: int) -> None:
    """A fork's token: the verdict stands unless the workflow says otherwise."""
    action.host.answer = CallError("403", status=403)

    assert code == action.run(command="compare", report_only="true", comment=comment)
    assert "report" == action.runner.outputs["status"]


def test_act__a_regression_stays_one_without_its_comment(action: Action) -> None:
    """Exit 1 is not overwritten."""
    action.host.answer = CallError("403", status=403)

    assert 1 == action.run(command="compare", comment="required")


def test_act__a_host_that_does_not_answer(
    action: Action, capsys: pytest.CaptureFixture[str]
) -> None:
    """It is said in the verdict itself that earlier attempts are not in it; the verdict stands."""
    action.past.unreadable = "Earlier attempts could not be read"

    assert 1 == action.run(command="compare")
    assert "::warning title=Kappagate%3A publishing::Earlier attempts" in capsys.readouterr().out
    assert action.past.unreadable in json.loads(action.runner.outputs["warnings"])
    assert action.past.unreadable in action.host.bodies[-1][0]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"replay": "gate-out/journal.sqlite"}, 0),
        ({"offline": "no-such-variant"}, 1),
        ({"offline": "no-such-variant", "comment": "off"}, 0),
        ({}, 0),
    ],
)
def test_act__says_that_a_run_begins(
    action: Action, capsys: pytest.CaptureFixture[str], inputs: dict[str, str], said: int
) -> None:
    """Not of a replay, without a comment, or when nobody agreed to pay; a refusal stops nothing."""
    action.past.refusal = "403"
    shutil.rmtree("other", ignore_errors=True)
    action.run(command="run", out="other", scorers="quick", sample="13", **inputs)

    assert said == len(action.past.announced)
    assert all("Running: 13 cases" in one for one in action.past.announced)
    assert said == capsys.readouterr().err.count("gate: warning: 403")


def test_act__a_command_that_decides_nothing_posts_nothing(action: Action) -> None:
    """A baseline has no verdict."""
    assert 0 == action.run(command="baseline", baseline="new.json")

    assert ([], []) == (action.host.bodies, action.host.statuses)
    assert "0" == action.runner.outputs["exit-code"]


def test_act__the_runners_credentials_are_taken_away(action: Action) -> None:
    """What is started later must not find them."""
    action.environment["ACTIONS_RUNTIME_TOKEN"] = "secret"
    action.run(command="compare")

    left = {name for name in action.environment if "TOKEN" in name or name.startswith("ACTIONS_")}
    assert set() == left


def test_act__on_github(made: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Over HTTP, through the real client: one comment and one status, run after run."""
    monkeypatch.chdir(made)
    monkeypatch.setattr(sys, "argv", ["gate"])
    with github(head=HEAD) as hub:
        env = {
            **runner_environment(tmp_path, made, event(repository=REPOSITORY)),
            "GITHUB_API_URL": hub.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "INPUT_TOKEN": ACTIONS,
            "INPUT_COMMAND": "compare",
        }
        for _ in range(2):
            assert 1 == act(env, Signals(), environment={})
        comments = [row["body"] for row in hub.memory.issue_comments.values()]

    outputs = FakeRunner(tmp_path).outputs
    assert 1 == len(comments)
    assert outputs["headline"].split("(")[0] in comments[0]
    assert "#issuecomment-" in outputs["comment-url"]
    assert ("POST", f"/repos/{REPOSITORY}/statuses/{HEAD}") in [
        (method, path.split("?")[0]) for method, path in hub.memory.asked
    ]


def test_act__annotations_of_a_published_folder_are_obeyed(
    action: Action, capsys: pytest.CaptureFixture[str]
) -> None:
    """The runner was told to obey nothing of what a command prints; these it hears."""
    assert 0 == action.run(command="publish")

    obeyed = commands_in(capsys.readouterr().out)
    assert "error" in {one.name for one in obeyed}
    assert any("evals/cases.yaml" in one.properties.get("file", "") for one in obeyed)


def test_act__a_required_comment_says_what_it_fails_for(
    action: Action, capsys: pytest.CaptureFixture[str]
) -> None:
    """The verdict would have been green."""
    action.host.answer = CallError("403", status=403)

    assert 2 == action.run(command="compare", report_only="true", comment="required")
    assert "2" == action.runner.outputs["exit-code"]
    assert "::error" in capsys.readouterr().out.rpartition("The comment is required")[0]


def test_act__a_dataset_outside_of_the_workspace(action: Action, tmp_path: Path) -> None:
    """Its lines are nobody's, and everything is shown all the same."""
    shutil.copy("evals/cases.yaml", tmp_path / "cases.yaml")
    kept = Path("gate.yaml").read_text("utf-8")
    try:
        Path("gate.yaml").write_text(
            kept.replace("path: evals/cases.yaml", f"path: {tmp_path}/cases.yaml"), "utf-8"
        )
        assert 1 == action.run(command="compare")
    finally:
        Path("gate.yaml").write_text(kept, "utf-8")

    assert "regression" == action.runner.outputs["status"]
    assert 1 == len(action.host.bodies)


def test_act__a_signal_before_the_run(action: Action) -> None:
    """Nothing is asked or announced any more, and the time for the end is not used up."""
    signals = Signals()
    signals.received, signals.received_at = signal.SIGINT, time.monotonic()
    env = {**action.env, "INPUT_TOKEN": "t", "INPUT_COMMAND": "run", "INPUT_OUT": "other",
           "INPUT_OFFLINE": "true"}  # fmt: skip
    shutil.rmtree("other", ignore_errors=True)

    def opened(_occasion: Occasion, _token: str) -> Host:
        return Host(action.host.doors, FakePulls(), action.past)

    assert 130 == act(env, signals, environment={}, opened=opened)
    assert [] == action.past.announced
