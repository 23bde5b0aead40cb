"""Numbers as people read them: two decimals, a true minus sign, a dash where there is none."""

from __future__ import annotations

from gate.decision.words import dollars

MISSING = "\N{EN DASH}"
"""What stands for an undefined number."""
ARROW = " → "
"""Between before and after."""
MINUS = "\N{MINUS SIGN}"
"""The sign of negative numbers, as wide as a plus."""
_TENTH_OF_PERMILLE = 0.0001
_HUNDRED = 100.0
_TEN = 10.0


def figure(value: float | None, unit: str = "fraction") -> str:
    """Return a value: two decimals for fractions, about three digits in other units."""
    return MISSING if value is None else _minus(f"{value:.{_digits(value, unit)}f}")


def change(value: float | None, unit: str = "fraction") -> str:
    """Return a difference with its sign; what rounds to nothing has none."""
    if value is None:
        return MISSING
    text = f"{value:+.{_digits(value, unit)}f}"
    return _minus(text if text.strip("+-0.") else text.lstrip("+-"))


def interval(low: float | None, high: float | None, unit: str = "fraction") -> str:
    """Return `(low … high)` with signs, or an empty text where an end is undefined."""
    if low is None or high is None:
        return ""
    return f"({change(low, unit)} … {change(high, unit)})"


def movement(before: float | None, after: float | None, unit: str = "fraction") -> str:
    """Return `before → after`; one figure alone where there was nothing before."""
    if before is None:
        return figure(after, unit)
    return figure(before, unit) + ARROW + figure(after, unit)


def percent(share: float | None) -> str:
    """Return a share as whole per cent; a small one is not rounded to nothing."""
    if share is None:
        return MISSING
    whole = round(share * 100)
    return "under 1%" if whole == 0 and share > 0 else f"{whole}%"


def usd(amount: float | None) -> str:
    """Return US dollars; below a cent two digits of it are shown."""
    return MISSING if amount is None else dollars(amount)


def seconds(value: float | None) -> str:
    """Return seconds with one decimal, two below one second."""
    if value is None:
        return MISSING
    return f"{value:.2f} s" if value < 1 else f"{value:.1f} s"


def probability(value: float | None) -> str:
    """Return a p value with four decimals at most."""
    if value is None:
        return MISSING
    return "under 0.0001" if value < _TENTH_OF_PERMILLE else f"{value:.4f}"


def ascii_text(text: str) -> str:
    """Return `text` for a stream that cannot show more than ASCII."""
    for sign, spelled in (
        (MINUS, "-"),
        (MISSING, "-"),
        ("→", "->"),
        ("…", "..."),
        ("≥", ">="),
        ("κ", "kappa"),
        ("·", "|"),
        ("\N{MULTIPLICATION SIGN}", "x"),
    ):
        text = text.replace(sign, spelled)
    return text.encode("ascii", "replace").decode("ascii")


def _digits(value: float, unit: str) -> int:
    if unit == "fraction" or abs(value) < _TEN:
        return 2
    return 1 if abs(value) < _HUNDRED else 0


def _minus(text: str) -> str:
    if not text.strip("-0."):
        text = text.lstrip("-")
    return text.replace("-", MINUS)
