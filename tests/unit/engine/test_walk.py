"""A run walked to its end, to a deadline, to a signal; and the part of it that is decided on."""

from __future__ import annotations

import asyncio

import pytest

from gate.engine.gather import Gathering
from gate.engine.local import LocalExecutor
from gate.engine.plan import make_jobs
from gate.engine.walk import Walk, finished_part, key_of
from gate.errors import ModelError
from gate.types import Job, Result
from tests.fakes import answered, case

JOBS = make_jobs([case(f"c{number}") for number in range(4)], ["a", "b"], 2)


def walk(work: object, deadline_s: float | None = None) -> tuple[Walk, Gathering, list[str]]:
    """A walk of two jobs at once, with what it tells."""
    gathering, told = Gathering([]), list[str]()
    made = Walk(
        jobs=JOBS,
        work=work,  # type: ignore[arg-type]  # a test's function
        executor=LocalExecutor(2),
        gathering=gathering,
        taken=lambda one: told.append(one.case_id),
        deadline_s=deadline_s,
    )
    return made, gathering, told


async def test_walk__to_its_end() -> None:
    """Every job has a result, gathered and told."""

    async def work(job: Job) -> Result:
        return answered(job)

    made, gathering, told = walk(work)

    assert "done" == await made.to_its_end(asyncio.Event())
    assert {key_of(job) for job in JOBS} == gathering.finished()
    assert len(JOBS) == len(told)


@pytest.mark.parametrize(("deadline_s", "ended"), [(0.05, "deadline"), (None, "signal")])
async def test_walk__ends_early(deadline_s: float | None, ended: str) -> None:
    """What is going on is cancelled; what is done stays."""
    stop, cancelled = asyncio.Event(), list[str]()

    async def work(job: Job) -> Result:
        if job.case.id == "c1":
            if deadline_s is None:
                stop.set()
            try:
                await asyncio.Event().wait()
            finally:
                cancelled.append(job.target)
        return answered(job)

    made, gathering, _ = walk(work, deadline_s)

    assert ended == await made.to_its_end(stop)
    assert {"a", "b"} == set(cancelled)
    assert {("a", "c0", 0), ("b", "c0", 0)} == gathering.finished()


async def test_walk__an_error_goes_up() -> None:
    """What no later call can mend ends it all."""

    async def work(job: Job) -> Result:
        raise ModelError("retired")

    made, _, _ = walk(work)

    with pytest.raises(ModelError, match="retired"):
        await made.to_its_end(asyncio.Event())


def test_finished_part__up_to_the_first_gap() -> None:
    """Later jobs that happened to be done are no part of it, nor is a case half asked."""
    keys = {key_of(job) for job in JOBS}

    assert JOBS == finished_part(JOBS, keys)
    assert JOBS[:4] == finished_part(JOBS, keys - {("b", "c2", 0)})
    assert JOBS[:4] == finished_part(JOBS, keys - {("a", "c2", 0)})
    assert JOBS[:10] == finished_part(JOBS, keys - {("b", "c1", 1)})
    assert () == finished_part(JOBS, keys - {("a", "c0", 0)})
