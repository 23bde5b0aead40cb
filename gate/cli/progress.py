"""What a person sees while a run goes on: a bar on a terminal, plain lines elsewhere."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TextIO

from gate.cli.output import tell
from gate.decision.words import counted, dollars
from gate.protocols import Progress
from gate.types import Result

EVERY_S = 10.0
"""Seconds between plain lines."""


class NoProgress:
    """Says nothing, for runs that nobody watches."""

    def start(self, total: int, doing: str, noun: str) -> None:
        """Say nothing."""

    def done(self, result: Result, usd: float | None) -> None:
        """Say nothing."""

    def note(self, text: str) -> None:
        """Say nothing."""

    def close(self) -> None:
        """Say nothing."""


class PlainProgress:
    """A line now and then, for logs. It never writes what an answer says."""

    def __init__(self, tell: Callable[[str], None], *, paid: bool = True) -> None:
        """Write lines with `tell`; where nothing is `paid`, costs are said to be list prices."""
        self._tell = tell
        self._paid = paid
        self._total = 0
        self._done = 0
        self._failed = 0
        self._said = 0.0

    def start(self, total: int, doing: str, noun: str) -> None:
        """Say how many jobs are planned, and what is done."""
        self._total, self._done, self._failed = total, 0, 0
        self._said = time.monotonic()
        self._write(f"{doing} {counted(total, noun)} ...")

    def done(self, result: Result, usd: float | None) -> None:
        """Count; say so every ten seconds."""
        self._done += 1
        self._failed += result.answer.failure is not None
        now = time.monotonic()
        if now - self._said >= EVERY_S and self._done < self._total:
            self._said = now
            cost = _cost(usd, paid=self._paid)
            self._write(f"{self._done} of {self._total} done{_failures(self._failed)}{cost}")

    def note(self, text: str) -> None:
        """Say it now."""
        self._write(text)

    def close(self) -> None:
        """Say how it ended."""
        if self._total:
            self._write(f"{self._done} of {self._total} done{_failures(self._failed)}")

    def _write(self, text: str) -> None:
        self._tell(text)


class BarProgress:
    """A bar with count, failures and cost, for terminals."""

    def __init__(self, stream: TextIO, *, paid: bool = True) -> None:
        """Draw on `stream`; rich is imported here only. `paid` as for `PlainProgress`."""
        from rich.console import Console  # noqa: PLC0415 - not needed in CI
        from rich.progress import (  # noqa: PLC0415
            BarColumn,
            MofNCompleteColumn,
            TextColumn,
            TimeElapsedColumn,
        )
        from rich.progress import Progress as Bar  # noqa: PLC0415

        self._bar = Bar(
            TextColumn("{task.description}"),
            BarColumn(bar_width=32),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            TextColumn("{task.fields[more]}"),
            console=Console(file=stream),
            refresh_per_second=5,
        )
        self._failed = 0
        self._paid = paid

    def start(self, total: int, doing: str, noun: str) -> None:
        """Draw the empty bar."""
        self._bar.start()
        self._task = self._bar.add_task(f"{doing} {noun}s", total=total, more="")

    def done(self, result: Result, usd: float | None) -> None:
        """Move on by one."""
        self._failed += result.answer.failure is not None
        more = f"{_failures(self._failed)}{_cost(usd, paid=self._paid)}"
        self._bar.update(self._task, advance=1, more=more.removeprefix(", "))

    def note(self, text: str) -> None:
        """Write above the bar."""
        self._bar.console.print(text, markup=False, highlight=False)

    def close(self) -> None:
        """Leave the full bar standing."""
        self._bar.stop()


def progress_for(stream: TextIO, *, paid: bool) -> Progress:
    """Choose by whether a person looks at it; `paid` says whether its calls cost money."""
    return BarProgress(stream, paid=paid) if stream.isatty() else PlainProgress(tell, paid=paid)


def _failures(count: int) -> str:
    return f", {count} without an answer" if count else ""


def _cost(usd: float | None, *, paid: bool) -> str:
    return "" if not usd else f", {dollars(usd)}{'' if paid else ' at list prices'} so far"
