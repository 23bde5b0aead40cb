"""Changes to an answer's text that leave each citation on the words that it stood on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gate.types import Answer, Citation


class Edit(NamedTuple):
    """One stretch of a text, and what stands there instead."""

    start: int
    """Its first character."""
    end: int
    """One past its last; equal to `start` where something is put in."""
    text: str
    """What stands there instead."""


def edited(answer: Answer, edits: Sequence[Edit]) -> Answer:
    """Return the answer with its text changed, and its citations moved along.

    The edits do not overlap. A citation whose stretch is gone is gone too; of one that is changed
    in part the rest stays. Cost, latency and usage are dropped: nobody was asked for this text.
    """
    ordered = sorted(edits)
    pieces, at = [], 0
    for one in ordered:
        pieces += [answer.text[at : one.start], one.text]
        at = one.end
    text = "".join([*pieces, answer.text[at:]])
    citations = []
    for cited in answer.citations:
        start, end = _moved(cited.start, ordered, last=False), _moved(cited.end, ordered, last=True)
        if start < end:
            citations.append(
                Citation(start=start, end=end, text=text[start:end], sources=cited.sources)
            )
    return remade(answer, text=text, citations=tuple(citations))


def remade(answer: Answer, **changes: object) -> Answer:
    """Return the answer with other fields, as one that cost nothing and took no time."""
    unasked = {"usage": None, "cost_usd": None, "latency_s": None, "cached": False}
    return answer.model_copy(update={**unasked, **changes})


def _moved(place: int, edits: Sequence[Edit], *, last: bool) -> int:
    """Say where a border of a citation stands afterwards; inside of an edit it goes to its end.

    What is put in exactly at a border stays outside of the citation.
    """
    shift = 0
    for one in edits:
        size = len(one.text) - (one.end - one.start)
        if one.start == one.end:
            if place > one.start or (place == one.start and not last):
                shift += size
        elif place >= one.end:
            shift += size
        elif place > one.start:
            return one.start + shift + (len(one.text) if last else 0)
    return place + shift
