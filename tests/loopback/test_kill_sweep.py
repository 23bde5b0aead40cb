"""A real run, killed at a dozen points and resumed; all points: `make sweep`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.gate_cli import clean_environment


@pytest.mark.parametrize(("plan", "kills"), [("0", ["--some", "8"]), ("1", ["--some", "4"])])
def test_killed_run__resumes_to_the_same_files(root: Path, plan: str, kills: list[str]) -> None:
    """No committed call is sent again, nothing is counted twice, every file is the same."""
    done = subprocess.run(
        [sys.executable, "bench/kill_sweep.py", "--plan", plan, *kills, "--jobs", "1"],
        cwd=root,
        env={**clean_environment(), "PYTHONPATH": os.pathsep.join([str(root)])},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    assert "0 committed calls repeated" in done.stdout
    assert "0 at odds" in done.stdout
