"""What the parts of a run cost, added up."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum

from gate.types import Cost


def total_cost(costs: Sequence[Cost]) -> Cost:
    """Add up; what one part does not know is not known of all."""
    return Cost(
        usd=_sum([one.usd for one in costs]),
        known_usd=fsum(one.known_usd for one in costs),
        assumed_usd=fsum(one.assumed_usd for one in costs),
        estimated_usd=_sum([one.estimated_usd for one in costs]),
        ceiling_usd=_sum([one.ceiling_usd for one in costs]),
        calls=sum(one.calls for one in costs),
        cached_calls=sum(one.cached_calls for one in costs),
    )


def _sum(values: Sequence[float | None]) -> float | None:
    return None if None in values else fsum(value or 0.0 for value in values)
