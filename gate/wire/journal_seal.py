"""Seals: what a row held when it was written, so that a later change of it is found.

A seal is no signature: it finds what a disk, a copy or an editor did, and no forger.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from gate.errors import JournalError

_MEND = "restore the file from a copy, use another --out, or delete the file to start afresh"

_RESULT = (
    "seal(request_digest, CAST(key AS BLOB), CAST(body AS BLOB), CAST(problem AS BLOB),"
    " usd, lost, latency_s, tries)"
)
_INTENT = (
    "seal(request_digest, run_id, CAST(key AS BLOB), scope, kind, vendor, model, attempt,"
    " case_id, target, reserve_usd, intent_at)"
)
_BROKEN_CALL = (
    "SELECT kind, case_id, target, run_id FROM calls"
    " WHERE request_digest <> seal(CAST(request AS BLOB))"
    f" OR intent_digest <> {_INTENT}"
    f" OR (result_at IS NOT NULL AND digest <> {_RESULT}) ORDER BY id LIMIT 1"
)
_BROKEN_PAGE = (
    "SELECT uri, run_id FROM pages WHERE digest <> seal(CAST(page AS BLOB)) ORDER BY uri LIMIT 1"
)


_INTENT_COLUMNS = (
    *("request_digest", "run_id", "key", "scope", "kind", "vendor", "model", "attempt"),
    *("case_id", "target", "reserve_usd", "intent_at"),
)


def seal(*values: str | bytes | float | None) -> str:
    """Return the SHA-256 of some values in their order, as 64 hexadecimal digits."""
    hasher = hashlib.sha256()
    for value in values:
        if value is None:
            hasher.update(b"-")
            continue
        if isinstance(value, str):
            data = value.encode()
        else:
            data = value if isinstance(value, bytes) else repr(value).encode()
        hasher.update(b"%d:" % len(data))
        hasher.update(data)
    return hasher.hexdigest()


def result_seal(
    request_digest: str,
    key: str,
    *,
    body: str | None,
    problem: str | None,
    usd: float | None,
    lost: int,
    latency_s: float | None,
    tries: int,
) -> str:
    """Return the seal of a call's result, which binds it to the call's request and key."""
    return seal(request_digest, key, body, problem, usd, lost, latency_s, tries)


def intent_seal(columns: Mapping[str, Any]) -> str:
    """Return the seal of a call's intent: whose call it is, and what it may have cost."""
    return seal(*(columns[name] for name in _INTENT_COLUMNS))


def teach(connection: sqlite3.Connection) -> None:
    """Let SQL on this connection compute seals."""
    connection.create_function("seal", -1, seal, deterministic=True)


def seal_again(connection: sqlite3.Connection, where: str) -> None:
    """Seal calls anew after a part of them was taken out on purpose."""
    connection.execute(
        f"UPDATE calls SET request_digest = seal(CAST(request AS BLOB)) WHERE {where}"
    )
    seal_intents(connection, where)
    connection.execute(
        f"UPDATE calls SET digest = {_RESULT} WHERE result_at IS NOT NULL AND ({where})"
    )


def seal_intents(connection: sqlite3.Connection, where: str) -> None:
    """Seal the intents of calls anew, whose request or run was changed on purpose."""
    connection.execute(f"UPDATE calls SET intent_digest = {_INTENT} WHERE {where}")


def check_seals(connection: sqlite3.Connection, path: Path) -> None:
    """Raise JournalError with the case at the first row that is not as it was written."""
    row = connection.execute(_BROKEN_CALL).fetchone()
    if row is not None:
        kind, case_id, target, run_id = (_shown(value) for value in row)
        raise JournalError(
            f"{path}: the recorded {kind} call of case {case_id} (target {target}, run {run_id}) "
            f"is not as it was written: {_MEND}"
        )
    row = connection.execute(_BROKEN_PAGE).fetchone()
    if row is not None:
        uri, run_id = (_shown(value) for value in row)
        raise JournalError(
            f"{path}: the recorded page {uri} (run {run_id}) is not as it was written: {_MEND}"
        )


def _shown(value: object) -> str:
    return "unknown" if value is None else str(value)
