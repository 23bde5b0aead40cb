"""SIGINT and SIGTERM: a partial report, an intact journal, and a run that goes on from there."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.gate_cli import clean_environment, copy_of_repository, gate

WORDS = ("run", "--offline", "--sample", "24")


@pytest.fixture
def folder(root: Path, tmp_path: Path) -> Path:
    """A copy of what decides."""
    return copy_of_repository(root, tmp_path)


def interrupted(folder: Path, *numbers: signal.Signals, lines: int = 4) -> tuple[int, str, str]:
    """Run until some results are there, send the signals, and return code and streams."""
    results = folder / "gate-out" / "results.jsonl"
    with subprocess.Popen(
        [sys.executable, "-m", "gate", *WORDS],
        cwd=folder,
        env=clean_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as child:
        while child.poll() is None and lines:
            if results.exists() and results.read_bytes().count(b"\n") >= lines:
                break
            time.sleep(0.01)
        for number in numbers:
            child.send_signal(number)
        out, err = child.communicate(timeout=60)
    return child.returncode, out, err


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_signal__partial_report_and_the_run_goes_on(
    folder: Path, number: signal.Signals, code: int
) -> None:
    """Nothing is decided, what is there is told, and nothing is paid twice afterwards."""
    returned, out, err = interrupted(folder, number)

    verdict = json.loads((folder / "gate-out" / "verdict.json").read_text("utf-8"))
    run = json.loads((folder / "gate-out" / "run.json").read_text("utf-8"))
    done = len(run["cells"])
    assert (code, code, "broken") == (returned, verdict["exit_code"], verdict["status"]), err
    assert 4 <= done < 24
    assert f"{number.name} interrupted the run after {done} of 24 cases" in verdict["headline"]
    assert verdict["headline"] in (folder / "gate-out" / "comment.md").read_text("utf-8")
    assert "Traceback" not in err
    assert "No verdict" in out

    again = gate(*WORDS, folder=folder)

    assert (0, run["id"]) == (again.code, again.json("run.json")["id"]), again.err
    assert f"going on with the unfinished run {run['id']}" in again.err
    whole = gate(*WORDS, "--out", "whole", folder=folder)
    kept = json.loads((folder / "whole" / "verdict.json").read_text("utf-8"))
    assert (whole.code, kept["comparisons"]) == (again.code, again.verdict["comparisons"])
    assert kept["cost"]["calls"] <= again.verdict["cost"]["calls"]


def test_signal__a_second_one_ends_at_once(folder: Path) -> None:
    """Nobody waits for a report that is not wanted; the journal is intact all the same."""
    returned, _, err = interrupted(folder, signal.SIGINT, signal.SIGTERM)

    assert returned in (130, 143)
    assert "Traceback" not in err
    assert 0 == gate(*WORDS, folder=folder).code


def test_signal__before_the_first_call(folder: Path) -> None:
    """While it starts there is nothing to tell: one line, no traceback."""
    returned, out, err = interrupted(folder, signal.SIGTERM, lines=0)

    # Python itself has no handler in its first hundredths of a second.
    assert returned in (143, -signal.SIGTERM)
    assert ("", "") == (out, err) or "interrupted" in err
    assert "Traceback" not in err
