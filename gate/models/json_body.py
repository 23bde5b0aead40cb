"""Careful looks into a vendor's JSON: what is missing or of another type reads as empty."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue


def mapping(value: JsonValue) -> Mapping[str, JsonValue]:
    """Return an object, or an empty one."""
    return value if isinstance(value, dict) else {}


def child(parent: Mapping[str, JsonValue], key: str) -> Mapping[str, JsonValue]:
    """Return the object under a key, or an empty one."""
    return mapping(parent.get(key))


def items(value: JsonValue) -> Sequence[JsonValue]:
    """Return an array, or an empty one."""
    return value if isinstance(value, list) else []


def text_of(value: JsonValue) -> str:
    """Return a text, or an empty one."""
    return value if isinstance(value, str) else ""


def count(value: JsonValue) -> int | None:
    """Return a number of things, or None; the wire also writes 64-bit numbers as texts."""
    if isinstance(value, str) and value.isascii() and value.isdigit():
        return int(value)
    is_count = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return int(value) if is_count and isinstance(value, int) else None
