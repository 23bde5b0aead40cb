"""Hidden parts of a comment: JSON in base64url in an HTML comment, so that no text can end it.

The marker is the first line and the attempts are the last; both are read there and nowhere else,
so that text inside the report is neither, whatever it looks like.
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from dataclasses import dataclass
from typing import Final

from pydantic import Field, ValidationError

from gate.types import Status
from gate.types.word import Word, canonical, text_digest

MOST_UNITS: Final = 65_536
"""UTF-16 units of a comment, GitHub's limit; 262,144 bytes of UTF-8 hold then, too."""
_MARKER = re.compile(r"\A<!-- kappagate:1:([A-Za-z0-9_-]{1,2000}) -->\s*(?:\n|\Z)")
_LAST = re.compile(r"(?:\n|\A)<!-- kappagate-attempts:1:([A-Za-z0-9_-]{0,30000}) -->\s*\Z")


class Marker(Word):
    """Whose comment it is, and which run wrote it last."""

    key: str = Field(min_length=1, max_length=64)
    """Digest of the configuration's key."""
    run_id: int = Field(ge=0)
    """The workflow run."""
    run_attempt: int = Field(ge=0)
    """Its attempt."""
    head_sha: str = Field(max_length=64)
    """Head of the pull request that was measured."""
    status: Status | None = None
    """The last verdict that the comment showed; None before the first."""
    finished: bool = True
    """False while the run that wrote it goes on."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A comment of ours, taken apart."""

    marker: Marker
    """Its first line."""
    attempts: str
    """Its last line's content, still packed; empty where there is none."""


def key_digest(key: str) -> str:
    """Return what stands for a configuration's key in a marker: 16 hexadecimal digits."""
    return text_digest(key)[:16]


def units(text: str) -> int:
    """Return the length of a text as GitHub counts it, or more: in UTF-16 units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def marker_line(marker: Marker) -> str:
    """Return the first line of a comment."""
    return f"<!-- kappagate:1:{pack(canonical(marker).encode())} -->"


def attempts_line(packed: str) -> str:
    """Return the last line of a comment. It is there even when it is empty: see `read`."""
    return f"<!-- kappagate-attempts:1:{packed} -->"


def join(marker: Marker, body: str, packed: str) -> str:
    """Put a comment together."""
    return f"{marker_line(marker)}\n{body}\n\n{attempts_line(packed)}"


def read(text: str) -> Parts | None:
    """Take a comment apart; None when it has no marker of ours, or a spoiled one.

    Who wrote it must be asked of the host: a marker can be copied.
    """
    found = _MARKER.match(text)
    if found is None:
        return None
    try:
        marker = Marker.model_validate(json.loads(unpack(found[1])), strict=True)
    except (ValueError, RecursionError, ValidationError):
        return None
    last = _LAST.search(text, found.end() - 1)
    return Parts(marker, "" if last is None else last[1])


def pack(data: bytes) -> str:
    """Return bytes in base64url without its padding: letters, digits, `-` and `_`."""
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def unpack(text: str) -> bytes:
    """Undo `pack`. Raises ValueError for what `pack` cannot have made."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except binascii.Error as error:
        raise ValueError(str(error)) from error
