"""What one step of the action told, and that all of it is one verdict."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gate.types import Verdict


@dataclass(frozen=True)
class Told:
    """What one step told."""

    code: int
    """Exit code."""
    outputs: dict[str, str]
    """Outputs."""
    summary: str
    """Job summary."""
    comments: tuple[str, ...]
    """Bodies of the pull request's comments."""
    status: dict[str, Any] | None
    """The newest commit status; None where there is none."""
    folder: Path
    """Folder of the run."""
    warnings: str
    """Annotations that warn, a line each."""
    read: Verdict | None
    """Its verdict.json, as it was then; None where there is none."""

    @property
    def verdict(self) -> Verdict:
        """Its verdict.json, which must be there."""
        assert self.read is not None
        return self.read

    @property
    def comment(self) -> str:
        """The one comment."""
        (one,) = self.comments
        return one


def check_files(told: Told, status: str, code: int) -> None:
    """Exit code, verdict.json, outputs and summary tell one verdict."""
    verdict, folder = told.verdict, told.folder
    assert (status, code) == (verdict.status, verdict.exit_code)
    assert (code, str(code)) == (told.code, told.outputs["exit-code"])
    assert (status, verdict.headline) == (told.outputs["status"], told.outputs["headline"])
    assert (folder / "summary.md").read_text("utf-8") == told.summary
    assert _heading(folder) in told.summary


def check_surfaces(told: Told, status: str, code: int, state: str, word: str, *, head: str) -> None:
    """All of these, the one comment and the commit status tell one verdict."""
    check_files(told, status, code)
    assert told.status is not None
    assert (state, head) == (told.status["state"], told.status["sha"])
    assert told.status["description"].startswith(word)
    assert (told.folder / "comment.md").read_text("utf-8").strip() in told.comment
    assert "Running" not in told.comment


def _heading(folder: Path) -> str:
    written = (folder / "comment.md").read_text("utf-8")
    return next(line for line in written.splitlines() if line.startswith("#")).lstrip("#")


def read_verdict(folder: Path) -> Verdict | None:
    """Read verdict.json; None where there is none."""
    path = folder / "verdict.json"
    return Verdict.model_validate_json(path.read_bytes()) if path.exists() else None
