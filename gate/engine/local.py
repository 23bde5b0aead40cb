"""Runs jobs here, so many at once."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from gate.types import Job, Result


def _always(going: int) -> bool:  # noqa: ARG001 - the shape of an admission
    return True


class LocalExecutor:
    """Keeps at most `at_once` jobs going; the doors behind them limit the vendors' calls."""

    def __init__(self, at_once: int, admit: Callable[[int], bool] = _always) -> None:
        """Store the number of jobs at once; 1 keeps their order.

        `admit` is asked before each job with the number of jobs that are going. On no, it is asked
        again when one of them has ended; where none is going, no other job is started at all.
        """
        self._at_once = at_once
        self._admit = admit

    async def execute(
        self, jobs: Sequence[Job], work: Callable[[Job], Awaitable[Result]]
    ) -> AsyncGenerator[Result, None]:
        """Yield results as they come.

        An error that a job raises ends all: the others are cancelled and the error goes up.
        """
        waiting = iter(jobs)
        following = next(waiting, None)
        going: set[asyncio.Task[Result]] = set()
        ended: deque[asyncio.Task[Result]] = deque()
        someone = asyncio.Event()

        def end(task: asyncio.Task[Result]) -> None:
            going.discard(task)
            ended.append(task)
            someone.set()

        try:
            while True:
                while (
                    following is not None and len(going) < self._at_once and self._admit(len(going))
                ):
                    task = asyncio.ensure_future(work(following))
                    going.add(task)
                    task.add_done_callback(end)
                    following = next(waiting, None)
                if not going and not ended:
                    return
                await someone.wait()
                someone.clear()
                while ended:
                    yield ended.popleft().result()
        finally:
            rest = [*going, *ended]
            for task in going:
                task.cancel()
            # Those that ended beside the one that raised are looked at too, or asyncio complains.
            await asyncio.gather(*rest, return_exceptions=True)
