"""Which of very many cases fell most, each by its worst dimension."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from heapq import nsmallest
from itertools import chain
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gate.stats.columns import rounded


class Ends(Protocol):
    """Where the cases of one dimension began and where they ended, in columns."""

    @property
    def case_ids(self) -> Sequence[str]:
        """The cases, each once."""

    @property
    def baselines(self) -> Sequence[float]:
        """Their means before."""

    @property
    def currents(self) -> Sequence[float]:
        """Their means now."""


@dataclass(frozen=True)
class Falls:
    """The cases that moved, and those of them that fell most."""

    count: int
    """How many moved."""
    first: tuple[tuple[str, str], ...]
    """Group and case of those that fell most, worst first."""


def largest_falls(
    dimensions: Iterable[tuple[str, Ends]],
    *,
    least: float,
    most: int,
    without: Collection[tuple[str, str]] = (),
) -> Falls:
    """Order the cases that moved by `least` or more in some dimension by the worst of their moves.

    `dimensions` gives each dimension with the group that its cases are of, such as a target. Cases
    that moved alike stand in the order of their groups and ids. `without` are not counted.
    """
    groups: dict[str, list[Ends]] = {}
    for group, ends in dimensions:
        groups.setdefault(group, []).append(ends)
    worst = {group: _worst(of, least) for group, of in groups.items()}
    for group, case in without:
        if group in worst and case in worst[group][0]:
            worst[group][1][worst[group][0][case]] = np.inf
    moved = np.concatenate([np.empty(0), *(moves[moves < np.inf] for _, moves in worst.values())])
    last = _last(moved, most)
    near = (
        (move, group, case)
        for group, (places, moves) in worst.items()
        for case, move in zip(places, moves.tolist(), strict=True)
        if move <= last and move < np.inf
    )
    first = nsmallest(most, near)
    return Falls(len(moved), tuple((group, case) for _, group, case in first))


def fell_most(ends: Ends, most: int, places: int) -> tuple[str, ...]:
    """Name the cases of one dimension that fell most, worst first.

    Falls are rounded to so many decimals; cases that fell alike stand in the order of their ids.
    """
    moves = rounded(np.asarray(ends.currents) - np.asarray(ends.baselines), places)
    fallen = np.asarray(ends.currents) < np.asarray(ends.baselines)
    fallen &= moves <= _last(moves[fallen], most)
    near = ((moves[place], ends.case_ids[place]) for place in np.flatnonzero(fallen).tolist())
    return tuple(case for _, case in nsmallest(most, near))


def _last(moves: NDArray[np.float64], most: int) -> float:
    """Give the move that this many are at or below: what is beyond it need not be sorted."""
    return math.inf if len(moves) <= most else float(np.partition(moves, most - 1)[most - 1])


def _worst(dimensions: Sequence[Ends], least: float) -> tuple[dict[str, int], NDArray[np.float64]]:
    """Give the place of each case, and at its place its worst move; infinite where it has none."""
    cases = dict.fromkeys(chain.from_iterable(one.case_ids for one in dimensions))
    places = dict(zip(cases, range(len(cases)), strict=True))
    worst = np.full(len(places), np.inf)
    for one in dimensions:
        moves = np.asarray(one.currents) - np.asarray(one.baselines)
        moved = np.abs(moves) >= least
        own = np.fromiter(map(places.__getitem__, one.case_ids), np.intp, len(one.case_ids))[moved]
        worst[own] = np.minimum(worst[own], moves[moved])
    return places, worst
