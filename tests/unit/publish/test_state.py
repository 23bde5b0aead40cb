"""What a comment remembers of earlier attempts: bounded, and read without trust."""

from __future__ import annotations

import json
import zlib
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from gate.publish.hidden import pack, unpack
from gate.publish.state import (
    MOST_ATTEMPTS,
    MOST_BYTES,
    MOST_CHARACTERS,
    read_state,
    remember,
    write_state,
)
from gate.types import AttemptState, PastAttempt
from tests.unit.publish.publish_samples import ATTEMPTS, HEAD, STATES, past


def state(*attempts: PastAttempt) -> AttemptState:
    """A state on the usual head."""
    return AttemptState(head_sha=HEAD, attempts=attempts)


def packed(value: Any) -> str:
    """A state of any content, well packed."""
    return pack(zlib.compress(json.dumps(value).encode()))


def row(**changes: Any) -> dict[str, Any]:
    """A state as it is stored, with one attempt."""
    attempt = {
        "run": 1,
        "attempt": 1,
        "status": "pass",
        "identity": "",
        "scores": {"t": {"d": [[0], [[0.5]]]}},
    }
    return {"head": HEAD, "cases": ["c"], "attempts": [attempt | changes]}


@given(STATES)
def test_state__comes_back(before: AttemptState) -> None:
    """Every attempt, score by score, to four decimals."""
    text, lost = write_state(before)

    assert lost is None
    assert (before, None) == read_state(text)


@given(STATES, st.integers(0, 600))
def test_state__never_longer_than_the_room(before: AttemptState, room: int) -> None:
    """Whatever does not fit is said, and the rest can be read."""
    text, lost = write_state(before, room)
    after, warning = read_state(text)

    assert len(text) <= room
    assert warning is None
    assert lost is not None or after == before or not before.attempts


def test_state__later_scores_leave_first() -> None:
    """The first attempts count whatever comes after: re-running does not push them out."""
    attempts = [past(number, cases=1500, spread=9973) for number in range(8)]

    text, lost = write_state(state(*attempts))
    after, _ = read_state(text)

    assert len(text) <= MOST_CHARACTERS
    assert after is not None
    kept = [one.scores is not None for one in after.attempts]
    assert kept == sorted(kept, reverse=True)
    assert kept[0]
    assert not kept[-1]
    assert [one.status for one in attempts] == [one.status for one in after.attempts]
    assert lost is not None
    assert f"the scores of {after.without_scores} attempt" in lost


def test_state__a_usual_pull_request_fits() -> None:
    """Twenty attempts of 48 cases."""
    text, lost = write_state(state(*(past(number, cases=48) for number in range(20))))

    assert lost is None
    assert len(text) < 4_000


def test_state__what_is_written_can_be_read() -> None:
    """Scores that pack very small must not grow beyond what a reader takes."""
    same = {f"c{n}": (1.0,) * 5 for n in range(2_000)}
    one = past().model_copy(update={"scores": {"t": {f"d{n}": same for n in range(4)}}})

    text, lost = write_state(state(*(one.model_copy(update={"run_id": n}) for n in range(30))))
    after, warning = read_state(text)

    assert warning is None
    assert after is not None
    assert 30 == len(after.attempts)
    assert lost is not None


def test_state__no_room_at_all() -> None:
    """Nothing is written then, and that is said."""
    text, lost = write_state(state(past()), 0)

    assert "" == text
    assert "The comment has no room for 1 attempt altogether: later runs cannot pool it." == lost


def test_state__values_that_are_no_numbers() -> None:
    """NaN and infinity are remembered as unscored: no JSON holds them."""
    strange = past().model_copy(
        update={"scores": {"t": {"d": {"c": (float("nan"), float("inf"))}}}}
    )

    after, _ = read_state(write_state(state(strange))[0])

    assert after is not None
    assert {"t": {"d": {"c": (None, None)}}} == after.attempts[0].scores


def test_remember__replaces_its_own() -> None:
    """A run that publishes twice is one attempt; another head begins anew."""
    first = remember(None, HEAD, past(1))
    again = remember(first, HEAD, past(1).model_copy(update={"status": "pass"}))
    second = remember(again, HEAD, past(2))
    moved = remember(second, "b" * 40, past(3))

    assert ["pass", "regression"] == [one.status for one in second.attempts]
    assert [1003] == [one.run_id for one in moved.attempts]
    assert "b" * 40 == moved.head_sha


def test_remember__bounded() -> None:
    """No more attempts than are read again."""
    found = None
    for number in range(MOST_ATTEMPTS + 5):
        found = remember(found, HEAD, past(number, scored=False))

    assert found is not None
    assert MOST_ATTEMPTS == len(found.attempts)
    assert (found, None) == read_state(write_state(found)[0])


def test_read__nothing() -> None:
    """A comment without attempts is no fault."""
    assert (None, None) == read_state("")


@given(st.text("ABCabc019-_", max_size=300))
@example(pack(zlib.compress(b"[" * 100_000)))
@example(pack(zlib.compress(b'{"a":' * 50_000)))
@example(pack(zlib.compress(b"9" * 10_000)))
@example(pack(zlib.compress(b"x") + b"more"))
@example(pack(zlib.compress(b"{}")[:-2]))
@example("A" * (MOST_CHARACTERS + 1))
@example("é")
def test_read__hostile_text(text: str) -> None:
    """Passed over with a warning, and never an error."""
    found, warning = read_state(text)

    assert found is None
    assert (warning is None) == (text == "")


@given(st.binary(max_size=300))
def test_read__hostile_bytes(data: bytes) -> None:
    """The same for what unpacks well and is no state."""
    assert read_state(pack(zlib.compress(data)))[0] is None


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(
                st.sampled_from(["head", "cases", "attempts", "run", "scores", "status"]),
                inner,
                max_size=4,
            )
        ),
        max_leaves=12,
    )
)
def test_read__hostile_values(value: Any) -> None:
    """JSON of any shape is a state or a warning."""
    found, warning = read_state(packed(value))

    assert (found is None) == (warning is not None)


@pytest.mark.parametrize(
    "wrong",
    [
        {"run": "1"},
        {"run": True},
        {"run": -1},
        {"attempt": 0},
        {"status": "green"},
        {"identity": None},
        {"identity": "x" * 129},
        {"scores": []},
        {"scores": {"t": {"d": [[1], [[0.5]]]}}},
        {"scores": {"t": {"d": [[-1], [[0.5]]]}}},
        {"scores": {"t": {"d": [[True], [[0.5]]]}}},
        {"scores": {"t": {"d": [[0, 0], [[0.5]]]}}},
        {"scores": {"t": {"d": [[0], [0.5]]}}},
        {"scores": {"t": {"d": [[0], [["0.5"]]]}}},
        {"scores": {"t": {"d": [[0], [[True]]]}}},
        {"scores": {"t": {"d": [[0]]}}},
    ],
)
def test_read__wrong_types(wrong: dict[str, Any]) -> None:
    """One wrong value spoils the whole: half a memory would decide something else."""
    assert read_state(packed(row()))[0] is not None

    found, warning = read_state(packed(row(**wrong)))

    assert found is None
    assert warning is not None
    assert "judged alone" in warning


def test_read__infinite_numbers() -> None:
    """What JSON's grammar lets pass and a float cannot hold, and what only Python lets pass."""
    for number in ("1e999", "NaN", "-Infinity"):
        text = json.dumps(row()).replace("0.5", number)

        assert read_state(pack(zlib.compress(text.encode())))[0] is None


def test_read__bomb() -> None:
    """A small text that would grow to gigabytes is given up at the limit."""
    small = json.dumps(row()).encode("ascii")
    assert read_state(pack(zlib.compress(small, 9)))[0] is not None
    bomb = zlib.compress(small + b" " * (MOST_BYTES * 12), 9)
    assert len(pack(bomb)) <= MOST_CHARACTERS

    assert read_state(pack(bomb))[0] is None


def test_read__too_many_attempts() -> None:
    """More than are ever written."""
    value = row()
    value["attempts"] *= MOST_ATTEMPTS + 1

    assert read_state(packed(value))[0] is None


@given(ATTEMPTS)
def test_state__is_pure_text(attempt: PastAttempt) -> None:
    """Nothing in it can end the HTML comment that holds it."""
    text, _ = write_state(state(attempt))

    assert text.replace("-", "").replace("_", "").isalnum()
    assert unpack(text)
