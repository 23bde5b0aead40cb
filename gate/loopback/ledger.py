"""The vendors' own books: every vendor request, what it met and what was billed for it.

A line of JSON for each, written before the reply leaves. What a run says of itself can be held
against it from outside.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from gate.loopback.exchange import Reply


class Ledger:
    """A file that is only added to."""

    def __init__(self, path: Path) -> None:
        """Open or make the file."""
        self._file = path.open("a", encoding="utf-8", buffering=1)

    def enter(
        self, *, side: str, request: str, seen: int, fault: str | None, billed: Reply | None
    ) -> None:
        """Write one request.

        `request` is its digest, `seen` how often it came before, `fault` what it met; `billed` the
        reply that the work was done for, None when nothing was billed.
        """
        body = None if billed is None else json.loads(billed.body)
        row = {
            "side": side,
            "request": request,
            "seen": seen,
            "fault": fault,
            "billed": body is not None,
            "reply": None if body is None else _digest(body),
            "usage": None if body is None else body.get("usageMetadata") or body.get("usage"),
        }
        self._file.write(json.dumps(row) + "\n")

    def close(self) -> None:
        """Close the file."""
        self._file.close()


def _digest(body: object) -> str:
    """SHA-256 of a JSON value with sorted keys."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
