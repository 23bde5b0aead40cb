"""Did answers turn bad, case by case? A test that uses every repeat of the same cases.

The mean test asks whether cases in general got worse, and to it a case that was right five times
and is now wrong three times is one difference among many. This one asks whether these very cases
did: under no change every answer of a case is as likely to be a new one as any other.
"""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gate.stats.student import normal_cdf

__all__ = ["turned_bad_p"]

Flags = tuple[int, int, int, int]
"""One case: bad new answers, new answers, bad baseline answers, baseline answers."""

NORMAL_ABOVE_CASES = 2_000
"""With more cases than this in which something can move, the normal limit is used."""


def turned_bad_p(cases: Sequence[Flags]) -> float:
    """Give the one-sided p of so many bad new answers, when labels are shuffled in each case.

    Exact: given how many of a case's answers are bad, the number of bad new ones is hypergeometric,
    and the sum over cases is a convolution. Above 2,000 cases with both good and bad answers it is
    the normal limit. 1.0 where no case has both. Order does not matter.
    Raises ValueError for a case without an answer on one side, or with more bad ones than answers.
    """
    for bad_new, new, bad_base, base in cases:
        if not (0 <= bad_new <= new and 0 <= bad_base <= base and new and base):
            raise ValueError(
                f"{bad_new} of {new} new and {bad_base} of {base} baseline answers cannot be bad"
            )
    kinds = Counter(
        (new, base, bad_new + bad_base)
        for bad_new, new, bad_base, base in cases
        if 0 < bad_new + bad_base < new + base
    )
    # What cannot move is the same in every shuffle.
    observed = sum(case[0] for case in cases if 0 < case[0] + case[2] < case[1] + case[3])
    if not kinds:
        return 1.0
    if kinds.total() > NORMAL_ABOVE_CASES:
        return _normal_limit(kinds, observed)
    chances = np.ones(1)
    for kind, count in sorted(kinds.items()):
        for _ in range(count):
            chances = np.convolve(chances, _shuffled(*kind))
    # Added from the small end; rounding may carry the whole a hair above 1.
    return max(min(1.0, math.fsum(chances[observed:].tolist())), sys.float_info.min)


def _shuffled(new: int, base: int, bad: int) -> NDArray[np.float64]:
    """Give the chance of 0, 1, ... bad new answers of one case."""
    ways = math.comb(new + base, bad)
    return np.array(
        [math.comb(new, k) * math.comb(base, bad - k) / ways for k in range(min(new, bad) + 1)]
    )


def _normal_limit(kinds: Counter[tuple[int, int, int]], observed: int) -> float:
    mean = variance = 0.0
    for (new, base, bad), count in sorted(kinds.items()):
        size = new + base
        share = new / size
        mean += count * bad * share
        variance += count * bad * share * (1.0 - share) * (size - bad) / (size - 1)
    # Half a step: the sum is a whole number.
    return max(normal_cdf((mean - observed + 0.5) / math.sqrt(variance)), sys.float_info.min)
