"""The fenced sections of a judge's prompt."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

_FENCE = re.compile(
    r"^<<<(?P<name>[a-z0-9][a-z0-9_ -]*?) (?P<mark>[0-9a-f]{16})>>>[ \t]*\n(?P<text>.*?)"
    r"^<<<end (?P=name) (?P=mark)>>>[ \t]*$",
    re.DOTALL | re.MULTILINE,
)
_ITEM = re.compile(r"^\s*- ", re.MULTILINE)
_NUMBERED = re.compile(r"^\[\d+\]\s*")


@dataclass(frozen=True, slots=True)
class Source:
    """One line of the sources."""

    title: str
    """May be the bare domain."""
    domain: str
    """Taken from the title where the line names none."""


@dataclass(frozen=True, slots=True)
class Sections:
    """What stands between the fences, by name; a name that was not sent is empty."""

    texts: Mapping[str, str]
    """Name -> text, trimmed."""

    def __getitem__(self, name: str) -> str:
        return self.texts.get(name, "")

    def __contains__(self, name: str) -> bool:
        return name in self.texts

    @property
    def unanswerable(self) -> bool:
        """Whether the question is one that has no good answer."""
        return self["category"].strip() == "no-good-answer"

    @property
    def assertions(self) -> list[str]:
        """The expectations, one a line."""
        return [item.strip() for item in _ITEM.split("\n" + self["assertions"]) if item.strip()]

    @property
    def domains(self) -> list[str]:
        """The expected domains."""
        return self["domains"].split()

    @property
    def sources(self) -> list[Source]:
        """The sources that the answer names."""
        lines = [line.strip() for line in self["sources"].splitlines()]
        return [_source(line) for line in lines if line and line != "(none)"]


def _source(line: str) -> Source:
    title, domain, *_ = [*(part.strip() for part in _NUMBERED.sub("", line).split(" | ")), "", ""]
    named = domain if "." in domain else title
    return Source(title, named.lower() if " " not in named else "")


def read_sections(text: str) -> Sections:
    """Return the sections in a prompt.

    A fence ends only at the line with its own digits, so that a fence inside a section is part of
    its text. Of two sections with one name the first counts.
    """
    found: dict[str, str] = {}
    for match in _FENCE.finditer(text):
        found.setdefault(match["name"], match["text"].strip())
    return Sections(found)


def outside(text: str) -> str:
    """Return a prompt without its fenced sections: what the caller says in its own words."""
    return _FENCE.sub("", text)
