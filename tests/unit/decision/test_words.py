"""How numbers and lists are said."""

from __future__ import annotations

import pytest

from gate.decision.rounding import result, score
from gate.decision.words import amount, counted, dollars, few, listed, percent, sentence, setting


@pytest.mark.parametrize(
    ("names", "expected"),
    [([], ""), (["a"], "a"), (["a", "b"], "a and b"), (list("abc"), "a, b and c")],
)
def test_listed__names(names: list[str], expected: str) -> None:
    """The last name is joined by `and`."""
    assert expected == listed(names)


def test_few__counts_the_rest() -> None:
    """What does not fit is counted."""
    assert few(list("abc"), 2) == "a, b and 1 more"
    assert few(list("ab"), 2) == "a and b"


def test_counted__plural() -> None:
    """One is singular, none and many are plural."""
    assert ["0 cases", "1 case", "2 cases"] == [counted(n, "case") for n in range(3)]


@pytest.mark.parametrize(
    ("value", "unit", "expected"),
    [
        (0.876, "fraction", "0.88"),
        (0.0, "fraction", "0.00"),
        (-0.114, "fraction", "-0.11"),
        (0.0012, "fraction", "0.0012"),
        (12.3456, "s", "12.35"),
        (112861.0, "tokens", "112861"),
        (1000.4, "tokens", "1000"),
        (999.5, "tokens", "999.5"),
        (-1234.5, "tokens", "-1234"),
        (-112861.0, "tokens", "-112861"),
        (0.005, "fraction", "0.01"),
        (0.0049, "fraction", "0.0049"),
    ],
)
def test_amount__by_unit(value: float, unit: str, expected: str) -> None:
    """Two decimals on [0, 1]; what is not zero is not said to be."""
    assert expected == amount(value, unit)


def test_setting__keeps_what_was_set() -> None:
    """A policy of 0.025 is not said to be 0.03."""
    assert ["0.10", "0.025", "5.00"] == [setting(x) for x in (0.1, 0.025, 5.0)]
    assert "12345.25" == setting(12345.25)
    assert "1234567.125" == setting(1234567.125)


def test_percent__small_shares() -> None:
    """Less than one in a hundred keeps a decimal."""
    assert ["0%", "0.4%", "50%", "100%"] == [percent(x) for x in (0.0, 0.004, 0.5, 1.0)]
    assert ["0.9%", "1%", "2%"] == [percent(x) for x in (0.009, 0.01, 0.02)]


def test_sentence__begins_and_ends_as_one() -> None:
    """Whatever a cause looked like."""
    assert ["It broke.", "It broke.", "."] == [sentence(x) for x in ("it broke", "It broke.", "")]


def test_few__five_names_unless_more_are_asked_for() -> None:
    """The sixth is counted."""
    assert ["a, b, c, d and e", "a, b, c, d, e and 1 more"] == [few("abcde"), few("abcdef")]


def test_score__as_the_file_stores_it() -> None:
    """Four decimals on [0, 1], six digits elsewhere, and no minus zero."""
    assert [0.6667, 0.0, 1234.57] == [score(2 / 3), score(-0.00001), score(1234.5678, "s")]
    assert str(score(-0.00001)) == "0.0"
    assert str(score(-0.0, "s")) == "0.0"


def test_result__float_noise() -> None:
    """0.90 - 0.85 is 0.05 and not a little more."""
    assert result(0.90 - 0.85) == 0.05
    assert str(result(-1e-12)) == "0.0"


@pytest.mark.parametrize(
    ("amount", "said"),
    [
        (0.0, "$0.00"),
        (0.01, "$0.01"),
        (3.456, "$3.46"),
        (0.016, "$0.02"),
        (0.007, "$0.007"),
        (0.001, "$0.001"),
        (0.00123, "$0.0012"),
        (0.0000999, "$0.0001"),
    ],
)
def test_dollars__two_digits_below_a_cent(amount: float, said: str) -> None:
    """What costs a little is not said to cost nothing."""
    assert said == dollars(amount)
