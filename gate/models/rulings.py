"""What a judge's replies add up to: one ruling."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from gate.models.judge_texts import ReplyForm
from gate.types import F, Failure, Ruling, Usage


class Heard(NamedTuple):
    """What a body says."""

    text: str
    """All text of the reply, joined; thinking is passed over."""
    model: str | None
    """The model that replied."""
    usage: Usage | None
    """Tokens; None when the body does not say."""
    truncated: bool
    """Whether the limit of output tokens cut the text."""
    failure: Failure | None
    """Why there is no text."""


class Told(NamedTuple):
    """One reply to one question."""

    heard: Heard
    """What it says."""
    form: ReplyForm
    """How it was asked for."""
    cost_usd: float | None
    """US dollars; None when unknown."""
    cached: bool
    """Whether it came from the journal."""


def ruling(
    told: Sequence[Told],
    form: ReplyForm,
    *,
    verdict: F | None = None,
    failure: Failure | None = None,
) -> Ruling[F]:
    """Return the ruling after these replies; `form` is shown when there is none.

    Tokens and cost are of all replies; the cost is unknown when a part is.
    """
    costs = [one.cost_usd for one in told]
    known = [cost for cost in costs if cost is not None]
    return Ruling(
        verdict=verdict,
        model=next((one.heard.model for one in reversed(told) if one.heard.model), None),
        form=told[-1].form if told else form,
        usage=total_usage([one.heard.usage for one in told]),
        cost_usd=sum(known) if told and len(known) == len(costs) else None,
        calls=len(told),
        cached=bool(told) and all(one.cached for one in told),
        failure=failure,
    )


def total_usage(parts: Sequence[Usage | None]) -> Usage | None:
    """Return the sum; a count that no call gave stays None, and so does everything without any."""
    known = [part for part in parts if part is not None]
    if not known:
        return None
    sums: dict[str, int | None] = {}
    for name in Usage.model_fields:
        counts = [value for part in known if (value := getattr(part, name)) is not None]
        sums[name] = sum(counts) if counts else None
    return Usage.model_validate(sums)
