"""The process that reads pages, when it does not do as it should."""

from __future__ import annotations

import asyncio
import os
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from gate.errors import CannotRun
from gate.wire.pagetext.process import ReaderLimits, ReadingProcess, UnreadError
from gate.wire.pagetext.reader import PageReader
from tests.unit.wire.web_fakes import STORY, page

GOOD = page(STORY.encode())
QUICK = ReaderLimits(workers=1, wall_s=0.5)
SAYS = "printf '{}\\000\\000\\000\\000'"
"""How a process says a letter without more."""
READY = SAYS.format("r")


def program(folder: Path, script: str) -> str:
    """A program that stands in for Python."""
    file = folder / "program"
    file.write_text(f"#!/bin/sh\n{script}\n")
    file.chmod(0o755)
    return str(file)


async def test_process__dies_over_a_page() -> None:
    """An end by itself is told apart from being too slow."""
    process = await ReadingProcess.start(QUICK, {})
    reading = asyncio.create_task(
        process.read("html", b"<p>word " * 125_000, charset=None, cut=False)
    )
    await asyncio.sleep(0.1)
    process._process.kill()

    with pytest.raises(UnreadError, match="reader died"):
        await reading
    assert not process.alive


async def test_process__answers_more_than_agreed() -> None:
    """A process that a page took over cannot flood us."""
    process = await ReadingProcess.start(replace(QUICK, text_bytes=10), {})

    with pytest.raises(UnreadError, match="reader died"):
        await process.read("text", b"words " * 9, charset=None, cut=False)
    assert not process.alive


@pytest.mark.parametrize("program", ["/bin/false", "/no/such/program"])
async def test_process__does_not_start(monkeypatch: pytest.MonkeyPatch, program: str) -> None:
    """A broken machine is no bad page: it is said aloud, with what to do."""
    monkeypatch.setattr(sys, "executable", program)

    with pytest.raises(CannotRun, match="cited pages"):
        await PageReader(QUICK).read(GOOD)


async def test_process__does_not_start_in_time() -> None:
    """Nor does a machine that hangs hold up a run."""
    with pytest.raises(CannotRun, match="does not start"):
        await PageReader(replace(QUICK, start_s=0.001)).read(GOOD)


async def test_process__start_is_given_up(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """A process that was still starting is not left behind."""
    pid = tmp_path / "pid"
    monkeypatch.setattr(
        sys,
        "executable",
        program(tmp_path, f"echo $$ > {pid}.new; mv {pid}.new {pid}; exec sleep 60"),
    )
    task = asyncio.create_task(PageReader(QUICK).read(GOOD))
    async with asyncio.timeout(20):
        while not pid.exists():  # noqa: ASYNC110 - another process makes it
            await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task

    with pytest.raises(ProcessLookupError):
        os.kill(int(pid.read_text()), 0)


async def test_process__is_out_of_memory(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It says so, and is not asked again."""
    script = f"{READY}; {SAYS.format('m')}; exec sleep 60"
    monkeypatch.setattr(sys, "executable", program(tmp_path, script))
    process = await ReadingProcess.start(QUICK, {})

    with pytest.raises(UnreadError, match="too large to read"):
        await process.read("html", b"<p>words", charset=None, cut=False)
    assert not process.alive


async def test_process__does_not_end(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """It gets a moment, then it is killed."""
    monkeypatch.setattr(sys, "executable", program(tmp_path, f"{READY}; exec sleep 60"))
    process = await ReadingProcess.start(QUICK, {})

    async with asyncio.timeout(20):
        await process.close()

    assert not process.alive
