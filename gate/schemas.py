"""JSON Schemas (2020-12) of the files that people and other tools read and write.

Made of the very records that read the files; descriptions are the records' docstrings. A schema
accepts every file that its reader accepts. It cannot say all that the reader asks for: that ids
are unique, or that a whole number is written without a fraction.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from pydantic import BaseModel
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue, models_json_schema
from pydantic_core import core_schema

from gate.config.shape import GateFile
from gate.datasets.labels import LabelsFile, RowBlock
from gate.datasets.native import CaseBlock
from gate.types import Answers, Baseline, Calibration, Controls, Run, Sensitivity, Verdict

__all__ = ["NAMES", "Name", "schema_for"]

Name = Literal[
    "config",
    "cases",
    "labels",
    "answers",
    "run",
    "verdict",
    "baseline",
    "calibration",
    "sensitivity",
    "controls",
]
"""What there is a schema of."""

_FILES: dict[Name, tuple[str, tuple[type[BaseModel], ...]]] = {
    "config": ("gate.yaml", (GateFile,)),
    "cases": ("evals/cases.yaml", (CaseBlock,)),
    "labels": ("evals/labels/*.yaml", (LabelsFile, RowBlock)),
    "answers": ("answers.json", (Answers,)),
    "run": ("run.json", (Run,)),
    "verdict": ("verdict.json", (Verdict,)),
    "baseline": ("baseline.json", (Baseline,)),
    "calibration": ("evals/calibration.json", (Calibration,)),
    "sensitivity": ("evals/sensitivity.json", (Sensitivity,)),
    "controls": ("evals/controls.json", (Controls,)),
}
NAMES: tuple[Name, ...] = tuple(_FILES)
"""All names, in the order of the contract."""

_VARIABLE: JsonSchemaValue = {"type": "string", "pattern": r"\$\{"}
"""A value that is filled in from the environment, whatever it will be."""


def schema_for(name: Name) -> JsonSchemaValue:
    """Return the JSON Schema of a kind of file. Raises KeyError for an unknown name."""
    title, models = _FILES[name]
    refs, made = models_json_schema(
        [(model, "validation") for model in models], schema_generator=_Described
    )
    definitions: dict[str, JsonSchemaValue] = made["$defs"]
    if name == "config":
        definitions = {key: _with_variables(one) for key, one in definitions.items()}
    one = refs[models[0], "validation"]
    if name == "cases":
        whole: JsonSchemaValue = {"type": "array", "minItems": 1, "items": one}
    elif name == "labels":
        row = refs[models[1], "validation"]
        whole = {
            "description": inspect.getdoc(models[0]),
            "anyOf": [one, {"type": "array", "items": row}],
        }
    else:
        whole = {"description": inspect.getdoc(models[0]), **one}
    return {
        "$schema": GenerateJsonSchema.schema_dialect,
        "title": title,
        **whole,
        "$defs": definitions,
    }


class _Described(GenerateJsonSchema):
    """Describes each property by the docstring below its field."""

    def model_schema(self, schema: core_schema.ModelSchema) -> JsonSchemaValue:
        """Return the schema of one record."""
        made = super().model_schema(schema)
        model: type[BaseModel] = schema["cls"]
        for field, text in _docstrings(model):
            info = model.model_fields.get(field)
            if info is not None:
                made["properties"][info.alias or field].setdefault("description", text)
        return made

    def dataclass_schema(self, schema: core_schema.DataclassSchema) -> JsonSchemaValue:
        """Return the schema of one record of which there are very many."""
        made = super().dataclass_schema(schema)
        for field, text in _below_fields(schema["cls"]):
            made["properties"][field].setdefault("description", text)
        return made

    def field_title_should_be_set(self, schema: Any) -> bool:
        """Leave titles out: they would say the key again."""
        del schema
        return False


def _docstrings(model: type[BaseModel]) -> Iterator[tuple[str, str]]:
    """Fields and the text below each, of a record and of those it is made from."""
    for part in model.__mro__:
        if issubclass(part, BaseModel) and part is not BaseModel:
            yield from _below_fields(part)


def _below_fields(part: type[Any]) -> Iterator[tuple[str, str]]:
    """Fields and the text below each, as one class writes them."""
    (tree,) = ast.parse(textwrap.dedent(inspect.getsource(part))).body
    assert isinstance(tree, ast.ClassDef)
    for field, below in zip(tree.body, tree.body[1:], strict=False):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(below, ast.Expr)
            and isinstance(below.value, ast.Constant)
            and isinstance(below.value.value, str)
        ):
            yield field.target.id, " ".join(below.value.value.split())


def _with_variables(schema: JsonSchemaValue) -> JsonSchemaValue:
    """The schema in which every value may also be a text with `${NAME}` in it."""
    made: JsonSchemaValue = {}
    for key, value in schema.items():
        if key == "properties":
            made[key] = {name: _with_variables(one) for name, one in value.items()}
        elif key in ("items", "additionalProperties") and isinstance(value, Mapping):
            made[key] = _with_variables(dict(value))
        elif key == "anyOf":
            made[key] = [_with_variables(one) for one in value]
        else:
            made[key] = value
    if made.get("type") not in ("boolean", "integer", "number", "string"):
        return made
    around: JsonSchemaValue = {
        key: made.pop(key) for key in ("description", "default") if key in made
    }
    return {**around, "anyOf": [made, _VARIABLE]}
