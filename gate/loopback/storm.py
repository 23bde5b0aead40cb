"""Random faults of every passing kind: `--variant steady+storm:5%:7`.

Whether and how a request fails depends on the seed, on the request and on how often it came
before, never on the order of different requests: so a storm can be repeated.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Final

from gate.loopback.chance import chance
from gate.loopback.exchange import Reply, Request, claude_error, google_error

STALL_S = 600.0
"""Seconds that a stalled reply takes: longer than any time-out that a test would set."""
_SHARE = 0.05
_HTML = b"<html><head><title>Bad gateway</title></head><body>Please try again.</body></html>"
_SHAPE = re.compile(r"storm(?::(?P<percent>\d{1,2}(?:\.\d+)?)%)?(?::(?P<seed>[\w.-]+))?")

Refuse = Callable[[int, tuple[tuple[str, str], ...]], Reply]
"""Makes an error of a status, with headers, in the vendor's shape."""


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to fail."""

    says: str
    """What happens, in a sentence."""
    billed: bool = False
    """Whether the vendor did the work, and bills it."""
    spoil: Callable[[Reply], Reply] | None = None
    """Spoils the good reply, or what stands for it where nothing was billed."""
    refuse: Callable[[Refuse], Reply] | None = None
    """Makes an error with a status instead."""

    @property
    def silent(self) -> bool:
        """Whether the client cannot know whether it was billed."""
        return self.refuse is None


def _status(code: int, *headers: tuple[str, str]) -> Callable[[Refuse], Reply]:
    return lambda refuse: refuse(code, headers)


def _dated(refuse: Refuse) -> Reply:
    """Ask to come back at a moment of a clock that is an hour behind."""
    now = datetime.now(UTC) - timedelta(hours=1)
    until = now + timedelta(seconds=1)
    return refuse(
        429,
        (
            ("Date", format_datetime(now, usegmt=True)),
            ("Retry-After", format_datetime(until, usegmt=True)),
        ),
    )


KINDS: Final[Mapping[str, Kind]] = {
    "429": Kind("429 without a header.", refuse=_status(429)),
    "429-seconds": Kind("429, Retry-After: 1.", refuse=_status(429, ("Retry-After", "1"))),
    "429-date": Kind(
        "429, Retry-After one second after the reply's own Date, an hour ago.", refuse=_dated
    ),
    "429-absurd": Kind("429, Retry-After: 3600.", refuse=_status(429, ("Retry-After", "3600"))),
    "429-garbage": Kind("429, Retry-After: soon.", refuse=_status(429, ("Retry-After", "soon"))),
    "408": Kind("408.", refuse=_status(408)),
    "500": Kind("500.", refuse=_status(500)),
    "502-html": Kind("502 with a proxy's page.", refuse=lambda _: Reply(502, _HTML, "text/html")),
    "503": Kind("503, Retry-After: 1.", refuse=_status(503, ("Retry-After", "1"))),
    "504": Kind("504.", refuse=_status(504)),
    "529": Kind("529.", refuse=_status(529)),
    "reset-unread": Kind(
        "The connection is reset before the vendor has taken the request.",
        spoil=lambda reply: replace(reply, ends="reset"),
    ),
    "reset-done": Kind(
        "The connection is reset after the work, without a reply.",
        billed=True,
        spoil=lambda reply: replace(reply, ends="reset"),
    ),
    "cut": Kind(
        "The connection is closed in the middle of the body.",
        billed=True,
        spoil=lambda reply: replace(reply, ends="cut"),
    ),
    "stall": Kind(
        "The reply takes ten minutes.",
        billed=True,
        spoil=lambda reply: replace(reply, delay_s=STALL_S),
    ),
    "half-json": Kind(
        "200 with the first half of the JSON.",
        billed=True,
        spoil=lambda reply: replace(reply, body=reply.body[: len(reply.body) // 2]),
    ),
    "empty": Kind("200 without a body.", billed=True, spoil=lambda reply: replace(reply, body=b"")),
    "html": Kind(
        "200 with a proxy's page.",
        spoil=lambda reply: replace(reply, body=_HTML, content_type="text/html"),
    ),
}
"""Name -> how it fails; each is as likely as the others."""


@dataclass(frozen=True, slots=True)
class Storm:
    """How often requests fail, and which."""

    share: float = _SHARE
    """Part of the requests that fail."""
    seed: str = "0"
    """Seed of the choice."""

    def strikes(self, request: Request, seen: int) -> str | None:
        """Return the kind of fault that meets a request, seen so often before; None for none."""
        names = (self.seed, request_digest(request), seen)
        if chance("storm", *names) >= self.share:
            return None
        return list(KINDS)[int(chance("kind", *names) * len(KINDS))]


def read_storm(text: str) -> Storm | None:
    """Read `storm[:PERCENT%][:SEED]`; None for what is none."""
    match = _SHAPE.fullmatch(text)
    if match is None:
        return None
    percent = match["percent"]
    return Storm(_SHARE if percent is None else float(percent) / 100, match["seed"] or "0")


def request_digest(request: Request) -> str:
    """Return a digest of where a request went and what it said."""
    return hashlib.sha256(request.path.encode() + b"\n" + request.body).hexdigest()


def refuse_as_google(status: int, headers: tuple[tuple[str, str], ...]) -> Reply:
    """Return an error in Google's shape."""
    return google_error(status, "UNAVAILABLE", "Please try again later.", *headers)


def refuse_as_claude(status: int, headers: tuple[tuple[str, str], ...]) -> Reply:
    """Return an error in Anthropic's shape."""
    return claude_error(status, "api_error", "Please try again later.", *headers)
