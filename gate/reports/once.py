"""What is worked out of a record once, however many pages and levels of detail ask for it."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import wraps
from typing import TypeVar

R = TypeVar("R")
S = TypeVar("S")

_KEPT = 4
"""Records whose answers are remembered: a report has few runs beside its own."""


def once(ask: Callable[[R], S]) -> Callable[[R], S]:
    """Remember the answers to the last records asked about: they are frozen, so answers stay."""
    known: deque[tuple[R, S]] = deque(maxlen=_KEPT)

    @wraps(ask)
    def answer(record: R) -> S:
        for asked, said in known:
            if asked is record:
                return said
        said = ask(record)
        known.append((record, said))
        return said

    return answer
