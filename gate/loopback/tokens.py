"""How many tokens a text has here: one for four characters, a rule of thumb for English."""

from __future__ import annotations

from math import ceil

_CHARACTERS = 4


def count_tokens(text: str) -> int:
    """Return the number of tokens; 0 for an empty text."""
    return ceil(len(text) / _CHARACTERS)


def first_tokens(text: str, count: int) -> str:
    """Return the beginning of a text that has so many tokens."""
    return text[: max(0, count) * _CHARACTERS]
