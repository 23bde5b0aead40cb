"""The pull request of a baseline refresh: one that is open, whatever came before.

A new refresh takes the place of an open one: the earlier one gets a comment that leads to it and is
closed. An older refresh never takes the place of a newer one. Ours are those that the token's own
account opened from a branch beside ours in this repository: `baseline/RUN`, or `baseline/NAME/RUN`
of a configuration with a name. Nobody else's is touched, and no other configuration's.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from gate.decision.words import few
from gate.errors import HostError
from gate.protocols import Changes, Host
from gate.publish.fitting import fitted
from gate.reports.untrusted import span
from gate.types import Occasion, PullRequest

MESSAGE: Final = "Refresh the baseline"
"""First line of the commit; no word of it comes from what was measured."""
_FORBIDDEN: Final = 403
_INVALID: Final = 422

SETTING: Final = (
    "Settings, Actions, General, Workflow permissions: `Allow GitHub Actions to create and approve "
    "pull requests` (an organisation may hold it for all of its repositories)"
)
"""Where a workflow is allowed to open pull requests."""


@dataclass(frozen=True)
class Repository:
    """All that is asked of the host."""

    host: Host
    """Who writes, which pull requests are open, and their comments."""
    changes: Changes
    """Branches, and pull requests of them."""


@dataclass(frozen=True)
class Change:
    """What is proposed."""

    branch: str
    """Its branch: `baseline/RUN` or `baseline/NAME/RUN`; ids of runs grow with time."""
    parent: str
    """The commit that was measured."""
    title: str
    """Title of the pull request."""
    body: str
    """Its text, safe Markdown."""
    files: Mapping[str, str]
    """Path in the repository -> text."""
    since: str | None = None
    """Run id of the baseline that is replaced; None where there is none."""

    @property
    def beside(self) -> str:
        """How the branches of this configuration begin: all of the name but the run's id."""
        return self.branch[: self.branch.rindex("/") + 1]

    def is_beside(self, branch: str) -> bool:
        """Whether a branch is a refresh of the same configuration."""
        return branch.startswith(self.beside) and "/" not in branch.removeprefix(self.beside)


@dataclass(frozen=True)
class Proposed:
    """What came of it."""

    url: str
    """The pull request."""
    opened: bool
    """Whether it was opened now; False where it was there."""
    superseded: tuple[int, ...] = ()
    """Numbers of the earlier ones that were closed."""
    warnings: tuple[str, ...] = ()
    """What did not work besides."""


def propose(repository: Repository, change: Change, occasion: Occasion) -> Proposed:
    """Open the pull request of a change. Raises HostError, with the branch's page where it stands.

    Run again on the same change it finds what is there and doubles nothing.
    """
    host, changes = repository.host, repository.changes
    ours = _ours(host, occasion, change)
    for pull in ours:
        if pull.branch == change.branch:
            return Proposed(pull.url, opened=False)
        if pull.branch > change.branch:
            raise HostError(
                f"A newer refresh is open already ({pull.url}), and an older one does not take its "
                "place: close it first if this is the one that is wanted."
            )
    base = changes.default_branch()
    _branch(changes, change)
    left = _left(repository, change, ours)
    pull = _open(changes, replace(change, body=f"{change.body}{left}"), base, occasion)
    warnings, closed = [], []
    for earlier in ours:
        try:
            host.create_comment(earlier.number, f"Superseded by #{pull.number}.")
            changes.close_pull_request(earlier.number)
            closed.append(earlier.number)
        except HostError as error:
            warnings.append(f"Pull request {earlier.number} is still open: {error}")
    return Proposed(pull.url, opened=True, superseded=tuple(closed), warnings=tuple(warnings))


def _left(repository: Repository, change: Change, ours: Sequence[PullRequest]) -> str:
    """Say how many refreshes of the same baseline were measured and not merged; else nothing.

    Whoever measures again until the figures please makes a lucky baseline, and nothing in the
    scores shows it.
    """
    after = f"{change.beside}{change.since or ''}"
    login = repository.host.viewer().login
    branches = {*repository.changes.left_branches(login), *(pull.branch for pull in ours)}
    left = sorted(one for one in branches if change.is_beside(one) and after < one < change.branch)
    if not left:
        return ""
    what = "refresh was" if len(left) == 1 else "refreshes were"
    named = few([span(one) for one in left], MOST_LEFT)
    return (
        f"\n**{len(left)} earlier {what} measured since the baseline that is there, and not "
        f"merged** ({named}). The one that pleases among several is a lucky one: say why this one "
        "counts.\n"
    )


MOST_LEFT: Final = 5
"""Branches of earlier refreshes that are named."""


def _ours(host: Host, occasion: Occasion, change: Change) -> list[PullRequest]:
    me, here = host.viewer(), occasion.repository.lower()
    return [
        pull
        for pull in host.open_pull_requests()
        if pull.author == me.login
        and change.is_beside(pull.branch)
        and (pull.head_repository or "").lower() == here
    ]


def _branch(changes: Changes, change: Change) -> None:
    """Make the branch, unless it is there with the same content."""
    run_id = change.branch.removeprefix(change.beside)
    try:
        commit = changes.commit(change.parent, f"{MESSAGE}\n\nRun {run_id}", change.files)
        there = changes.branch(change.branch)
        if there is None:
            changes.create_branch(change.branch, commit)
            return
        if changes.tree(there) == changes.tree(commit):
            return
    except HostError as error:
        if error.status == _FORBIDDEN and not error.limited:
            raise HostError(
                f"The branch {change.branch} cannot be made: give the job `permissions:` "
                f"`contents: write` and `pull-requests: write`. {_first(error)}",
                status=error.status,
            ) from error
        if error.status == _INVALID:
            raise HostError(
                f"The branch {change.branch} cannot be made: a rule of the repository may keep "
                f"branches of this name from being made; let it spare `baseline/**/*`. "
                f"{_first(error)}",
                status=error.status,
            ) from error
        raise
    raise HostError(
        f"The branch {change.branch} is there and holds something else: delete it, then run this "
        "job again."
    )


def _open(changes: Changes, change: Change, base: str, occasion: Occasion) -> PullRequest:
    try:
        return changes.create_pull_request(base, change.branch, change.title, fitted(change.body))
    except HostError as error:
        page = (
            f"{occasion.server_url}/{occasion.repository}/compare/{base}...{change.branch}?expand=1"
        )
        said = f"The branch stands, and the pull request can be opened by hand: {page}"
        if error.status == _FORBIDDEN and not error.limited:
            said = (
                "GitHub lets this workflow open no pull request: switch on "
                f"{SETTING}, and check that the job has `pull-requests: write`; then run this job "
                f"again. {said}"
            )
        raise HostError(f"{said} {_first(error)}", status=error.status) from error


def _first(error: HostError) -> str:
    """Return what the host said, without the advice for comments and statuses that follows it."""
    return f"({str(error).partition('. ')[0]}.)"
