"""The variant `unsupported`: plausible facts that no page states, cited all the same."""

from __future__ import annotations

from typing import Final

from gate.loopback.adding import with_additions
from gate.loopback.asking import Asking
from gate.loopback.chance import chance
from gate.loopback.draft import Draft, Statement
from gate.loopback.wrong import NAMES

_FACTS: Final = (
    "This was first reported by {name} in {year}, after {count} days of work.",
    "This was confirmed in {year} by a survey that {name} led.",
    "This is what {name} found as well, in a study of {count} cases.",
    "This has been kept on record by {name} since {year}.",
)
"""Each begins with a word that points back, so that it goes with the sentence before it."""
_ADDED = 2


def unsupported(draft: Draft, asking: Asking) -> Draft:
    """Add two made-up facts behind a cited statement; a refusal cites nothing and stays."""
    cited = [statement for statement in draft.statements if statement.pages]
    if not cited:
        return draft
    first = int(chance("unsupported", asking.question) * len(_FACTS))
    facts = [*_FACTS[first:], *_FACTS[:first]][:_ADDED]
    return with_additions(
        draft, [Statement(_filled(fact, asking), cited[0].pages) for fact in facts]
    )


def _filled(fact: str, asking: Asking) -> str:
    def drawn(what: str) -> float:
        return chance("unsupported", what, fact, asking.question)

    return fact.format(
        name=NAMES[int(drawn("name") * len(NAMES))],
        year=1800 + int(drawn("year") * 200),
        count=20 + int(drawn("count") * 900),
    )
