"""Whatever kills a run, and whenever: what was recorded is not paid for again."""

from __future__ import annotations

import signal
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path

import pytest

from gate.wire.journal import Journal
from gate.wire.purse import Purse
from tests.unit.wire import killed_run
from tests.unit.wire.wire_fakes import call, journal

EXPECTED = f"{[{'answer': number} for number in range(killed_run.CALLS)]}\n"


def _start(folder: Path, point: str, number: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "tests.unit.wire.killed_run",
            str(folder / "journal.sqlite"),
            str(folder / "sent"),
            point,
            number,
        ],
        stdout=subprocess.PIPE,
        text=True,
    )


def _recorded(path: Path) -> list[str]:
    """The calls whose result outlived the kill."""
    if not path.exists():
        return []
    with journal(path) as book:
        entries = [entry for n in range(killed_run.CALLS) for entry in book.audit(str(n))]
    return [str(entry.case_id) for entry in entries if entry.settled]


def _sent(folder: Path) -> Counter[str]:
    log = folder / "sent"
    return Counter(log.read_text().split()) if log.exists() else Counter()


def _check(folder: Path, kills: int = 1) -> None:
    """Run to the end after a kill, and look at what was sent and kept."""
    path = folder / "journal.sqlite"
    before = _sent(folder)
    kept = _recorded(path)
    out, _ = _start(folder, "never", "-1").communicate(timeout=60)
    after = _sent(folder)

    assert out == EXPECTED
    assert all(before[number] == after[number] for number in kept)
    assert after.total() <= killed_run.CALLS + 3 * kills
    assert list(map(str, range(killed_run.CALLS))) == sorted(set(_recorded(path)))
    with Journal.open_replay(path) as replay:
        run = replay.run
        for number in range(killed_run.CALLS):
            scope = run.id if number % 2 else None
            made = call(str(number), case_id=str(number), scope=scope)
            assert {"answer": number} == replay.find(made).body
        lost = len(replay.unsettled())
    assert ("finished", 1) == (run.state, run.n)
    assert after.total() - killed_run.CALLS <= lost <= 3 * kills


@pytest.mark.parametrize("number", ["0", "5", "9"])
@pytest.mark.parametrize(
    "point", ["before-intent", "after-intent", "sending", "before-result", "after-result"]
)
def test_kill__at_a_point(tmp_path: Path, point: str, number: str) -> None:
    """Killed around an intent or a result, the run goes on where it was."""
    first = _start(tmp_path, point, number)
    first.communicate(timeout=60)

    assert -signal.SIGKILL == first.returncode
    _check(tmp_path)


def test_kill__by_others(tmp_path: Path) -> None:
    """Killed from outside, at no point of ours, and twice over."""
    for lines in (2, 6):
        process = _start(tmp_path, "slow", "-1")
        until = time.monotonic() + 60
        while _sent(tmp_path).total() < lines and time.monotonic() < until:
            time.sleep(0.001)
        process.kill()
        process.communicate(timeout=60)

        assert -signal.SIGKILL == process.returncode
    _check(tmp_path, kills=2)


def test_kill__nothing_was_lost_but_the_calls_in_flight(tmp_path: Path) -> None:
    """The intents of a killed run count as spent when it is resumed."""
    first = _start(tmp_path, "sending", "5")
    first.communicate(timeout=60)
    with journal(tmp_path / "journal.sqlite") as book:
        run_id = book.begin_run("other", identity={"plan": "i"})
        bare = book.unsettled()
        purse = Purse()
        for entry in bare:
            purse.carry(entry.reserve_usd)

    assert run_id.startswith("run-")
    assert "5" in {entry.case_id for entry in bare}
    assert 1 <= len(bare) <= 3
    assert 0.5 * len(bare) == purse.totals.assumed_usd
