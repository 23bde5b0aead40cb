"""The executor: so many at once, and an error ends all."""

from __future__ import annotations

import asyncio

import pytest

from gate.engine.local import LocalExecutor
from gate.engine.plan import make_jobs
from gate.errors import ModelError
from gate.types import Job, Result
from tests.fakes import answered, case

JOBS = make_jobs([case(f"c{number}") for number in range(9)], ["t"], 1)


async def test_local_executor__never_more_than_asked_for() -> None:
    """The bound holds, and is used."""
    going = 0
    most = 0

    async def work(job: Job) -> Result:
        nonlocal going, most
        going += 1
        most = max(most, going)
        await asyncio.sleep(0.001)
        going -= 1
        return answered(job)

    results = [one async for one in LocalExecutor(3).execute(JOBS, work)]

    assert most == 3
    assert {job.case.id for job in JOBS} == {one.case_id for one in results}


async def test_local_executor__one_at_once_keeps_the_order() -> None:
    """A replay is the same each time."""

    async def work(job: Job) -> Result:
        return answered(job)

    results = [one async for one in LocalExecutor(1).execute(JOBS, work)]

    assert [job.case.id for job in JOBS] == [one.case_id for one in results]


async def test_local_executor__an_error_cancels_the_rest() -> None:
    """An unknown model ends the run; nothing more is paid for."""
    finished: list[str] = []

    async def work(job: Job) -> Result:
        if job.case.id == "c1":
            raise ModelError("retired")
        await asyncio.sleep(0.05)
        finished.append(job.case.id)
        return answered(job)

    with pytest.raises(ModelError, match="retired"):
        async for _ in LocalExecutor(4).execute(JOBS, work):
            pass

    assert finished == []
