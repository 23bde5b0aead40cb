"""How the reason of a page-reading score names what the pages do not bear out."""

from __future__ import annotations

from collections.abc import Sequence

from gate.scorers.pages import Reading

__all__ = ["cited_pages", "named_first", "shortened"]

MOST = 3
"""Claims or sentences that are named; the details of the score hold all."""
_LONGEST = 160
"""Characters of each that are shown."""


def shortened(text: str) -> str:
    """Return a text on one line, in quotation marks and not too long."""
    line = " ".join(text.split())
    kept = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1].rstrip()}\u2026"
    return f"\u201c{kept}\u201d"


def cited_pages(reading: Reading, sentence: int) -> str:
    """Say which pages a sentence cites, by number and domain."""
    sources = reading.trial.answer.sources
    pages = [
        f"page {page}" + (f" of {domain}" if (domain := sources[page - 1].domain) else "")
        for page in reading.cites(sentence)
    ]
    return f"cites {', '.join(pages)}" if pages else "cites nothing"


def named_first(lead: str, named: Sequence[str]) -> str:
    """Return the first few after a lead, and how many more there are; nothing for none."""
    if not named:
        return ""
    more = len(named) - MOST
    return f"{lead}{'; '.join(named[:MOST])}{f'; and {more} more' if more > 0 else ''}"
