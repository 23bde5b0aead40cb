"""What an estimate takes for granted: how long answers, pages and thoughts are.

Round figures, chosen by us. Where a published run says something of it (72 answers of
gemini-search-mcp, July 2026: 300 to 400 output tokens and two to three sources an answer, on the
average of a model), they are near it. Real runs differ, mostly in thinking and in the length of
pages: an estimate is right within a factor of two or so, and `--from` puts real figures in its
place.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import ceil

from gate.models.card import Effort, Level
from gate.types import Word

CHARACTERS_PER_TOKEN = 4
"""A rule of thumb for English; newer tokenizers need more tokens for the same text."""


class Assumptions(Word):
    """The figures. Everything else, prompts, cases, models and prices, is as it will be sent."""

    characters_per_token: int = CHARACTERS_PER_TOKEN
    """Characters of a text for one token."""
    answer_characters: int = 1_000
    """Characters of an answer's text."""
    sentence_characters: int = 125
    """Characters of each of its sentences; each cites one source."""
    sources: int = 3
    """Sources of a grounded answer."""
    address_characters: int = 200
    """Characters of a source's address, a redirect of the vendor's."""
    unread: int = 3
    """One in so many cited pages cannot be read."""
    long_page_characters: int = 20_000
    """Characters of every other page's text, of which the judge sees what the configuration says:
    with `pages: passages` 6,000 at most."""
    short_page_characters: int = 4_000
    """Characters of the other half of them."""
    searches: float = 1.5
    """Search queries for one question, each billed where the vendor bills by query."""
    thinking: Mapping[str, int] = {
        "minimal": 0,
        "low": 100,
        "medium": 200,
        "high": 800,
        "xhigh": 1_600,
        "max": 3_200,
    }
    """Thinking level or effort -> thinking tokens of one call."""

    def thinking_tokens(self, level: Level | Effort | None) -> int:
        """Return the thinking tokens at a level or effort; none where no level is sent."""
        return 0 if level is None else self.thinking.get(level.lower(), 0)


ASSUMED = Assumptions()
"""The figures that are used."""


def tokens(text: str) -> int:
    """Return how many tokens a text is taken to have; 0 for an empty one."""
    return ceil(len(text) / CHARACTERS_PER_TOKEN)
