"""A failed call as data."""

from __future__ import annotations

from gate.errors import CallError
from gate.types import Failure, FailureKind

_KINDS: dict[str, FailureKind] = {"timeout": "timeout", "budget": "budget"}


def failure_of(error: CallError, otherwise: FailureKind = "error") -> Failure:
    """Return why there is no value; `otherwise` is the kind of what is no time-out or ceiling."""
    return Failure(kind=_KINDS.get(error.kind, otherwise), message=str(error), status=error.status)
