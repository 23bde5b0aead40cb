"""What a judge is asked to fill in: the JSON Schema of its reply."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

_BLOCK = re.compile(r"```(?:json)?\s*\n(\{.*?\})\s*\n```", re.DOTALL)


class UnknownKeyError(ValueError):
    """A form asks for something that the stand-in judge has no rule for."""


@dataclass(frozen=True, slots=True)
class Field:
    """One key of the form."""

    name: str
    """The key."""
    kind: Literal["level", "text", "rows"]
    """A choice of integers, a text, or a list."""
    levels: tuple[int, ...] = ()
    """The accepted integers, lowest first; empty for anything but a level."""


def schema_in(text: str) -> Mapping[str, Any] | None:
    """Return the last JSON Schema of an object in a fenced block of a text; None without one.

    The last, since the form stands at the end of what asks for it.
    """
    for block in reversed(_BLOCK.findall(text)):
        try:
            value = json.loads(block)
        except ValueError:
            continue
        if isinstance(value, dict) and isinstance(value.get("properties"), dict):
            return value
    return None


def fields_of(schema: Mapping[str, Any]) -> tuple[Field, ...]:
    """Return the keys of a form, required ones first, in the schema's order, as the vendor does.

    Raises UnknownKeyError for a key that is no text, no list and no choice of integers.
    """
    properties: Mapping[str, Any] = schema.get("properties", {})
    required = schema.get("required", [])
    order = sorted(properties, key=lambda name: name not in required)
    return tuple(_field(name, _resolved(properties[name], schema)) for name in order)


def _resolved(value: Mapping[str, Any], schema: Mapping[str, Any]) -> Mapping[str, Any]:
    reference = value.get("$ref", "")
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return value
    found: Any = schema
    for step in reference[2:].split("/"):
        found = found[step]
    return found if isinstance(found, dict) else value


def _field(name: str, value: Mapping[str, Any]) -> Field:
    if isinstance(value.get("enum"), list) and all(isinstance(one, int) for one in value["enum"]):
        return Field(name, "level", tuple(sorted(value["enum"])))
    if value.get("type") == "string" and "enum" not in value:
        return Field(name, "text")
    if value.get("type") == "array":
        return Field(name, "rows")
    raise UnknownKeyError(
        f"the loopback judge cannot fill {name!r}: write a rule for it under gate/loopback/judging"
    )
