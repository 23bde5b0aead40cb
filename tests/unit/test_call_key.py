"""A call's key names what was asked."""

from __future__ import annotations

import pytest

from gate.types import Call, digest


@pytest.mark.parametrize("text", ["plain", 'ø "quoted" \u2028', "\ud83d half", "\x00"])
def test_key__is_the_digest_of_what_makes_two_calls_the_same(text: str) -> None:
    """However it is computed: recorded replies are found by it."""
    request = {"b": [text, 1.5, None], "a": {"z": text}}
    call = Call(kind="judge", vendor=text, model="m", request=request, attempt=3)

    assert digest(["judge", text, "m", request, 3]) == call.key
