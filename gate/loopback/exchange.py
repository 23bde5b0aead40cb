"""One HTTP request and one reply, as plain values."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Request:
    """What a client sent."""

    method: str
    """Such as GET or POST."""
    path: str
    """The path without the query."""
    headers: Mapping[str, str]
    """Names in small letters; of a repeated one the last."""
    body: bytes
    """May be empty."""
    query: str = ""
    """What stands after the question mark."""

    def fields(self) -> dict[str, object] | None:
        """Return the JSON object in the body; None when the body is anything else."""
        try:
            value = json.loads(self.body)
        except ValueError:
            return None
        return value if isinstance(value, dict) else None


@dataclass(frozen=True, slots=True)
class Reply:
    """What the world sends back."""

    status: int
    """HTTP status code."""
    body: bytes
    """Sent whole, with its length."""
    content_type: str = "application/json; charset=UTF-8"
    """Value of the Content-Type header."""
    headers: tuple[tuple[str, str], ...] = ()
    """Further headers."""
    delay_s: float = 0.0
    """Seconds until it is sent, for a page that is slow."""
    ends: Literal["whole", "cut", "reset"] = "whole"
    """Whether it is sent whole, closed in the middle of the body, or reset before the head."""


def json_reply(status: int, value: object, *headers: tuple[str, str]) -> Reply:
    """Return a reply with a JSON body in UTF-8."""
    return Reply(status, json.dumps(value, ensure_ascii=False).encode(), headers=headers)


def google_error(code: int, status: str, message: str, *headers: tuple[str, str]) -> Reply:
    """Return an error in Google's shape (`data/wire/gemini_error_429.json`)."""
    return json_reply(
        code, {"error": {"code": code, "message": message, "status": status}}, *headers
    )


def claude_error(code: int, kind: str, message: str, *headers: tuple[str, str]) -> Reply:
    """Return an error in Anthropic's shape (`data/wire/claude_error_529.json`)."""
    body = {
        "type": "error",
        "error": {"type": kind, "message": message},
        "request_id": "req_loopback",
    }
    return json_reply(code, body, *headers)
