"""The host of the pull request: how the commands that publish get to it.

What a door is made of is no business of theirs: they get the two doors of a report, and a way to
ask which pull request has a commit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gate.errors import ConfigError
from gate.protocols import PullRequests
from gate.publish.comment import CommentOutcome, publish_comment
from gate.publish.publishing import Doors
from gate.publish.status import publish_status
from gate.types import CommentMode, Occasion, Report, Verdict
from gate.wire.github import GitHubAccess, GitHubHost

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
    """Return GitHub, of which nothing is asked yet; the SDK is loaded by the first question."""
    github = GitHubHost(GitHubAccess(token, api_url=occasion.api_url), occasion.repository)

    def comment(
        occasion: Occasion, report: Report, body: str, *, mode: CommentMode
    ) -> CommentOutcome:
        status = report.verdict.status
        return publish_comment(
            github, occasion, report.name, body, mode=mode, state=None, status=status
        )

    def status(occasion: Occasion, name: str, verdict: Verdict) -> str | None:
        return publish_status(github, occasion, name, verdict)

    return Host(Doors(comment, status), _Pulls(github, occasion.repository))


@dataclass(frozen=True)
class _Pulls:
    """Pull requests of a repository, by its host."""

    host: PullRequests
    repository: str

    def numbered(self, number: int) -> Pull:
        found = self.host.pull_request(number)
        own = (found.head_repository or "").lower() == self.repository.lower()
        return Pull(number, found.head_sha, from_fork=not own)

    def with_head(self, sha: str) -> Sequence[Pull]:
        raise ConfigError(
            f"the event names no pull request of {sha}: name it, with --pull-request or the "
            "action's input `pull-request`"
        )
