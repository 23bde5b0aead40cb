"""Random numbers that a seed word decides, the same on every machine.

The word goes through SHA-256 into PCG64, whose raw stream numpy keeps stable between versions
(NEP 19); the methods of numpy's Generator carry no such promise and are avoided where a verdict
depends on the draw.
"""

from __future__ import annotations

import hashlib

import numpy as np
from numpy.typing import NDArray

_MANTISSA_SHIFT = np.uint64(11)
"""A double carries 53 of the 64 random bits."""

_TO_UNIT = 2.0**-53
_BYTES_PER_WORD = 8


def stream(seed: str, purpose: str) -> np.random.PCG64:
    """Give the random stream of one purpose: two purposes under one seed share no numbers."""
    digest = hashlib.sha256(f"{seed}\x1f{purpose}".encode()).digest()
    return np.random.PCG64(int.from_bytes(digest, "big"))


def random_bytes(source: np.random.PCG64, rows: int, columns: int) -> NDArray[np.uint8]:
    """Draw a rows x columns array of uniform bytes."""
    words = -(-rows * columns // _BYTES_PER_WORD)
    raw = source.random_raw(words).astype("<u8").view(np.uint8)
    return raw[: rows * columns].reshape(rows, columns)


def uniforms(source: np.random.PCG64, count: int) -> NDArray[np.float64]:
    """Draw `count` numbers uniform on [0, 1)."""
    raw = source.random_raw(count)
    return (raw >> _MANTISSA_SHIFT).astype(np.float64) * _TO_UNIT
