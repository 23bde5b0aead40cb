"""What an expression of text can say: its constant words, and holes where values stand.

Names are followed to what they are set to, parameters to what callers hand in, calls to what is
returned. What is not text in the source is a hole.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from itertools import product
from math import prod

from error_sources import (
    Function,
    Module,
    Sources,
    added,
    assigned,
    last,
    names_in,
    parameters,
    returned,
)

HOLE = "\0"
"""Begins and ends the name of a value in a text."""
NAMES = {
    name: shown
    for shown, names in {
        "PATH": ("path",),
        "FILE": ("file",),
        "FOLDER": ("folder",),
        "NAME": ("name",),
        "CASE": ("case", "case_id"),
        "MODEL": ("model",),
        "TARGET": ("target",),
        "DIMENSION": ("dimension",),
        "ID": ("id", "run_id"),
        "LINE": ("line",),
        "SCORER": ("scorer",),
        "BRANCH": ("branch",),
        "URL": ("uri", "url"),
        "HOST": ("host",),
        "KEY": ("at", "key"),
        "STATUS": ("status",),
        "COMMAND": ("command",),
        "OPTION": ("option",),
        "$USD": ("dollars",),
    }.items()
    for name in names
}
"""How a value is shown, by the last name in the code; `…` where it has none here."""
SPOKEN = frozenset({"_one_line", "plain", "shorten"})
"""Functions that only tidy a text that they are handed."""
VALUES = frozenset({"amount", "dollars", "few", "fence", "listed", "repr", "setting", "str"})
"""Functions that show a value: what they return is not looked into."""
SAME = frozenset({"removesuffix", "replace", "rstrip", "strip"})
"""Methods that leave the words of a text as they are."""
MOST = 3
"""Forms of one text that are told apart where several of its parts differ; beyond it the differing
parts stand by themselves."""
MOST_ALONE = 8
"""The same where a single part differs."""
SENTENCE = 4
"""A table with longer texts than so many words is one of sentences, and no table of names."""
DEEP = 5
"""Steps from name to name that are followed."""


@dataclass(frozen=True)
class Place:
    """Where an expression stands, and what is known there."""

    module: Module
    """Its module."""
    function: Function | None
    """Its function."""
    known: Mapping[str, list[str]] = field(default_factory=dict)
    """Parameter -> what it says in this call."""
    depth: int = 0
    """Steps that led here."""
    busy: frozenset[int] = frozenset()
    """Values that are being looked into: a text that is put into itself is not read twice."""


class Forms:
    """Reads expressions."""

    def __init__(self, sources: Sources) -> None:
        """Take the package."""
        self._sources = sources
        self._parts: list[str] = []

    def of(self, node: ast.expr, place: Place) -> list[str]:
        """Return what a message says, and the parts that stand by themselves."""
        self._parts = []
        return [*self._of(node, place), *self._parts]

    def handed_in(
        self, message: ast.expr, module: Module
    ) -> list[tuple[tuple[str, int], Mapping[str, list[str]]]]:
        """Return the parameters in a message, call by call, and where their words stand."""
        here = (module.file, message.lineno)
        home = self._sources.home(message)
        if home is None:
            return [(here, {})]
        names = names_in(message)
        made_of = (value for name in names for value in assigned(home, name))
        used = (names | names_in(*made_of)) & set(parameters(home))
        ways: list[tuple[tuple[str, int], Mapping[str, list[str]]]] = []
        for where, call in self._sources.callers(home, module) if used else ():
            known = self._bound(call, home, self._at(where, call), used)
            worded = any(is_worded(text) for texts in known.values() for text in texts)
            ways.append(((where.file, call.lineno) if worded else here, known))
        return ways or [(here, {})]

    def _at(self, module: Module, node: ast.AST, depth: int = 1) -> Place:
        return Place(module, self._sources.home(node), depth=depth)

    def _bound(
        self, call: ast.Call, function: Function, at: Place, used: Iterable[str]
    ) -> dict[str, list[str]]:
        places = [one for one in parameters(function) if one not in ("self", "cls")]
        given = dict(zip(places, call.args, strict=False))
        given |= {one.arg: one.value for one in call.keywords if one.arg is not None}
        return {name: self._of(given[name], at) for name in used if name in given}

    def _of(self, node: ast.expr, at: Place) -> list[str]:
        """Return what an expression can say; nothing for None, which is no text."""
        found: list[str] = []
        match node:
            case _ if at.depth > DEEP:
                pass
            case ast.Constant(value=None):
                return []
            case ast.Constant(value=str(text)):
                found = [text]
            case ast.FormattedValue(value=value, format_spec=None, conversion=-1):
                found = self._of(value, at)
            case ast.FormattedValue(value=value):
                found = [hole(value)]
            case ast.Name(id=name):
                found = self._of_name(name, at)
            case ast.Call():
                found = self._of_call(node, at)
            case _:
                found = self._of_several(node, at)
        return found or [hole(node)]

    def _of_several(self, node: ast.expr, at: Place) -> list[str]:
        """Return what an expression of several parts or of several choices can say."""
        found: list[str] = []
        match node:
            case ast.JoinedStr(values=parts):
                found = self._joined(parts, at)
            case ast.BinOp(left=left, op=ast.Add(), right=right):
                found = self._joined([left, right], at)
            case ast.IfExp(body=body, orelse=orelse):
                found = self._any([body, orelse], at)
                if not any(" " in one for one in found):
                    # A value or nothing: the words beside it are the same.
                    found = [one for one in found if one]
            case ast.BoolOp(values=[first, *others]):
                further = self._any(others, at)
                found = [*self._of(first, at), *(one for one in further if " " in one)]
            case ast.Dict(values=values):
                found = self._any(values, at)
            case ast.Subscript(value=ast.Name() as table):
                found = _sentences_of(self._of(table, at))
        return found

    def _any(self, nodes: Iterable[ast.expr], at: Place) -> list[str]:
        return [text for one in nodes for text in self._of(one, at)]

    def _of_name(self, name: str, at: Place) -> list[str]:
        if name in at.known:
            own = f"{HOLE}{NAMES.get(name, '…')}{HOLE}"
            return [own if one == _NAMELESS else one for one in at.known[name]]
        function = at.function
        while function is not None:
            here = replace(at, function=function, depth=at.depth + 1)
            for one in added(function, name):
                self._parts += filter(is_worded, self._of(one, here))
            values = [one for one in assigned(function, name) if id(one) not in at.busy]
            if values:
                return [
                    text
                    for one in values
                    for text in self._of(one, replace(here, busy=at.busy | {id(one)}))
                ]
            if name in parameters(function):
                return self._of_parameter(name, function, here)
            function = self._sources.around(function)
        found = self._sources.constant(name, at.module)
        if found is None:
            return []
        return self._of(found[1], Place(found[0], None, depth=at.depth + 1))

    def _of_parameter(self, name: str, function: Function, at: Place) -> list[str]:
        texts: dict[str, None] = {}
        for module, call in self._sources.callers(function, at.module):
            there = self._at(module, call, at.depth + 1)
            texts |= dict.fromkeys(self._bound(call, function, there, {name}).get(name, []))
        return [*texts]

    def _of_call(self, call: ast.Call, at: Place) -> list[str]:
        tidied = _tidied(call)
        if tidied is not None:
            return self._of(tidied, at)
        match call:
            case ast.Call(func=ast.Name(id="counted"), args=[_, ast.Constant(value=str(noun))]):
                return [f"{HOLE}N{HOLE} {noun}s"]
            case ast.Call(func=ast.Name(id="unknown"), args=[what, _, _]):
                kinds = self._of(what, at)
                return [f"unknown {one} `{HOLE}NAME{HOLE}`{_NAMELESS}" for one in kinds]
            case ast.Call(func=ast.Attribute(value=table, attr="get")):
                return _sentences_of(self._any([table, *call.args[1:]], at))
        if last(call.func) in VALUES:
            return []
        module, functions = self._sources.called(call, at.module)
        texts: dict[str, None] = {}
        for function in functions:
            known = self._bound(call, function, at, parameters(function))
            inside = Place(module, function, known, at.depth + 1)
            texts |= dict.fromkeys(self._any(returned(function), inside))
        return [*texts]

    def _joined(self, parts: Iterable[ast.expr], at: Place) -> list[str]:
        """Put parts together; where there are too many ways, the differing parts stand apart."""
        forms = [[*dict.fromkeys(self._of(one, at))] or [hole(one)] for one in parts]
        alone = sum(len(one) > 1 for one in forms) == 1
        while prod(map(len, forms)) > (MOST_ALONE if alone else MOST):
            most = max(range(len(forms)), key=lambda index: len(forms[index]))
            self._parts += filter(is_worded, forms[most])
            forms[most] = [_NAMELESS]
        return ["".join(one) for one in product(*forms)]


_NAMELESS = f"{HOLE}…{HOLE}"


def hole(node: ast.AST) -> str:
    """Return a value as it stands in a text."""
    return f"{HOLE}{NAMES.get(last(node), '…')}{HOLE}"


def is_worded(text: str) -> bool:
    """Tell a text of three words or more from a name."""
    return re.search(r"([A-Za-z]{2,}\b.*?){3}", re.sub(f"{HOLE}.*?{HOLE}", "", text)) is not None


def _tidied(call: ast.Call) -> ast.expr | None:
    """Return the text that a call only tidies; None where it does something else."""
    match call:
        case ast.Call(func=ast.Name(id=name), args=[text, *_]) if name in SPOKEN:
            return text
        case ast.Call(func=ast.Attribute(value=text, attr=name)) if name in SAME:
            return text
        case ast.Call(
            func=ast.Attribute(value=ast.Constant(value=" "), attr="join"),
            args=[ast.Call(func=ast.Attribute(value=text, attr="split"))],
        ):
            return text
    return None


def _sentences_of(texts: list[str]) -> list[str]:
    """Return the texts of a table of sentences; nothing of a table of names."""
    return texts if any(len(one.split()) > SENTENCE for one in texts) else []
