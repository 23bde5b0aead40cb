"""What each compared case counts for: as many as it stands for, and together with its cluster.

Of the full set every case counts as one. A sample holds its own share of each category, so there a
category counts by its size in the whole dataset: by the strata that the plan names, or, where it
names none, by the cases of each category that the baseline has a score of. Required cases are in
every sample and stand for themselves alone: a stratum of their own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gate.decision.sides import Sides, scored
from gate.stats.design import Design

REQUIRED_CASES = "\x1frequired"
"""Stratum of the required cases; no category is called so."""


def design_of(sides: Sides, target: str, metric: str, places: Sequence[int]) -> Design:
    """Say how some cases of a target count together; `places` are those in its columns."""
    clusters = sides.run.plan.clusters
    if not sides.sampled and not clusters:
        return Design()
    side = sides.of(target)
    cases = [side.cases[place] for place in places]
    strata = tuple(
        sides.strata.get(case) or _stratum(sides, case, side.categories[place])
        for case, place in zip(cases, places, strict=True)
    )
    # A case without a cluster is one of its own; no two names meet.
    whole = tuple(
        f"cluster\x1f{clusters[case]}" if case in clusters else f"case\x1f{case}" for case in cases
    )
    sizes = _sizes(sides, target, metric) if sides.sampled else {}
    weighed = bool(sizes) and all(sizes.get(name) for name in strata)
    return Design(
        strata=strata if weighed else None,
        sizes=sizes if weighed else {},
        clusters=whole if len(set(whole)) < len(whole) else None,
    )


def _stratum(sides: Sides, case: str, category: str) -> str:
    return REQUIRED_CASES if case in sides.required else category


def _sizes(sides: Sides, target: str, metric: str) -> dict[str, float]:
    """Count the dataset's cases of each stratum."""
    plan = sides.run.plan
    if plan.strata:
        return {one.name: float(one.total) for one in plan.strata}
    gone = set(sides.removed)
    return {
        name: float(count)
        for name, count in Counter(
            _stratum(sides, cell.case_id, cell.category)
            for (of, case), cell in sides.base.items()
            if of == target and case not in gone and scored(cell, metric)
        ).items()
    }
