"""What the levels of a judged dimension mean, in the words that the judge is given.

People who rate and the judge must read the same words: kappa compares two readers of one rubric.
So they are taken from the prompt itself. It knows the dimensions of `quality` only.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache

from gate.scorers.quality import METRICS, SYSTEM, TOP
from gate.stats.agreement import bucket
from gate.templates import render
from gate.types import Bucket, Word

_LEVEL = re.compile(r"(\d) = (.+)")


class Rubric(Word):
    """How a dimension is rated."""

    asks: str
    """The question behind the dimension."""
    levels: dict[Bucket, tuple[str, ...]]
    """Bucket -> the judge's levels that lie in it, the best first."""
    notes: tuple[str, ...] = ()
    """What else the judge is told of it."""


def rubric_of(dimension: str) -> Rubric | None:
    """Return the rubric of a dimension; None where the gate has no words for it."""
    return _rubrics().get(dimension)


@cache
def _rubrics() -> Mapping[str, Rubric]:
    names = [metric.name for metric in METRICS]
    parts = re.split(rf"^({'|'.join(names)}): ", render(SYSTEM), flags=re.MULTILINE)
    return {name: _read(text) for name, text in zip(parts[1::2], parts[2::2], strict=True)}


def _read(text: str) -> Rubric:
    asks, *lines = (line for line in text.splitlines() if line.strip())
    levels: dict[Bucket, tuple[str, ...]] = {"high": (), "med": (), "low": ()}
    notes = []
    for line in lines:
        found = _LEVEL.fullmatch(line)
        if found is None:
            notes.append(line)
        else:
            word = bucket(int(found[1]) / TOP)
            levels[word] = (*levels[word], found[2])
    return Rubric(asks=asks, levels=levels, notes=tuple(notes))
