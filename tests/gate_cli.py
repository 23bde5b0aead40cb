"""Runs the real command in a child process, in a copy of the repository's own gate files."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

FILES = ("gate.yaml", "baseline.json")
"""Files at the root that a run reads."""


@dataclass(frozen=True)
class Done:
    """What a command left behind."""

    code: int
    """Exit code."""
    out: str
    """Standard output."""
    err: str
    """Standard error."""
    folder: Path
    """Folder that it ran in."""

    def json(self, name: str) -> Any:
        """Read a JSON file of the run's folder."""
        return json.loads((self.folder / "gate-out" / name).read_text("utf-8"))

    @property
    def verdict(self) -> Any:
        """The verdict."""
        return self.json("verdict.json")

    def row(self, dimension: str) -> Any:
        """The verdict's row of a dimension."""
        return next(row for row in self.verdict["comparisons"] if row["dimension"] == dimension)


def copy_of_repository(root: Path, folder: Path) -> Path:
    """Copy what decides to a folder of its own."""
    for name in FILES:
        shutil.copy(root / name, folder / name)
    shutil.copytree(root / "evals", folder / "evals")
    return folder


def share_out(folder: Path, clusters: int) -> None:
    """Say of the cases in turn that they belong to one of so many clusters."""
    path = folder / "evals" / "cases.yaml"
    turn = cycle(f"\n  cluster: doc{number}" for number in range(clusters))
    lines = path.read_text("utf-8").split("\n")
    path.write_text(
        "\n".join(line + next(turn) if line.startswith("- id: ") else line for line in lines),
        "utf-8",
    )


def clean_environment() -> dict[str, str]:
    """The environment without credentials, proxies and switches of the gate."""
    words = ("GOOGLE", "GEMINI", "ANTHROPIC", "CLOUD_ML", "PROXY", "EVAL_", "RUN_EVALS", "GATE_")
    return {
        name: value
        for name, value in os.environ.items()
        if not any(word in name.upper() for word in words)
    }


def gate(*words: str, folder: Path, env: Mapping[str, str] | None = None) -> Done:
    """Run `gate` with these words in `folder`."""
    child = subprocess.run(
        [sys.executable, "-m", "gate", *words],
        cwd=folder,
        env={**clean_environment(), "PYTHONUTF8": "1", **(env or {})},
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )
    return Done(child.returncode, child.stdout, child.stderr, folder)
