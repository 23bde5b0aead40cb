"""A baseline refresh on its way from the job that measured to the one that proposes it."""

from __future__ import annotations

from pydantic import Field

from gate.types.word import SCHEMA, Word


class MeasuredRun(Word):
    """One run of a refresh, as far as a baseline does not hold it."""

    id: str
    """Run id."""
    created: str | None = None
    """UTC time, ISO 8601."""
    repeats: int
    """Answers a case that it planned; all of them are there."""
    usd: float | None = None
    """US dollars at list price; None when a part is unknown."""
    calls: int = 0
    """Paid calls made."""


class Measured(Word):
    """What a refresh rests on besides the scores."""

    runs: tuple[MeasuredRun, ...]
    """The runs; several are several repeats of the same cases."""
    judge_family: str | None = None
    """Family of the judge: labels that it drafted itself license less."""
    judge_families: tuple[str, ...] = ()
    """Families of a panel's judges; empty for a single judge."""

    @property
    def repeats(self) -> int:
        """Answers a case."""
        return sum(run.repeats for run in self.runs)


class ProposedFile(Word):
    """One file of the change."""

    name: str
    """Its name in the folder."""
    path: str
    """Where it belongs in the repository."""
    sha256: str
    """SHA-256 of its bytes."""


class Refresh(Word):
    """`refresh.json`: what `gate refresh` proposes, and what `gate propose` holds it to."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    branch: str
    """Branch of the change: `baseline/` and the id of the last run, between them the
    configuration's name where it has one of its own."""
    title: str
    """Title of the pull request."""
    files: tuple[ProposedFile, ...]
    """Files of the change: the baseline, and the calibration and the anchor where they change."""
    measured: Measured
    """What it rests on."""
    reason: str | None = None
    """What was given as the reason. Untrusted."""
    by: str | None = None
    """Who started it; None where nobody knows."""
