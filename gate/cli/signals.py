"""SIGINT and SIGTERM: the first ends the work in order, the second at once.

A runner sends SIGINT, SIGTERM 7.5 seconds later and SIGKILL 2.5 seconds after that, to the first
process of a container alone. There, as process 1, no signal has an effect of its own: both have a
handler. This file imports next to nothing, since a signal may come while the rest is imported.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

from gate.errors import Interrupted

_OURS = (signal.SIGINT, signal.SIGTERM)


class Signals:
    """What came, and who is to be told."""

    def __init__(self) -> None:
        """Nothing came; nobody listens."""
        self.received: signal.Signals | None = None
        """The first signal; None while none has come."""
        self.received_at = 0.0
        """When it came, by the monotonic clock."""
        self.at_work = False
        """Whether a block was held: since then files of this process are being written."""
        self._listener: Callable[[], None] | None = None
        self._held = False
        self._loading = False

    def install(self) -> None:
        """Take over the process's handlers of SIGINT and SIGTERM; `loaded` acts on what comes.

        Until then the command is being imported, and nobody knows which folder it writes to.
        """
        self._loading = True
        for number in _OURS:
            signal.signal(number, self.handle)

    def loaded(self) -> None:
        """Take signals from now on. Raises Interrupted where one has come."""
        self._loading = False
        if self.received is not None:
            raise Interrupted(self.received)

    @property
    def exit_code(self) -> int | None:
        """128 plus the signal's number, as shells have it; None while none has come."""
        return None if self.received is None else 128 + self.received

    @contextmanager
    def told(self, listener: Callable[[], None]) -> Iterator[None]:
        """Tell `listener` of a signal inside the block, also of one that came before."""
        self._listener = listener
        try:
            if self.received is not None:
                listener()
            yield
        finally:
            self._listener = None

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the block come to its end: what is being written is written whole."""
        self._held = self.at_work = True
        try:
            yield
        finally:
            self._held = False

    def handle(self, number: int, frame: FrameType | None) -> None:  # noqa: ARG002 - Python's
        """Take a signal. Raises Interrupted where nobody listens and nothing is held or loading."""
        if self.received is not None:
            os._exit(128 + number)
        self.received, self.received_at = signal.Signals(number), time.monotonic()
        if self._listener is not None:
            self._listener()
        elif not self._held and not self._loading:
            raise Interrupted(number)
