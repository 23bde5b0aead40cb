"""Numbers of the command line."""

from __future__ import annotations

import math

import click
import pytest

from gate.cli.options import Amount


@pytest.mark.parametrize(
    "text", ["nan", "inf", "-inf", "-0.01", "1e308", "1e999", "", "ten", "1 0"]
)
def test_amount__what_is_none(text: str) -> None:
    """A ceiling that compares with nothing, or that nobody can mean, is refused."""
    with pytest.raises(click.BadParameter, match="is no number from 0 to 1,000,000,000"):
        Amount().convert(text, None, None)


@pytest.mark.parametrize(("text", "number"), [("0", 0.0), ("-0", 0.0), ("0.001", 0.001)])
def test_amount__small_ones(text: str, number: float) -> None:
    """Minus zero has no sign in a message."""
    read = Amount().convert(text, None, None)

    assert number == read
    assert 1 == math.copysign(1, read)
