"""What the code host says of a pull request, as plain records."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Viewer:
    """Who writes with the token in hand."""

    login: str
    """The account's name, such as `github-actions[bot]`."""
    bot: bool
    """Whether it is an app's account; people cannot have such a one."""


@dataclass(frozen=True, slots=True)
class HostComment:
    """One comment in the conversation of a pull request."""

    id: int
    """The host's number; an older comment has a smaller one."""
    url: str
    """Address for people."""
    author: Viewer | None
    """Who wrote it; None when the account is gone."""
    body: str
    """Its Markdown, hidden parts included. Untrusted."""


@dataclass(frozen=True, slots=True)
class PullRequest:
    """A pull request as it is now."""

    number: int
    """Its number."""
    head_sha: str
    """Commit at the tip of its branch."""
    head_repository: str | None
    """`owner/name` of the repository that the branch is in; None when that fork is gone."""
    state: str
    """open or closed."""
    author: str | None
    """Login of who opened it; None when the account is gone."""
    labels: tuple[str, ...]
    """Names of its labels."""
    branch: str = ""
    """Name of its branch. Untrusted."""
    url: str = ""
    """Address for people."""


@dataclass(frozen=True, slots=True)
class LabelEvent:
    """A label that came or went."""

    id: int
    """The host's number."""
    label: str
    """The label's name."""
    added: bool
    """Whether it came (True) or went (False)."""
    actor: str | None
    """Login of who did it; None when the account is gone."""


CommitState = Literal["success", "failure", "error", "pending"]
"""What a commit status can say."""


@dataclass(frozen=True, slots=True)
class CommitStatus:
    """One line in the box of checks, which a branch rule can require."""

    state: CommitState
    """What it says."""
    context: str
    """Its name: the newest status of a name counts."""
    description: str
    """Why, in at most 140 characters."""
    target_url: str | None
    """Where its details are."""


CommentMode = Literal["update", "new", "on-change", "off"]
"""What becomes of an earlier comment: it is updated; it stays, and each run makes another; it is
updated unless the status changed; there is no comment."""
