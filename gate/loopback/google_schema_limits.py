"""What `responseJsonSchema` may hold (google-genai 3.6.1, `response_json_schema`).

The vendor is said to pass over some of what it does not know; this stand-in refuses it, so that a
form never rests on a keyword that nobody heeds.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

KNOWN: Final = frozenset(
    {
        *("$id", "$defs", "$ref", "$anchor", "type", "format", "title", "description", "enum"),
        *("items", "prefixItems", "minItems", "maxItems", "minimum", "maximum", "anyOf", "oneOf"),
        *("properties", "additionalProperties", "required", "propertyOrdering"),
    }
)
"""Keywords that are accepted."""
_PLACE = "generation_config.response_json_schema"


def google_schema_fault(schema: Mapping[str, Any]) -> str | None:
    """Return the vendor's complaint about a schema; None when it is accepted."""
    found = (_node_fault(node) for node in _nodes(schema))
    return next((fault for fault in found if fault), None)


def _node_fault(node: Mapping[str, Any]) -> str | None:
    unknown = sorted(node.keys() - KNOWN)
    if unknown:
        return "\n".join(
            f"Invalid JSON payload received. Unknown name \"{name}\" at '{_PLACE}': "
            "Cannot find field."
            for name in unknown
        )
    if "$ref" in node and any(not name.startswith("$") for name in node):
        return f"{_PLACE}: a schema with $ref may hold no other property"
    values = node.get("enum", [])
    if any(isinstance(one, bool) or not isinstance(one, str | int | float) for one in values):
        return f"{_PLACE}.enum: only strings and numbers are allowed"
    ordering = node.get("propertyOrdering")
    if ordering is not None and set(ordering) != set(node.get("properties", {})):
        return f"{_PLACE}.property_ordering: must name every property once"
    return None


def _nodes(node: Any) -> Iterator[Mapping[str, Any]]:
    """Yield every schema within a schema."""
    if not isinstance(node, dict):
        return
    yield node
    for key in ("items", "additionalProperties"):
        yield from _nodes(node.get(key))
    for key in ("anyOf", "oneOf", "prefixItems"):
        for inner in node.get(key, []):
            yield from _nodes(inner)
    for key in ("properties", "$defs"):
        for inner in node.get(key, {}).values():
            yield from _nodes(inner)
