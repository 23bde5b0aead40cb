"""The variant `misquoted`: side facts of the cited pages, quoted with other figures and names."""

from __future__ import annotations

from collections.abc import Iterator

from gate.loopback.adding import with_additions
from gate.loopback.asking import Asking
from gate.loopback.draft import Draft, Statement
from gate.loopback.words import content
from gate.loopback.wrong import altered

_ADDED = 2


def misquoted(draft: Draft, asking: Asking) -> Draft:
    """Quote two more sentences of the cited pages, altered; a refusal cites nothing and stays.

    The sentences that are there already stay as they are: among them is what was asked for.
    """
    topic = content(asking.question)
    found = sorted(
        _misquotes(draft, frozenset(topic)),
        key=lambda one: -sum(word in topic for word in content(one.text)),
    )
    return with_additions(draft, found[:_ADDED]) if found else draft


def _misquotes(draft: Draft, kept: frozenset[str]) -> Iterator[Statement]:
    """Return what can be misquoted, in the order of the pages."""
    said = {statement.text for statement in draft.statements}
    cited = [page for statement in draft.statements for page in statement.pages]
    for page in dict.fromkeys(cited):
        for sentence in page.sentences:
            false = altered(sentence.text, kept)
            plain = not sentence.step and sentence.text.endswith(".")
            if plain and sentence.text not in said and false != sentence.text:
                yield Statement(f"This page also says: “{false[:-1]}”.", (page,))
