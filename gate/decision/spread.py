"""How sure a mean difference is: its interval, its spread, and the bound that a pass goes by."""

from __future__ import annotations

import math
from dataclasses import dataclass

from gate.decision.rounding import result
from gate.stats.design import Deltas, Design, estimate
from gate.stats.paired import guarded_bound_of_moments, guarded_lower_bound, t_interval
from gate.stats.summary import sd_or_none


@dataclass(frozen=True)
class Spread:
    """How sure the mean of some differences is."""

    low: float | None
    """Lower end of the two-sided 90% interval of the mean."""
    high: float | None
    """Upper end."""
    sd: float | None
    """Standard deviation of the differences; of weighted or clustered ones the standard error of
    the mean times the root of their number."""
    guarded: float | None
    """Guarded lower bound; None where nothing tells the error of a weighted mean."""


def spread_of(delta: Deltas, design: Design, guard: float, pass_level: float) -> Spread:
    """Give interval and guarded bound, over clusters and by weights where there are any.

    `guard` is the pseudo-case of the pass rule, `pass_level` its rate of false passes. There is at
    least one difference.
    """
    n = len(delta)
    if design.plain:
        low, high = t_interval(delta)
        bound = guarded_lower_bound(delta, guard, 1.0 - pass_level)
        return Spread(low, high, sd_or_none(delta.tolist()), bound)
    about = estimate(delta, design)
    if about.se is None or about.df is None:
        return Spread(None, None, None, None)
    units = design.units or n
    bound = guarded_bound_of_moments(
        about.mean,
        about.se * math.sqrt(units),
        units,
        guard,
        1.0 - pass_level,
        # The pseudo-case adds a degree of freedom, and there are never more than units. Where all
        # moved alike (but for float noise) it is all the spread there is, as in a full run.
        df=min(float(units), about.df + 1.0) if result(about.se) else float(units),
    )
    return Spread(about.low, about.high, about.se * math.sqrt(n), bound)
