"""Rulings that no other run asked for: so a judge's journal, or a copy of it, hides no drift."""

from __future__ import annotations

import hashlib

from gate.types import MOST_RULINGS, REPEAT_STRIDE

_FIRST = 2 * MOST_RULINGS * REPEAT_STRIDE
"""Beyond the attempts of any plan and of the second look that follows them, repeats included."""

_ROOM = 1_000
"""Rulings of one run on one answer at most."""


def fresh_rulings(run_id: str) -> int:
    """Return the number of the first ruling that is this run's own.

    The same run asks for the same ones when it goes on and when it is replayed.
    """
    lot = int.from_bytes(hashlib.sha256(run_id.encode()).digest()[:4], "big")
    return _FIRST + lot * _ROOM
