"""Writes a label into the text of a labels file, and leaves everything else in it as it was.

The file belongs to people: they comment, sort and correct it. So no file is written anew from what
was read. The lines of one answer are changed, or added at the end, and the new text is read again:
unless it then says exactly what was meant, nothing is written and the reader of the message is told
to rate into another file. It cannot see how a person would have laid the lines out.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from gate.datasets.labels import KINDS, labels_of, load_labels
from gate.errors import DatasetError
from gate.reports.untrusted import plain
from gate.types import Label, LabelSet
from gate.wire.yaml import DATA_BYTES, Block, Entry, Items, Scalar, load

__all__ = ["empty_file", "find_label", "put_label"]

_NOTE = 100
"""Characters of an item's text that stand behind its label, for readers of the file."""

_PLAIN = re.compile(r"[A-Za-z][A-Za-z0-9_-]*(?:[ .][A-Za-z0-9_-]+)*")
_DIGEST = re.compile("[0-9a-f]{64}")
_OTHERWISE = frozenset({"y", "n", "yes", "no", "on", "off", "true", "false", "null"})
"""Words that other readers of YAML take for something else."""

_ITEM = re.compile(r"(?P<pad> *)-(?P<gap> +)[^ #{\[]")
_NONE = re.compile(r"labels: *\[ *\] *(#.*)?")
_VALUE = re.compile(r"(?P<before>: +)[^ #]+(?P<after> *(?:#.*)?)$")


def empty_file(drafted_by: str) -> str:
    """Return the text of a labels file of this person, with no label yet."""
    return (
        "# Ratings of answers, written by `gate label`, each bound to its answer.\n"
        "# Comments and edits of yours are kept. Rubric and method: docs/labels.md.\n"
        f"schema: 1\ndrafted_by: {_text(drafted_by)}\nlabels: []\n"
    )


def find_label(labels: LabelSet, case_id: str, answer: str, target: str) -> Label | None:
    """Return the label of an answer; one without a target is of any."""
    for label in labels.labels:
        if (label.case_id, label.answer) == (case_id, answer) and label.target in (None, target):
            return label
    return None


def put_label(
    text: str, path: str, label: Label, notes: Mapping[str, str] | None = None
) -> tuple[str, LabelSet]:
    """Return the text with this label in the place of the one of the same answer and target.

    Also return what the new text says. A label that rates nothing is taken out. `notes` are what
    people read of items, by digest: they stand as comments behind new labels. Raises DatasetError
    where the file is laid out so that its lines cannot be changed safely.
    """
    root = load(text, path, fault=DatasetError, max_bytes=DATA_BYTES)
    old = labels_of(root, path)
    rows = root.get("labels") if isinstance(root, Block) else None
    if not isinstance(root, Block) or not isinstance(rows, Items):
        raise DatasetError(
            "is a list of ratings that are bound to no answer, as gemini-search-mcp writes it: "
            "rate into another file",
            path,
        )
    place = next((i for i, one in enumerate(old.labels) if _same(one, label)), None)
    lines = text.split("\n")
    region = range(_line_of(root, "labels"), _end(root, "labels", len(lines)))
    notes = notes or {}
    rates = bool(label.scores or label.items)
    if place is None:
        lines = _added(lines, region, rows, label, notes) if rates else lines
    else:
        lines = _changed(lines, region, rows, place, label if rates else None, notes)
    written = "\n".join(lines)
    found = _read_again(written, path)
    if found is None or _said(found) != _said(_with(old, place, label, rates=rates)):
        raise DatasetError(
            "is laid out so that a label cannot be changed without touching the others: name "
            "another file with --labels",
            path,
        )
    return written, found


def _read_again(text: str, path: str) -> LabelSet | None:
    try:
        return load_labels(text, path)
    except DatasetError:
        return None


def _same(one: Label, other: Label) -> bool:
    return (one.case_id, one.target, one.answer) == (other.case_id, other.target, other.answer)


def _with(old: LabelSet, place: int | None, label: Label, *, rates: bool) -> LabelSet:
    labels = list(old.labels)
    if place is None:
        labels += [label] if rates else []
    else:
        labels[place : place + 1] = [label] if rates else []
    return old.model_copy(update={"labels": tuple(labels)})


def _said(labels: LabelSet) -> LabelSet:
    """What a file says, whatever its lines and the order of items."""
    plain_labels = (
        one.model_copy(
            update={
                "line": None,
                "items": tuple(sorted(one.items, key=lambda item: (item.kind, item.item))),
            }
        )
        for one in labels.labels
    )
    return labels.model_copy(update={"labels": tuple(plain_labels)})


def _line_of(root: Block, key: str) -> int:
    """Line of a key, from 0."""
    entry = root.entry(key)
    return 0 if entry is None else entry.line - 1


def _end(root: Block, key: str, count: int) -> int:
    """Line after the part of the file that a key begins, from 0."""
    after = [entry.line - 1 for entry in root.entries if entry.line - 1 > _line_of(root, key)]
    return min(after, default=count)


def _last(lines: Sequence[str], first: int, end: int, *, comments: bool) -> int:
    """Line after the last one that says something; comments say something where `comments`."""
    while end > first and (
        not lines[end - 1].strip() or (not comments and lines[end - 1].lstrip().startswith("#"))
    ):
        end -= 1
    return end


def _added(
    lines: list[str], region: range, rows: Items, label: Label, notes: Mapping[str, str]
) -> list[str]:
    head = lines[region.start]
    if not rows.items:
        if _NONE.fullmatch(head):
            lines = [*lines[: region.start], "labels:", *lines[region.start + 1 :]]
        pad, gap = "  ", " "
    else:
        found = _ITEM.match(lines[rows.items[-1].line - 1])
        pad, gap = (found["pad"], found["gap"]) if found else ("  ", " ")
    at = _last(lines, region.start + 1, region.stop, comments=True)
    return [*lines[:at], *_block(label, pad, gap, notes), *lines[at:]]


def _changed(
    lines: list[str],
    region: range,
    rows: Items,
    place: int,
    label: Label | None,
    notes: Mapping[str, str],
) -> list[str]:
    row = rows.items[place]
    start = row.line - 1
    after = rows.items[place + 1].line - 1 if place + 1 < len(rows.items) else region.stop
    end = _last(lines, start + 1, after, comments=False)
    if label is None:
        rest = [*lines[:start], *lines[end:]]
        if len(rows.items) == 1:
            rest[region.start] = "labels: []"
        return rest
    found = _ITEM.match(lines[start])
    if found is None or not isinstance(row, Block):
        pad = lines[start][: len(lines[start]) - len(lines[start].lstrip())]
        return [*lines[:start], *_block(label, pad, " ", notes), *lines[end:]]
    head = f"{found['pad']}-{found['gap']}"
    deep = " " * len(head)
    wanted = _wanted(label)
    parts: dict[str, list[str]] = {}
    for number, entry in enumerate(row.entries):
        stop = row.entries[number + 1].line - 1 if number + 1 < len(row.entries) else end
        if entry.key in wanted:
            old = lines[entry.line - 1 : stop]
            parts[entry.key] = _entry(old, entry, wanted[entry.key], deep, notes)
    order = [*parts, *(key for key in wanted if key not in parts)]
    if "approved_by" not in parts and "approved_by" in wanted and "answer" in parts:
        order.remove("approved_by")
        order.insert(order.index("answer") + 1, "approved_by")
    changed = [
        line
        for key in order
        for line in (parts[key] if key in parts else _key(key, wanted[key], deep, notes))
    ]
    changed[0] = head + changed[0][len(head) :]
    return [*lines[:start], *changed, *lines[end:]]


Value = str | dict[str, str]
"""What stands behind a key of a label: a text, or words by name or digest."""


def _wanted(label: Label) -> dict[str, Value]:
    """What a label says, by the keys of its block and in their order."""
    found: dict[str, Value | None] = {
        "case_id": label.case_id,
        "target": label.target,
        "answer": label.answer,
        "approved_by": label.approved_by,
        "scores": dict(label.scores),
    }
    for kind in KINDS:
        found[kind] = {one.item: one.label for one in label.items if one.kind == kind}
    return {key: value for key, value in found.items() if value}


def _entry(
    old: list[str], entry: Entry, value: Value, deep: str, notes: Mapping[str, str]
) -> list[str]:
    """Give the lines of one key: as they were where they say the same, else changed one by one."""
    node = entry.value
    if isinstance(node, Scalar):
        return old if node.text == value else _key(entry.key, value, deep, notes)
    if not isinstance(node, Block) or isinstance(value, str):
        return _key(entry.key, value, deep, notes)
    said = {one.key: one.value.text for one in node.entries if isinstance(one.value, Scalar)}
    if said == value:
        return old
    places = {one.line - entry.line: one.key for one in node.entries}
    if len(places) < len(node.entries) or 0 in places or not places:
        return _key(entry.key, value, deep, notes)
    kept = []
    for number, line in enumerate(old):
        key = places.get(number)
        if key is None or said.get(key) == value.get(key):
            kept.append(line)
        elif key in value:
            kept.append(_VALUE.sub(rf"\g<before>{value[key]}\g<after>", line))
    first = old[min(places)]
    pad = first[: len(first) - len(first.lstrip())]
    new = {key: word for key, word in value.items() if key not in said}
    return [*kept, *(f"{pad}{_text(key)}: {word}{_note(notes, key)}" for key, word in new.items())]


def _block(label: Label, pad: str, gap: str, notes: Mapping[str, str]) -> list[str]:
    """Lay a new label out."""
    head = f"{pad}-{gap}"
    deep = " " * len(head)
    lines = [
        line for key, value in _wanted(label).items() for line in _key(key, value, deep, notes)
    ]
    return [head + lines[0][len(head) :], *lines[1:]]


def _key(key: str, value: Value, deep: str, notes: Mapping[str, str]) -> list[str]:
    """Lay one key out: scores in one line, items in a line each."""
    if isinstance(value, str):
        return [f"{deep}{key}: {_text(value)}"]
    if key == "scores":
        scores = ", ".join(f"{_text(name)}: {word}" for name, word in value.items())
        return [f"{deep}scores: {{{scores}}}"]
    items = (f"{deep}  {item}: {word}{_note(notes, item)}" for item, word in value.items())
    return [f"{deep}{key}:", *items]


def _note(notes: Mapping[str, str], item: str) -> str:
    text = plain(notes.get(item, ""))
    return f"  # {text if len(text) <= _NOTE else text[: _NOTE - 1] + '…'}" if text else ""


def _text(text: str) -> str:
    """Write a text so that every reader of YAML takes it for one."""
    if (_PLAIN.fullmatch(text) and text.lower() not in _OTHERWISE) or _DIGEST.fullmatch(text):
        return text
    return json.dumps(text, ensure_ascii=False)
