"""A checker for the part of JSON Schema 2020-12 that the project's schemas use.

An unknown keyword is an error, so a schema cannot pass by being misunderstood.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import product
from typing import Any

TYPES: dict[str, type | tuple[type, ...]] = {
    "object": dict,
    "array": list,
    "string": str,
    "number": (int, float),
    "integer": int,
    "boolean": bool,
    "null": type(None),
}
SILENT = {"$schema", "$defs", "title", "description", "default"}


def faults(schema: Any, value: Any, root: Any = None, at: str = "$") -> Iterator[str]:
    """Yield what is wrong with `value`, each with its place."""
    root = schema if root is None else root
    if schema is True:
        return
    for keyword, wanted in schema.items():
        if keyword not in SILENT:
            yield from CHECKS[keyword](schema, wanted, value, root, at)


def is_of(name: str, value: Any) -> bool:
    """Whether a value is of a type of JSON."""
    if isinstance(value, bool):
        return name == "boolean"
    return isinstance(value, TYPES[name])


def _ref(_: Any, ref: str, value: Any, root: Any, at: str) -> Iterator[str]:
    found = root
    for step in ref.removeprefix("#/").split("/"):
        found = found[step]
    yield from faults(found, value, root, at)


def _type(_: Any, names: str | list[str], value: Any, __: Any, at: str) -> Iterator[str]:
    names = [names] if isinstance(names, str) else names
    if not any(is_of(name, value) for name in names):
        yield f"{at}: is no {' or '.join(names)}"


def _same(one: Any, other: Any) -> bool:
    return one == other and isinstance(one, bool) == isinstance(other, bool)


def _enum(_: Any, allowed: list[Any], value: Any, __: Any, at: str) -> Iterator[str]:
    if not any(_same(one, value) for one in allowed):
        yield f"{at}: is none of {allowed}"


def _const(_: Any, allowed: Any, value: Any, __: Any, at: str) -> Iterator[str]:
    if not _same(allowed, value):
        yield f"{at}: is not {allowed}"


def _any_of(_: Any, choices: list[Any], value: Any, root: Any, at: str) -> Iterator[str]:
    if all(list(faults(choice, value, root, at)) for choice in choices):
        yield f"{at}: fits no alternative"


def _not(_: Any, refused: Any, value: Any, root: Any, at: str) -> Iterator[str]:
    if not list(faults(refused, value, root, at)):
        yield f"{at}: is what it must not be"


def _properties(_: Any, known: dict[str, Any], value: Any, root: Any, at: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key in known.keys() & value.keys():
            yield from faults(known[key], value[key], root, f"{at}.{key}")


def _patterns(_: Any, known: dict[str, Any], value: Any, root: Any, at: str) -> Iterator[str]:
    if isinstance(value, dict):
        for key, (pattern, schema) in product(value, known.items()):
            if re.search(pattern, key):
                yield from faults(schema, value[key], root, f"{at}.{key}")


def _additional(schema: Any, other: Any, value: Any, root: Any, at: str) -> Iterator[str]:
    patterns = schema.get("patternProperties", ())
    if isinstance(value, dict):
        for key in value.keys() - schema.get("properties", {}).keys():
            if any(re.search(pattern, key) for pattern in patterns):
                continue
            if other is False:
                yield f"{at}: unknown key {key}"
            else:
                yield from faults(other, value[key], root, f"{at}.{key}")


def _required(_: Any, keys: list[str], value: Any, __: Any, at: str) -> Iterator[str]:
    if isinstance(value, dict):
        yield from (f"{at}: lacks {key}" for key in keys if key not in value)


def _items(_: Any, item: Any, value: Any, root: Any, at: str) -> Iterator[str]:
    if isinstance(value, list):
        for index, one in enumerate(value):
            yield from faults(item, one, root, f"{at}[{index}]")


def _prefix(_: Any, items: list[Any], value: Any, root: Any, at: str) -> Iterator[str]:
    if isinstance(value, list):
        for index, (item, one) in enumerate(zip(items, value, strict=False)):
            yield from faults(item, one, root, f"{at}[{index}]")


def _length(allows: Any) -> Any:
    def check(_: Any, bound: int, value: Any, __: Any, at: str) -> Iterator[str]:
        if isinstance(value, list) and not allows(len(value), bound):
            yield f"{at}: has {len(value)} items"

    return check


def _pattern(_: Any, pattern: str, value: Any, __: Any, at: str) -> Iterator[str]:
    if isinstance(value, str) and not re.search(pattern, value):
        yield f"{at}: does not match {pattern}"


def _bound(allows: Any) -> Any:
    def check(_: Any, bound: float, value: Any, __: Any, at: str) -> Iterator[str]:
        if is_of("number", value) and not allows(value, bound):
            yield f"{at}: {value} is out of range"

    return check


CHECKS: dict[str, Any] = {
    "$ref": _ref,
    "type": _type,
    "enum": _enum,
    "const": _const,
    "anyOf": _any_of,
    "not": _not,
    "properties": _properties,
    "patternProperties": _patterns,
    "additionalProperties": _additional,
    "required": _required,
    "items": _items,
    "prefixItems": _prefix,
    "minItems": _length(lambda length, bound: length >= bound),
    "maxItems": _length(lambda length, bound: length <= bound),
    "pattern": _pattern,
    "minimum": _bound(lambda value, bound: value >= bound),
    "maximum": _bound(lambda value, bound: value <= bound),
    "exclusiveMinimum": _bound(lambda value, bound: value > bound),
    "exclusiveMaximum": _bound(lambda value, bound: value < bound),
}
