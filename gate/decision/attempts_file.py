"""The file of the attempts before this one: what a comment remembers of a head.

Whoever may edit the comment may have put anything there, so it is checked like a stranger's.
"""

from __future__ import annotations

from collections.abc import Mapping

from pydantic import JsonValue, ValidationError

from gate.decision.json_text import line
from gate.decision.shape import this_schema
from gate.errors import FileError
from gate.types import SCHEMA, AttemptState

MOST_BYTES = 4_000_000
"""Size cap of the file."""
MOST_ATTEMPTS = 100
"""Attempts on one head."""
MOST_REPEATS = 100
"""Answers to one case in one attempt."""

_AGAIN = "take it from the comment again, or go on without it"


def attempts_text(state: AttemptState) -> str:
    """Write the attempts as JSON, one attempt a line."""
    attempts = ",\n".join(line(one.model_dump(mode="json")) for one in state.attempts)
    head = f'"schema": {SCHEMA},\n"head_sha": {line(state.head_sha)}'
    if state.unread is not None:
        head += f',\n"unread": {line(state.unread)}'
    return f'{{\n{head},\n"attempts": [\n{attempts}\n]\n}}\n'


def read_attempts(data: JsonValue, path: str | None = None) -> AttemptState:
    """Read the attempts from the value of a JSON file.

    Raises FileError for another shape, for an attempt that stands twice, and for more than anybody
    makes.
    """
    ours = this_schema(data, "file of earlier attempts", _AGAIN, path)
    try:
        state = AttemptState.model_validate(ours)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise FileError(
            f"is no file of earlier attempts ({where}: {first['msg']}): {_AGAIN}", path
        ) from error
    _check(state, path)
    return state


def _check(state: AttemptState, path: str | None) -> None:
    if len(state.attempts) > MOST_ATTEMPTS:
        raise FileError(f"holds more than {MOST_ATTEMPTS} attempts: {_AGAIN}", path)
    known = {(one.run_id, one.run_attempt) for one in state.attempts}
    if len(known) < len(state.attempts):
        raise FileError(f"holds an attempt twice: {_AGAIN}", path)
    for one in state.attempts:
        if any(length > MOST_REPEATS for length in _lengths(one.scores or {})):
            raise FileError(
                f"run {one.run_id} has more than {MOST_REPEATS} answers to a case: {_AGAIN}", path
            )


def _lengths(
    scores: Mapping[str, Mapping[str, Mapping[str, tuple[float | None, ...]]]],
) -> set[int]:
    return {
        len(values)
        for dimensions in scores.values()
        for cases in dimensions.values()
        for values in cases.values()
    }
