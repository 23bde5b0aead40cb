"""The mutants of a file: where each small change can be made, and what it is called.

Left alone are sentences (strings with a blank, f-strings, the insides of `raise`), annotations,
decorators, assertions, imports, arguments like `strict=`, and the zero of `... or 0.0`.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

from mutant_operators import (
    MANNERS,
    Edit,
    expressions,
    is_collection,
    is_stopgap,
    name_of,
    parts,
    short,
    statements,
    values,
)

TOKEN = re.compile(r"[A-Za-z_][\w./:-]*|")
"""Strings that programs read. What holds a blank is a sentence."""

WORDING = frozenset({"counted", "cast", "join", "share", "finite"})
"""Functions whose strings are for people, or for the type checker."""

SKIPPED_FIELDS = frozenset({"annotation", "returns", "decorator_list", "bases", "format_spec"})


@dataclass(frozen=True)
class Mutant:
    """One change."""

    file: str
    """The file, below `gate/`."""
    where: str
    """The function or method; of the module's and the classes' own statements, the name."""
    kind: str
    """The operator."""
    what: str
    """The change: `before -> after`."""
    nth: int
    """Which one, where the same change can be made several times at one place."""
    lines: range
    """Lines of the statement: a test that reaches none of them cannot notice."""
    around: range
    """Lines of the function's body."""
    live: bool
    """Whether it changes a function's body: others take effect when the module is imported."""
    names: frozenset[str]
    """What a statement outside of functions defines."""
    edit: Edit
    """What to put where in the tree."""

    @property
    def id(self) -> str:
        """The name of the change, without line numbers: edits elsewhere leave it as it is."""
        return f"{self.file} {self.where}: {self.what}" + (f" #{self.nth}" if self.nth > 1 else "")

    def apply(self) -> None:
        """Change the tree that the mutant was found in."""
        owner, field, place, new = self.edit
        if place is None:
            setattr(owner, field, new)
        elif new is None:
            del getattr(owner, field)[place]
            if isinstance(owner, ast.Dict):
                del owner.keys[place]
        else:
            getattr(owner, field)[place] = new


@dataclass(frozen=True)
class _Place:
    """Where the walk is."""

    where: str = ""
    lines: range = range(0)
    around: range = range(0)
    live: bool = False
    names: frozenset[str] = frozenset()
    wording: bool = False
    """Whether strings here are read by people."""


class Finder:
    """Walks through one file."""

    def __init__(self, file: str, tree: ast.Module) -> None:
        """Find everything that can be changed."""
        self.file = file
        self.found: list[Mutant] = []
        self.sentences = 0
        """Strings that were left alone."""
        self._seen: Counter[tuple[str, str]] = Counter()
        self._body(tree, "body", _Place())

    def _body(self, owner: ast.AST, field: str, place: _Place) -> None:
        for index, node in enumerate(getattr(owner, field)):
            self._statement(node, owner, field, index, place)

    def _statement(self, node: Any, owner: Any, field: str, index: int, place: _Place) -> None:
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            self._definition(node, place)
            return
        here = self._of_statement(node, place)
        if here is None:
            return
        for kind, new, said in statements(node):
            self._add(kind, f"{short(node)} -> {said}", (owner, field, index, new), here)
        if isinstance(node, ast.Raise):
            self.sentences += 1
            return
        for name, value in ast.iter_fields(node):
            if name in {"body", "orelse", "finalbody", "handlers", "cases"}:
                for at, child in enumerate(value):
                    if isinstance(child, ast.ExceptHandler):
                        self._body(child, "body", place)
                    else:
                        self._statement(child, node, name, at, place)
            else:
                self._field(node, name, value, here)

    def _definition(self, node: Any, place: _Place) -> None:
        where = f"{place.where}.{node.name}" if place.where else node.name
        if isinstance(node, ast.ClassDef):
            inside = replace(place, where=where, names=place.names | {node.name})
            self._body(node, "body", inside)
            return
        body = range(node.body[0].lineno, (node.end_lineno or 0) + 1)
        if not place.live:
            at_definition = replace(place, where=where, lines=body, names=frozenset())
            for name in ("defaults", "kw_defaults"):
                self._field(node.args, name, getattr(node.args, name), at_definition)
        inside = replace(place, where=where, live=True, names=frozenset(), around=body)
        self._body(node, "body", inside)

    @staticmethod
    def _of_statement(node: Any, place: _Place) -> _Place | None:
        """Say where a statement is, or None where it has nothing to change."""
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Assert):
            return None
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
            return None
        head = node
        for name in ("test", "iter", "subject"):
            head = getattr(node, name, head)
        last = head.end_lineno if head is not node or not hasattr(node, "body") else node.lineno
        here = replace(place, lines=range(node.lineno, last + 1))
        if place.live:
            return here
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        names = {one.id for one in targets if isinstance(one, ast.Name)}
        value = getattr(node, "value", None)
        literal = isinstance(value, ast.Subscript) and isinstance(value.value, ast.Name)
        if "__all__" in names or literal:
            return None
        where = ".".join([*([place.where] if place.where else []), *sorted(names)])
        return replace(here, where=where or "module", names=place.names | names)

    def _field(self, owner: Any, field: str, value: Any, place: _Place) -> None:
        if field in SKIPPED_FIELDS:
            return
        if isinstance(value, list):
            for index, child in enumerate(value):
                self._expression(child, owner, field, index, place)
        else:
            self._expression(value, owner, field, None, place)

    def _expression(
        self, node: Any, owner: Any, field: str, index: int | None, place: _Place
    ) -> None:
        if not isinstance(node, ast.AST):
            return
        if isinstance(node, ast.JoinedStr):
            self.sentences += 1
            place = replace(place, wording=True)
        elif isinstance(node, ast.keyword) and node.arg in MANNERS:
            return
        elif isinstance(node, ast.Call) and name_of(node.func) in WORDING:
            place = replace(place, wording=True)
        if isinstance(node, ast.Constant):
            self._constant(node, owner, field, index, place)
            return
        for kind, new, said in expressions(node):
            self._add(kind, f"{short(node)} -> {said}", (owner, field, index, new), place)
        for kind, edit, said in parts(node):
            self._add(kind, f"{short(node)} -> {said}", edit, place)
        for name, value in ast.iter_fields(node):
            self._field(node, name, value, place)

    def _constant(
        self, node: ast.Constant, owner: Any, field: str, index: int | None, place: _Place
    ) -> None:
        if isinstance(node.value, str):
            key = isinstance(owner, ast.Dict) and field == "keys"
            if place.wording or not TOKEN.fullmatch(node.value):
                self.sentences += 1
                return
            if key or is_collection(owner):  # they are dropped whole
                return
        if is_stopgap(owner) and owner.values[-1] is node:
            return
        around = short(owner) if not isinstance(owner, ast.arguments) else "default"
        for new in values(node.value):
            fresh = ast.copy_location(ast.Constant(new), node)
            said = f"{node.value!r} -> {new!r} in {around}"
            self._add("constant", said, (owner, field, index, fresh), place)

    def _add(self, kind: str, what: str, edit: Edit, place: _Place) -> None:
        self._seen[place.where, what] += 1
        nth = self._seen[place.where, what]
        self.found.append(
            Mutant(
                file=self.file,
                where=place.where,
                kind=kind,
                what=what,
                nth=nth,
                lines=place.lines,
                around=place.around,
                live=place.live,
                names=place.names,
                edit=edit,
            )
        )
