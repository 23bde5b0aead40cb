"""Two checkouts: a pull request cannot loosen its own gate, and is measured by what is its own."""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from gate.decision.attempts import attempt_of
from gate.decision.attempts_file import attempts_text
from gate.types import AttemptState, Run, Verdict
from tests.gate_cli import Done, copy_of_repository, gate

MODEL = "gemini-3.5-flash-lite"
"""What the candidate changes to where it is worse."""
WORSE = f"--offline=wrong@{MODEL}"
"""A world in which that model answers wrongly."""
HEAD = "0123456789abcdef0123456789abcdef01234567"
TREES = ("--base-path", "base", "--candidate-path", "candidate", "--scorer", "quick")


def _trees(root: Path, folder: Path) -> Path:
    for name in ("base", "candidate"):
        (folder / name).mkdir()
        copy_of_repository(root, folder / name)
    return folder


def _edit(place: Path, changes: Mapping[str, str]) -> None:
    text = place.read_text("utf-8")
    for before, after in changes.items():
        assert before in text
        text = text.replace(before, after, 1)
    place.write_text(text, "utf-8")


def _worse(folder: Path) -> Path:
    """Let the candidate change to the worse model."""
    change = {"    model: gemini-3.8-flash": f"    model: {MODEL}"}
    _edit(folder / "candidate" / "gate.yaml", change)
    return folder


def _loosen(candidate: Path) -> None:
    """Do everything that could make a red run green, but for answering better."""
    _edit(
        candidate / "gate.yaml",
        {
            "policy:": "policy:\n  q: 0.0001\n  report_only: true",
            "location: ${GOOGLE_CLOUD_LOCATION:-global}": "location: elsewhere",
            "deadline_s: 6": "deadline_s: 1",
        },
    )
    baseline = candidate / "baseline.json"
    baseline.write_text(baseline.read_text("utf-8").replace("1.0", "0.0"), "utf-8")
    (candidate / "evals" / "calibration.json").unlink()
    shutil.rmtree(candidate / "evals" / "labels")
    cases = candidate / "evals" / "cases.yaml"
    text = cases.read_text("utf-8")
    first = text.index("- id:")
    cases.write_text(text[:first] + text[text.index("- id:", first + 1) :], "utf-8")


@pytest.fixture(scope="module")
def honest(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A worse pull request that edits nothing of what decides."""
    folder = _worse(_trees(root, tmp_path_factory.mktemp("honest")))
    return gate("run", *TREES, WORSE, "--head-sha", HEAD, folder=folder)


@pytest.fixture(scope="module")
def loosened(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """The same one, and it edits all that decides."""
    folder = _worse(_trees(root, tmp_path_factory.mktemp("loosened")))
    _loosen(folder / "candidate")
    return gate("run", *TREES, WORSE, "--head-sha", HEAD, folder=folder)


def test_loosened__has_the_verdict_that_it_would_have_without(honest: Done, loosened: Done) -> None:
    """Policy, baseline, calibration, labels, cases and connections are the base's."""
    same = ("status", "exit_code", "headline", "comparisons", "coverage", "identity")

    assert (1, 1) == (honest.code, loosened.code), loosened.err
    assert {name: honest.verdict[name] for name in same} == {
        name: loosened.verdict[name] for name in same
    }


def test_loosened__edits_are_listed(honest: Done, loosened: Done) -> None:
    """In the verdict, the comment, the summary and the terminal."""
    found = loosened.verdict["edits"]

    assert [] == honest.verdict["edits"]
    assert "`policy.q`: (left out) → `0.0001`" in found
    assert "`policy.report_only`: (left out) → `true`" in found
    assert "`run.retry.deadline_s`: `6` → `1`" in found
    assert "`connections.google.location`: changed" in found
    assert "baseline `baseline.json`: changed" in found
    assert "calibration `evals/calibration.json`: removed" in found
    assert any(one.startswith("labels `evals/labels/loopback.yaml`: removed") for one in found)
    assert any(one.startswith("1 case removed, and asked all the same: ") for one in found)
    comment = (loosened.folder / "gate-out" / "comment.md").read_text("utf-8")
    summary = (loosened.folder / "gate-out" / "summary.md").read_text("utf-8")
    title = f"This pull request edits what decides (ignored here): {len(found)} edits"
    for text in (comment, summary):
        assert title in text
        assert "`policy.q`: (left out) → `0.0001`" in text
    assert "Ignored edit of what decides: `policy.q`" in loosened.out


def test_model__is_the_candidates(root: Path, tmp_path: Path) -> None:
    """One that changes the model is judged on the new model; so it is with the prompt."""
    folder = _trees(root, tmp_path)
    change = "model: gemini-3.5-flash-lite\n    system_prompt_file: prompts/brief.txt"
    _edit(folder / "candidate" / "gate.yaml", {"    model: gemini-3.8-flash": f"    {change}"})
    (folder / "candidate" / "prompts").mkdir()
    (folder / "candidate" / "prompts" / "brief.txt").write_text("Be brief.", "utf-8")

    done = gate("run", *TREES, "--offline", folder=folder)

    assert 0 == done.code, done.err
    (target,) = done.json("run.json")["targets"]
    assert ("gemini-3.8-flash", "gemini-3.5-flash-lite") == (target["name"], target["model"])
    assert [] == done.verdict["edits"]
    again = gate(
        "run", *TREES, "--replay", "gate-out/journal.sqlite", "--out", "again", folder=folder
    )
    assert 0 == again.code, again.err


def test_steps__edits_and_commits_reach_the_verdict(root: Path, tmp_path: Path) -> None:
    """Collected, judged and decided apart, they are those of the judging."""
    folder = _trees(root, tmp_path)
    _edit(folder / "candidate" / "gate.yaml", {"name: default": "name: other"})
    trees = TREES[:4]
    gate("collect", *TREES, "--offline", "--out", "collected", folder=folder)
    judged = gate(
        *("judge", "collected/answers.json", *trees, "--offline", "--out", "judged"),
        *("--head-sha", HEAD, "--base-sha", "abcdef0"),
        folder=folder,
    )
    assert 0 == judged.code, judged.err

    done = gate(
        *("compare", "judged/run.json", "--config", "base/gate.yaml", "--out", "gate-out"),
        folder=folder,
    )

    assert 0 == done.code, done.err
    assert ["`name`: `default` → `other`"] == done.verdict["edits"]
    assert {"base": "abcdef0", "head": HEAD, "evaluated": None} == done.verdict["commits"]
    comment = (folder / "gate-out" / "comment.md").read_text("utf-8")
    assert "head `0123456` · base `abcdef0`" in comment.splitlines()[-1]


def _compared(honest: Done, *words: str) -> Done:
    """Decide once more on the run."""
    again = ("compare", "gate-out/run.json", "--config", "base/gate.yaml", "--out", "decided")
    return gate(*again, *words, folder=honest.folder)


def _decided(honest: Done, name: str = "verdict.json") -> Any:
    return json.loads((honest.folder / "decided" / name).read_text("utf-8"))


def test_accepted__exit_0_for_this_head_and_the_next_baseline_says_so(honest: Done) -> None:
    """The verdict stays a regression."""
    other = _compared(honest, "--accepted-by", "ada", "--accepted-sha", "f" * 40)
    assert (1, None) == (other.code, _decided(honest)["accepted_by"])

    done = _compared(honest, "--accepted-by", "ada", "--accepted-sha", HEAD)

    assert 0 == done.code, done.err
    verdict = _decided(honest)
    assert ("regression", "ada") == (verdict["status"], verdict["accepted_by"])
    assert verdict["headline"].startswith("Regression, accepted by ada: correctness fell")
    assert "Accepted for this head by ada" in done.out
    rendered = gate("report", "decided", "--format", "json", folder=honest.folder)
    assert verdict == json.loads(rendered.out)
    refreshed = gate("baseline", "decided/run.json", "--write", "new.json", folder=honest.folder)
    assert "ada accepted a regression of run" in refreshed.err
    (by,) = json.loads((honest.folder / "new.json").read_text("utf-8"))["accepted"].values()
    assert "ada" == by


def test_attempts__a_good_run_does_not_undo_a_bad_one(honest: Done) -> None:
    """The bad one's scores join it as repeats, and a report of the folder says the same."""
    run = Run.model_validate(honest.json("run.json"))
    verdict = Verdict.model_validate(honest.verdict)
    state = AttemptState(
        head_sha=HEAD, attempts=(attempt_of(run, verdict, run_id=7, run_attempt=1),)
    )
    (honest.folder / "attempts.json").write_text(attempts_text(state), "utf-8")

    good = gate(
        *("run", *TREES, "--offline", "--head-sha", HEAD, "--out", "good"),
        *("--attempts", "attempts.json"),
        folder=honest.folder,
    )

    assert 1 == good.code, good.err
    pooled = json.loads((honest.folder / "good" / "verdict.json").read_text("utf-8"))
    assert ("regression", 2) == (pooled["status"], pooled["attempts"])
    rendered = gate("report", "good", "--format", "json", folder=honest.folder)
    assert pooled == json.loads(rendered.out)
    own = json.loads((honest.folder / "good" / "run.json").read_text("utf-8"))
    assert {1} == {len(cell["attempts"]) for cell in own["cells"]}
    comment = (honest.folder / "good" / "comment.md").read_text("utf-8")
    assert "2 attempts on this head, pooled" in comment
