"""Full disks and torn files: what was committed is found, and a sentence says the rest."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest

from gate.errors import JournalError, ReplayError
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome
from tests.unit.wire.wire_fakes import ask, begun, call, journal, record, whole_run

HEADER, FRAME = 32, 4096 + 24
"""Bytes of the log's head, and of a page in it."""


@pytest.mark.parametrize("size", [250_000, 400_000])
def test_full_disk__nothing_committed_is_lost(path: Path, size: int) -> None:
    """The write fails in the middle of a run; with room again, it goes on where it was."""
    child = subprocess.run(
        [sys.executable, "-m", "tests.unit.wire.full_disk", str(path), str(size)],
        capture_output=True,
        text=True,
        check=True,
    )
    *numbers, sentence = child.stdout.splitlines()
    assert f"{path}: the disk is full: free some space and run again to resume" == sentence
    assert 5 < len(numbers) < 1000
    with begun(path, "r2") as book:
        assert "r1" == book.run_id
        for number in numbers:
            assert f"{number} " == str(ask(book, call(number)))[: len(number) + 1]


def _killed(path: Path) -> tuple[bytes, bytes]:
    """What a killed run of three calls leaves: file and log."""
    book = begun(path)
    for number in range(3):
        asyncio.run(record(book, call(str(number)), Outcome(body=number)))
    left = path.read_bytes(), path.with_name(f"{path.name}-wal").read_bytes()
    book.close()
    return left


def test_torn_log__in_the_last_frame(path: Path, tmp_path: Path) -> None:
    """A commit is there whole or not at all, and those before it always are.

    At every byte of the frame's head and of the ends of its page, and at many in between.
    """
    data, log = _killed(path)
    torn = tmp_path / "torn" / path.name
    torn.parent.mkdir()
    torn.write_bytes(data)
    tail = torn.with_name(f"{path.name}-wal")
    assert 0 == (len(log) - HEADER) % FRAME
    ends = {*range(64), *range(FRAME - 24 - 64, FRAME + 1)}
    for cut in sorted(ends | set(range(0, FRAME, 16))):
        tail.write_bytes(log[: len(log) - cut])
        with Journal.open_replay(torn) as tape:
            assert [0, 1] == [tape.find(call(str(number))).body for number in range(2)]
            if cut == 0:
                assert 2 == tape.find(call("2")).body
                continue
            with pytest.raises(ReplayError):
                tape.find(call("2"))


def test_torn_log__is_resumed(path: Path, tmp_path: Path) -> None:
    """At the ends of all frames and beside them: a writer drops the tail and goes on."""
    data, log = _killed(path)
    torn = tmp_path / "torn" / path.name
    torn.parent.mkdir()
    frames = (len(log) - HEADER) // FRAME
    kept = []
    for end in range(HEADER, len(log) + 1, FRAME):
        for beside in (-1, 0, 1):
            torn.write_bytes(data)
            torn.with_name(f"{path.name}-wal").write_bytes(log[: end + beside])
            with begun(torn, "r2") as book:
                kept.append(sum(ask(book, call(str(number))) == number for number in range(3)))
                if book.run_id == "r2":
                    assert 0 == kept[-1]

    assert 3 * (frames + 1) == len(kept)
    assert kept == sorted(kept)
    assert {0, 1, 2, 3} == set(kept)


def test_torn_log__flipped_bytes(path: Path, tmp_path: Path) -> None:
    """A flipped byte in the log ends it there: its checksums find it."""
    data, log = _killed(path)
    torn = tmp_path / "torn" / path.name
    torn.parent.mkdir()
    for place in range(len(log) - FRAME, len(log), 64):
        flipped = bytearray(log)
        flipped[place] ^= 1
        torn.write_bytes(data)
        torn.with_name(f"{path.name}-wal").write_bytes(flipped)
        with Journal.open_replay(torn) as tape:
            assert 1 == tape.find(call("1")).body
            with pytest.raises(ReplayError):
                tape.find(call("2"))


def test_torn_file__at_many_lengths(path: Path) -> None:
    """A main file that was cut off is refused, and never read in part; an empty one is new."""
    whole_run(path, {f"q{n}": Outcome(body="x" * 3000) for n in range(20)})
    data = path.read_bytes()
    for length in (*range(1, len(data), 4099), len(data) - 1, len(data) - 4096):
        path.write_bytes(data[:length])
        for opening in (journal, Journal.open_replay):
            with pytest.raises(JournalError, match=r"damaged, or not a j|not as it was written"):
                opening(path)
        assert data[:length] == path.read_bytes()
    path.write_bytes(b"")
    whole_run(path)
