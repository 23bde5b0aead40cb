"""What would settle a row that could not tell, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence

from gate.decision.planning import cases_to_pass
from gate.decision.rounding import result
from gate.decision.rows import guard_of
from gate.decision.words import amount, counted, setting
from gate.stats.paired import guarded_bound_of_moments
from gate.stats.power import cases_needed, settling_cases
from gate.types import Row

MOST_CASES = 10_000
"""More cases than this is no advice."""

MOST_REPEATS = 10
"""More times the repeats than this is no advice."""


def settles(row: Row, margin: float, unit: str) -> str:
    """Say how many more cases, or how many times the repeats, would settle an inconclusive row.

    Cases are counted at the row's present mean and spread, and are never fewer in all than a plan
    needs to pass. Repeats are counted as if all spread were noise from run to run, which is the
    best case. The row has at least one compared case.
    Example: 12 cases without any change say nothing at a margin of 0.10; one more settles it.
    """
    d = [result(current - baseline) for _, baseline, current in row.differences.ends()]
    mean, sd = row.signed or 0.0, row.sd or 0.0
    guard = guard_of(unit, margin)
    if mean <= -margin:
        needed = cases_needed(sd, -mean)
        more = counted(max(1, needed - row.n), "more case")
        return f"about {more}, to show whether the drop of {amount(-mean, unit)} is real"
    # One case has no spread: as many cases as would pass without any change are the least.
    in_all = settling_cases(d if row.n > 1 else [mean, mean], margin, MOST_CASES, pseudo=guard)
    if in_all is None:
        return f"no number of cases in reach: the estimate is too near a drop of {setting(margin)}"
    # Cases that rose would do with fewer, but no plan is promised a pass by less than this.
    least = cases_to_pass(margin, unit) or in_all
    ways = [f"about {counted(max(1, max(in_all, least) - row.n), 'more case')} like these"]
    times = None if row.n < least else _times_the_repeats(mean, sd, row.n, margin, guard)
    if times is not None:
        ways.append(f"about {times} times the repeats on both sides")
    return ", or ".join(ways)


def _times_the_repeats(mean: float, sd: float, n: int, margin: float, guard: float) -> int | None:
    """Give the factor on the repeats at which these n cases would pass, or None."""
    factors: Sequence[int] = range(2, MOST_REPEATS + 1)
    return next(
        (
            times
            for times in factors
            if guarded_bound_of_moments(mean, sd / math.sqrt(times), n, guard) > -margin
        ),
        None,
    )
