"""JSON that a person can diff: one entry a line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping

__all__ = ["entries", "line", "lines"]


def line(value: object) -> str:
    """Write a value on one line. Raises ValueError for NaN and infinities."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False)


def lines(key: str, values: Iterable[object]) -> str:
    """Write a key with a list, one value a line."""
    written = ",\n".join(line(value) for value in values)
    return f'"{key}": [\n{written}\n]' if written else f'"{key}": []'


def entries(key: str, values: Mapping[str, object]) -> str:
    """Write a key with an object, one entry a line, in the mapping's order."""
    written = ",\n".join(f"{line(name)}: {line(value)}" for name, value in values.items())
    return f'"{key}": {{\n{written}\n}}' if written else f'"{key}": {{}}'
