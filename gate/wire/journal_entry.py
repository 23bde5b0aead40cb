"""One row of the journal: a call that was paid for, and what came of it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any

from pydantic import JsonValue

from gate.errors import CallError, CannotRun
from gate.types import Call
from gate.wire.journal_seal import intent_seal, result_seal, seal

_SHORTEST = 8

Scrub = Callable[[str], str]
"""Takes credentials out of a text before it is written."""


@dataclass(frozen=True)
class Problem:
    """Why a call gave no reply, as the journal keeps it."""

    message: str
    """The error's sentence."""
    status: int | None = None
    """HTTP status, where there was one."""
    kind: str = "error"
    """`error`, `timeout`, `budget` (never sent), or `cannot_run` (no later call can mend it)."""

    @classmethod
    def of(cls, error: CallError | CannotRun) -> Problem:
        """Return what the journal keeps of an error."""
        if isinstance(error, CallError):
            return cls(str(error), error.status, error.kind)
        return cls(str(error), None, "cannot_run")

    def error(self) -> CallError | CannotRun:
        """Return the error again, to be raised by a replay."""
        if self.kind == "cannot_run":
            return CannotRun(self.message)
        return CallError(self.message, status=self.status, kind=self.kind)


@dataclass(frozen=True)
class Outcome:
    """What came of a call, to be recorded."""

    body: JsonValue = None
    """The vendor's body; None when there is a problem."""
    problem: Problem | None = None
    """Why there is no body."""
    usd: float | None = 0.0
    """Cost of the reply in US dollars; None when unknown; 0 where nothing was billed."""
    lost: int = 0
    """Tries whose outcome is unknown, such as timeouts: each counts as spent at its reserve."""
    latency_s: float | None = None
    """Seconds of the try that succeeded."""
    tries: int = 1
    """Requests sent."""
    text: str | None = None
    """The body as `encode` writes it, where that was done already."""


@dataclass(frozen=True)
class Entry:
    """One call in the journal."""

    id: int
    """Its number, in the order of the intents."""
    run_id: str
    """The run that made it."""
    key: str
    """`Call.key`."""
    scope: str | None
    """`Call.scope`."""
    kind: str
    """`answer` or `judge`."""
    vendor: str
    """Whose limits it counted against."""
    model: str
    """The model that was asked for."""
    attempt: int
    """Repeat number."""
    case_id: str | None
    """The case."""
    target: str | None
    """The system under test."""
    request: JsonValue
    """The request's body."""
    reserve_usd: float | None
    """Worst cost in US dollars; None when unknown."""
    intent_at: str
    """UTC time before the call, ISO 8601."""
    result_at: str | None
    """UTC time after it; None when the process or the call was ended before."""
    body: JsonValue
    """The vendor's body; None without a reply, and where it was not kept."""
    problem: Problem | None
    """Why there is no reply."""
    usd: float | None
    """Cost of the reply in US dollars; None when unknown or without a result."""
    lost: int
    """Tries whose outcome is unknown; each counts as spent at its reserve."""
    latency_s: float | None
    """Seconds of the try that succeeded."""
    tries: int
    """Requests sent; 0 without a result."""
    kept: bool = True
    """Whether the reply is here; False for one that the journal's mode does not keep."""

    @property
    def settled(self) -> bool:
        """Whether a result was recorded, a reply or a problem."""
        return self.result_at is not None


_NAMES = tuple(field.name for field in fields(Entry) if field.name != "kept")

COLUMNS = ", ".join(_NAMES)
"""Columns of the table `calls` that `read_entry` reads, in its order."""


def encode(value: JsonValue) -> str:
    """Return a JSON value as ASCII text that reads back to the same value.

    Keys keep their order. Raises ValueError for NaN and infinities.
    """
    return json.dumps(value, allow_nan=False, separators=(",", ":"))


def decode(text: str | None) -> Any:
    """Return the value of a JSON text, None for none.

    Raises sqlite3.DatabaseError where damage has made it unreadable.
    """
    try:
        return None if text is None else json.loads(text)
    except ValueError as error:
        raise sqlite3.DatabaseError(str(error)) from error


def request_of(call: Call) -> str:
    """Return the request of a call as JSON text that a file can hold."""
    text = call.request_text
    try:
        text.encode()
    except UnicodeEncodeError:  # half a character: JSON can spell it in ASCII
        return encode(call.request)
    return text


def write_intent(
    call: Call, *, run_id: str, now: str, scrub: Scrub, request: str
) -> Mapping[str, Any]:
    """Return the columns of a call that is about to be sent, with `request` as its text."""
    text = scrub(request)
    columns: dict[str, Any] = {
        "run_id": run_id,
        "key": call.key,
        "scope": call.scope,
        "kind": call.kind,
        "vendor": call.vendor,
        "model": call.model,
        "attempt": call.attempt,
        "case_id": call.case_id,
        "target": call.target,
        "request": text,
        # As SQLite gives it back: a whole number in such a column is read as 1.0.
        "reserve_usd": None if call.reserve_usd is None else float(call.reserve_usd),
        "intent_at": now,
        "quotes_pages": call.quotes_pages,
        "request_digest": seal(text),
    }
    return {**columns, "intent_digest": intent_seal(columns)}


def write_outcome(
    outcome: Outcome, *, now: str, scrub: Scrub, key: str, request_digest: str, keep_reply: bool
) -> Mapping[str, Any]:
    """Return the columns of what came of a call, sealed together with its request and key."""
    problem = outcome.problem
    body: str | None = None
    if problem is None and keep_reply:
        body = scrub(encode(outcome.body) if outcome.text is None else outcome.text)
    columns: dict[str, Any] = {
        "body": body,
        "problem": scrub(encode(asdict(problem))) if problem else None,
        # As SQLite gives them back: a whole number in such a column is read as 1.0.
        "usd": None if outcome.usd is None else float(outcome.usd),
        "lost": outcome.lost,
        "latency_s": None if outcome.latency_s is None else float(outcome.latency_s),
        "tries": outcome.tries,
    }
    digest = result_seal(request_digest, key, **columns)
    return {**columns, "result_at": now, "digest": digest}


def read_entry(row: tuple[Any, ...]) -> Entry:
    """Return a row of the table `calls`, its `COLUMNS`, as a record.

    Raises sqlite3.DatabaseError when a text in it is no JSON, as damage is.
    """
    columns = dict(zip(_NAMES, row, strict=True))
    kept = columns["body"] is not None
    for name in ("request", "body", "problem"):
        columns[name] = decode(columns[name])
    problem = columns["problem"]
    return Entry(**{**columns, "problem": problem and Problem(**problem), "kept": kept})


def scrubber(secrets: tuple[str, ...]) -> Scrub:
    """Return a function that puts `[secret]` for each of the credentials in a JSON text.

    Values under 8 characters are passed over: they would hit ordinary words.
    """
    # Inside a JSON text a value stands as JSON spells it; the longest first, since one may hold
    # another.
    spellings = sorted(
        {
            json.dumps(secret, ensure_ascii=ascii_only)[1:-1]
            for secret in secrets
            if len(secret) >= _SHORTEST
            for ascii_only in (True, False)
        },
        key=len,
        reverse=True,
    )

    def scrub(text: str) -> str:
        for spelling in spellings:
            text = text.replace(spelling, "[secret]")
        return text

    return scrub
