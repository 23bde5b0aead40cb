"""The variant `padded`: general remarks that nobody could look up, between all sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from gate.loopback.adding import may_follow
from gate.loopback.asking import Asking
from gate.loopback.chance import chance
from gate.loopback.draft import Draft, Statement

_REMARKS: Final = (
    "Much could be said about the subject, and much of it is to be said from different angles.",
    "Many people have asked something of the kind, and many would ask it in other words.",
    "As so often, the details are a matter of where one looks and of how closely one reads.",
    "Generally speaking, a careful look at the context is worth a thought before one goes on.",
    "In general the broader picture helps, although opinions on the finer points may differ.",
    "All in all the subject is richer than one would think, and worth knowing more about.",
    "For a first impression one should keep in mind that sources look at things in many ways.",
    "In one way or another the same holds for related subjects, which is worth noting here.",
)
"""None begins with a word such as `It`, which would be taken for part of the sentence before."""


def padded(draft: Draft, asking: Asking) -> Draft:
    """Put a remark behind each statement, and one in front unless the answer is a refusal."""
    first = int(chance("padding", asking.question) * len(_REMARKS))
    remarks = [*_REMARKS[first:], *_REMARKS[:first]] * len(draft.statements)
    opening = [] if draft.kind == "refusal" else [Statement(remarks.pop(0))]
    parts: list[tuple[Statement, ...]] = []
    for part in draft.parts:
        said: list[Statement] = opening if not parts else []
        for here, after in zip(part, [*part[1:], None], strict=True):
            said.append(here)
            if may_follow(after):
                said.append(Statement(remarks.pop(0)))
        parts.append(tuple(said))
    return replace(draft, parts=tuple(parts))
