"""Files of people's ratings -> LabelSet: the list of gemini-search-mcp, and our own format.

Ours says who drafted and who approved the ratings, and binds each to the digest of the answer
that was rated. Rows of the list are bound to no answer: they can license a dimension only for
the time being.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema

from gate.errors import DatasetError
from gate.types import Bucket, Label, LabelSet
from gate.wire.records import Form, Text, read_record
from gate.wire.yaml import Block, Items, Node, find, load

__all__ = ["LabelBlock", "LabelsFile", "RowBlock", "load_labels"]


def _digest(text: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError(
            "must be the digest of the rated answer, 64 hexadecimal digits as in results.jsonl: "
            "correct it, or remove it where the answer is not known"
        )
    return text


Digest = Annotated[
    str,
    AfterValidator(_digest),
    WithJsonSchema({"type": ["string", "number"], "pattern": "^[0-9a-f]{64}$"}),
]
"""SHA-256, as hexadecimal digits."""


class RowBlock(Form):
    """A rating in the list of gemini-search-mcp: one for each case."""

    case_id: Text
    """The case."""
    scores: dict[str, Bucket]
    """Dimension -> low, med or high; a dimension that was not rated is left out."""


class LabelBlock(RowBlock):
    """A rating of one answer."""

    target: Text | None = None
    """Name of the system under test."""
    answer: Digest | None = None
    """SHA-256 of the answer that was rated; without it the rating is bound to no answer."""


class LabelsFile(Form):
    """Ratings by people, with who stands behind them."""

    schema_: Annotated[Literal[1], Field(alias="schema")]
    """Version of the file's shape."""
    drafted_by: Text
    """Who drafted the ratings."""
    drafted_by_family: Text | None = None
    """Model family of the drafter, where a model drafted them; null for people."""
    approved_by: Text | None = None
    """Who approved them; null where nobody has."""
    stand_in_judge: Text | None = None
    """Name or digest of the stand-in judge whose answers were rated, to be informed by only."""
    labels: tuple[LabelBlock, ...]
    """The ratings; one answer of one target to one case is rated once."""


def load_labels(text: str, path: str) -> LabelSet:
    """Read the text of a file of labels; `path` names it in messages.

    Raises DatasetError with file, line and what to do.
    """
    root = load(text, path, fault=DatasetError)
    if isinstance(root, Items):
        rows = [read_record(RowBlock, item, path, DatasetError) for item in root.items]
        labels = [Label(case_id=row.case_id, scores=row.scores) for row in rows]
        return LabelSet(path=path, labels=_placed(labels, root, path))
    if not isinstance(root, Block):
        raise DatasetError(
            "holds no labels: write a list of `- case_id:` with `scores:`",
            path,
            root.line,
        )
    file = read_record(LabelsFile, root, path, DatasetError)
    labels = [Label.model_validate(label.model_dump()) for label in file.labels]
    rows_node, _ = find(root, ["labels"])
    return LabelSet(
        path=path,
        drafted_by=file.drafted_by,
        drafted_by_family=file.drafted_by_family,
        approved_by=file.approved_by,
        labels=_placed(labels, rows_node, path),
    )


def _placed(labels: list[Label], rows: Node, path: str) -> tuple[Label, ...]:
    """The labels with their lines; the same answer twice is an error."""
    seen: dict[tuple[str, str | None, str | None], int] = {}
    placed = []
    for index, label in enumerate(labels):
        _, line = find(rows, [index])
        rated = (label.case_id, label.target, label.answer)
        if rated in seen:
            what = f"the answer of {label.target}" if label.target else "the answer"
            raise DatasetError(
                f"{what} to {label.case_id!r} is rated on line {seen[rated]} and on line {line}: "
                "keep one of the two",
                path,
                line,
            )
        seen[rated] = line
        placed.append(label.model_copy(update={"line": line}))
    return tuple(placed)
