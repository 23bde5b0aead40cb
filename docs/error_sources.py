"""The modules of a package as trees, with what is named, imported and called in them."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

Function = ast.FunctionDef | ast.AsyncFunctionDef

UNTRACED = frozenset({"__init__", "command", "open"})
"""Functions that are called by other ways than their name, or whose name is others' as well."""


@dataclass
class Module:
    """One module."""

    file: str
    """Its file, from the root of the repository."""
    tree: ast.Module
    """What stands in it."""
    functions: dict[str, list[Function]] = field(default_factory=dict)
    """Name -> functions and methods of that name."""
    constants: dict[str, ast.expr] = field(default_factory=dict)
    """Name -> what it is set to at the top."""
    imports: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Name -> the module that it is from, and its name there."""


class Sources:
    """A package."""

    def __init__(self, root: Path, package: str, *, without: str) -> None:
        """Parse every module of a package, but for those below the folder `without`."""
        self.modules: dict[str, Module] = {}
        self._homes: dict[int, Function] = {}
        self._around: dict[int, Function] = {}
        self._calls: dict[str, list[tuple[Module, ast.Call]]] = defaultdict(list)
        for path in sorted((root / package).rglob("*.py")):
            file = path.relative_to(root).as_posix()
            if not file.startswith(f"{without}/"):
                self._read(Module(file, ast.parse(path.read_text("utf-8"))))

    def _read(self, module: Module) -> None:
        dotted = module.file.removesuffix(".py").removesuffix("/__init__").replace("/", ".")
        self.modules[dotted] = module
        for node in ast.walk(module.tree):
            if isinstance(node, Function):
                module.functions.setdefault(node.name, []).append(node)
                self._live_in(node)
            elif isinstance(node, ast.ImportFrom) and node.module is not None:
                for alias in node.names:
                    module.imports[alias.asname or alias.name] = (node.module, alias.name)
            elif isinstance(node, ast.Call):
                self._calls[last(node.func)].append((module, node))
        for node in module.tree.body:
            match node:
                case ast.Assign(targets=[ast.Name(id=name)], value=value):
                    module.constants[name] = value
                case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                    module.constants[name] = value

    def _live_in(self, function: Function) -> None:
        for inner in ast.walk(function):
            if inner is not function and isinstance(inner, Function):
                self._around[id(inner)] = function
            self._homes[id(inner)] = function  # the innermost comes last

    def home(self, node: ast.AST) -> Function | None:
        """Return the innermost function that a node stands in."""
        return self._homes.get(id(node))

    def around(self, function: Function) -> Function | None:
        """Return the function that a function stands in."""
        return self._around.get(id(function))

    def callers(self, function: Function, module: Module) -> list[tuple[Module, ast.Call]]:
        """Return the calls of a module's function, as far as its name tells."""
        name = function.name
        if name in UNTRACED:
            return []
        return [
            (where, call)
            for where, call in self._calls.get(name, [])
            if where is module
            or (not name.startswith("_") and self._reaches(where, call, function, module))
        ]

    def _reaches(self, where: Module, call: ast.Call, function: Function, module: Module) -> bool:
        if isinstance(call.func, ast.Attribute):
            return parameters(function)[:1] in (["self"], ["cls"])
        home, _ = where.imports.get(function.name, ("", ""))
        return self.modules.get(home) is module

    def constant(self, name: str, module: Module) -> tuple[Module, ast.expr] | None:
        """Return what a name of a module is set to, at home or where it is imported from."""
        where, theirs = module.imports.get(name, ("", name))
        home = self.modules.get(where, module if name not in module.imports else None)
        if home is None or theirs not in home.constants:
            return None
        return home, home.constants[theirs]

    def called(self, call: ast.Call, module: Module) -> tuple[Module, list[Function]]:
        """Return the functions that a call may be of, at home or imported."""
        name = last(call.func)
        if name in module.functions or not isinstance(call.func, ast.Name):
            return module, module.functions.get(name, [])
        where, theirs = module.imports.get(name, ("", ""))
        home = self.modules.get(where, module)
        return home, home.functions.get(theirs, [])


def last(node: ast.AST) -> str:
    """Return the last name of an expression: `c` of `a.b.c` and of `a.c(b)`; else nothing."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Call(func=func):
            return last(func)
    return ""


def parameters(function: Function) -> list[str]:
    """Return the names of parameters."""
    given = function.args
    return [one.arg for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]


def assigned(function: Function, name: str) -> Iterator[ast.expr]:
    """Yield what a local name is set to."""
    for node in ast.walk(function):
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=value) if found == name:
                yield value
            case ast.AnnAssign(target=ast.Name(id=found), value=ast.expr() as value) if (
                found == name
            ):
                yield value
            case ast.NamedExpr(target=ast.Name(id=found), value=value) if found == name:
                yield value


def added(function: Function, name: str) -> Iterator[ast.expr]:
    """Yield what is put behind a local text."""
    for node in ast.walk(function):
        if isinstance(node, ast.AugAssign) and last(node.target) == name:
            yield node.value


def returned(function: Function) -> Iterator[ast.expr]:
    """Yield what a function that returns text returns."""
    if function.returns is not None and "str" in ast.unparse(function.returns):
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                yield node.value


def names_in(*nodes: ast.AST) -> set[str]:
    """Return the names in expressions."""
    return {one.id for node in nodes for one in ast.walk(node) if isinstance(one, ast.Name)}
