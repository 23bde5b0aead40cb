"""A name in gate.yaml -> a class, and its options -> the class's own record.

Ours and a stranger's enter by the same entry points, groups `kappagate.targets`,
`kappagate.scorers` and `kappagate.reporters`. One is imported only when it is named, so nobody
pays for an SDK that he does not use. A class of the repository itself is named by
`path.py:Name`, relative to the tree whose files decide.

It cannot see whether a class fits its shape: the type checker does, and the first call.
"""

from __future__ import annotations

import hashlib
import importlib.util
import re
import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from pydantic import BaseModel

from gate.config import Use
from gate.errors import ConfigError
from gate.protocols import Reporter
from gate.wire.records import Form, unknown

__all__ = [
    "Kind",
    "NoOptions",
    "build_reporters",
    "candidate_owned",
    "find",
    "find_used",
    "known",
    "validate_options",
]

Kind = Literal["targets", "scorers", "reporters"]
"""What can be plugged in."""
Installed = Callable[[Kind], Iterable[EntryPoint]]
"""Lists the entry points of a kind, without importing them."""

_HOUSE = re.compile(r"(?P<file>.+\.py):(?P<name>[^:/\\]*)")
_IMPORT_FAULTS = (
    *(ImportError, SyntaxError, NameError, AttributeError, TypeError, ValueError),
    *(LookupError, OSError, RuntimeError),
)
"""What a module raises when it is imported, short of a fault that nobody foresees."""


class NoOptions(Form):
    """Options of a plug-in that has none: no key is accepted."""


@cache
def installed(kind: Kind) -> Iterable[EntryPoint]:
    """Return the entry points of the installed packages, which are looked through once."""
    return entry_points(group=f"kappagate.{kind}")


def known(kind: Kind, *, installed: Installed = installed) -> tuple[str, ...]:
    """Return the names that can be used, sorted; imports nothing."""
    return tuple(sorted({point.name for point in installed(kind)}))


def find(
    kind: Kind,
    name: str,
    *,
    base: Path,
    path: str | None = None,
    line: int | None = None,
    installed: Installed = installed,
) -> type:
    """Return the class behind an entry point's name or behind `path.py:Name`.

    `base` is the tree that such a path starts from and must not leave; `path` and `line` say
    where the name stands. Raises ConfigError for a name that leads nowhere.
    """
    house = _HOUSE.fullmatch(name)
    if house is not None:
        return _from_file(house["file"], house["name"], base, path, line)
    for point in installed(kind):
        if point.name == name:
            try:
                loaded = point.load()
            except _IMPORT_FAULTS as error:
                raise ConfigError(
                    f"`{name}` ({point.value}) cannot be imported ({_said(error)}): "
                    "install it again, or the package that it misses",
                    path,
                    line,
                ) from error
            return _a_class(loaded, name, path, line)
    what = unknown(kind.removesuffix("s"), name, known(kind, installed=installed))
    raise ConfigError(f"{what}; or `path.py:Name` for a class of this repository", path, line)


def find_used(kind: Kind, use: Use, *, base: Path) -> type:
    """Return the class that a block of gate.yaml asks for. Raises ConfigError as `find` does."""
    return find(kind, use.use, base=base, path=use.options.path, line=use.line)


def validate_options(plugin: type, use: Use) -> BaseModel:
    """Return the options as the plug-in's own `Options`, a pydantic model.

    A plug-in without one accepts no keys and gets `NoOptions`. Raises ConfigError with file, line,
    key and what is allowed; unknown keys are refused even where the model would pass them over.
    """
    options = getattr(plugin, "Options", NoOptions)
    if not (isinstance(options, type) and issubclass(options, BaseModel)):
        raise use.options.error(
            f"`{use.use}` has `Options` that are no pydantic model: make them a BaseModel"
        )
    record: BaseModel = use.options.read(options, extra="forbid")
    return record


def candidate_owned(target: type) -> frozenset[str]:
    """Return the options of a target's class that may come from a candidate's gate.yaml.

    A class says so in `candidate_owned`; one that does not leaves all of them to the base.
    """
    said: frozenset[str] = getattr(target, "candidate_owned", frozenset())
    return said


def build_reporters(uses: Sequence[Use], root: Path) -> list[Reporter]:
    """Build the reporters of a configuration. Raises ConfigError as `find` does."""
    reporters: list[Reporter] = []
    for use in uses:
        plugin: Any = find_used("reporters", use, base=root)
        reporters.append(plugin(validate_options(plugin, use)))
    return reporters


def _from_file(file: str, name: str, base: Path, path: str | None, line: int | None) -> type:
    root = base.resolve()
    place = (root / file).resolve()
    if not place.is_relative_to(root):
        raise ConfigError(
            f"`{file}` leads out of {base}: name a file inside the repository", path, line
        )
    if not place.is_file():
        raise ConfigError(f"`{file}` does not exist in {base}: correct the path", path, line)
    if not name.isidentifier():
        raise ConfigError(f"`{file}:{name}` names no class: write `{file}:Name`", path, line)
    try:
        module = _module(place)
    except _IMPORT_FAULTS as error:
        raise ConfigError(f"`{file}` cannot be imported: {_said(error)}", path, line) from error
    if not hasattr(module, name):
        classes = [key for key, value in vars(module).items() if _defined_in(value, module)]
        raise ConfigError(f"`{file}`: {unknown('class', name, classes)}", path, line)
    return _a_class(getattr(module, name), f"{file}:{name}", path, line)


def _module(place: Path) -> ModuleType:
    """Import a file once, under a name of its own."""
    title = f"gate_house_{hashlib.sha256(str(place).encode()).hexdigest()[:16]}"
    if title in sys.modules:
        return sys.modules[title]
    spec = importlib.util.spec_from_file_location(title, place)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    # pydantic and dataclasses look a class's module up by name.
    with ExitStack() as undo:
        sys.modules[title] = module
        undo.callback(sys.modules.pop, title)
        spec.loader.exec_module(module)
        undo.pop_all()
    return module


def _defined_in(value: object, module: ModuleType) -> bool:
    return isinstance(value, type) and value.__module__ == module.__name__


def _a_class(found: object, name: str, path: str | None, line: int | None) -> type:
    if not isinstance(found, type):
        raise ConfigError(f"`{name}` is no class: name a class", path, line)
    return found


def _said(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
