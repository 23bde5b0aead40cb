"""Finds the JSON objects in a reply that may hold other text as well."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator

from gate.types.halves import may_hold_halves, whole_json

_FENCE = re.compile(r"```[a-zA-Z]*\s*(?=\{)")
_MOST = 500
"""Braces that are tried, so that a reply of braces alone costs no time."""


def candidates(text: str) -> Iterator[list[dict[str, object]]]:
    """Yield the objects of a reply, in groups of falling trust.

    The whole reply; then what code fences begin with; then every balanced object. Objects are
    read by a JSON reader, so that braces and backticks inside texts end nothing.
    """
    yield _only(text.strip())
    yield _at(text, [found.end() for found in _FENCE.finditer(text)])
    yield _at(text, [place for place, character in enumerate(text) if character == "{"])


def _only(text: str) -> list[dict[str, object]]:
    found = _decode(text, 0)
    return [found[0]] if found is not None and found[1] == len(text) else []


def _at(text: str, places: list[int]) -> list[dict[str, object]]:
    """The objects that begin at these places; one inside another is passed over."""
    objects: list[dict[str, object]] = []
    after = 0
    for place in places[:_MOST]:
        found = _decode(text, place) if place >= after else None
        if found is not None:
            objects.append(found[0])
            after = found[1]
    return objects


def _decode(text: str, place: int) -> tuple[dict[str, object], int] | None:
    if not text.startswith("{", place):
        return None
    try:
        value, end = _DECODER.raw_decode(text, place)
    except (ValueError, RecursionError):
        return None
    if may_hold_halves(text):
        value = whole_json(value)
    return (value, end) if isinstance(value, dict) else None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


_DECODER = json.JSONDecoder(parse_constant=_no_constant)
