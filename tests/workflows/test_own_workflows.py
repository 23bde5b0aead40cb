"""This repository's own workflow: the action of the very commit, with no key."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from tests.workflows.acting import jobs


def test_ci__the_action_of_this_commit(root: Path, job_image: str, tmp_path: Path) -> None:
    """Built from the checkout, run against the loopback world."""
    tree = tmp_path / "repository"
    files = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=root, capture_output=True, text=True,
        check=True,
    ).stdout.splitlines()  # fmt: skip
    for name in files:
        if (root / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(root / name, tree / name)
    commit = ["-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"]
    for words in (["init", "-q", "-b", "main"], ["add", "-A"], commit):
        subprocess.run(["git", *words], cwd=tree, check=True)

    done = subprocess.run(
        [
            *(Path(sys.executable).with_name("act"), "push", "-W", ".github/workflows/ci.yml"),
            *("-j", "action", "-P", f"ubuntu-24.04={job_image}", "--rm", "--actor", "maint"),
            *("--pull=false", "--action-offline-mode", "--no-cache-server"),
        ],
        cwd=tree,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
        check=False,
    )

    assert {"action": True} == jobs(done.stdout), (done.stdout + done.stderr)[-3000:]
