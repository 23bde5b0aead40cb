"""JSON that a person can diff."""

from __future__ import annotations

import json
import math

import pytest

from gate.decision.json_text import entries, line, lines


def test_line__leaves_letters_as_they_are() -> None:
    """A person reads the file, and no escapes."""
    assert '"Zürich → 東京"' == line("Zürich → 東京")


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_line__refuses_what_is_no_json(value: float) -> None:
    """Other readers could not read the file."""
    with pytest.raises(ValueError, match="not JSON compliant"):
        line({"score": value})


def test_lines_and_entries__one_a_line() -> None:
    """Also of none; each is JSON."""
    assert '"k": [\n1,\n[2, 3]\n]' == lines("k", [1, [2, 3]])
    assert '"k": {\n"a": 1,\n"b": {"c": 2}\n}' == entries("k", {"a": 1, "b": {"c": 2}})
    assert ('"k": []', '"k": {}') == (lines("k", []), entries("k", {}))
    assert {"k": [1]} == json.loads(f"{{{lines('k', [1])}}}")
