"""Faults of GitHub, on demand: `--variant steady+github-403`.

All but the last two touch writing requests only: reading works with a read-only token, too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from gate.loopback import github_shapes as shapes
from gate.loopback.exchange import Reply, Request
from gate.loopback.github_calls import GRAPHQL


@dataclass(frozen=True, slots=True)
class GitHubFault:
    """One row of the table."""

    says: str
    """What it does, in a sentence."""
    reply: Callable[[], Reply]
    """What is sent instead."""
    methods: frozenset[str] = frozenset({"POST", "PATCH", "DELETE", "PUT"})
    """Which requests it meets."""
    times: int | None = None
    """How many requests it meets; None for all."""
    done: bool = False
    """Whether the work is done all the same, and only the reply is lost."""
    deletes: bool = False
    """Whether the comment that the request names is gone first."""


def _bad_gateway() -> Reply:
    page = b"<html><head><title>Unicorn!</title></head><body>502</body></html>"
    return Reply(502, page, "text/html")


def _secondary(seconds: str) -> Callable[[], Reply]:
    message = (
        "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."
    )
    return lambda: shapes.error(403, message, Retry_After=seconds)


def _too_long() -> Reply:
    return shapes.invalid("IssueComment", "data", "Body is too long (maximum is 65536 characters)")


_READING = frozenset({"GET", "HEAD"})
GITHUB_FAULTS: Final[Mapping[str, GitHubFault]] = {
    "github-403": GitHubFault(
        "Every write is refused: the read-only token of a fork.",
        lambda: shapes.error(403, "Resource not accessible by integration"),
    ),
    "github-401": GitHubFault(
        "Every write is refused: the token has expired.",
        lambda: shapes.error(401, "Bad credentials"),
    ),
    "github-404": GitHubFault(
        "Nothing that is written to is there.", lambda: shapes.error(404, "Not Found")
    ),
    "github-404-once": GitHubFault(
        "The first edit of a comment finds it deleted.",
        lambda: shapes.error(404, "Not Found"),
        methods=frozenset({"PATCH"}),
        times=1,
        deletes=True,
    ),
    "github-422": GitHubFault("Every write is refused as invalid.", _too_long),
    "github-502": GitHubFault("Every write is answered by a broken gateway.", _bad_gateway),
    "github-502-done": GitHubFault(
        "The first write is done, and its reply is lost behind a broken gateway.",
        _bad_gateway,
        times=1,
        done=True,
    ),
    "github-limit": GitHubFault(
        "Every write meets the secondary rate limit, Retry-After: 60.", _secondary("60")
    ),
    "github-reads-502": GitHubFault(
        "Every reading request is answered by a broken gateway.", _bad_gateway, _READING
    ),
    "github-reads-limit-once": GitHubFault(
        "The first reading request meets the secondary rate limit, Retry-After: 1.",
        _secondary("1"),
        _READING,
        times=1,
    ),
}
"""Name -> what it does: the one table of GitHub's faults."""


def fault_for(names: Sequence[str], request: Request, met: Mapping[str, int]) -> str | None:
    """Return the first fault that meets a request; `met` counts how often each one did."""
    for name in names:
        fault = GITHUB_FAULTS.get(name)
        method = "GET" if request.path in GRAPHQL else request.method  # it is only read there
        if fault is None or method not in fault.methods:
            continue
        if fault.times is None or met.get(name, 0) < fault.times:
            return name
    return None
