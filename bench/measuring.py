"""Whole processes, measured from outside: wall, CPU, memory; and the stand-in that they call."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
EVERY_S = 0.025
PAGE = os.sysconf("SC_PAGE_SIZE")


@dataclass(frozen=True)
class Measured:
    """One process with its children, or the medians of several."""

    wall_s: float
    """From its start to its end."""
    cpu_s: float
    """User and system, of the process and of the children that it waited for."""
    peak_mb: float
    """Most resident memory of one process: its own, or of a child that had more."""
    sum_mb: float
    """Most resident memory of the process and its children together, looked at every 25 ms."""
    first_call_s: float
    """From its start to the first call that the stand-in saw; NaN where it saw none."""
    most_in_flight: float
    """Most calls that the stand-in had open at once."""
    connections: float
    """Connections that were opened for them."""


class StandIn:
    """`bench/answering.py` as a process of its own."""

    def __init__(self, port: int) -> None:
        """Take the port on which it listens."""
        self.url = f"http://127.0.0.1:{port}"
        self._port = port

    def reset(self, delay_ms: int) -> dict[str, Any]:
        """Forget the calls and set the delay; return the counts so far."""
        return self._get(f"/_bench/reset?{delay_ms}")

    def counts(self) -> dict[str, Any]:
        """Return the calls since the last reset."""
        return self._get("/_bench/counts")

    def _get(self, path: str) -> dict[str, Any]:
        with contextlib.closing(http.client.HTTPConnection("127.0.0.1", self._port)) as line:
            line.request("GET", path)
            found: dict[str, Any] = json.load(line.getresponse())
            return found


@contextlib.contextmanager
def stand_in() -> Iterator[StandIn]:
    """Start the stand-in and end it with the block."""
    command = [sys.executable, str(HERE / "answering.py")]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as child:
        assert child.stdout is not None
        try:
            yield StandIn(int(child.stdout.readline()))
        finally:
            child.terminate()


def measure(
    command: Sequence[str],
    *,
    folder: Path,
    env: Mapping[str, str],
    server: StandIn,
    delay_ms: int = 0,
    calls: tuple[int, int] | None = None,
    exits: Sequence[int] = (0,),
) -> Measured:
    """Run a command in a folder and measure it.

    Raises SystemExit, with the end of what it wrote, when it ends with a code that is not in
    `exits`, or when the stand-in did not see this many answer and judge calls (`calls`).
    """
    server.reset(delay_ms)
    log = folder / "output.txt"
    with log.open("wb") as out:
        began = time.monotonic()
        child = subprocess.Popen(
            command, cwd=folder, env=dict(env), stdout=out, stderr=out, stdin=subprocess.DEVNULL
        )
        watch = _Watch(child.pid)
        _, status, used = os.wait4(child.pid, 0)
        wall_s = time.monotonic() - began
    child.returncode = os.waitstatus_to_exitcode(status)
    seen = server.counts()
    made = seen["calls"]
    wrong = calls is not None and (made["answer"], made["judge"]) != calls
    if child.returncode not in exits or wrong or made["unknown"]:
        end = log.read_text(errors="replace")[-3000:]
        raise SystemExit(f"{command}\n{end}\nexit {child.returncode}, calls {made}, not {calls}")
    first = seen["first"]
    return Measured(
        wall_s=wall_s,
        cpu_s=used.ru_utime + used.ru_stime,
        peak_mb=used.ru_maxrss / 1024,
        sum_mb=max(watch.stop(), used.ru_maxrss / 1024),
        first_call_s=float("nan") if first is None else first - began,
        most_in_flight=seen["most_in_flight"],
        connections=seen["connections"] - 1,  # the last one asks for the counts
    )


def median(rows: Sequence[Measured]) -> Measured:
    """Return the median of every figure."""
    return Measured(
        **{
            field.name: statistics.median(getattr(row, field.name) for row in rows)
            for field in fields(Measured)
        }
    )


class _Watch:
    """Adds up the resident memory of a process and its descendants now and then."""

    def __init__(self, pid: int) -> None:
        self._pid = pid
        self._most = 0.0
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._look, daemon=True)
        self._thread.start()

    def stop(self) -> float:
        """Stop and return the most, in MB."""
        self._end.set()
        self._thread.join()
        return self._most

    def _look(self) -> None:
        while not self._end.wait(EVERY_S):
            self._most = max(self._most, sum(_resident_mb(pid) for pid in _family(self._pid)))


def _family(pid: int) -> Iterator[int]:
    yield pid
    with contextlib.suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            children = (task / "children").read_text().split()
            for child in children:
                yield from _family(int(child))


def _resident_mb(pid: int) -> float:
    with contextlib.suppress(OSError, IndexError):
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * PAGE / 1024**2
    return 0.0
