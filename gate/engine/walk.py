"""All jobs of a run, walked to their end, to a deadline or to a signal."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import aclosing, suppress
from dataclasses import dataclass
from typing import Literal, Protocol

from gate.engine.gather import Key
from gate.engine.local import LocalExecutor
from gate.types import Job, Result

Ended = Literal["done", "deadline", "signal"]
"""How a walk ended."""


class Taker(Protocol):
    """Keeps results."""

    def add(self, result: Result) -> None:
        """Take one."""
        ...


@dataclass(frozen=True)
class Walk:
    """What is walked, and who is told."""

    jobs: Sequence[Job]
    """The jobs, in the order in which they are started."""
    work: Callable[[Job], Awaitable[Result]]
    """Does one job."""
    executor: LocalExecutor
    """Runs several at once."""
    gathering: Taker
    """Takes the results."""
    taken: Callable[[Result], None]
    """Told of each result, as soon as it is there."""
    deadline_s: float | None = None
    """Seconds after which what is not done stays undone; None for no such time."""

    async def to_its_end(self, stop: asyncio.Event) -> Ended:
        """Do the jobs until all are done, the deadline passes or `stop` is set.

        Jobs that are still going then are cancelled. Raises what a job raises.
        """
        consuming = asyncio.ensure_future(self._consume())
        stopping = asyncio.ensure_future(stop.wait())
        try:
            await asyncio.wait(
                {consuming, stopping},
                timeout=self.deadline_s,
                return_when=asyncio.FIRST_COMPLETED,
            )
            if consuming.done():
                consuming.result()
                return "done"
            return "signal" if stop.is_set() else "deadline"
        finally:
            for task in (consuming, stopping):
                if not task.done():
                    task.cancel()
                    with suppress(asyncio.CancelledError):
                        await task

    async def _consume(self) -> None:
        async with aclosing(self.executor.execute(self.jobs, self.work)) as stream:
            async for result in stream:
                self.gathering.add(result)
                self.taken(result)


def key_of(job: Job) -> Key:
    """Return target, case and attempt of a job."""
    return job.target, job.case.id, job.attempt


def finished_part(jobs: Sequence[Job], finished: Collection[Key]) -> tuple[Job, ...]:
    """Return the jobs up to the first question that was not finished by every target.

    Jobs stand in hash order, so this part is a sample like any other; to take every job that
    happened to be finished would prefer the fast and the cheap ones.
    """
    for number, job in enumerate(jobs):
        if key_of(job) not in finished:
            asked = (job.case.id, job.attempt)
            part = jobs[:number]
            return tuple(one for one in part if (one.case.id, one.attempt) != asked)
    return tuple(jobs)
