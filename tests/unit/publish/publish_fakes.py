"""A runner and a host that keep what they are told."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from gate.publish.publishing import Doors, RunnerFiles
from gate.types import CommentMode, Occasion, Report, Verdict
from tests.runner_grammar import Command, commands_in, read_file_commands

OCCASION = Occasion(
    repository="octo/demo",
    pull_request=7,
    head_sha="1" * 40,
    base_sha="2" * 40,
    run_id=17,
    run_url="https://github.example/octo/demo/actions/runs/17",
    event="pull_request",
    actor="octocat",
)
"""A pull request of the repository itself."""


@dataclass
class FakeRunner:
    """The files and the log of a step."""

    folder: Path
    """Where its files are."""
    log: list[str] = field(default_factory=list)
    """What was written to standard output."""

    @property
    def files(self) -> RunnerFiles:
        """What an action is handed."""
        return RunnerFiles(self.folder / "output", self.folder / "summary", self.log.append)

    @property
    def outputs(self) -> dict[str, str]:
        """The outputs, as the runner reads them."""
        return read_file_commands((self.folder / "output").read_text("utf-8"))

    @property
    def summary(self) -> str:
        """The job summary."""
        return (self.folder / "summary").read_text("utf-8")

    @property
    def commands(self) -> list[Command]:
        """What the runner obeys."""
        return commands_in("".join(self.log))


@dataclass(frozen=True)
class Answer:
    """What came of a comment."""

    url: str | None = "https://github.example/octo/demo/pull/7#issuecomment-1"
    """Where it stands."""
    warning: str | None = None
    """What went wrong."""


@dataclass
class FakeHost:
    """Keeps what is posted; answers or raises as it is told."""

    answer: Answer | Exception = Answer()
    """Of comments."""
    refusal: str | Exception | None = None
    """Of statuses."""
    bodies: list[tuple[str, CommentMode]] = field(default_factory=list)
    """Comments and their modes."""
    statuses: list[tuple[str, Verdict]] = field(default_factory=list)
    """Names and verdicts."""

    @property
    def doors(self) -> Doors:
        """What publishing is handed."""
        return Doors(self._comment, self._status)

    def _comment(
        self, occasion: Occasion, report: Report, body: str, *, mode: CommentMode
    ) -> Answer:
        self.bodies.append((body, mode))
        if isinstance(self.answer, Exception):
            raise self.answer
        return self.answer

    def _status(self, occasion: Occasion, name: str, verdict: Verdict) -> str | None:
        self.statuses.append((name, verdict))
        if isinstance(self.refusal, Exception):
            raise self.refusal
        return self.refusal
