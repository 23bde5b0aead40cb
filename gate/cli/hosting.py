"""The host of the pull request: how the commands that publish get to it.

What a door is made of is no business of theirs: they get the two doors of a report, and a way to
ask which pull request has a commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gate.publish.publishing import Doors
from gate.types import Occasion

__all__ = ["Host", "OpenHost", "Pull", "Pulls", "open_host"]


@dataclass(frozen=True)
class Pull:
    """A pull request, as the host tells it now."""

    number: int
    """Its number."""
    head_sha: str
    """Its head."""
    from_fork: bool
    """Whether its head lies in another repository."""


class Pulls(Protocol):
    """Asks the host for pull requests. Both raise GateError."""

    def numbered(self, number: int) -> Pull:
        """Return the pull request of a number."""
        ...

    def with_head(self, sha: str) -> Sequence[Pull]:
        """Return the open pull requests whose head is this commit."""
        ...


@dataclass(frozen=True)
class Host:
    """All that publishing needs of the host."""

    doors: Doors
    """Posts."""
    pulls: Pulls
    """Looks up."""


OpenHost = Callable[[Occasion, str], Host | None]
"""Opens the host of an occasion with a token; None where there is no way to it."""


def open_host(occasion: Occasion, token: str) -> Host | None:
    """Return no host yet: this gate writes files and tells the runner, and posts nothing."""
    del occasion, token
    return None
