"""A stand-in for GitHub's REST API, with a memory: comments, statuses, branches, pull requests.

It is served below `/github/api/v3`, and below `/api/v3` as an Enterprise Server has it. A token
that begins with `ghs_` is an app's: it writes as `github-actions[bot]`, and only GraphQL tells it
so. Any other token is a person's, `octo-person`. `Memory.people` gives further tokens an account.
"""

from __future__ import annotations

from collections import Counter

from gate.loopback import github_shapes as shapes
from gate.loopback.exchange import Reply, Request
from gate.loopback.github_asking import PREFIX, SERVER_PREFIX, parts_of
from gate.loopback.github_calls import GRAPHQL, answer
from gate.loopback.github_faults import GITHUB_FAULTS, fault_for
from gate.loopback.github_memory import Memory

__all__ = ["GRAPHQL", "PREFIX", "SERVER_PREFIX", "GitHub"]


class GitHub:
    """One GitHub."""

    def __init__(self, faults: tuple[str, ...] = ()) -> None:
        """Begin with an empty memory; `faults` are keys of GITHUB_FAULTS, others are passed by."""
        self.faults = faults
        self.memory = Memory()
        self._met: Counter[str] = Counter()

    def respond(self, request: Request) -> Reply:
        """Return the reply to a request below either prefix, or to GRAPHQL."""
        self.memory.asked.append((request.method, parts_of(request.path)[1]))
        token = request.headers.get("authorization", "").partition(" ")[2].strip()
        if not token:
            return shapes.error(401, "Requires authentication")
        name = fault_for(self.faults, request, self._met)
        if name is None:
            return answer(self.memory, request, token)
        self._met[name] += 1
        if GITHUB_FAULTS[name].done:
            answer(self.memory, request, token)
        if GITHUB_FAULTS[name].deletes:
            self.memory.issue_comments.pop(int(request.path.rpartition("/")[2]), None)
        return GITHUB_FAULTS[name].reply()
