"""The action on GitHub, through the real client: all surfaces tell one verdict."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from gate.cli.action import act
from gate.cli.signals import Signals
from tests.gate_cli import copy_of_repository, gate
from tests.loopback.action_samples import HEAD, event, runner_environment
from tests.loopback.github_world import ACTIONS, REPOSITORY, Hub, github
from tests.runner_grammar import commands_in, read_file_commands
from tests.surfaces import Told, check_surfaces, read_verdict

ACCEPT = "kappagate: accept"
QUICK = {"scorers": "quick", "sample": "13"}


@dataclass
class Pull:
    """A pull request whose runs the action measures, in this process."""

    workspace: Path
    """The checkout."""
    place: Path
    """The runner's files."""
    hub: Hub
    """Where it is."""
    capture: pytest.CaptureFixture[str]
    """Standard output."""
    head: str = HEAD
    """Its head."""
    run: int = 0
    """Runs so far."""

    def step(self, label: str = "gate", **inputs: str) -> Told:
        """Run the action once more, started by a label that came."""
        self.run += 1
        folder = self.workspace / "gate-out"
        if "command" not in inputs:
            # A job has a workspace of its own: what lies there would be gone on with.
            shutil.rmtree(folder, ignore_errors=True)
        files = self.place / str(self.run)
        told = {**event(self.head, REPOSITORY), "label": {"name": label}}
        given = {f"INPUT_{name.replace('_', '-').upper()}": one for name, one in inputs.items()}
        env = {
            **runner_environment(files, self.workspace, told),
            "GITHUB_API_URL": self.hub.url,
            "GITHUB_REPOSITORY": REPOSITORY,
            "GITHUB_RUN_ID": str(100 + self.run),
            "GITHUB_RUN_NUMBER": str(self.run),
            "INPUT_TOKEN": ACTIONS,
            **given,
        }
        code = act(env, Signals(), environment={})
        commands = commands_in(self.capture.readouterr().out)
        return Told(
            code,
            read_file_commands((files / "output").read_text("utf-8")),
            (files / "summary").read_text("utf-8"),
            self.hub.bodies(),
            self.hub.memory.statuses[-1],
            folder,
            "\n".join(one.text for one in commands if one.name == "warning"),
            read_verdict(folder),
        )

    def label(self, name: str, login: str) -> None:
        """Set a label as somebody."""
        memory = self.hub.memory
        memory.pulls[REPOSITORY, 7]["labels"].append(name)
        number = memory.tick()
        happened = {"id": number, "repository": REPOSITORY, "issue": 7, "event": "labeled"}
        who = {"label": name, "login": login, "type": "User", "created": number}
        memory.events.append({**happened, **who})

    def push(self, head: str) -> None:
        """Move the head; labels stay."""
        self.head = self.hub.memory.pulls[REPOSITORY, 7]["head_sha"] = head


@pytest.fixture(scope="module")
def workspace(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A checkout of what decides."""
    return copy_of_repository(root, tmp_path_factory.mktemp("verdicts"))


@pytest.fixture
def pull(
    workspace: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Iterator[Pull]:
    """A pull request on a GitHub of its own."""
    monkeypatch.chdir(workspace)
    monkeypatch.setattr(sys, "argv", ["gate"])
    with github(head=HEAD) as hub:
        yield Pull(workspace, tmp_path, hub, capsys)


@pytest.mark.parametrize(
    ("inputs", "expected"),
    [
        ({"offline": "true"}, ("pass", 0, "success", "Pass")),
        (
            {"offline": "flaky:1", "on_inconclusive": "fail"},
            ("inconclusive", 3, "error", "Unclear"),
        ),
        ({"offline": "steady+judge-refuses"}, ("broken", 3, "error", "No verdict")),
        ({"offline": "true", "report_only": "true"}, ("report", 0, "success", "Report only")),
    ],
)
def test_action__all_surfaces_agree(
    pull: Pull, inputs: dict[str, str], expected: tuple[str, int, str, str]
) -> None:
    """Of each verdict but a regression, which follows; the comment that it began became its own."""
    told = pull.step(**inputs, **QUICK)

    check_surfaces(told, *expected, head=HEAD)
    assert (1, 1) == (pull.hub.calls("PATCH"), len(pull.hub.memory.issue_comments))


def test_action__a_noisy_head_judged_four_times(pull: Pull) -> None:
    """Nothing changed but the noise: each attempt joins those before it, and says more surely so.

    What is tested are all answers to a case together, so a later attempt's interval is narrower.
    """
    words = ("--scorer", "quick", "--report-only", "--out", "noisy")
    assert (
        0 == gate("run", "--offline=flaky:1", "--repeats", "5", *words, folder=pull.workspace).code
    )
    made = gate("baseline", "noisy/run.json", "--write", "noisy.json", folder=pull.workspace)
    assert 0 == made.code, made.err

    told = [
        pull.step(offline=f"flaky:{seed}", scorers="quick", baseline="noisy.json")
        for seed in (2, 3, 4, 5)
    ]

    rows = [
        next(row for row in one.verdict.comparisons if row.dimension == "correctness")
        for one in told
    ]
    assert ["1", "2", "3", "4"] == [one.outputs["attempts"] for one in told]
    assert rows[0].n == rows[-1].n
    assert rows[-1].high - rows[-1].low < rows[0].high - rows[0].low
    assert "regression" not in [one.verdict.status for one in told]
    assert 1 == len(pull.hub.memory.issue_comments)


def test_action__attempts_are_pooled_and_a_maintainer_accepts(pull: Pull) -> None:
    """Running again does not help; a label of somebody who may write does, until the next push."""
    first = pull.step(offline="wrong", **QUICK)
    check_surfaces(first, "regression", 1, "failure", "Regression", head=HEAD)
    again = pull.step(offline="wrong", **QUICK)
    assert ("1", "2", 1) == (first.outputs["attempts"], again.outputs["attempts"], again.code)

    pull.label(ACCEPT, "octo-author")
    refused = pull.step(command="compare")
    assert 1 == refused.code
    assert "octo-author may not write" in refused.warnings

    pull.hub.memory.permissions["octo-author"] = "write"
    accepted = pull.step(command="compare")
    check_surfaces(
        accepted, "regression", 0, "success", "Regression accepted by octo-author", head=HEAD
    )
    assert ("octo-author", "octo-author") == (
        accepted.verdict.accepted_by,
        accepted.outputs["accepted-by"],
    )
    assert "Accepted for this head by" in accepted.comment
    reproduce = json.loads((accepted.folder / "inputs/decision.json").read_text("utf-8"))[
        "reproduce"
    ]
    assert "--attempts=gate-out/inputs/attempts.json" in reproduce[0]

    pull.push("4" * 40)
    moved = pull.step(command="compare")
    assert (2, "error") == (moved.code, moved.status["state"])
    assert f"measured the head {HEAD}, and this is {'4' * 40}" in moved.outputs["headline"]
