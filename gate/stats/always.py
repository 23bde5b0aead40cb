"""Cases that were right every time and are wrong every time now."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np


def turned_wrong(
    new: tuple[Sequence[float], Sequence[int]],
    base: tuple[Sequence[float], Sequence[int]],
    floor: float,
    *,
    fewest: int,
) -> list[int]:
    """Give the places of the cases that were always right and are always wrong now.

    Each side is the scores of all cases end to end, and where those of each end; every case has at
    least one on both sides. Right is a score of `floor` or more. Cases with fewer than `fewest`
    baseline scores are left out: one lucky answer is not always.
    """
    ends = np.asarray(base[1], dtype=np.int64)
    if len(ends) == 0:
        return []
    lowest = np.minimum.reduceat(np.asarray(base[0], dtype=np.float64), _starts(ends))
    now = np.asarray(new[1], dtype=np.int64)
    highest = np.maximum.reduceat(np.asarray(new[0], dtype=np.float64), _starts(now))
    turned = (lowest >= floor) & (highest < floor) & (np.diff(ends, prepend=0) >= fewest)
    places: list[int] = np.flatnonzero(turned).tolist()
    return places


def _starts(ends: np.ndarray[tuple[int], np.dtype[np.int64]]) -> list[int]:
    return [0, *ends[:-1].tolist()]
