"""What the stand-in for GitHub remembers, as plain dictionaries that a test may look into."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from gate.loopback.github_git import GitMemory


class Memory:
    """Pull requests, comments, statuses, labels, permissions; repositories need no making."""

    def __init__(self) -> None:
        """Begin empty."""
        self.people: dict[str, tuple[str, str]] = {}
        self.pulls: dict[tuple[str, int], dict[str, Any]] = {}
        self.issue_comments: dict[int, dict[str, Any]] = {}
        self.statuses: list[dict[str, Any]] = []
        self.events: list[dict[str, Any]] = []
        self.permissions: dict[str, str] = {}
        self.labels: set[str] = set()
        self.environments: set[str] = set()
        self.git = GitMemory()
        self.default_branch = "main"
        self.protected: set[str] = set()
        self.actions_may_open = True
        self.asked: list[tuple[str, str]] = []
        self._tick = 0

    def tick(self) -> int:
        """Return the next number: of a row, and of its second."""
        self._tick += 1
        return self._tick

    def who(self, token: str) -> tuple[str, str]:
        """Return login and type of the account that a token belongs to."""
        bot = ("github-actions[bot]", "Bot")
        return self.people.get(token, bot if token.startswith("ghs_") else ("octo-person", "User"))

    def add_pull(self, repository: str, number: int, head_sha: str, **more: Any) -> None:
        """Open a pull request, or move its head."""
        row = {
            "number": number,
            "head_sha": head_sha,
            "head_repository": repository,
            "base_sha": "b" * 40,
            "state": "open",
            "author": "octo-author",
            "author_type": "User",
            "labels": [],
            "head_ref": "change",
            "base_ref": "main",
            "title": "A change",
            "body": None,
            "merged_at": None,
        }
        self.pulls[repository, number] = row | more

    def add_comment(
        self, repository: str, issue: int, body: str, login: str | None, kind: str = "User"
    ) -> int:
        """Write a comment as somebody and return its number."""
        number = self.tick()
        self.issue_comments[number] = {
            "id": number,
            "repository": repository,
            "issue": issue,
            "login": login,
            "type": kind,
            "body": body,
            "created": number,
            "updated": number,
        }
        return number

    def told(self) -> dict[str, Any]:
        """Return all that is remembered, for whoever looks from another process."""
        return {
            "pulls": [{"repository": name, **row} for (name, _), row in self.pulls.items()],
            "comments": [self.issue_comments[one] for one in sorted(self.issue_comments)],
            "statuses": self.statuses,
            "events": self.events,
            "permissions": self.permissions,
            "branches": [
                {
                    "repository": name,
                    "branch": branch,
                    "commit": commit,
                    "files": self.git.files(commit),
                }
                for (name, branch), commit in self.git.branches.items()
            ],
            "requests": [list(one) for one in self.asked],
        }

    def seed(self, told: Mapping[str, Any]) -> None:
        """Remember what another process names: pull requests, comments, branches, people."""
        for row in told.get("pulls", ()):
            self.add_pull(**row)
        for row in told.get("comments", ()):
            self.add_comment(**row)
        for row in told.get("branches", ()):
            self.git.begin(**row)
        self.protected |= set(told.get("protected", ()))
        self.actions_may_open = told.get("actions_may_open", self.actions_may_open)
        self.permissions |= told.get("permissions", {})
        self.people |= {token: tuple(who) for token, who in told.get("people", {}).items()}
