"""The stand-in for GitHub in a thread of its own, and the real client that asks it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from gate.loopback.github import GRAPHQL, PREFIX
from gate.loopback.github_memory import Memory
from gate.loopback.server import Address, serve
from gate.loopback.settings import read_settings
from gate.wire.github import GitHubAccess, GitHubHost

REPOSITORY = "o/r"
ACTIONS = "ghs_loopback"
"""A workflow's own token."""
PERSON = "ghp_loopback"
"""A person's token."""


@dataclass(frozen=True)
class Hub:
    """A GitHub that runs."""

    url: str
    """Base address of its API."""
    memory: Memory
    """What it remembers."""

    def host(self, token: str = ACTIONS) -> GitHubHost:
        """The real client, without pauses."""
        return GitHubHost(access(self.url, token), REPOSITORY)

    def bodies(self) -> tuple[str, ...]:
        """Bodies of all comments, the oldest first."""
        return tuple(row["body"] for _, row in sorted(self.memory.issue_comments.items()))

    def calls(self, *methods: str) -> int:
        """How many requests with these methods came; who is asking is read, by POST or not."""
        return sum(method in methods and path not in GRAPHQL for method, path in self.memory.asked)


def access(url: str, token: str = ACTIONS, timeout_s: int = 2) -> GitHubAccess:
    """Access without pauses and with little patience."""
    return GitHubAccess(
        token,
        url,
        timeout_s=timeout_s,
        patience_s=1,
        tries=2,
        request_pause_s=0,
        write_pause_s=0,
    )


@contextmanager
def github(faults: str = "", head: str = "a" * 40) -> Iterator[Hub]:
    """Serve a GitHub with pull request 7 for the length of the block; faults as `+NAME`."""
    loop = asyncio.new_event_loop()
    ready, stop = threading.Event(), asyncio.Event()
    found: list[Address] = []

    async def run() -> None:
        async with serve(read_settings(f"steady{faults}")) as address:
            address.world.github.memory.add_pull(REPOSITORY, 7, head)
            found.append(address)
            ready.set()
            await stop.wait()

    thread = threading.Thread(target=loop.run_until_complete, args=(run(),))
    thread.start()
    try:
        assert ready.wait(10)
        yield Hub(found[0].url + PREFIX, found[0].world.github.memory)
    finally:
        loop.call_soon_threadsafe(stop.set)
        thread.join()
        loop.close()
