"""Which answers to rate next: those that kappa learns most from, and some drawn by lot.

Kappa lives on the labels off its commonest cell. So answers come first that the judge rates
otherwise than most, that it rated differently when asked again, or that lie near the border of two
buckets. A judge's own mistakes lie among the answers that it rates like all others, and no sign of
the judge leads to them: every third answer is drawn by lot.

What it cannot do: a kappa of answers chosen so is not that of answers as they come. It says how
well the judge tells good from bad where both occur.
"""

from __future__ import annotations

import hashlib
import math
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from gate.stats.agreement import bucket
from gate.types import Word

BORDER = 0.1
"""A score nearer than this to 1/3 or 2/3 lies near the border."""

OTHER, SPLIT, NEAR = 2, 2, 1
"""Points of an answer, for each dimension: another bucket than most, another one when asked again,
near a border."""

_BORDERS = (1 / 3, 2 / 3)
_EVERY = 3
"""Each third answer is drawn by lot."""

Key = tuple[str, str]
"""Case and digest of the answer."""


class Heard(Word):
    """What the judge said of one answer in one dimension, once for each time it was asked."""

    dimension: str
    """The dimension, or an item's metric."""
    said: tuple[float | str, ...]
    """Scores in [0, 1], or words of items."""


class Candidate(Word):
    """An answer that can be rated, and what the judge said of it: never shown."""

    case_id: str
    """The case."""
    category: str
    """Its category."""
    answer: str
    """Digest of the answer."""
    heard: tuple[Heard, ...] = ()
    """What the judge said."""

    @property
    def key(self) -> Key:
        """Case and digest of the answer."""
        return self.case_id, self.answer


def ranked(candidates: Sequence[Candidate], labelled: Collection[Key] = ()) -> tuple[Key, ...]:
    """Put answers into the order in which they are worth rating; the same ones give the same order.

    `labelled` are answers that other files have a label of: they come last. Of the rest the
    categories take turns, in each the case with the fewest answers so far, of that the most points.
    """
    points, known_keys = _points(candidates), set(labelled)
    fresh = [one for one in candidates if one.key not in known_keys]
    known = [one for one in candidates if one.key in known_keys]
    return (*_in_turns(fresh, points), *_in_turns(known, points))


def batch(order: Sequence[Key], size: int | None, done: Collection[Key]) -> tuple[Key, ...]:
    """Return the first `size` answers of the order in which one is not done, else the next `size`.

    So the same command goes on with the same answers until they are rated, and then with others.
    The last batch where all are done, and everything where `size` is None.
    """
    size = len(order) if size is None else size
    parts = [order[start : start + size] for start in range(0, len(order), max(size, 1))]
    open_ones = [part for part in parts if any(key not in done for key in part)]
    return tuple(open_ones[0] if open_ones else parts[-1] if parts else ())


def mixed(keys: Sequence[Key]) -> tuple[Key, ...]:
    """Mix answers, so that their order says nothing of what the judge thinks of them."""
    return tuple(sorted(keys, key=_lot))


def _lot(key: Key) -> str:
    """A place that nobody chose, the same one on every machine."""
    return hashlib.sha256("\x1f".join(("label", *key)).encode()).hexdigest()


def _points(candidates: Sequence[Candidate]) -> dict[Key, int]:
    common: dict[str, Counter[str]] = defaultdict(Counter)
    for one in candidates:
        for heard in one.heard:
            common[heard.dimension].update(set(map(_word, heard.said)))
    most = {
        name: min(found, key=lambda word: (-found[word], word)) for name, found in common.items()
    }
    return {
        one.key: sum(
            _of_dimension(heard, most[heard.dimension]) for heard in one.heard if heard.said
        )
        for one in candidates
    }


def _of_dimension(heard: Heard, most: str) -> int:
    words = set(map(_word, heard.said))
    scores = [one for one in heard.said if isinstance(one, float)]
    points = OTHER if words != {most} else 0
    if scores:
        mean = math.fsum(scores) / len(scores)
        points += SPLIT if len(words) > 1 else 0
        points += NEAR if min(abs(mean - border) for border in _BORDERS) < BORDER else 0
    return points


def _word(said: float | str) -> str:
    return bucket(said) if isinstance(said, float) else said


def _in_turns(candidates: Sequence[Candidate], points: dict[Key, int]) -> Iterator[Key]:
    queues = _queues(candidates, points)
    taken: set[Key] = set()
    served: Counter[str] = Counter()
    for number in range(1, len(candidates) + 1):
        by_lot = number % _EVERY == 0
        heads = {
            name: head
            for name, pair in queues.items()
            if (head := _head(pair[1 if by_lot else 0], taken)) is not None
        }
        turn = min(served[name] for name in heads)
        place, name = min((heads[name], name) for name in heads if served[name] == turn)
        served[name] += 1
        taken.add(place.key)
        yield place.key


class _Place(NamedTuple):
    """Where an answer stands in a queue."""

    turn: int
    """Its place among the answers of its case: labels of one case tell less than of several."""
    points: int
    """Minus its points; 0 in the queue by lot."""
    lot: str
    key: Key


def _queues(
    candidates: Sequence[Candidate], points: dict[Key, int]
) -> dict[str, tuple[list[_Place], list[_Place]]]:
    """Queue the answers of each category by points and by lot, the last one first to go."""
    of_case: Counter[str] = Counter()
    by_points: dict[str, list[_Place]] = defaultdict(list)
    for one in sorted(candidates, key=lambda one: (-points[one.key], _lot(one.key))):
        place = _Place(of_case[one.case_id], -points[one.key], _lot(one.key), one.key)
        by_points[one.category].append(place)
        of_case[one.case_id] += 1
    return {
        name: (
            sorted(places, reverse=True),
            sorted((place._replace(points=0) for place in places), reverse=True),
        )
        for name, places in by_points.items()
    }


def _head(queue: list[_Place], taken: Collection[Key]) -> _Place | None:
    while queue and queue[-1].key in taken:
        queue.pop()
    return queue[-1] if queue else None
