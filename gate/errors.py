"""Every error of the project, in one tree. The class says the exit code.

GateError
├── CannotRun            2   found before a paid call, or nothing to run
│   ├── ConfigError          gate.yaml or a command line
│   ├── DatasetError         cases, labels
│   ├── FileError            a file that is missing, unreadable or not what it should be
│   ├── CredentialsError     missing or refused before any answer
│   ├── ModelError           unknown, retired or not enabled
│   ├── PlanError            a plan that can neither fail nor pass
│   ├── CeilingError         the estimate is above the ceiling
│   └── JournalRefused       a journal of another run, in use or damaged, found at the start
├── NoVerdict            3   started, and nothing can be decided
│   ├── ReplayError          the journal has no such call
│   └── JournalError         the journal broke, or cannot be used
├── CallError            -   one call failed; the room that made it turns it into a Failure
├── HostError            -   the code host refused or was not reached; publishing makes it a warning
└── Interrupted    130/143   SIGINT or SIGTERM
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

__all__ = [
    "CallError",
    "CannotRun",
    "CeilingError",
    "ConfigError",
    "CredentialsError",
    "DatasetError",
    "FileError",
    "GateError",
    "HostError",
    "Interrupted",
    "JournalError",
    "JournalRefused",
    "ModelError",
    "NoVerdict",
    "PlanError",
    "ReplayError",
    "before_any_call",
]


class GateError(Exception):
    """The root: a sentence for a person that says what to do next."""

    exit_code = 3


class CannotRun(GateError):
    """Nothing was started."""

    exit_code = 2


class _Located(CannotRun):
    """An error in a user's file, with its place."""

    def __init__(
        self, message: str, path: str | Path | None = None, line: int | None = None
    ) -> None:
        """Put `path:line:` before the message; both may be unknown."""
        self.path = None if path is None else str(path)
        self.line = line
        place = "" if path is None else f"{path}:{line}: " if line else f"{path}: "
        super().__init__(place + message)


class ConfigError(_Located):
    """The configuration or the command line is wrong."""


class DatasetError(_Located):
    """The cases or labels are wrong."""


class FileError(_Located):
    """A file is missing, unreadable or not what it should be."""


class CredentialsError(CannotRun):
    """A credential is missing."""


class ModelError(CannotRun):
    """A model is unknown to its vendor, retired, or not enabled for the project."""


class PlanError(CannotRun):
    """The planned cases can neither fail nor pass the run."""


class CeilingError(CannotRun):
    """The estimate is above the ceiling."""


class JournalRefused(CannotRun):
    """A journal cannot be used, found before a call: another run's, in use, or damaged."""


class NoVerdict(GateError):
    """Started, and nothing can be decided."""

    exit_code = 3


class ReplayError(NoVerdict):
    """A replay asked for a call that the journal does not have."""


class JournalError(NoVerdict):
    """The journal belongs to another run, or is broken; `before_any_call` says when."""


@contextmanager
def before_any_call() -> Iterator[None]:
    """Make what is wrong with a journal, found in this block, a refusal: no call was made yet."""
    try:
        yield
    except JournalError as error:
        raise JournalRefused(str(error)) from error


class CallError(GateError):
    """One call to a vendor failed."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        retryable: bool = False,
        retry_after_s: float | None = None,
        kind: str = "error",
        sent: bool = True,
    ) -> None:
        """Keep what the retry layer needs.

        `status` is the HTTP status where there was one; `retry_after_s` the seconds that the
        vendor asked for; `kind` is `error`, `timeout` or `budget`; `sent` is
        False when the vendor cannot have seen the request, so that it costs nothing.
        """
        self.status = status
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.kind = kind
        self.sent = sent
        super().__init__(message)


class HostError(GateError):
    """The code host refused a request, or was not reached."""

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        limited: bool = False,
        later: bool = False,
    ) -> None:
        """Keep the HTTP status, None without an answer, and whether a rate limit refused.

        `later` is whether the same request may go through at another time or from another job.
        """
        self.status = status
        self.limited = limited
        self.later = later
        super().__init__(message)


class Interrupted(GateError):
    """SIGINT or SIGTERM came; partial results are kept."""

    def __init__(self, signal_number: int) -> None:
        """Exit code is 128 plus the signal's number, as shells have it."""
        self.exit_code = 128 + signal_number
        super().__init__(f"interrupted by signal {signal_number}; partial results are kept")
