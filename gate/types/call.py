"""One paid call, as the journal and the limits see it."""

from __future__ import annotations

from functools import cached_property
from typing import Literal

from pydantic import JsonValue

from gate.types.word import Word, canonical, text_digest

REPEAT_STRIDE = 1_000_000
"""What each further ruling on an answer (`run.judge_repeats`) adds to the attempt of its calls: far
above the attempts of answers, so that no two calls are taken for one."""

MOST_RULINGS = 20
"""Rulings of one judge on an answer at most."""


class Call(Word):
    """A request that costs money, in full, without headers and credentials."""

    kind: Literal["answer", "judge"]
    """What the call is for."""
    vendor: str
    """Whose limits it counts against, such as `google` or `anthropic`."""
    model: str
    """The model that is asked for."""
    request: JsonValue
    """Everything in the request's body that shapes the reply."""
    attempt: int = 0
    """Repeat number: a repeat is a call of its own, so a cache never hides variance."""
    scope: str | None = None
    """Run id for calls that are reused within one run only; None is reused everywhere."""
    case_id: str | None = None
    """The case, for the audit; no part of the key."""
    target: str | None = None
    """The system under test, for the audit; no part of the key."""
    reserve_usd: float | None = None
    """Worst cost in US dollars, reserved before the call; None when the price is unknown."""

    quotes_pages: bool = True
    """Whether a judge's request may quote pages: under `journal: no-pages` its reply goes, too."""

    @cached_property
    def request_text(self) -> str:
        """The request as canonical JSON; written once, since it may hold whole pages."""
        return canonical(self.request)

    @cached_property
    def key(self) -> str:
        """SHA-256 of what makes two calls the same: kind, vendor, model, request, attempt.

        The scope is no part of it: the journal checks it beside the key.
        """
        first = canonical([self.kind, self.vendor, self.model])[:-1]
        return text_digest(f"{first},{self.request_text},{self.attempt}]")


class Reply(Word):
    """The reply to a call, fresh or from the journal."""

    body: JsonValue
    """The vendor's body as JSON."""
    latency_s: float | None
    """Seconds of the last try; as recorded when it comes from the journal."""
    cached: bool = False
    """Whether it came from the journal."""
    replayed: bool = False
    """Whether the run itself made the call, before it was interrupted or in a replay."""

    @property
    def reused(self) -> bool:
        """Whether another run paid for it: then it says nothing of this run's speed."""
        return self.cached and not self.replayed
