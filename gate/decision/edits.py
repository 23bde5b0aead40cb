"""What a candidate's tree changes of what decides, in words. Pure.

Nothing of it is followed: the base decides. It is listed so that whoever reads the verdict knows
that it is not the pull request's own. Foreign text stands between backticks, without any of its
own; how it is shown safely is the reports' business.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from gate.decision.words import counted
from gate.types import Case
from gate.wire.yaml import Block, Node, to_json

Change = Literal[
    "added", "removed", "changed", "changed, and not readable", "a link, which is not followed"
]
"""What became of a file."""

MOST = 200
"""Edits that are listed; the rest is counted."""
_NAMES = 20
_LONGEST = 80
_ABSENT = "(left out)"
_UNSHOWN = ("connections",)
"""Parts of gate.yaml whose values are not shown: somebody may have written a key there."""


@dataclass(frozen=True)
class FileChange:
    """One file that differs between two trees."""

    what: str
    """What it is to the gate, such as `labels`."""
    name: str
    """Its path in the tree."""
    change: Change
    """What became of it."""


class _Missing:
    """The value of a key that is not there."""


_MISSING = _Missing()


def edits(
    base: Block,
    candidate: Block,
    owned: Mapping[str, frozenset[str]],
    cases: tuple[Sequence[Case], Sequence[Case]],
    files: Sequence[FileChange],
) -> tuple[str, ...]:
    """List all edits.

    `base` and `candidate` are the two gate.yaml as they were written, variables not filled in.
    `owned` says of each target that is followed which of its options are the candidate's own.
    `cases` are those of the base and those of the candidate.
    """
    found = [
        *_settings(base, candidate, owned),
        *(f"{one.what} {quoted(one.name)}: {one.change}" for one in files),
        *_cases(*cases),
    ]
    left = len(found) - MOST
    return tuple(found) if left <= 0 else (*found[:MOST], f"and {counted(left, 'more edit')}")


def quoted(text: str, most: int = _LONGEST) -> str:
    """Put foreign text between backticks: on one line, short, and without half characters."""
    shown = " ".join(text.encode("utf-8", "backslashreplace").decode().replace("`", "'").split())
    shown = shown if len(shown) <= most else f"{shown[: most - 1]}…"
    return f"`{shown}`" if shown else '""'


def _settings(base: Block, candidate: Block, owned: Mapping[str, frozenset[str]]) -> Iterator[str]:
    yield from _targets(base.get("targets"), candidate.get("targets"), owned)
    before, now = (dict(_leaves(_without(one, "targets"))) for one in (base, candidate))
    for key in dict.fromkeys((*before, *now)):
        was, is_now = before.get(key, _MISSING), now.get(key, _MISSING)
        if _differ(was, is_now):
            yield _moved(key, was, is_now)


def _targets(
    base: Node | None, candidate: Node | None, owned: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    before, now = _blocks(base), _blocks(candidate)
    for name in dict.fromkeys((*before, *now)):
        at = f"targets.{name}"
        if name not in now:
            yield f"{quoted(at)} removed: it is asked all the same"
        elif name not in before:
            yield f"{quoted(at)} added: it is not asked"
        else:
            own = owned.get(name, frozenset())
            old, new = (dict(_leaves(one, at)) for one in (before[name], now[name]))
            if old.get(f"{at}.use") != new.get(f"{at}.use"):
                yield f"{quoted(at)} is of another kind: nothing of it is followed"
            for key in dict.fromkeys((*old, *new)):
                option = key.removeprefix(f"{at}.").partition(".")[0]
                was, is_now = old.get(key, _MISSING), new.get(key, _MISSING)
                if option not in own and _differ(was, is_now):
                    yield _moved(key, was, is_now)


def _differ(was: JsonValue | _Missing, is_now: JsonValue | _Missing) -> bool:
    """Tell `true` from `1`, which Python takes for the same."""
    return type(was) is not type(is_now) or was != is_now


def _moved(key: str, was: JsonValue | _Missing, is_now: JsonValue | _Missing) -> str:
    if key.partition(".")[0] in _UNSHOWN:
        return f"{quoted(key)}: changed"
    return f"{quoted(key)}: {_shown(was)} → {_shown(is_now)}"


def _shown(value: JsonValue | _Missing) -> str:
    if isinstance(value, _Missing):
        return _ABSENT
    return quoted(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))


def _leaves(node: Node, at: str = "") -> Iterator[tuple[str, JsonValue]]:
    """Give every value below a block under its dotted key; a list is one value."""
    if isinstance(node, Block):
        for entry in node.entries:
            yield from _leaves(entry.value, f"{at}.{entry.key}" if at else entry.key)
    else:
        yield at, to_json(node)


def _blocks(node: Node | None) -> dict[str, Node]:
    return {entry.key: entry.value for entry in node.entries} if isinstance(node, Block) else {}


def _without(block: Block, key: str) -> Block:
    return Block(tuple(entry for entry in block.entries if entry.key != key), block.line)


def _cases(base: Sequence[Case], candidate: Sequence[Case]) -> Iterator[str]:
    before, now = ({case.id: case.digest for case in side} for side in (base, candidate))
    groups = (
        ("removed, and asked all the same", [one for one in before if one not in now]),
        (
            "changed, and asked as it was",
            [one for one in before if one in now and before[one] != now[one]],
        ),
        ("added, and not asked", [one for one in now if one not in before]),
    )
    for what, found in groups:
        if found:
            more = len(found) - _NAMES
            names = ", ".join(quoted(one) for one in found[:_NAMES])
            rest = f" and {more} more" if more > 0 else ""
            yield f"{counted(len(found), 'case')} {what}: {names}{rest}"
