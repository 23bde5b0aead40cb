"""Fills a record from a part of a user's file, and says of every fault where it stands.

A record decides what a scalar is: where it wants a text, `1.10`, `no` and `2026` are taken as
they were written; where it wants a number or true/false, JSON's notation is asked for. Values
are never shown in messages, since a secret may have been filled in for them.
"""

from __future__ import annotations

import difflib
import json
import types
from collections.abc import Iterable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError, WithJsonSchema
from pydantic_core import ErrorDetails

from gate.errors import CannotRun
from gate.wire.yaml import Block, Fault, Items, Node, Scalar, find, to_json

__all__ = ["AnyText", "Form", "Text", "known_names", "read_record", "unknown"]

M = TypeVar("M", bound=BaseModel)

_WRITTEN: dict[str, JsonValue] = {"type": ["string", "number", "boolean"]}

AnyText = Annotated[str, WithJsonSchema(_WRITTEN)]
"""A text; without quotes it may look like a number or a word of YAML, and stays as written."""
Text = Annotated[str, Field(pattern=r"\S"), WithJsonSchema({**_WRITTEN, "pattern": r"\S"})]
"""The same, and not blank."""

Place = tuple[str | int, ...]

_MOST_FAULTS = 8
_WANTED = {
    "bool_type": "must be true or false, without quotes (yes, no, on and off are texts here)",
    "int_type": "must be a whole number, without quotes",
    "int_from_float": "must be a whole number, without quotes",
    "float_type": "must be a number, without quotes",
    "string_type": "must be a text",
    "tuple_type": "must be a list",
    "list_type": "must be a list",
    "set_type": "must be a list",
    "frozen_set_type": "must be a list",
    "dict_type": "must be a block of keys",
    "model_type": "must be a block of keys",
    "missing": "is missing: add it",
    "too_short": "is empty: write at least one",
}
"""pydantic's error type -> what to say; the rest is said in pydantic's own words."""


class Form(BaseModel):
    """A part of a user's file: frozen, and unknown keys are refused."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", allow_inf_nan=False, populate_by_name=True
    )


def read_record(
    model: type[M],
    node: Node,
    path: str,
    fault: Fault,
    *,
    at: str = "",
    extra: Literal["forbid"] | None = None,
) -> M:
    """Return `node` as a `model`.

    `at` names the part of the file in messages, such as `policy`. `extra="forbid"` refuses
    unknown keys even where the model passes them over, unless it allows them in so many words.
    Raises `fault` with the line of the first fault; further ones follow on lines of their own.
    """
    data = to_json(node)
    if model.model_config.get("extra") == "allow":
        extra = None
    # From JSON, strict: a list may fill a tuple, but no text becomes a number and no number a
    # text. pydantic's own error is not passed on, since it shows values.
    try:
        return model.model_validate_json(json.dumps(data), strict=True, extra=extra)
    except ValidationError as error:
        as_written = _texts_where_wanted(error.errors(), node)
        if not as_written:
            raise _located(error, model, node, path=path, fault=fault, at=at) from None
    data = _replace(data, as_written)
    try:
        return model.model_validate_json(json.dumps(data), strict=True, extra=extra)
    except ValidationError as error:
        raise _located(error, model, node, path=path, fault=fault, at=at) from None


def unknown(what: str, name: str, known: Iterable[str]) -> str:
    """Return a sentence about an unknown name: what was perhaps meant, and what there is."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.6)
    guess = f"; did you mean `{near[0]}`?" if near else "."
    listed = ", ".join(f"`{one}`" for one in names) if names else "none"
    return f"unknown {what} `{name}`{guess} Known: {listed}"


def known_names(model: type[BaseModel]) -> tuple[str, ...]:
    """Return the keys of a model as they stand in a file."""
    return tuple(field.alias or name for name, field in model.model_fields.items())


def _texts_where_wanted(errors: Sequence[ErrorDetails], node: Node) -> dict[Place, str]:
    """Scalars that a text is wanted for and that look like something else, as written."""
    texts = {}
    for error in errors:
        if error["type"] == "string_type":
            place = _place(error["loc"], node)
            found, _ = find(node, place)
            if isinstance(found, Scalar) and found.value is not None:
                texts[place] = found.text
    return texts


def _replace(data: JsonValue, texts: Mapping[Place, str], here: Place = ()) -> JsonValue:
    if here in texts:
        return texts[here]
    if isinstance(data, dict):
        return {key: _replace(value, texts, (*here, key)) for key, value in data.items()}
    if isinstance(data, list):
        return [_replace(value, texts, (*here, index)) for index, value in enumerate(data)]
    return data


def _place(loc: Sequence[str | int], node: Node) -> Place:
    """The steps of pydantic's location that lead somewhere; names of union members do not."""
    place: Place = ()
    for step in loc:
        if isinstance(node, Block) and isinstance(step, str):
            entry = node.entry(step)
            if entry is not None:
                node, place = entry.value, (*place, step)
        elif isinstance(node, Items) and isinstance(step, int) and step < len(node.items):
            node, place = node.items[step], (*place, step)
    return place


def _located(
    error: ValidationError,
    model: type[BaseModel],
    node: Node,
    *,
    path: str,
    fault: Fault,
    at: str,
) -> CannotRun:
    told: dict[Place, tuple[int, Place, list[str]]] = {}
    for detail in error.errors():
        place = _place(detail["loc"], node)
        if detail["type"] == "missing":
            place = (*place, detail["loc"][-1])
        found, line = find(node, place)
        sentence = _sentence(detail, place, found, model)
        # The sentence about an unknown key names the key, so the block around it is named before.
        shown = place[:-1] if detail["type"] == "extra_forbidden" else place
        sentences = told.setdefault(place, (line, shown, []))[2]
        if sentence not in sentences:
            sentences.append(sentence)
    # Where a union was entered, its other members have nothing to say.
    outer = {place[:length] for place in told for length in range(len(place))}
    faults = sorted(
        (line, f"{_name(shown, at)}{_either(sentences)}")
        for place, (line, shown, sentences) in told.items()
        if place not in outer
    )
    first_line, message = faults[0]
    rest = [f"{path}:{line}: {text}" for line, text in faults[1:_MOST_FAULTS]]
    if len(faults) > _MOST_FAULTS:
        rest.append(f"{path}: and {len(faults) - _MOST_FAULTS} more")
    return fault("\n".join([message, *rest]), path, first_line)


def _name(place: Place, at: str) -> str:
    text = at
    for step in place:
        text += f"[{step}]" if isinstance(step, int) else f".{step}" if text else step
    return f"`{text}`: " if text else ""


def _either(sentences: Sequence[str]) -> str:
    """One sentence of several: `must be 'full' or a whole number`."""
    first, *others = sentences
    return " or ".join([first, *(other.removeprefix("must be ") for other in others)])


def _sentence(detail: ErrorDetails, place: Place, found: Node, model: type[BaseModel]) -> str:
    kind = detail["type"]
    if kind == "extra_forbidden":
        inside = _model_at(model, place[:-1])
        return unknown("key", str(place[-1]), known_names(inside) if inside else ())
    if isinstance(found, Scalar) and found.value is None and kind.endswith(("_type", "_error")):
        return "is empty: give it a value, or remove the key"
    if kind == "string_pattern_mismatch" and detail["ctx"]["pattern"] == r"\S":
        return "is blank: write something, or remove it"
    if kind in _WANTED:
        return _WANTED[kind]
    for spoken in ("Input should", "String should", "List should", "Tuple should"):
        if detail["msg"].startswith(spoken):
            return f"must{detail['msg'].removeprefix(spoken)}"
    return detail["msg"].removeprefix("Value error, ").removeprefix("Assertion failed, ")


def _model_at(annotation: Any, place: Place) -> type[BaseModel] | None:
    """The model that describes the block at `place`, as far as annotations tell."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        if not place:
            return annotation
        for name, field in annotation.model_fields.items():
            if place[0] in (name, field.alias):
                return _model_at(field.annotation, place[1:])
        return None
    origin, members = get_origin(annotation), get_args(annotation)
    if origin not in (Union, types.UnionType):
        # A list or a dictionary: one step leads into it, and its last argument is what is inside.
        place = place[1:]
    return next((found for one in members if (found := _model_at(one, place)) is not None), None)
