"""Fast JSON: it says yes only where `parse_json` does, and to the same value."""

from __future__ import annotations

import json
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.wire.files import parse_json
from gate.wire.quick_json import quick_list

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters(codec="utf-8")), inner),
    max_leaves=20,
)

CELL = (
    b'[{"target": "t", "case_id": "a:\\u00e9\\"", "scores": {"x": [0.1, null], "y": [-0.0, 1e-7]}, '
    b'"attempts": [{"state": "ok", "grounded": true, "cost_usd": 12345678901234567890}]}]'
)


@given(st.lists(VALUES))
def test_quick_list__same_value(value: list[object]) -> None:
    """Numbers to the last bit, texts to the last sign, objects in their order."""
    for ascii_only in (True, False):
        text = json.dumps(value, ensure_ascii=ascii_only)
        assert repr(parse_json(text)) == repr(quick_list(text.encode()))


@pytest.mark.parametrize(
    "text",
    [
        b'[{"a": 1, "a": 1}]',
        b'[{"b": [{"a": 1, "\\u0061": 2}]}]',
        b"[NaN]",
        b"[-Infinity]",
        b"[1,]",
        b"[01]",
        b"[1.]",
        b"[1] 2",
        b"[1",
        b'["\t"]',
        b'["\xff"]',
        b'["\\ud800"]',
        b"\xef\xbb\xbf[1]",
        b"[" * 300 + b"]" * 300,
        b'{"a": 1}',
        b"null",
        b"",
    ],
)
def test_quick_list__left_to_the_strict_reader(text: bytes) -> None:
    """What is refused, and the little that only the strict reader takes."""
    assert quick_list(text) is None


def test_quick_list__one_slip_of_the_pen() -> None:
    """A byte changed, lost or doubled anywhere: no value that the strict reader would not give."""
    rng = random.Random(7)
    taken = 0
    for _ in range(5_000):
        place = rng.randrange(len(CELL))
        sign = rng.choice(b'"{}[]:,\\0e-. \tn\x00\xc3')
        slip = rng.choice([b"", bytes([sign]), CELL[place : place + 1] * 2])
        text = CELL[:place] + slip + CELL[place + 1 :]
        found = quick_list(text)
        if found is not None:
            taken += 1
            assert repr(parse_json(text.decode())) == repr(found), text
    assert 500 < taken < 4_500
