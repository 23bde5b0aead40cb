"""What an unfinished run must share with the one that resumes it, part by part and in words."""

from __future__ import annotations

import json
from collections.abc import Mapping

from gate.errors import JournalError
from gate.types import digest

SCORER = "the scorer of "
"""Begins the name of a scorer's part; what it measures follows."""

FOLLOWS = {"the text of the cases": "which cases are asked"}
"""Part -> the part that it is a digest over: with other cases their texts together are another
digest as well, though no text changed."""


def write_identity(parts: Mapping[str, str]) -> str:
    """Return the identity as a journal keeps it: part -> SHA-256 of what it is."""
    return json.dumps({name: digest(parts[name]) for name in sorted(parts)})


def differing(recorded: str, wanted: str) -> tuple[str, ...]:
    """Name the parts in which two written identities differ, sorted; none when they are the same.

    An earlier gate wrote one digest of everything: then the whole configuration is the part.
    """
    if recorded == wanted:
        return ()
    if not recorded.startswith("{"):
        return ("the configuration, which an earlier version of the gate began it with",)
    try:
        before, after = json.loads(recorded), json.loads(wanted)
    except ValueError as error:
        raise JournalError(f"the identity of a run cannot be read: {error}") from error
    other = {name for name in {*before, *after} if before.get(name) != after.get(name)}
    return tuple(
        name if name in before and name in after else f"{name} (only in {_where(name, before)})"
        for name in sorted(other)
        if FOLLOWS.get(name) not in other
    )


def scored_by(recorded: str) -> tuple[str, ...]:
    """Name what each scorer of a run measured; none where its written identity does not say."""
    if not recorded.startswith("{"):
        return ()
    names: list[str] = sorted(json.loads(recorded))
    return tuple(name.removeprefix(SCORER) for name in names if name.startswith(SCORER))


def _where(name: str, before: Mapping[str, str]) -> str:
    return "the unfinished run" if name in before else "this one"
