"""Files of people's ratings -> LabelSet: the list of gemini-search-mcp, and our own format.

Ours says who drafted and who approved the ratings, and binds each to the digest of the answer
that was rated; claims, sentences, citations and statements of an answer are labelled one by one,
each under its own digest. Rows of the list are bound to no answer: they can license a dimension
only for the time being.
"""

from __future__ import annotations

import re
from typing import Annotated, Literal

from pydantic import AfterValidator, Field, WithJsonSchema, model_validator

from gate.errors import DatasetError
from gate.types import Bucket, ItemKind, ItemLabel, Label, LabelSet, Support
from gate.wire.records import Form, Text, read_record
from gate.wire.yaml import DATA_BYTES, Block, Items, Node, find, load

__all__ = ["KINDS", "LabelBlock", "LabelsFile", "RowBlock", "labels_of", "load_labels"]


def _digest(text: str) -> str:
    if not re.fullmatch("[0-9a-f]{64}", text):
        raise ValueError(
            "must be a digest, 64 hexadecimal digits as in results.jsonl: correct it, or remove it "
            "where it is not known"
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


Labelled = Annotated[
    dict[Digest, Support], Field(json_schema_extra={"additionalProperties": False})
]
"""Digest of an item -> its label."""

KINDS: tuple[ItemKind, ...] = ("claims", "sentences", "citations", "statements")
"""The keys under which items are labelled."""


class LabelBlock(Form):
    """A rating of one answer, of what it says, or of both.

    What can be labelled stands in results.jsonl under `items`, with its digest and its text.
    """

    case_id: Text
    """The case."""
    scores: dict[str, Bucket] = Field(default_factory=dict)
    """Dimension -> low, med or high; a dimension that was not rated is left out."""
    target: Text | None = None
    """Name of the system under test."""
    answer: Digest | None = None
    """SHA-256 of the answer that was rated; without it the rating is bound to no answer."""
    approved_by: Text | None = None
    """Who approved this very rating, where not all of the file were approved at once."""
    claims: Labelled = Field(default_factory=dict)
    """Digest of a claim -> what the pages say of it."""
    sentences: Labelled = Field(default_factory=dict)
    """Digest of a sentence that cites pages -> whether these pages bear all of it out."""
    citations: Labelled = Field(default_factory=dict)
    """Digest of a citation, for sentences with several -> whether its page adds anything."""
    statements: Labelled = Field(default_factory=dict)
    """Digest of a fact of the pages -> whether the answer says it too; unverifiable where the
    pages do not state it."""

    @model_validator(mode="after")
    def _rates_something(self) -> LabelBlock:
        if not {"scores", *KINDS} & self.model_fields_set:
            raise ValueError(f"rates nothing: write `scores:`, or one of {', '.join(KINDS)}")
        if self.items() and self.answer is None:
            raise ValueError("labels items of an answer without naming it: add `answer:`")
        return self

    def items(self) -> tuple[ItemLabel, ...]:
        """Return the labels of its items, in the order of the keys."""
        return tuple(
            ItemLabel(kind=kind, item=item, label=label)
            for kind in KINDS
            for item, label in getattr(self, kind).items()
        )


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
    return labels_of(load(text, path, fault=DatasetError, max_bytes=DATA_BYTES), path)


def labels_of(root: Node, path: str) -> LabelSet:
    """Read a file of labels that was parsed already. Raises DatasetError."""
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
    labels = [
        Label(
            case_id=block.case_id,
            scores=block.scores,
            target=block.target,
            answer=block.answer,
            items=block.items(),
            approved_by=block.approved_by,
        )
        for block in file.labels
    ]
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
