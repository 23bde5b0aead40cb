"""The host of the pull request: how the commands that publish get to it.

What a door is made of is no business of theirs: they get the two doors of a report, a way to ask
which pull request has a commit, and what the host remembers of a head.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

from gate.decision.attempts import COUNTED, attempt_of
from gate.protocols import Host as CodeHost
from gate.protocols import PullRequests
from gate.publish.accepting import Accepted, accepted
from gate.publish.baseline_pr import Repository
from gate.publish.comment import CommentOutcome, Recalled, publish_comment, recall_attempts
from gate.publish.publishing import Doors
from gate.publish.state import remember
from gate.publish.status import publish_status
from gate.types import AttemptState, CommentMode, Occasion, PullRequest, Report, Verdict
from gate.wire.github import GitHubAccess, GitHubHost
from gate.wire.github_changes import GitHubChanges

__all__ = [
    "Host",
    "OpenChanges",
    "OpenHost",
    "Past",
    "Pull",
    "Pulls",
    "open_changes",
    "open_host",
]


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


class Past(Protocol):
    """What was before on a head. No member raises: what fails is a warning."""

    def attempts(self, occasion: Occasion, name: str) -> Recalled:
        """Return the attempts that the comment of this configuration remembers."""
        ...

    def acceptance(self, occasion: Occasion, label: str, earlier: AttemptState | None) -> Accepted:
        """Return who accepted the head's regression by this label."""
        ...

    def announce(
        self, occasion: Occasion, name: str, body: str, *, mode: CommentMode
    ) -> CommentOutcome:
        """Say that a run has begun."""
        ...


@dataclass(frozen=True)
class Host:
    """All that publishing needs of the host."""

    doors: Doors
    """Posts."""
    pulls: Pulls
    """Looks up."""
    past: Past | None = None
    """Remembers; None where nothing is remembered."""


OpenHost = Callable[[Occasion, str], Host | None]
"""Opens the host of an occasion with a token; None where there is no way to it."""


def open_host(occasion: Occasion, token: str) -> Host | None:
    """Return GitHub, of which nothing is asked yet; the SDK is loaded by the first question."""
    github = GitHubHost(GitHubAccess(token, api_url=occasion.api_url), occasion.repository)
    head = _Head(github)

    def status(occasion: Occasion, name: str, verdict: Verdict) -> str | None:
        return publish_status(github, occasion, name, verdict)

    return Host(Doors(head.comment, status), _Pulls(github, occasion.repository), head)


class OpenChanges(Protocol):
    """Opens the host for a change of the repository."""

    def __call__(self, occasion: Occasion, token: str) -> Repository:
        """Return the repository's host; nothing is asked of it yet."""
        ...


def open_changes(occasion: Occasion, token: str) -> Repository:
    """Return GitHub, for a change of the repository; nothing is asked of it yet."""
    github = GitHubHost(GitHubAccess(token, api_url=occasion.api_url), occasion.repository)
    return Repository(github, GitHubChanges(github))


@dataclass
class _Head:
    """One head's comment, and what is remembered there."""

    host: CodeHost
    label_event: int | None = None
    """Newest label event when the head was looked at; None where it was not."""

    def attempts(self, occasion: Occasion, name: str) -> Recalled:
        return recall_attempts(self.host, occasion, name)

    def acceptance(self, occasion: Occasion, label: str, earlier: AttemptState | None) -> Accepted:
        found = accepted(self.host, occasion, label, earlier)
        self.label_event = found.label_event
        return found

    def announce(
        self, occasion: Occasion, name: str, body: str, *, mode: CommentMode
    ) -> CommentOutcome:
        return publish_comment(self.host, occasion, name, body, mode=mode, state=None, status=None)

    def comment(
        self, occasion: Occasion, report: Report, body: str, *, mode: CommentMode
    ) -> CommentOutcome:
        state, status = self._with_this(occasion, report), report.verdict.status
        return publish_comment(
            self.host, occasion, report.name, body, mode=mode, state=state, status=status
        )

    def _with_this(self, occasion: Occasion, report: Report) -> AttemptState | None:
        """Return the attempts, this one among them; None keeps what the comment has."""
        head = occasion.head_sha
        if head is None or report.verdict.status not in COUNTED:
            return None
        # Asked again: another run may have ended meanwhile.
        before = self.attempts(occasion, report.name)
        if not before.asked:
            return None
        run_id, run_attempt = occasion.measured
        mine = attempt_of(report.run, report.verdict, run_id=run_id, run_attempt=run_attempt)
        return remember(before.state, head, mine, self.label_event)


@dataclass(frozen=True)
class _Pulls:
    """Pull requests of a repository, by its host."""

    host: PullRequests
    repository: str

    def numbered(self, number: int) -> Pull:
        return self._pull(self.host.pull_request(number))

    def with_head(self, sha: str) -> Sequence[Pull]:
        found = self.host.open_pull_requests()
        return [self._pull(one) for one in found if one.head_sha.lower() == sha.lower()]

    def _pull(self, found: PullRequest) -> Pull:
        own = (found.head_repository or "").lower() == self.repository.lower()
        return Pull(found.number, found.head_sha, from_fork=not own)
