"""A part of gate.yaml that somebody else reads: kept as it was written, with its lines."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal, TypeVar

from pydantic import BaseModel, JsonValue

from gate.errors import ConfigError
from gate.wire.records import read_record
from gate.wire.yaml import Block, Entry, Scalar, find, to_json

__all__ = ["Section", "Use"]

M = TypeVar("M", bound=BaseModel)


@dataclass(frozen=True)
class Section:
    """A block of keys. It may hold a secret, so its values are not in its repr."""

    path: str
    """The file, as it was named."""
    at: str
    """Which part of it, such as `targets.flash`."""
    line: int | None = None
    """Line of its beginning, from 1; None where the file does not have it."""
    block: Block = field(default=Block((), 1), repr=False)
    """The keys, variables filled in."""

    @property
    def values(self) -> dict[str, JsonValue]:
        """The keys with plain values; scalars are typed as JSON has them."""
        return {entry.key: to_json(entry.value) for entry in self.block.entries}

    @property
    def lines(self) -> dict[str, int]:
        """Key -> line, from 1."""
        return {entry.key: entry.line for entry in self.block.entries}

    def text(self, key: str) -> str | None:
        """Return the text of a key as it was written; None where it is absent or no scalar."""
        node = self.block.get(key)
        return node.text if isinstance(node, Scalar) and node.value is not None else None

    def line_of(self, *where: str | int) -> int | None:
        """Return the line of a value inside, or of the nearest thing around it that has one."""
        found, line = find(self.block, where)
        return self.line if found is self.block else line

    def with_text(self, key: str, value: str, *, line: int | None = None) -> Section:
        """Return a copy in which `key` has this value; `line` is where it stands, if it does."""
        kept = tuple(entry for entry in self.block.entries if entry.key != key)
        line = line or self.lines.get(key, self.block.line)
        entry = Entry(key, line, Scalar(value, plain=False, line=line))
        return replace(self, block=replace(self.block, entries=(*kept, entry)))

    def read(self, model: type[M], *, extra: Literal["forbid"] | None = None) -> M:
        """Return it as a `model`; where that wants a text, a scalar is taken as written.

        Raises ConfigError with the line of what does not fit.
        """
        return read_record(model, self.block, self.path, ConfigError, at=self.at, extra=extra)

    def error(self, message: str, *where: str | int) -> ConfigError:
        """Return an error at a value inside, for the caller to raise."""
        return ConfigError(message, self.path, self.line_of(*where))


@dataclass(frozen=True)
class Use:
    """A plug-in that is asked for."""

    name: str
    """Name of the target; for judges, scorers and reporters the plug-in's."""
    use: str
    """The plug-in: a name, or `path.py:Name`."""
    options: Section
    """Everything but `use`."""
    members: tuple[Use, ...] = ()
    """The judges of a panel, in the file's order; empty for all that is no panel."""

    @property
    def line(self) -> int | None:
        """Line in gate.yaml, from 1; None where it comes from elsewhere."""
        return self.options.line
