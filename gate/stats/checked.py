"""Numbers as they enter a statistic: finite, or refused with a sentence that says what to do."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray


def finite(values: Sequence[float] | NDArray[np.float64], what: str) -> NDArray[np.float64]:
    """Give the values as a vector.

    Raises ValueError, naming `what`, where a value is NaN or infinite: a score that is missing is
    left out by the caller, never handed on as a number.
    """
    array = np.asarray(values, dtype=np.float64)
    if not np.isfinite(array).all():
        raise ValueError(
            f"{what}: every number must be finite; leave out the cases without a score"
        )
    return array


def share(value: float, what: str) -> float:
    """Give back a number strictly between 0 and 1; raises ValueError, naming `what`, otherwise."""
    if not 0.0 < value < 1.0:
        raise ValueError(f"{what} must lie between 0 and 1, not {value!r}")
    return value
