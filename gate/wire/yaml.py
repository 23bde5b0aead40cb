"""Reads YAML strictly: a tree of plain texts, blocks and lists, each with its line.

YAML 1.1 turns `no` into false, `1.10` into 1.1, `1:30` into 90 and a date into an object. Here
every scalar stays the text that was written; `Scalar.value` types `true`, `false`, `null` and
numbers in JSON's notation, and nothing else. A reader that wants a text takes `Scalar.text`.

Refused, since they hide what a file says or blow it up: anchors and aliases, merge keys, explicit
tags, directives, duplicate keys, several documents, deep nesting, large files.

A JSON file is read too. What it cannot see: comments, and how a text was quoted beyond `plain`.

Two parsers of PyYAML read: libyaml's, which is fast, and the one in Python, which has the last word
on whatever libyaml refuses and explains it. They differ on tabs and on byte order marks inside a
file, so a file with one of these is left to the second. libyaml takes nothing that the other
refuses (tests/unit/wire/test_yaml_parsers.py).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Protocol

import yaml
from pydantic import JsonValue

from gate.errors import CannotRun, ConfigError, DatasetError, FileError

__all__ = [
    "DATA_BYTES",
    "MAX_BYTES",
    "MAX_DEPTH",
    "MAX_NODES",
    "SLOW_BYTES",
    "Block",
    "Entry",
    "Fault",
    "Items",
    "Node",
    "Scalar",
    "find",
    "load",
    "to_json",
]

MAX_BYTES = 1_000_000
"""Largest file that is read, in bytes of UTF-8, unless its reader allows more."""
DATA_BYTES = 64 * 1024 * 1024
"""Largest file of cases or labels, in bytes of UTF-8."""
SLOW_BYTES = 1_000_000
"""Largest file that the parser in Python is asked about: that takes it a second or more."""
MAX_NODES = 1_000_000
"""Most texts, blocks and lists of one file, so that a large file of tiny values fits in memory."""
MAX_DEPTH = 32
"""Deepest nesting of blocks and lists."""
LONGEST_NUMBER = 309
"""Longer runs of digits are texts: no number of 64 bits needs them."""

Fault = type[ConfigError] | type[DatasetError] | type[FileError]
"""The error that a reader of a user's file raises."""

_DIFFERENT = re.compile("[\t\ufeff]")
"""What libyaml reads otherwise than the parser in Python."""
_NUMBER = re.compile(r"-?(?:0|[1-9][0-9]*)(?P<fraction>\.[0-9]+)?(?P<exponent>[eE][+-]?[0-9]+)?")
_WORDS: dict[str, bool | None] = {"true": True, "false": False, "null": None, "": None}


@dataclass(frozen=True, slots=True)
class Scalar:
    """A single text."""

    text: str
    """The text as written, escapes and folding resolved."""
    plain: bool
    """Whether it was written without quotes and not as a `|` or `>` block."""
    line: int
    """Line, from 1."""

    @property
    def value(self) -> str | int | float | bool | None:
        """The text, typed as JSON has it when it was plain; an absent value is None."""
        if not self.plain:
            return self.text
        if self.text in _WORDS:
            return _WORDS[self.text]
        match = _NUMBER.fullmatch(self.text)
        if match is None or len(self.text) > LONGEST_NUMBER:
            return self.text
        if match["fraction"] is None and match["exponent"] is None:
            return int(self.text)
        number = float(self.text)
        return self.text if number in (float("inf"), float("-inf")) else number


@dataclass(frozen=True, slots=True)
class Items:
    """A list."""

    items: tuple[Node, ...]
    """Its items, in order."""
    line: int
    """Line of its beginning, from 1."""


@dataclass(frozen=True, slots=True)
class Entry:
    """A key with its value."""

    key: str
    """The key, as text."""
    line: int
    """Line of the key, from 1."""
    value: Node
    """The value."""


@dataclass(frozen=True, slots=True)
class Block:
    """Keys with values, in the file's order; no key twice."""

    entries: tuple[Entry, ...]
    """The keys."""
    line: int
    """Line of its beginning, from 1."""

    def entry(self, key: str) -> Entry | None:
        """Return the entry of `key`, or None."""
        return next((entry for entry in self.entries if entry.key == key), None)

    def get(self, key: str) -> Node | None:
        """Return the value of `key`, or None where the key is absent."""
        entry = self.entry(key)
        return None if entry is None else entry.value


Node = Scalar | Items | Block
"""A part of a file."""


def load(
    text: str,
    path: str,
    *,
    fault: Fault = FileError,
    max_bytes: int = MAX_BYTES,
    max_depth: int = MAX_DEPTH,
) -> Node:
    """Read one YAML document; an empty file is an empty plain scalar.

    Raises `fault` with `path`, the line and what to do.
    """
    try:
        size = len(text.encode("utf-8"))
    except UnicodeEncodeError as error:
        line = text.count("\n", 0, error.start) + 1
        message = "half of a surrogate pair: save the file as UTF-8 text"
        raise fault(message, path, line) from error
    if size > max_bytes:
        message = f"the file has {size:,} bytes, above the limit of {max_bytes:,}: split it"
        raise fault(message, path)
    if size <= SLOW_BYTES:
        tree = _read_fast(text, path, fault, max_depth)
        return _read_slow(text, path, fault, max_depth) if tree is None else tree
    return _read_large(text, path, fault, max_depth)


def _read_fast(text: str, path: str, fault: Fault, max_depth: int) -> Node | None:
    """Read with libyaml; None where the other parser must be asked."""
    if _FAST is None or _DIFFERENT.search(text) is not None:
        return None
    try:
        return _Reader(_FAST(text), path, fault, max_depth).document()
    except (yaml.YAMLError, CannotRun):
        return None


def _read_large(text: str, path: str, fault: Fault, max_depth: int) -> Node:
    """Read a file that is too large for the parser in Python, with libyaml or not at all."""
    if _FAST is None:
        message = (
            f"a file above {SLOW_BYTES:,} bytes needs PyYAML with libyaml: install its wheel, "
            "or split the file"
        )
        raise fault(message, path)
    different = _DIFFERENT.search(text)
    if different is not None:
        line = text.count("\n", 0, different.start()) + 1
        message = (
            f"a tab or a byte order mark, in a file above {SLOW_BYTES:,} bytes: replace it, "
            "or split the file"
        )
        raise fault(message, path, line)
    try:
        return _Reader(_FAST(text), path, fault, max_depth).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        raise fault(f"not YAML: {_explain(error)}", path, mark.line + 1 if mark else 1) from error
    except yaml.YAMLError as error:
        message = "a control character: remove it, or escape it inside double quotes"
        raise fault(message, path) from error


def _read_slow(text: str, path: str, fault: Fault, max_depth: int) -> Node:
    """Read with the parser in Python, which says best what is wrong."""
    try:
        loader = yaml.SafeLoader(text)
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = "a control character: remove it, or escape it inside double quotes"
        raise fault(message, path, line) from error
    try:
        return _Reader(loader, path, fault, max_depth).document()
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = mark.line if mark else 0
        if "${" in "".join(text.splitlines()[line : line + 1]):
            message = 'not YAML: between { } or [ ], put a variable in quotes: "${NAME}"'
        else:
            message = f"not YAML: {_explain(error)}"
        raise fault(message, path, line + 1) from error
    except (ValueError, OverflowError) as error:
        # The parser does not check that an escape such as \UFFFFFFFF is a character.
        message = "an escape that is no character of Unicode: correct it"
        raise fault(message, path, loader.line + 1) from error


def to_json(node: Node) -> JsonValue:
    """Return plain Python values, scalars typed by `Scalar.value`."""
    if isinstance(node, Scalar):
        return node.value
    if isinstance(node, Items):
        return [to_json(item) for item in node.items]
    return {entry.key: to_json(entry.value) for entry in node.entries}


def find(node: Node, where: Sequence[str | int]) -> tuple[Node, int]:
    """Follow keys and indices as far as they lead; return the node and its line.

    The line of a value in a block is that of its key, which is where a person looks.
    """
    line = node.line
    for step in where:
        if isinstance(node, Block) and isinstance(step, str):
            entry = node.entry(step)
            if entry is None:
                break
            node, line = entry.value, entry.line
        elif isinstance(node, Items) and isinstance(step, int) and 0 <= step < len(node.items):
            node = node.items[step]
            line = node.line
        else:
            break
    return node, line


class _Parser(Protocol):
    """What is needed of PyYAML's parsers."""

    def get_event(self) -> yaml.Event:
        """Return the next event."""
        ...


_FAST: Callable[[str], _Parser] | None = getattr(yaml, "CSafeLoader", None)
"""libyaml's parser; None where PyYAML was built without it."""


class _Reader:
    """Builds the tree from the parser's events, so that nothing is expanded or constructed."""

    def __init__(self, loader: _Parser, path: str, fault: Fault, max_depth: int) -> None:
        self._loader = loader
        self._left = MAX_NODES
        self._path = path
        self._fault = fault
        self._max_depth = max_depth

    def document(self) -> Node:
        """Read the stream: one document, or none."""
        root: Node | None = None
        while not isinstance(event := self._next(), yaml.StreamEndEvent):
            if isinstance(event, yaml.DocumentStartEvent):
                if root is not None:
                    raise self._error(event, "a second document: keep one document in a file")
                if event.version or event.tags:
                    raise self._error(event, "a % directive: remove it")
                root = self._node(self._next(), 0, event)
        return Scalar("", plain=True, line=1) if root is None else root

    def _next(self) -> yaml.Event:
        return self._loader.get_event()

    def _node(self, event: yaml.Event, depth: int, before: yaml.Event) -> Node:
        """Read a node that begins with `event`; `before` says where an absent one would stand."""
        self._left -= 1
        if self._left < 0:
            raise self._error(event, f"more than {MAX_NODES:,} values: split the file")
        if isinstance(event, yaml.AliasEvent):
            raise self._error(event, f"an alias (*{event.anchor}): write the value out")
        if isinstance(event, yaml.NodeEvent) and event.anchor is not None:
            raise self._error(event, f"an anchor (&{event.anchor}): remove it")
        if isinstance(event, yaml.ScalarEvent | yaml.CollectionStartEvent) and event.tag:
            raise self._error(event, "an explicit tag (!): remove it")
        if isinstance(event, yaml.ScalarEvent):
            return self._scalar(event, before)
        if depth >= self._max_depth:
            raise self._error(event, f"nested deeper than {self._max_depth} levels: flatten it")
        if isinstance(event, yaml.SequenceStartEvent):
            return self._items(event, depth)
        return self._block(event, depth)

    def _scalar(self, event: yaml.ScalarEvent, before: yaml.Event) -> Scalar:
        plain = not event.style
        if plain and event.value == "~":
            raise self._error(event, 'a bare ~: write null, or "~" in quotes for the text')
        if plain and not event.value:
            # The parsers differ in where they see a value that is not there.
            return Scalar("", plain, _line(before))
        if event.value.isascii():
            return Scalar(event.value, plain, _line(event))
        try:
            # JSON spells characters outside the basic plane as two escapes, which belong together.
            value = event.value.encode("utf-16", "surrogatepass").decode("utf-16")
        except UnicodeDecodeError as error:
            message = "an escape that is half of a surrogate pair: complete or remove it"
            raise self._error(event, message) from error
        return Scalar(value, plain, _line(event))

    def _items(self, start: yaml.Event, depth: int) -> Items:
        items = []
        while not isinstance(event := self._next(), yaml.SequenceEndEvent):
            items.append(self._node(event, depth + 1, event))
        return Items(tuple(items), _line(start))

    def _block(self, start: yaml.Event, depth: int) -> Block:
        entries: dict[str, Entry] = {}
        while not isinstance(event := self._next(), yaml.MappingEndEvent):
            key = self._node(event, depth + 1, event)
            if not isinstance(key, Scalar):
                raise self._error(event, "a key that is a list or a block: write a text")
            if key.plain and key.text == "<<":
                raise self._error(event, "a merge key (<<): write the keys out")
            if key.plain and key.text == "":
                raise self._error(event, "a value without a key: write `key: value`")
            if key.text in entries:
                first = entries[key.text].line
                message = f"the key `{key.text}` again, first on line {first}: keep one of them"
                raise self._error(event, message)
            value = self._node(self._next(), depth + 1, event)
            entries[key.text] = Entry(key.text, key.line, value)
        return Block(tuple(entries.values()), _line(start))

    def _error(self, event: yaml.Event, message: str) -> CannotRun:
        return self._fault(message, self._path, _line(event))


def _line(event: yaml.Event) -> int:
    return event.start_mark.line + 1 if event.start_mark else 1


def _explain(error: yaml.MarkedYAMLError) -> str:
    problem = error.problem or error.context or "unreadable"
    if "'\\t'" in problem:
        return "a tab where only spaces are allowed: indent with spaces"
    if "'%'" in problem or "'@'" in problem or "'`'" in problem:
        return f"{problem}: put the text in quotes"
    if "mapping values are not allowed" in problem:
        return "a colon inside an unquoted text, or wrong indentation: put the text in quotes"
    return f"{problem}: check indentation, quotes and brackets near this line"
