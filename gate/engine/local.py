"""Runs jobs here, so many at once."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence

from gate.types import Job, Result


class LocalExecutor:
    """Keeps at most `at_once` jobs going; the doors behind them limit the vendors' calls."""

    def __init__(self, at_once: int) -> None:
        """Store the number of jobs at once; 1 keeps their order."""
        self._at_once = at_once

    async def execute(
        self, jobs: Sequence[Job], work: Callable[[Job], Awaitable[Result]]
    ) -> AsyncGenerator[Result, None]:
        """Yield results as they come.

        An error that a job raises ends all: the others are cancelled and the error goes up.
        """
        waiting = iter(jobs)
        going: set[asyncio.Task[Result]] = set()
        ended: list[asyncio.Task[Result]] = []
        try:
            while True:
                while len(going) < self._at_once and (job := next(waiting, None)) is not None:
                    going.add(asyncio.ensure_future(work(job)))
                if not going:
                    return
                done, going = await asyncio.wait(going, return_when=asyncio.FIRST_COMPLETED)
                ended += done
                while ended:
                    yield ended.pop().result()
        finally:
            for task in going:
                task.cancel()
            # Those that ended beside the one that raised are looked at too, or asyncio complains.
            await asyncio.gather(*going, *ended, return_exceptions=True)
