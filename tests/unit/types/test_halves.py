"""Half a character becomes U+FFFD, wherever it stands."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from gate.models.json_text import candidates
from gate.types import Failure
from gate.types.halves import may_hold_halves, whole_json, whole_text

HALF = "x \ud83d"
TEXTS = st.text(st.characters(codec=None))


def test_whole_text__half_and_pair() -> None:
    """A lone half is replaced; two halves that belong together are one character."""
    assert "x \ufffd" == whole_text(HALF)
    assert "\U0001f600" == whole_text("\ud83d\ude00")
    assert "naïve" == whole_text("naïve")


@given(TEXTS)
def test_whole_text__can_always_be_written(text: str) -> None:
    """What comes out is UTF-8, and what was UTF-8 before comes out as it was."""
    whole = whole_text(text)
    whole.encode()
    try:
        text.encode()
    except UnicodeEncodeError:
        assert whole != text
    else:
        assert text == whole


def test_whole_json__everywhere() -> None:
    """Keys, lists and texts deep inside; other values stay."""
    given_ = {HALF: [HALF, 1, None, {"a": HALF}]}
    assert {"x \ufffd": ["x \ufffd", 1, None, {"a": "x \ufffd"}]} == whole_json(given_)


@given(st.recursive(TEXTS, st.lists, max_leaves=5))
def test_may_hold_halves__misses_none(value: object) -> None:
    """A JSON text that is said to hold none holds none."""
    text = json.dumps(value)
    if not may_hold_halves(text):
        assert json.loads(text) == whole_json(json.loads(text))


def test_failure__message_can_be_written() -> None:
    """A vendor's own words stand in it."""
    assert "x \ufffd" == Failure(kind="error", message=HALF).message


def test_judges_object__inside_a_text() -> None:
    """The escape stands in JSON that is itself a text of the reply."""
    (found, *_) = next(iter(candidates('{"reason": "cut \\ud83d"}')))
    assert {"reason": "cut \ufffd"} == found
