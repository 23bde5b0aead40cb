"""The action as its container starts it: inputs from the environment, and what a runner reads."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.gate_cli import clean_environment, copy_of_repository
from tests.loopback.action_samples import BASE, HEAD, event, runner_environment
from tests.runner_grammar import Command, commands_in, read_file_commands

SECRET = "sk-0123456789"


@dataclass(frozen=True)
class Step:
    """What a step left behind."""

    code: int
    """Exit code."""
    out: str
    """Standard output."""
    err: str
    """Standard error."""
    outputs: dict[str, str]
    """Its outputs."""
    summary: str
    """Its summary."""

    @property
    def commands(self) -> list[Command]:
        """What the runner obeys."""
        return commands_in(self.out)

    def of_level(self, level: str) -> list[Command]:
        """Annotations of a level."""
        return [one for one in self.commands if one.name == level]


@dataclass(frozen=True)
class Runner:
    """Starts the action in a workspace of its own."""

    workspace: Path
    """The checkout."""
    place: Path
    """Its own files."""

    def start(self, inputs: Mapping[str, str]) -> subprocess.Popen[str]:
        """Start the container's first process."""
        ours = runner_environment(self.place, self.workspace, event())
        rest = {k: v for k, v in clean_environment().items() if not k.startswith("GITHUB_")}
        return subprocess.Popen(
            [sys.executable, "-m", "gate.action"],
            cwd=self.place,
            env={
                **rest,
                "PYTHONPATH": os.pathsep.join(sys.path),
                "PYTHONUTF8": "1",
                **ours,
                **inputs,
            },
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )

    def end(self, child: subprocess.Popen[str]) -> Step:
        """Wait for it."""
        with child:
            out, err = child.communicate(timeout=60)
        text = (self.place / "output").read_text("utf-8")
        summary = (self.place / "summary").read_text("utf-8")
        return Step(child.returncode, out, err, read_file_commands(text), summary)

    def step(self, **inputs: str) -> Step:
        """Run it to its end."""
        given = {f"INPUT_{name.replace('_', '-').upper()}": one for name, one in inputs.items()}
        return self.end(self.start(given))


@pytest.fixture
def runner(root: Path, tmp_path: Path) -> Runner:
    """A runner with a copy of what decides in its workspace."""
    workspace = tmp_path / "workspace"
    workspace.mkdir()
    return Runner(copy_of_repository(root, workspace), tmp_path / "runner")


def test_action__a_regression(runner: Runner) -> None:
    """Exit code, outputs, summary, annotations and files tell one verdict."""
    step = runner.step(offline="wrong", scorers="quick", sample="24")

    verdict = json.loads((runner.workspace / "gate-out" / "verdict.json").read_text("utf-8"))
    headline = verdict["headline"]
    assert (1, "1", "regression") == (step.code, step.outputs["exit-code"], verdict["status"])
    assert headline == step.outputs["headline"]
    assert f"{headline}\nNext step: {verdict['next_step']}" == step.of_level("error")[0].text
    assert "Regression: correctness fell" in step.summary
    assert verdict["comparisons"] == json.loads(step.outputs["comparisons"])
    assert (HEAD, BASE) == (step.outputs["head-sha"], step.outputs["base-sha"])
    assert "gate-out/verdict.json" == step.outputs["verdict-path"]
    (first, *_) = [one for one in step.of_level("error") if "line" in one.properties]
    lines = (runner.workspace / "evals" / "cases.yaml").read_text("utf-8").splitlines()
    named = lines[int(first.properties["line"]) - 1]
    assert "evals/cases.yaml" == first.properties["file"]
    assert named.removeprefix("- id: ") == first.properties["title"].split(":")[0]


def test_action__the_log_is_ours(runner: Runner) -> None:
    """One stream, secrets hidden before all else, the command's own words out of reach."""
    given = {"INPUT_OFFLINE": "true", "INPUT_SCORERS": "quick", "INPUT_SAMPLE": "13"}
    step = runner.end(runner.start({**given, "ANTHROPIC_API_KEY": SECRET}))

    assert (0, "") == (step.code, step.err)
    assert Command("add-mask", {}, SECRET) == step.commands[0]
    assert "stop-commands" == step.commands[1].name
    assert 1 == step.out.count(SECRET)
    assert step.out.index("stop-commands") < step.out.index("relevance")
    assert ["warning", "warning"] == [one.name for one in step.commands[2:]]


def test_action__a_tolerated_inconclusive_can_fail(runner: Runner) -> None:
    """An input of the workflow says so, not the pull request."""
    step = runner.step(
        offline="flaky:1", scorers="quick", sample="13", **{"on-inconclusive": "fail"}
    )

    assert ("inconclusive", 3) == (step.outputs["status"], step.code), step.outputs["headline"]


@pytest.mark.parametrize(
    ("inputs", "said"),
    [
        ({"sample": "some"}, "the input `sample` is 'some'"),
        ({"command": "mend"}, "the input `command` is 'mend'"),
        ({}, "set RUN_EVALS=1"),
        ({"config": "no.yaml"}, "there is no such configuration"),
    ],
)
def test_action__cannot_run(runner: Runner, inputs: dict[str, str], said: str) -> None:
    """Exit code 2, and the sentence where a person looks."""
    step = runner.step(**inputs)

    assert (2, "2", "broken") == (step.code, step.outputs["exit-code"], step.outputs["status"])
    assert said in step.outputs["headline"]
    assert said in step.of_level("error")[0].text


def test_action__a_check_up(runner: Runner) -> None:
    """Its lines are the job summary; nothing is posted."""
    step = runner.step(command="doctor", offline="true")

    assert (0, "0") == (step.code, step.outputs["exit-code"])
    assert "Check-up: Nothing stands in the way of a run" in step.summary
    assert "asked: judge" in step.summary


def test_action__an_earlier_runs_files_are_not_told_as_its_own(runner: Runner) -> None:
    """What a checkout may have brought there is neither told nor gone on with."""
    runner.step(offline="true", scorers="quick", sample="13")
    (runner.place / "output").unlink()
    step = runner.step(offline="true", scorers="quick", sample="13")

    assert (2, "broken") == (step.code, step.outputs["status"])
    assert "verdict-path" not in step.outputs
    assert "gate-out of the input `out` is not empty" in step.outputs["headline"]


@pytest.mark.parametrize("name", ["inputs", "journal.sqlite", "inputs/baseline.json"])
def test_action__links_in_its_folder(runner: Runner, tmp_path: Path, name: str) -> None:
    """Root would write through them."""
    victim = tmp_path / "victim"
    victim.mkdir()
    link = runner.workspace / "gate-out" / name
    link.parent.mkdir(parents=True)
    link.symlink_to(victim)
    step = runner.step(command="compare")

    assert 2 == step.code
    assert "is a link or no file" in step.outputs["headline"]
    assert [] == list(victim.iterdir())


@pytest.mark.parametrize(
    "inputs",
    [
        {"command": "baseline", "baseline": "../evil.json"},
        {"config": "/etc/passwd"},
        {"base-path": "../.."},
        {"candidate-path": "/"},
    ],
)
def test_action__nothing_outside_of_the_workspace(runner: Runner, inputs: dict[str, str]) -> None:
    """Neither read nor written."""
    step = runner.step(**inputs)

    assert 2 == step.code
    assert "it must be below the workspace" in step.outputs["headline"]
    assert "root:" not in step.outputs["headline"]


def test_action__a_required_comment_that_cannot_be_posted(runner: Runner) -> None:
    """The one input by which the host changes an exit code."""
    step = runner.step(offline="true", scorers="quick", sample="13", comment="required")

    assert ("pass", 2) == (step.outputs["status"], step.code)


def test_action__a_command_without_a_verdict(runner: Runner) -> None:
    """Its exit code and the files that there are."""
    step = runner.step(command="collect", offline="true", sample="13")

    assert (0, "0", "gate-out/answers.json") == (
        step.code,
        step.outputs["exit-code"],
        step.outputs["answers-path"],
    )
    assert "" == step.summary


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_action__a_signal(runner: Runner, number: signal.Signals, code: int) -> None:
    """A partial report, published, in less time than a runner has patience; the host is down."""
    child = runner.start({"INPUT_OFFLINE": "true", "INPUT_TOKEN": "ghs_0123456789"})
    results = runner.workspace / "gate-out" / "results.jsonl"
    while child.poll() is None and not (results.exists() and results.read_bytes().count(b"\n") > 2):
        time.sleep(0.01)
    began = time.monotonic()
    child.send_signal(number)
    step = runner.end(child)

    assert time.monotonic() - began < 6
    assert (code, str(code), "broken") == (
        step.code,
        step.outputs["exit-code"],
        step.outputs["status"],
    )
    assert f"{number.name} interrupted the run" in step.summary


def test_action__with_words_it_is_the_command_line() -> None:
    """`docker run IMAGE report --help` does what it says."""
    done = subprocess.run(
        [sys.executable, "-m", "gate.action", "report", "--help"],
        env=clean_environment(),
        capture_output=True,
        text=True,
        check=True,
    )

    assert "Usage: gate report" in done.stdout
