"""What would settle a row that could not tell, and what that costs, in words."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from gate.decision.planning import cases_to_pass
from gate.decision.rows import guard_of
from gate.decision.words import amount, counted, dollars, setting
from gate.stats.paired import guarded_bound_of_moments
from gate.stats.power import cases_needed, settling_cases
from gate.types import Row, Run

MOST_CASES = 10_000
"""More cases than this is no advice."""

MOST_REPEATS = 10
"""More times the repeats than this is no advice."""


@dataclass(frozen=True)
class Prices:
    """What more would cost, in US dollars at list price; None where the run does not say."""

    case: float | None = None
    """One more case in one run, all targets, repeats and judgements together."""
    run: float | None = None
    """The whole run once more."""


UNPRICED = Prices()
"""Nobody knows what more would cost."""


def prices_of(run: Run) -> Prices:
    """Give what a case of this run cost, the journal's share reckoned as if it had been paid.

    None where a part of the cost is unknown, and where nothing was paid.
    """
    cost, cases = run.cost, len({cell.case_id for cell in run.cells})
    if not cost.usd or not cost.calls or not cases:
        return UNPRICED
    whole = cost.usd * (cost.calls + cost.cached_calls) / cost.calls
    return Prices(whole / cases, whole)


def settles(
    row: Row,
    margin: float,
    unit: str,
    prices: Prices = UNPRICED,
    pass_level: float = 0.05,
    *,
    effect: float,
) -> str:
    """Say how many more cases, or how many times the repeats, would settle an inconclusive row.

    A drop of `effect` or more, the smallest that may fail, is settled by as many cases as show with
    a power of 0.80 that it is real, or by as many as rule out one of the margin, whichever are
    fewer; a smaller one by the latter alone. Cases are counted at the row's present mean and
    spread, and to pass they are never fewer in all than a plan needs. Repeats are counted as if all
    spread were noise from run to run, which is the best case. Where cases come in clusters, more
    cases mean more clusters of the present size. The row has at least one compared case.
    Example: 12 cases without any change say nothing at a margin of 0.10; one more settles it.
    """
    units = row.clusters or row.n
    each = row.n / units
    mean, sd = row.signed or 0.0, (row.sd or 0.0) / math.sqrt(each)
    guard = guard_of(unit, margin)
    to_fail = cases_needed(sd, -mean) if mean < 0.0 and mean <= -effect else None
    sure = 1.0 - pass_level
    in_all = settling_cases(mean, sd, margin, MOST_CASES, pseudo=guard, confidence=sure)
    if to_fail is not None and to_fail < (MOST_CASES if in_all is None else in_all):
        more = max(1, math.ceil(to_fail * each) - row.n)
        shown = f"{counted(more, 'more case')}{_costs(more, prices)}"
        return f"about {shown}, to show whether the drop of {amount(-mean, unit)} is real"
    if in_all is None:
        return (
            f"no number of cases or repeats in reach: the estimate is too near a drop of "
            f"{setting(margin)}"
        )
    # Cases that rose would do with fewer, but no plan is promised a pass by less than this.
    least = cases_to_pass(margin, pass_level, unit) or in_all
    more = max(1, math.ceil(max(in_all, least) * each) - row.n)
    ways = [f"about {counted(more, 'more case')} like these{_costs(more, prices)}"]
    times = None if units < least else _times_the_repeats(mean, sd, units, margin, guard, sure)
    if times is not None:
        price = None if prices.run is None else (times - 1) * prices.run
        ways.append(
            f"about {times} times the repeats on both sides, which means a new baseline"
            f"{_priced(price)}"
        )
    return ", or ".join(ways) + ("; more repeats would not help" if times is None else "")


def _costs(cases: int, prices: Prices) -> str:
    return _priced(None if prices.case is None else cases * prices.case)


def _priced(usd: float | None) -> str:
    return "" if usd is None else f" ({dollars(usd)} more a run)"


def _times_the_repeats(
    mean: float, sd: float, n: int, margin: float, guard: float, sure: float
) -> int | None:
    """Give the factor on the repeats at which these n cases would pass, or None."""
    factors: Sequence[int] = range(2, MOST_REPEATS + 1)
    return next(
        (
            times
            for times in factors
            if guarded_bound_of_moments(mean, sd / math.sqrt(times), n, guard, sure) > -margin
        ),
        None,
    )
