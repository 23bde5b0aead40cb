"""promptfooconfig.yaml -> cases, and the list of what cannot become one.

A test becomes a case: the first inline prompt with the test's variables filled in is the query, its
description the id, and assertions the sentences that a judge is given. Whatever is not carried over
is named with its line. Nothing is run and no other file is opened. Pure.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from gate.datasets.ids import fold, id_fault
from gate.datasets.promptfoo_asserts import Left, carry_assertion
from gate.datasets.promptfoo_vars import Unfilled, combinations, fill, is_prompt_file, merged
from gate.errors import DatasetError
from gate.wire.yaml import Block, Items, Node, Scalar, load

__all__ = ["Carried", "CarriedCase", "Left", "carry_over"]

MOST_CASES = 10_000
"""Cases that are carried over from one file."""
MOST_CHARACTERS = 16_000_000
"""Characters of all of them together."""
_ID_LENGTH = 60
_TOP = ("description", "prompts", "tests", "defaultTest")
_OF_TEST = ("description", "vars", "assert")
_INSTEAD = {
    "providers": ": write them under `targets` in gate.yaml",
    "targets": ": write them under `targets` in gate.yaml",
    "threshold": ": the gate compares with a baseline",
}
"""Key -> what there is in its place."""


@dataclass(frozen=True)
class CarriedCase:
    """A case that a test became."""

    id: str
    """A safe file name, unlike all others of the file."""
    query: str
    """What is asked."""
    assertions: tuple[str, ...]
    """What a good answer must show."""


@dataclass(frozen=True)
class Carried:
    """What became of a file."""

    cases: tuple[CarriedCase, ...]
    """At least one case."""
    left: tuple[Left, ...]
    """What is not carried over, by line."""

    @property
    def assertions(self) -> int:
        """Sentences of all cases."""
        return sum(len(case.assertions) for case in self.cases)


def carry_over(text: str, path: str) -> Carried:
    """Carry over the text of a promptfooconfig.yaml; `path` names it in messages.

    Raises DatasetError for what is no such file, and where no test can be carried over.
    """
    root = load(text, path, fault=DatasetError)
    if not isinstance(root, Block):
        raise DatasetError("is no promptfoo configuration: it has no keys", path, root.line)
    carrying = _Carrying(root)
    cases = tuple(carrying.cases())
    left = tuple(sorted(carrying.left))
    if not cases:
        why = "".join(f"\n  line {one.line}: {one.says}" for one in left[:10])
        raise DatasetError(f"has no test that can be carried over: write cases by hand{why}", path)
    return Carried(cases, left)


@dataclass
class _Carrying:
    """One file on its way."""

    root: Block
    left: set[Left] = field(default_factory=set)
    _ids: set[str] = field(default_factory=set)
    _next: dict[str, int] = field(default_factory=dict)

    def cases(self) -> Iterator[CarriedCase]:
        """Give the cases, and note what is left."""
        self._leave_others(self.root, _TOP, "")
        prompt = self._prompt()
        default = self._default()
        budget = MOST_CHARACTERS
        made = itertools.chain.from_iterable(
            self._of_test(test, default, prompt) for test in self._tests()
        )
        for number, case in enumerate(made):
            budget -= len(case.query) + sum(map(len, case.assertions))
            if number >= MOST_CASES or budget < 0:
                self._leave(self.root.line, f"tests after case {case.id}: there are too many")
                return
            yield case

    def _prompt(self) -> str | None:
        """Return the first prompt that is a text here, or None."""
        node = self.root.get("prompts")
        found: str | None = None
        for one in node.items if isinstance(node, Items) else () if node is None else (node,):
            raw = one.get("raw") if isinstance(one, Block) else one
            text = raw.text.strip() if isinstance(raw, Scalar) else ""
            if not text:
                self._leave(one.line, "a prompt that is no text")
            elif is_prompt_file(text):
                self._leave(one.line, f"prompt {_short(text)}: it lies in a file, write it out")
            elif text.startswith("[") or re.match(r"\{\s*[\"']", text):
                self._leave(one.line, "a prompt of several messages: a query is one text")
            elif found is not None:
                self._leave(one.line, "a further prompt: the first one is taken")
            else:
                found = text
        return found

    def _default(self) -> Block | None:
        """Return what holds for every test."""
        entry = self.root.entry("defaultTest")
        if entry is None:
            return None
        if not isinstance(entry.value, Block):
            self._leave(entry.line, "defaultTest: it lies in a file, write it out")
            return None
        self._leave_others(entry.value, _OF_TEST, "defaultTest: ")
        return entry.value

    def _tests(self) -> Iterator[Block]:
        entry = self.root.entry("tests")
        node = None if entry is None else entry.value
        if not isinstance(node, Items):
            if entry is not None:
                self._leave(entry.line, "tests that lie in a file or are made by a program")
            return
        for test in node.items:
            if isinstance(test, Block):
                self._leave_others(test, _OF_TEST, "")
                yield test
            else:
                self._leave(test.line, "tests that lie in a file: write them out")

    def _of_test(
        self, test: Block, default: Block | None, prompt: str | None
    ) -> Iterator[CarriedCase]:
        """Give the cases of one test: one, or one for each value of a list."""
        told = test.get("description")
        name = told.text if isinstance(told, Scalar) else ""
        try:
            variables = merged(_block(default, "vars"), self._own_vars(test))
            for values in combinations(variables):
                query = _query(prompt, values)
                first = next(iter(values.values()), query)
                yield CarriedCase(
                    self._id(name or first), query, self._assertions(test, default, values)
                )
        except Unfilled as error:
            self._leave(test.line, f"a test: {error}")

    def _own_vars(self, test: Block) -> Block | None:
        node = test.get("vars")
        if node is not None and not isinstance(node, Block):
            raise Unfilled("its variables lie in a file: write them out")
        return node

    def _assertions(
        self, test: Block, default: Block | None, values: Mapping[str, str]
    ) -> tuple[str, ...]:
        found = list[str]()
        for block in (default, test):
            node = None if block is None else block.get("assert")
            if node is None:
                continue
            if not isinstance(node, Items):
                self._leave(node.line, "assertions that are no list")
                continue
            for one in node.items:
                sentences, left = carry_assertion(one, values)
                found += sentences
                self.left.update(left)
        return tuple(dict.fromkeys(found))

    def _id(self, text: str) -> str:
        """Return a safe file name for a text, unlike those before."""
        plain = unicodedata.normalize("NFKD", text[:1000]).encode("ascii", "ignore").decode()
        stem = re.sub(r"[^a-z0-9]+", "-", plain.lower())[:_ID_LENGTH].strip("-") or "test"
        if id_fault(stem) is not None:
            stem = f"test-{stem}"
        id_ = stem
        while fold(id_) in self._ids:
            number = self._next[stem] = self._next.get(stem, 1) + 1
            id_ = f"{stem}-{number}"
        self._ids.add(fold(id_))
        return id_

    def _leave_others(self, block: Block, known: tuple[str, ...], where: str) -> None:
        for entry in block.entries:
            if entry.key not in known:
                instead = _INSTEAD.get(entry.key, "")
                self._leave(entry.line, f"{where}`{_short(entry.key)}`{instead}")

    def _leave(self, line: int, says: str) -> None:
        self.left.add(Left(line, says))


def _query(prompt: str | None, values: Mapping[str, str]) -> str:
    """Return what is asked. Raises Unfilled."""
    if prompt is None:
        if len(values) != 1:
            raise Unfilled(
                "there is no prompt here to fill in, and it has no single variable to ask instead"
            )
        prompt = next(iter(values.values()))
        query = prompt.strip()
    else:
        query = fill(prompt, values).strip()
    if not query:
        raise Unfilled("its question is empty")
    return query


def _block(block: Block | None, key: str) -> Block | None:
    node: Node | None = None if block is None else block.get(key)
    return node if isinstance(node, Block) else None


def _short(text: str) -> str:
    return text if len(text) <= _ID_LENGTH else f"{text[:_ID_LENGTH]}…"
