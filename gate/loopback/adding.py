"""Where a sentence can be added to a draft without tearing others apart."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from gate.loopback.draft import Draft, Statement

_POINTS_BACK = re.compile(
    r"^(?:It|Its|He|His|She|Her|They|Their|That|This|These|Those|There|The hut|The ferry)\b"
)


def may_follow(after: Statement | None) -> bool:
    """Return whether something may be put before a statement: not where it points back."""
    return after is None or not _POINTS_BACK.match(after.text)


def with_additions(draft: Draft, added: Sequence[Statement]) -> Draft:
    """Return the draft with statements behind its first cited one that nothing points back to.

    A list of steps is added to at its end, with numbers that go on.
    """
    places = [
        (part, place)
        for part, statements in enumerate(draft.parts)
        for place, (here, after) in enumerate(zip(statements, [*statements[1:], None], strict=True))
        if here.pages and may_follow(after)
    ]
    steps = sum(bool(one.lead) for one in draft.statements)
    part, place = places[-1] if steps else places[0]
    if steps:
        added = [
            replace(one, lead=f"{number}. ") for number, one in enumerate(added, start=steps + 1)
        ]
    said = draft.parts[part]
    whole = (*said[: place + 1], *added, *said[place + 1 :])
    return replace(draft, parts=(*draft.parts[:part], whole, *draft.parts[part + 1 :]))
