"""The attempts on one head commit, packed small enough to hide in the comment.

Reading takes nothing on trust: whoever may edit the comment may have put anything there.
"""

from __future__ import annotations

import json
import math
import zlib
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from pydantic import ValidationError

from gate.decision.words import counted
from gate.publish.hidden import pack, unpack
from gate.types import AttemptState, PastAttempt, Scores

MOST_CHARACTERS: Final = 20_000
"""Of the packed state."""
MOST_BYTES: Final = 1_000_000
"""Of the unpacked state: what it may grow to when it is read."""
MOST_ATTEMPTS: Final = 100
"""How many are remembered."""
_DECIMALS: Final = 4


def remember(
    state: AttemptState | None,
    head_sha: str,
    attempt: PastAttempt,
    label_event: int | None = None,
) -> AttemptState:
    """Add an attempt, or replace it when it is there; attempts on another head are forgotten.

    `label_event` is the newest one when the attempt began. The earliest that is known stays.
    """
    before = state if state is not None and state.head_sha == head_sha else None
    mine = (attempt.run_id, attempt.run_attempt)
    earlier = () if before is None else before.attempts
    kept = [one for one in earlier if (one.run_id, one.run_attempt) != mine]
    known = (label_event, None if before is None else before.label_event)
    return AttemptState(
        head_sha=head_sha,
        attempts=(*kept, attempt)[-MOST_ATTEMPTS:],
        label_event=min((one for one in known if one is not None), default=None),
    )


def write_state(state: AttemptState, room: int = MOST_CHARACTERS) -> tuple[str, str | None]:
    """Pack a state into at most `room` characters; also say what did not fit, if anything.

    Scores of later attempts leave first, so that the first ones count whatever comes after; then
    the oldest attempts leave whole.
    """
    room = min(room, MOST_CHARACTERS)
    many = len(state.attempts)
    steps = range(2 * many + 1)
    step = bisect_left(
        steps,
        True,  # noqa: FBT003 - what is looked for: the first step that fits
        key=lambda one: _packed(_thinned(state, one), room) is not None,
    )
    kept = _thinned(state, step)
    dropped = sum(
        before.scores is not None and after.scores is None
        for before, after in zip(
            state.attempts[many - len(kept.attempts) :], kept.attempts, strict=True
        )
    )
    return _packed(kept, room) or "", _left_out(dropped, many - len(kept.attempts))


def _thinned(state: AttemptState, step: int) -> AttemptState:
    """Take the scores of the last `step` attempts away; beyond all, the oldest attempts as well."""
    many = len(state.attempts)
    first, bare = max(step - many, 0), max(many - step, 0)
    kept = [
        one if place < bare else one.model_copy(update={"scores": None})
        for place, one in enumerate(state.attempts)
    ]
    return state.model_copy(update={"attempts": tuple(kept[first:])})


def read_state(packed: str) -> tuple[AttemptState | None, str | None]:
    """Unpack a state; None with a sentence that says why when it is none of ours."""
    if not packed:
        return None, None
    try:
        return _read(packed), None
    except (ValueError, RecursionError, ValidationError, zlib.error) as error:
        return None, (
            "What the comment remembers of earlier attempts cannot be read and was passed over "
            f"({type(error).__name__}). This attempt is judged alone; was the comment edited?"
        )


def _left_out(dropped: int, gone: int) -> str | None:
    if not dropped and not gone:
        return None
    said = [f"the scores of {counted(dropped, 'attempt')}"] if dropped else []
    said += [f"{counted(gone, 'attempt')} altogether"] if gone else []
    them = "it" if dropped + gone == 1 else "them"
    return f"The comment has no room for {' and '.join(said)}: later runs cannot pool {them}."


def _packed(state: AttemptState, room: int) -> str | None:
    """Pack: names of cases once for all attempts, scores beside them by place; None if too long."""
    cases = sorted({case for one in state.attempts for case in _cases(one.scores or {})})
    places = {case: place for place, case in enumerate(cases)}
    value = {
        "head": state.head_sha,
        "label": state.label_event,
        "cases": cases,
        "attempts": [
            {
                "run": one.run_id,
                "attempt": one.run_attempt,
                "status": one.status,
                "identity": one.identity,
                "scores": None if one.scores is None else _columns(one.scores, places),
            }
            for one in state.attempts
        ],
    }
    # In ASCII, so that half characters survive, too.
    data = json.dumps(value, separators=(",", ":"), sort_keys=True, allow_nan=False).encode("ascii")
    packed = pack(zlib.compress(data, 9))
    return packed if len(packed) <= room and len(data) <= MOST_BYTES else None


def _cases(scores: Scores) -> Iterable[str]:
    return (case for target in scores.values() for column in target.values() for case in column)


def _columns(scores: Scores, places: Mapping[str, int]) -> dict[str, Any]:
    """Target -> dimension -> places of the cases and their values, both in the cases' order."""
    return {
        target: {
            dimension: [
                [places[case] for case in sorted(column)],
                [[_rounded(one) for one in column[case]] for case in sorted(column)],
            ]
            for dimension, column in dimensions.items()
        }
        for target, dimensions in scores.items()
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None or not math.isfinite(value) else round(value, _DECIMALS)


def _read(packed: str) -> AttemptState:
    if len(packed) > MOST_CHARACTERS:
        raise ValueError("too long")
    opened = zlib.decompressobj()
    data = opened.decompress(unpack(packed), MOST_BYTES)
    if not opened.eof or opened.unused_data:
        raise ValueError("not one whole stream, or one that grows too long")
    value = _fields(json.loads(data, parse_constant=_no_constant))
    cases, rows = _list(value.get("cases")), _list(value.get("attempts"))
    if len(rows) > MOST_ATTEMPTS or not all(isinstance(case, str) for case in cases):
        raise ValueError("too many attempts, or cases without names")
    found = {
        "head_sha": value.get("head"),
        "attempts": tuple(_attempt(one, cases) for one in rows),
        "label_event": value.get("label"),
    }
    return AttemptState.model_validate(found, strict=True)


def _attempt(row: object, cases: Sequence[str]) -> PastAttempt:
    fields = _fields(row)
    scores = fields.get("scores")
    found = {
        "run_id": fields.get("run"),
        "run_attempt": fields.get("attempt"),
        "status": fields.get("status"),
        "identity": fields.get("identity"),
        "scores": None if scores is None else _scores(_fields(scores), cases),
    }
    return PastAttempt.model_validate(found, strict=True)


def _scores(targets: Mapping[str, object], cases: Sequence[str]) -> dict[str, Any]:
    """Undo `_columns`; the values are checked by the record that takes them."""
    return {
        target: {
            dimension: dict(_column(_list(column), cases))
            for dimension, column in _fields(dimensions).items()
        }
        for target, dimensions in targets.items()
    }


def _column(
    column: Sequence[object], cases: Sequence[str]
) -> Iterator[tuple[str, tuple[Any, ...]]]:
    places, values = (_list(one) for one in column)
    for place, found in zip(places, values, strict=True):
        if type(place) is not int or not 0 <= place < len(cases):
            raise ValueError("a score of no case")
        yield cases[place], tuple(_list(found))


def _fields(value: object) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise ValueError("not an object")  # noqa: TRY004 - wrong data, not a wrong call
    return value


def _list(value: object) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("not a list")  # noqa: TRY004 - wrong data, not a wrong call
    return value


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
