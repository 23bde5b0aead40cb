"""The variant `flaky`: noise from call to call, whose mean is the same for every seed.

How often a question goes wrong depends on the question only; whether it goes wrong this time
depends on the seed and on how often it was asked before. In half of the calls one draw decides on
text and sources together, as after a bad search; in the others each has its own.
"""

from __future__ import annotations

from dataclasses import replace

from gate.loopback.asking import Asking
from gate.loopback.chance import chance
from gate.loopback.draft import Draft, Statement
from gate.loopback.pages import Page
from gate.loopback.words import content

TEXT_RATES = (0.05, 0.18)
"""Least and greatest probability that a question loses its key sentence."""
SOURCE_RATES = (0.07, 0.23)
"""Least and greatest probability that a weak page is cited instead."""
_TOGETHER = 0.5


def flaky(draft: Draft, asking: Asking) -> Draft:
    """Lose the key sentence, or cite a weak page, or both, or neither."""
    if _flips("text", TEXT_RATES, asking):
        draft = _without_key(draft, asking)
    if _flips("sources", SOURCE_RATES, asking):
        draft = _weakly_sourced(draft, asking)
    return draft


def rate(what: str, rates: tuple[float, float], question: str) -> float:
    """Return the probability of a flip for a question."""
    low, high = rates
    return low + (high - low) * chance("rate", what, question)


def _flips(what: str, rates: tuple[float, float], asking: Asking) -> bool:
    call = (asking.seed, asking.question, asking.nth)
    together = chance("together", *call) < _TOGETHER
    drawn = chance("flip", "both" if together else what, *call)
    return drawn < rate(what, rates, asking.question)


def _without_key(draft: Draft, asking: Asking) -> Draft:
    """Keep the topic and lose what was asked for: other sentences of the same page stand in.

    A refusal turns into what the search found nearest: so answers a model that lost its caution.
    """
    if draft.kind == "refusal":
        found = asking.index.search(content(asking.question))[:2]
        near = tuple(Statement(hit.sentence.text, (hit.page,)) for hit in found)
        return replace(draft, kind="facts", parts=(near,), extra=())
    page = draft.pages[0]
    said = {statement.text for statement in draft.statements}
    others = [s.text for s in page.sentences if s.text not in said and not s.step]
    topic = content(asking.question)
    others.sort(key=lambda text: -sum(word in topic for word in content(text)))
    instead = tuple(Statement(text, (page,)) for text in others[:2])
    opening = Statement(f"On the question “{asking.question}” I found this.")
    return replace(draft, kind="facts", parts=((opening, *instead),), extra=draft.pages)


def _weakly_sourced(draft: Draft, asking: Asking) -> Draft:
    """Cite a weak page that has little to do with the question."""
    weak = [page for page in asking.index.pages if page.weak]
    words = frozenset(content(asking.question))
    beside = [
        page
        for page in weak
        if not words & set(content(f"{page.title} {page.host.replace('-', ' ')}"))
    ]
    choice = beside or weak
    page = choice[int(chance("weak", asking.question) * len(choice))]

    def cite(statement: Statement) -> Statement:
        return replace(statement, pages=_one(page) if statement.pages else ())

    parts = tuple(tuple(cite(statement) for statement in part) for part in draft.parts)
    return replace(draft, parts=parts, extra=_one(page))


def _one(page: Page) -> tuple[Page, ...]:
    return (page,)
