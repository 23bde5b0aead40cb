"""How numbers and lists are said in the sentences of a verdict."""

from __future__ import annotations

import math
from collections.abc import Sequence

_VISIBLE = 0.005
"""Below it two decimals would say zero of what is not zero."""

_CENT = 0.01

_LARGE = 1_000.0
"""From here on decimals, and powers of ten, are in the way."""


def listed(names: Sequence[str]) -> str:
    """Join names for a sentence: `a`, `a and b`, `a, b and c`."""
    if len(names) < 2:  # noqa: PLR2004 - one name needs no `and`
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def few(names: Sequence[str], most: int = 5) -> str:
    """Join the first names and count the rest: `a, b and 3 more`."""
    left = len(names) - most
    return listed(names) if left <= 0 else f"{', '.join(names[:most])} and {left} more"


def sentence(text: str) -> str:
    """Begin with a capital and end with a full stop."""
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."


def counted(number: int, noun: str) -> str:
    """Say how many of a thing with a regular plural: `1 case`, `2 cases`."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def amount(value: float, unit: str = "fraction") -> str:
    """Say a measured number: two decimals for scores on [0, 1], four digits for other units."""
    if unit == "fraction" and (value == 0.0 or abs(value) >= _VISIBLE):
        return f"{value:.2f}"
    return f"{value:.0f}" if abs(value) >= _LARGE else f"{value:.4g}"


def setting(value: float) -> str:
    """Say a number of the policy: two decimals, or all of them where there are more."""
    return f"{value:.2f}" if round(value, 2) == value else f"{value:.15g}"


def dollars(amount: float) -> str:
    """Say US dollars: two decimals, and below a cent as many as show two digits of it."""
    if not 0.0 < amount < _CENT:
        return f"${amount:.2f}"
    return "$" + f"{amount:.{1 - math.floor(math.log10(amount))}f}".rstrip("0")


def percent(value: float) -> str:
    """Say a share as a percentage; shares below one in a hundred keep a decimal."""
    share = 100.0 * value
    return f"{share:.1f}%" if 0.0 < share < 1.0 else f"{share:.0f}%"
