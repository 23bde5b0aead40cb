"""cases.yaml -> Cases: the format of gemini-search-mcp as it is, and our further keys.

Texts stay as they were written: an unquoted `1.10`, `no` or `2026-01-01` is that text. Only inside
a `query` or `reference` that is a block or a list are scalars typed, as JSON has them.
"""

from __future__ import annotations

from pydantic import Field, JsonValue

from gate.datasets.ids import ID_PATTERN, fold, id_fault
from gate.errors import DatasetError
from gate.types import Case, Question
from gate.wire.records import AnyText, Form, Text, read_record
from gate.wire.yaml import DATA_BYTES, Block, Entry, Items, Node, Scalar, load

__all__ = ["CaseBlock", "lines_of_cases", "load_cases"]

_VALUES = ("query", "reference")
"""Keys that may hold any JSON value."""


class CaseBlock(Form):
    """One case: a question, and what a good answer must say."""

    id: Text = Field(json_schema_extra={"pattern": ID_PATTERN})
    """Name of the case: a safe file name, unique also when letter case is ignored."""
    query: JsonValue = Field(json_schema_extra={"not": {"enum": [None, "", [], {}]}})
    """What is asked: a text for search, or any JSON value for an endpoint or a flow."""
    category: AnyText | None = None
    """The stratum for sampling and for the table of categories."""
    expect_assertions: tuple[Text, ...] | None = None
    """Observable properties of a good answer, judged and not string-matched."""
    expect_domains: tuple[Text, ...] | None = None
    """Domains that one expects among the sources; a nudge for source quality."""
    notes: AnyText | None = None
    """Anything that the judge should know; the system under test never sees it."""
    context: tuple[Text, ...] | None = None
    """Texts that are handed over together with the question, such as documents."""
    reference: JsonValue = None
    """The expected output, for deterministic scorers."""
    rubric: tuple[Text, ...] | None = None
    """Yes-or-no criteria of the whole conversation."""
    trajectory: tuple[Text, ...] | None = None
    """Names of tools that one expects to be called, in order."""
    tags: tuple[Text, ...] | None = None
    """Free marks; `required` is the gate's own: the case must be in every run, and a run fails
    where it fell from always right to always wrong."""
    cluster: Text | None = None
    """What it shares with other cases, such as a source or a template: such cases count together,
    since they rise and fall together."""
    plan: AnyText | None = None
    """What a simulated user wants to reach over several turns."""


def load_cases(text: str, path: str) -> tuple[Case, ...]:
    """Read the text of a file of cases; `path` names it in messages.

    Raises DatasetError with file, line and what to do.
    """
    root = load(text, path, fault=DatasetError, max_bytes=DATA_BYTES)
    if not isinstance(root, Items) or not root.items:
        raise DatasetError(
            "holds no cases: write a list, each case beginning with `- id:`", path, root.line
        )
    cases: dict[str, Case] = {}
    for item in root.items:
        case = _case(item, path)
        earlier = cases.setdefault(fold(case.id), case)
        if earlier is not case:
            raise DatasetError(
                f"the id {case.id!r} is taken: line {earlier.line} has {earlier.id!r}, "
                f"line {case.line} has {case.id!r}, and letter case does not count. Rename one",
                path,
                case.line,
            )
    return tuple(cases.values())


def lines_of_cases(text: str, path: str) -> dict[str, int]:
    """Return the line on which each case begins, from 1. Raises DatasetError."""
    return {case.id: case.line for case in load_cases(text, path) if case.line is not None}


def _case(node: Node, path: str) -> Case:
    if not isinstance(node, Block):
        raise DatasetError("is no case: write `id:` and `query:` below each `-`", path, node.line)
    block = read_record(CaseBlock, _as_written(node), path, DatasetError)
    fault = id_fault(block.id)
    if fault is not None:
        raise DatasetError(fault, path, _line(node, "id"))
    query = block.query.strip() if isinstance(block.query, str) else block.query
    if query in (None, "", [], {}):
        raise DatasetError(
            f"the query of {block.id!r} is empty: write what is asked", path, _line(node, "query")
        )
    question = Question(
        id=block.id, input=block.query, context=block.context or (), plan=block.plan or None
    )
    return Case(
        question=question,
        category=block.category or Case.model_fields["category"].default,
        assertions=block.expect_assertions or (),
        domains=block.expect_domains or (),
        reference=block.reference,
        rubric=block.rubric or (),
        trajectory=block.trajectory or (),
        notes=block.notes or "",
        tags=block.tags or (),
        cluster=block.cluster,
        line=node.line,
    )


def _as_written(case: Block) -> Block:
    """The case with every scalar as a text, but for what is inside a query or reference."""
    return Block(tuple(_entry_as_written(entry) for entry in case.entries), case.line)


def _entry_as_written(entry: Entry) -> Entry:
    if entry.key in _VALUES and not isinstance(entry.value, Scalar):
        return entry
    return Entry(entry.key, entry.line, _text(entry.value))


def _text(node: Node) -> Node:
    if isinstance(node, Scalar):
        # What is left empty stays absent.
        return node if node.value is None else Scalar(node.text, plain=False, line=node.line)
    if isinstance(node, Items):
        return Items(tuple(_text(item) for item in node.items), node.line)
    return node


def _line(node: Block, key: str) -> int:
    entry = node.entry(key)
    return node.line if entry is None else entry.line
