"""A real run, killed at a dozen points and resumed; all points: `make sweep`."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

from tests.gate_cli import clean_environment


def test_killed_run__resumes_to_the_same_files(root: Path) -> None:
    """No committed call is sent again, nothing is counted twice, every file is the same."""
    done = subprocess.run(
        [sys.executable, "bench/kill_sweep.py", "--some", "6"],
        cwd=root,
        env={**clean_environment(), "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=600,
        check=False,
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    found = re.search(r"(\d+) kills .*, (\d+) committed calls repeated", done.stdout)
    assert found is not None
    # Which writes share a commit differs from run to run, so that a point may not come.
    assert 8 <= int(found[1])
    assert "0" == found[2]
