"""The shapes of gemini-search-mcp's files, checked field by field."""

from __future__ import annotations

import json
from typing import Annotated, NoReturn, TypeVar

from pydantic import BaseModel, ConfigDict, Field, JsonValue, ValidationError

from gate.errors import FileError
from gate.types.halves import whole_json

Shape = TypeVar("Shape", bound=BaseModel)
Share = Annotated[float, Field(ge=0, le=1)]
"""A score in [0, 1]: their judge's replies are clamped to it before they are written."""
Name = Annotated[str, Field(min_length=1)]
"""A name that must not be empty."""


class _Foreign(BaseModel):
    """A record of theirs: types are strict, unknown keys are passed over."""

    model_config = ConfigDict(strict=True, frozen=True, allow_inf_nan=False)


class ForeignSource(_Foreign):
    """A cited page."""

    title: str = ""
    """Title, often the bare domain."""
    domain: str = ""
    """Domain, often empty."""
    uri: str = ""
    """Address, a redirect that expires."""


class ForeignScores(_Foreign):
    """The judge's three ratings; all 0 on a cell with an error."""

    relevance: Share
    """Does the answer address the query?"""
    correctness: Share
    """Does it meet the assertions?"""
    source_quality: Share
    """Are its sources good?"""


class ForeignFaithfulness(_Foreign):
    """Claims held against page texts."""

    score: Share
    """(supported + half of partial) / claims; 0 without a claim."""
    verdicts: list[dict[str, JsonValue]] | None = None
    """One for each claim; null without one."""


class ForeignCitations(_Foreign):
    """Citations held against page texts."""

    precision: Share
    """Entailed and cited / cited sentences; 1 without one."""
    recall: Share
    """Statements of the sources that the answer states / statements; 1 without one."""


class ForeignCell(_Foreign):
    """One case of one model."""

    case_id: Name
    """The case."""
    category: str = ""
    """Its category."""
    model: Name
    """The model that was asked."""
    answer: str = ""
    """The answer; left out when empty."""
    sources: list[ForeignSource] | None = None
    """Cited pages; left out when there are none."""
    scores: ForeignScores | None = None
    """Ratings; they mean nothing on a cell with an error."""
    faithfulness: ForeignFaithfulness | None = None
    """Only where pages were read."""
    citations: ForeignCitations | None = None
    """Only where pages were read."""
    latency_ms: Annotated[int, Field(ge=0)]
    """Milliseconds."""
    cost_usd: Annotated[float, Field(ge=0)] = 0.0
    """US dollars; 0 when tokens or price are unknown."""
    source_count: Annotated[int, Field(ge=0)] = 0
    """Number of sources."""
    err: str = ""
    """What went wrong; `judge: ...` when only the judge failed."""


class ForeignBaseline(_Foreign):
    """Averages for each model and dimension."""

    models: Annotated[dict[Name, dict[Name, Share]], Field(min_length=1)]
    """Model -> dimension -> average."""


def parse(text: str, path: str) -> JsonValue:
    """Read JSON; raises FileError for text that is none, NaN and infinities included."""
    try:
        value: JsonValue = whole_json(json.loads(text, parse_constant=_refuse))
    except (ValueError, RecursionError) as error:
        raise FileError(f"not readable as JSON: {error}; name another file", path) from error
    return value


def foreign_cells(value: JsonValue, path: str) -> list[ForeignCell]:
    """Check a results file, cell by cell; raises FileError that names the cell by its index."""
    if not isinstance(value, list):
        raise FileError(
            "a results file is a JSON array of cells, and this is something else: name the file "
            "that a run of gemini-search-mcp wrote",
            path,
        )
    if not value:
        raise FileError(
            "the array of cells is empty, so nothing was measured: name another file", path
        )
    cells: list[ForeignCell] = []
    seen: dict[tuple[str, str], int] = {}
    for index, one in enumerate(value):
        cell = _checked(ForeignCell, one, f"cell {index}", path)
        if not cell.err and cell.scores is None:
            raise FileError(f"cell {index}: it has neither `scores` nor `err`", path)
        key = (cell.model, cell.case_id)
        if key in seen:
            raise FileError(
                f"cell {index}: model {cell.model!r} has case {cell.case_id!r} already in cell "
                f"{seen[key]}; repeats are files of their own",
                path,
            )
        seen[key] = index
        cells.append(cell)
    return cells


def foreign_averages(value: JsonValue, path: str) -> dict[str, dict[str, float]]:
    """Check a baseline file; raises FileError."""
    return _checked(ForeignBaseline, value, "baseline", path).models


def _checked(shape: type[Shape], value: JsonValue, what: str, path: str) -> Shape:
    try:
        return shape.model_validate(value)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False, include_context=False)[0]
        place = ".".join(str(part) for part in first["loc"])
        where = f"{what}: `{place}`" if place else what
        raise FileError(f"{where}: {first['msg']}", path) from error


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number that a score can have")
