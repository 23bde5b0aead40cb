"""One request to the stand-in for GitHub, with what its path names and who asks."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import parse_qsl, unquote

from gate.loopback import github_shapes as shapes
from gate.loopback.exchange import Request
from gate.loopback.github_memory import Memory

PREFIX: Final = "/github/api/v3"
"""Below which GitHub is served."""
SERVER_PREFIX: Final = "/api/v3"
"""Below which it is served, too: where an Enterprise Server has it, on a host of its own."""

MISSING = shapes.error(404, "Not Found")
"""What is said of what is not there."""


def parts_of(path: str) -> tuple[str, str]:
    """Return the prefix that a path is below, and the rest."""
    prefix = SERVER_PREFIX if path.startswith(f"{SERVER_PREFIX}/") else PREFIX
    return prefix, path.removeprefix(prefix)


class Asking:
    """One request, with what its path names."""

    def __init__(
        self, hub: Memory, request: Request, named: Mapping[str, str], who: tuple[str, str]
    ) -> None:
        """Take what the router found."""
        self.hub = hub
        self.named = {name: unquote(value) for name, value in named.items()}
        self.login, self.kind = who
        self.query = dict(parse_qsl(request.query))
        prefix, path = parts_of(request.path)
        self.base = f"http://{request.headers.get('host', '127.0.0.1')}{prefix}"
        self.address = f"{self.base}{path}"
        self.body = request.body

    @property
    def repository(self) -> str:
        """Return `owner/name`."""
        return self.named["repository"]

    @property
    def number(self) -> int:
        """Return the number in the path."""
        return int(self.named["number"])

    def json(self) -> Any:
        """Return the body, or None where it is no JSON."""
        try:
            return json.loads(self.body)
        except ValueError:
            return None

    def text(self, name: str) -> str | None:
        """Return a text of the body; None where there is none."""
        fields = self.json()
        value = fields.get(name) if isinstance(fields, dict) else None
        return value if isinstance(value, str) else None

    def pull(self) -> dict[str, Any] | None:
        """Return the pull request of the path; None where there is none."""
        return self.hub.pulls.get((self.repository, self.number))

    def comment(self) -> dict[str, Any] | None:
        """Return the comment of the path; None where there is none."""
        row = self.hub.issue_comments.get(self.number)
        return row if row is not None and row["repository"] == self.repository else None
