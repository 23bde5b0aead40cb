"""From a pydantic form to the JSON Schema that vendors accept, and back from JSON to the form.

Accepted keywords: Anthropic's page on structured outputs, schema limits (copy of August 2026).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Final, TypeVar

from pydantic import BaseModel, JsonValue, ValidationError

from gate.models.json_text import candidates

F = TypeVar("F", bound=BaseModel)
_FIRST: Final = ("justification", "reason", "reasons", "rationale", "explanation")
"""Properties that are written before the verdict, which then rests on them."""
_KEPT: Final = ("type", "description", "const")
_FORMATS: Final = frozenset(
    {"date-time", "time", "date", "duration", "email", "hostname", "uri", "ipv4", "ipv6", "uuid"}
)
_LONGEST_ENUM: Final = 101


@cache
def form_schema(form: type[BaseModel]) -> dict[str, JsonValue]:
    """Return the form's JSON Schema in the dialect that structured output accepts; made once.

    Objects are closed and all of their properties required, justifications first; a bounded
    integer becomes an enum, since bounds are refused; what else is refused is left out and
    checked by the form itself.
    """
    schema = form.model_json_schema()
    strict = _strict(schema)
    definitions = schema.get("$defs")
    if isinstance(definitions, dict):
        strict["$defs"] = {name: _strict(one) for name, one in definitions.items()}
    return strict


def read_form(text: str, form: type[F]) -> F:
    """Return the filled-in form in a reply.

    Raises ValueError, with what is wrong, when there is none or when several say different
    things: a text that quotes a foreign verdict is not taken for one.
    """
    schema = form_schema(form)
    problem = "there is no JSON object in the reply"
    for group in candidates(text):
        valid: list[F] = []
        for found in group:
            try:
                valid.append(form.model_validate(_in_case(found, schema, schema)))
            except ValidationError as error:
                problem = _sentence(error)
        if any(one != valid[0] for one in valid[1:]):
            raise ValueError("the reply holds several JSON objects that say different things")
        if valid:
            return valid[0]
    raise ValueError(problem)


def _strict(node: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    if "$ref" in node:
        return {"$ref": node["$ref"]}
    out: dict[str, JsonValue] = {key: node[key] for key in _KEPT if key in node}
    values = node.get("enum", _integers(node))
    if values is not None:
        out["enum"] = values
    if node.get("format") in _FORMATS:
        out["format"] = node["format"]
    for key in ("anyOf", "allOf"):
        choices = node.get(key)
        if isinstance(choices, list):
            out[key] = [_strict(one) for one in choices if isinstance(one, dict)]
    item = node.get("items")
    if isinstance(item, dict):
        out["items"] = _strict(item)
    if node.get("type") == "object":
        out.update(_closed(node))
    return out


def _closed(node: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    found = node.get("properties")
    properties = found if isinstance(found, dict) else {}
    names = sorted(properties, key=lambda name: name not in _FIRST)
    shapes: dict[str, JsonValue] = {}
    for name in names:
        shape = properties[name]
        shapes[name] = _strict(shape) if isinstance(shape, dict) else {}
    return {"properties": shapes, "required": [*names], "additionalProperties": False}


def _integers(node: Mapping[str, JsonValue]) -> list[JsonValue] | None:
    """All values of a bounded integer, lowest first; None for anything else."""
    if node.get("type") != "integer":
        return None
    low, high = node.get("minimum"), node.get("maximum")
    above, below = node.get("exclusiveMinimum"), node.get("exclusiveMaximum")
    first = low if isinstance(low, int) else above + 1 if isinstance(above, int) else None
    last = high if isinstance(high, int) else below - 1 if isinstance(below, int) else None
    if first is None or last is None or last - first >= _LONGEST_ENUM:
        return None
    return [*range(first, last + 1)]


def _in_case(value: object, node: object, root: Mapping[str, JsonValue]) -> object:
    """The value with its enum texts in the schema's letter case, which vendors do not keep."""
    if not isinstance(node, dict):
        return value
    reference = node.get("$ref")
    if isinstance(reference, str):
        definitions = root.get("$defs")
        name = reference.rsplit("/", 1)[-1]
        return _in_case(
            value, definitions.get(name) if isinstance(definitions, dict) else None, root
        )
    for choice in (*_list(node.get("anyOf")), *_list(node.get("allOf"))):
        value = _in_case(value, choice, root)
    if isinstance(value, str):
        allowed = [
            one for one in (*_list(node.get("enum")), node.get("const")) if isinstance(one, str)
        ]
        return next((one for one in allowed if one.casefold() == value.casefold()), value)
    if isinstance(value, list):
        return [_in_case(one, node.get("items"), root) for one in value]
    properties = node.get("properties")
    if isinstance(value, dict) and isinstance(properties, dict):
        return {key: _in_case(one, properties.get(key), root) for key, one in value.items()}
    return value


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _sentence(error: ValidationError) -> str:
    """The first three faults, as `place: what`."""
    faults = [
        f"{'.'.join(str(part) for part in one['loc']) or 'the object'}: {one['msg']}"
        for one in error.errors(include_url=False, include_context=False, include_input=False)
    ]
    return "; ".join(faults[:3])
