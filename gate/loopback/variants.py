"""Variants of the answering model: what becomes of a draft before it is sent.

`world/variants.yaml` says what each does to each dimension, and was written before the run.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Final

from gate.loopback.asking import Asking
from gate.loopback.chance import chance
from gate.loopback.draft import Draft
from gate.loopback.flaky import flaky
from gate.loopback.misquoted import misquoted
from gate.loopback.padded import padded
from gate.loopback.unsupported import unsupported
from gate.loopback.wrong import wrong

TABLE = Path(__file__).parent / "world" / "variants.yaml"
"""What each variant does to each dimension."""
_EMPTY_SHARE = 0.5


def steady(draft: Draft, _asking: Asking) -> Draft:
    """Say what was found."""
    return draft


def empty(draft: Draft, asking: Asking) -> Draft | None:
    """Say nothing to about half of the questions, always the same ones."""
    return None if chance("no text", asking.question) < _EMPTY_SHARE else draft


def uncited(draft: Draft, _asking: Asking) -> Draft:
    """Say what was found, and neither where nor that anything was searched."""
    parts = tuple(tuple(replace(one, pages=()) for one in part) for part in draft.parts)
    return replace(draft, parts=parts, queries=(), extra=())


VARIANTS: Final[Mapping[str, Callable[[Draft, Asking], Draft | None]]] = {
    "steady": steady,
    "wrong": wrong,
    "flaky": flaky,
    "empty": empty,
    "padded": padded,
    "uncited": uncited,
    "unsupported": unsupported,
    "misquoted": misquoted,
}
"""Name -> what becomes of a draft; None is a reply without text."""
