"""Judges that changed behind their name, or only the name: `--offline=steady+judge-stricter`.

The stricter one gives each level one step lower, calls half supported what is supported and
unsupported what is half, and calls no sentence borne out by what it cites.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gate.loopback.judging.claims import Row
from gate.loopback.judging.form import Field

Filled = dict[str, str | int | list[Row]]
"""A form, filled in."""

RENAMED: Final = "-next"
"""What the name of the renamed judge has at its end."""

_HARSHER: Final[Mapping[object, str]] = {"supported": "partial", "partial": "unsupported"}


def stricter(filled: Filled, form: Sequence[Field]) -> Filled:
    """Return a form as a stricter judge would have filled it in."""
    levels = {field.name: field.levels for field in form if field.kind == "level"}
    made: Filled = {}
    for name, value in filled.items():
        if name in levels:
            place = levels[name].index(int(str(value)))
            made[name] = levels[name][max(0, place - 1)]
        else:
            made[name] = [_harsher(row) for row in value] if isinstance(value, list) else value
    return made


def _harsher(row: Row) -> Row:
    """Rate one row of a list lower."""
    label, found = row.get("label"), dict(row)
    if label in _HARSHER:
        found["label"] = _HARSHER[label]
    if "supported" in row:
        alone: list[dict[str, Any]] = [dict(one) for one in _citations(row)]
        found["supported"] = False
        found["citations"] = [{**one, "alone": False} for one in alone]
    return found


def _citations(row: Row) -> Sequence[Mapping[str, Any]]:
    citations = row.get("citations")
    return citations if isinstance(citations, list) else []
