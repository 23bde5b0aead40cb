"""The one parent of every word: a frozen record, and the digest that names its content."""

from __future__ import annotations

import hashlib
import json
from typing import Any

from pydantic import BaseModel, ConfigDict

SCHEMA = 1
"""Version of every file we write; readers accept this one and the one before."""

LEAN = ConfigDict(extra="ignore", allow_inf_nan=False)
"""How records are read of which a run holds hundreds of thousands: dataclasses with slots, which
need a tenth of the memory of a `Word` and are checked like one."""


class Word(BaseModel):
    """A frozen record. Unknown keys are passed over, so that an older gate reads a newer file."""

    model_config = ConfigDict(
        frozen=True,
        extra="ignore",
        allow_inf_nan=False,
        populate_by_name=True,
        serialize_by_alias=True,
    )


def canonical(value: object) -> str:
    """Return JSON text with sorted keys and no spaces: one spelling for one value.

    Raises ValueError for NaN and infinities, which no file of ours may hold.
    """
    return json.dumps(
        _plain(value), sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False
    )


def digest(value: object) -> str:
    """Return the SHA-256 of the canonical JSON of `value`, as 64 hexadecimal digits."""
    return text_digest(canonical(value))


def text_digest(text: str) -> str:
    """Return the SHA-256 of a text in UTF-8, half characters included, as 64 hexadecimal digits."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()


def _plain(value: Any) -> Any:
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value
