"""What a JSON Schema for structured output may hold (structured outputs page, August 2026 copy)."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final

REFUSED: Final = frozenset(
    {
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minLength",
        "maxLength",
        "maxItems",
        "uniqueItems",
        "contains",
        "minProperties",
        "maxProperties",
        "patternProperties",
        "propertyNames",
        "not",
        "oneOf",
        "if",
    }
)
"""Keywords that are answered with 400."""
FORMATS: Final = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)
"""The accepted string formats."""
_FEW_ITEMS = (0, 1)


def schema_fault(schema: Mapping[str, Any]) -> str | None:
    """Return the vendor's complaint about a schema; None when it is accepted."""
    found = (
        node if isinstance(node, str) else _node_fault(node) for node in _nodes(schema, schema, ())
    )
    return next((fault for fault in found if fault), None)


def _node_fault(node: Mapping[str, Any]) -> str | None:
    kind = node.get("type", "object" if "properties" in node else "any")
    refused = sorted(REFUSED & node.keys())
    if refused:
        return f"For '{kind}' type, properties {', '.join(refused)} are not supported"
    if kind == "object" and node.get("additionalProperties") is not False:
        return "For 'object' type, 'additionalProperties' must be explicitly set to false"
    if node.get("minItems", 0) not in _FEW_ITEMS:
        return "For 'array' type, 'minItems' values other than 0 or 1 are not supported"
    if kind == "string" and node.get("format", "date") not in FORMATS:
        return f"For 'string' type, format '{node['format']}' is not supported"
    if "$ref" in node and "allOf" in node:
        return "'allOf' is not supported together with '$ref'"
    return None


def _nodes(
    node: Any, root: Mapping[str, Any], trail: tuple[str, ...]
) -> Iterator[Mapping[str, Any] | str]:
    """Yield every schema within a schema, references followed; a string is a complaint."""
    if not isinstance(node, dict):
        return
    yield node
    reference = node.get("$ref")
    if isinstance(reference, str):
        if not reference.startswith("#"):
            yield "External $ref is not supported"
        elif reference in trail:
            yield "Recursive schemas are not supported"
        else:
            yield from _nodes(_at(root, reference), root, (*trail, reference))
    for key in ("items", "additionalProperties"):
        yield from _nodes(node.get(key), root, trail)
    for key in ("anyOf", "allOf"):
        for inner in node.get(key, []):
            yield from _nodes(inner, root, trail)
    for inner in node.get("properties", {}).values():
        yield from _nodes(inner, root, trail)


def _at(root: Mapping[str, Any], reference: str) -> Any:
    found: Any = root
    for step in reference.lstrip("#/").split("/"):
        found = found.get(step, {}) if step and isinstance(found, dict) else found
    return found
