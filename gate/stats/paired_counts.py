"""Yes-or-no outcomes of the same cases in two runs: did errors, or empty answers, rise?"""

from __future__ import annotations


def mcnemar_rise_p(worse: int, better: int) -> float:
    """Give the one-sided exact McNemar p-value of a rise.

    `worse` counts the cases that went from fine to bad, `better` those from bad to fine; cases
    that stayed as they were say nothing. p = P(Bin(worse + better, 1/2) >= worse) (McNemar 1947),
    summed in whole numbers; 1.0 when no case changed. Raises ValueError for a negative count.
    """
    if worse < 0 or better < 0:
        raise ValueError(f"counts cannot be negative: worse={worse}, better={better}")
    changed = worse + better
    ways = total = 1
    for above in range(better):
        ways = ways * (changed - above) // (above + 1)
        total += ways
    return total / (1 << changed)
