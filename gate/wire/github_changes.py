"""Branches, commits and pull requests on GitHub, without a checkout and without git.

Nothing is ever pushed to a branch that is there, so it works where all of them are protected. A
branch is made whole: its commit is complete before the branch is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final
from urllib.parse import quote

from gate.errors import HostError
from gate.types import PullRequest
from gate.wire.github import GitHubHost
from gate.wire.host_errors import unreached

_MISSING: Final = 404
_PLAIN_FILE: Final = "100644"


class GitHubChanges:
    """Changes of one repository (`gate.protocols.Changes`). Every member raises HostError."""

    def __init__(self, host: GitHubHost) -> None:
        """Take the host that asks; nothing is asked yet."""
        self._host = host

    def default_branch(self) -> str:
        """Return the name of the branch that changes are proposed for."""
        doing = "show the repository"
        return _text(doing, self._host.ask(doing, "GET", ""), "default_branch")

    def commit(self, parent: str, message: str, files: Mapping[str, str]) -> str:
        """Make a commit: a blob for each file, a tree upon the parent's, and the commit."""
        blobs = {path: self._blob(text) for path, text in files.items()}
        doing = "take the changed files"
        tree = {
            "base_tree": self.tree(parent),
            "tree": [
                {"path": path, "mode": _PLAIN_FILE, "type": "blob", "sha": sha}
                for path, sha in blobs.items()
            ],
        }
        made = _text(doing, self._host.ask(doing, "POST", "/git/trees", tree), "sha")
        doing = "take the commit"
        # Without an author GitHub names the token's account, and signs what an app commits.
        commit = {"message": message, "tree": made, "parents": [parent]}
        return _text(doing, self._host.ask(doing, "POST", "/git/commits", commit), "sha")

    def tree(self, commit: str) -> str:
        """Return the id of a commit's whole content."""
        doing = "show the commit"
        reply = self._host.ask(doing, "GET", f"/git/commits/{quote(commit, safe='')}")
        return _text(doing, reply, "tree", "sha")

    def branch(self, name: str) -> str | None:
        """Return the commit of a branch; None where there is no such branch."""
        doing = "show the branch"
        try:
            reply = self._host.ask(doing, "GET", f"/git/ref/{quote(f'heads/{name}', safe='')}")
        except HostError as error:
            if error.status == _MISSING:
                return None
            raise
        return _text(doing, reply, "object", "sha")

    def create_branch(self, name: str, commit: str) -> None:
        """Make a branch."""
        body = {"ref": f"refs/heads/{name}", "sha": commit}
        self._host.ask("make the branch", "POST", "/git/refs", body)

    def create_pull_request(self, base: str, branch: str, title: str, body: str) -> PullRequest:
        """Open a pull request."""
        doing = "open the pull request"
        given = {"base": base, "head": branch, "title": title, "body": body}
        reply = self._host.ask(doing, "POST", "/pulls", given)
        number = reply.get("number") if isinstance(reply, dict) else None
        if not isinstance(number, int):
            raise unreached(doing, "the reply names no pull request")
        return self._host.pull_request(number)

    def close_pull_request(self, number: int) -> None:
        """Close a pull request without merging it."""
        self._host.ask(
            "close the earlier pull request", "PATCH", f"/pulls/{number}", {"state": "closed"}
        )

    def left_branches(self, author: str) -> Sequence[str]:
        """Return the branches of an account's pull requests that were closed without a merge."""
        doing = "list the closed pull requests"
        query = "state=closed&sort=updated&direction=desc&per_page=100"
        rows = self._host.ask(doing, "GET", f"/pulls?{query}")
        if not isinstance(rows, list):
            raise unreached(doing, "the reply is no list")
        return [
            _text(doing, row, "head", "ref")
            for row in rows
            if row.get("merged_at") is None and (row.get("user") or {}).get("login") == author
        ]

    def _blob(self, text: str) -> str:
        doing = "take a changed file"
        body = {"content": text, "encoding": "utf-8"}
        return _text(doing, self._host.ask(doing, "POST", "/git/blobs", body), "sha")


def _text(doing: str, reply: Any, *keys: str) -> str:
    """Return a text of a reply. Raises HostError where it is not there."""
    value = reply
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    if not isinstance(value, str) or not value:
        raise unreached(doing, f"the reply has no {'.'.join(keys)}")
    return value
