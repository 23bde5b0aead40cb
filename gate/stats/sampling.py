"""A sample of cases that a seed decides: same cases, same seed, same sample, on any machine.

Each case has a place in a hash order of its own, which depends on nothing but the seed and the
case's id; each category hands in the first of its cases in that order.
"""

from __future__ import annotations

import hashlib
import heapq
import math
from collections import Counter
from collections.abc import Mapping, Sequence

FEWEST_PER_CATEGORY = 2
"""A category's spread needs two cases."""

LEAST_SPREAD = 0.05
"""No category is taken for quieter than this: a spread of few repeats may be small by luck."""

SHRUNK_BY = 4
"""Degrees of freedom that the spread over all categories counts for beside a category's own."""

_GRAINS = 1_000_000
"""Spreads are compared as whole millionths, so that shares are the same on every machine."""


def order_key(seed: str, case_id: str) -> bytes:
    """Give a case's place in the hash order: SHA-256 of seed, 0x1F and id in UTF-8, 32 bytes."""
    return hashlib.sha256(f"{seed}\x1f{case_id}".encode()).digest()


def allocate(
    sizes: Mapping[str, int],
    n: int,
    *,
    floor: int = FEWEST_PER_CATEGORY,
    spreads: Mapping[str, float] | None = None,
) -> dict[str, int]:
    """Share n places among the categories, in proportion to their sizes.

    Every category first gets `floor` places (or all its cases, when it has fewer); the rest goes by
    largest remainder of n N_h / N, never above the category's size, ties to the name that sorts
    first. When n is too small for the floor of all, the places are dealt in rounds, one a category,
    the largest category first. With `spreads`, the standard deviation S_h of the differences in
    each category, the rest goes by n N_h S_h / sum N_k S_k instead (Neyman 1934): most cases where
    most noise is. The counts sum to min(n, N). Raises ValueError for a negative number, and for a
    category without a spread.
    """
    if n < 0 or floor < 0 or any(size < 0 for size in sizes.values()):
        raise ValueError(
            f"a sample's size and its categories cannot be negative: n={n}, floor={floor}, "
            f"{dict(sizes)}"
        )
    shares = dict(sizes) if spreads is None else _shares(sizes, spreads)
    left = min(n, sum(sizes.values()))
    taken = dict.fromkeys(sizes, 0)
    for dealt in range(min(floor, left)):
        for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
            if left > 0 and sizes[name] > dealt:
                taken[name] += 1
                left -= 1
    full, rest, total = _full(sizes, shares, n)
    for name in full:
        more = min(sizes[name] - taken[name], left)
        taken[name] += more
        left -= more
    # Handing single places to whoever lacks most is largest remainder, and it stays well defined
    # when a floor or a category's size gets in the way. Whole numbers: n N_h - taken_h N.
    lacking = [
        (taken[name] * total - rest * shares[name], name)
        for name, size in sizes.items()
        if taken[name] < size
    ]
    heapq.heapify(lacking)
    for _ in range(left):
        surplus, name = lacking[0]
        taken[name] += 1
        if taken[name] < sizes[name]:
            heapq.heapreplace(lacking, (surplus + total, name))
        else:
            heapq.heappop(lacking)
    return taken


def _full(
    sizes: Mapping[str, int], shares: Mapping[str, int], n: int
) -> tuple[list[str], int, int]:
    """Name the categories whose share is all of their cases or more.

    Also give the places that the others share, and the sum of their shares. A large spread may
    give a category more places than it has cases: what it cannot use is for all others.
    """
    full: list[str] = []
    rest, total = n, sum(shares.values())
    while found := [
        name
        for name in sorted(sizes)
        if name not in full and rest * shares[name] >= sizes[name] * total
    ]:
        full += found
        rest -= sum(sizes[name] for name in found)
        total -= sum(shares[name] for name in found)
    return full, rest, total


def _shares(sizes: Mapping[str, int], spreads: Mapping[str, float]) -> dict[str, int]:
    """Give N_h S_h as whole numbers. Raises ValueError for a category without a spread."""
    lacking = sorted(name for name in sizes if not spreads.get(name, 0.0) > 0.0)
    if lacking:
        raise ValueError(f"a category needs a spread above 0: {', '.join(lacking)}")
    return {name: size * max(1, round(spreads[name] * _GRAINS)) for name, size in sizes.items()}


def shrunk_spreads(
    variances: Mapping[str, tuple[float, int]], *, least: float = LEAST_SPREAD
) -> dict[str, float]:
    """Give each category's spread S_h from its variance and the degrees of freedom of that.

    Few repeats tell little, so each is drawn towards the pooled one, as if that had four degrees of
    freedom: S_h^2 <- (nu S_h^2 + 4 S_pool^2) / (nu + 4); none is below `least`.
    """
    freedom = sum(nu for _, nu in variances.values())
    pooled = math.fsum(nu * s2 for s2, nu in variances.values()) / freedom if freedom else 0.0
    return {
        name: max(least, math.sqrt((nu * s2 + SHRUNK_BY * pooled) / (nu + SHRUNK_BY)))
        for name, (s2, nu) in variances.items()
    }


def stratified_sample(
    cases: Sequence[tuple[str, str]],
    n: int,
    seed: str,
    *,
    floor: int = FEWEST_PER_CATEGORY,
    spreads: Mapping[str, float] | None = None,
) -> list[str]:
    """Give the ids of n cases, categories in proportion, in hash order; all of them when n >= N.

    `cases` are (id, category) pairs; `floor` and `spreads` as for `allocate`. Guaranteed: the
    sample does not depend on the order of the cases; within a category it is the first ones in hash
    order, so a category that gets at least as many places keeps every case it had; cases of one
    category never displace each other but through their places. Not guaranteed: that a larger n
    keeps every case of a smaller one, since largest remainder may take one place from a category as
    n grows (the Alabama paradox).
    Raises ValueError for an id that occurs twice and for a negative n.
    """
    categories = dict(cases)
    if len(categories) < len(cases):
        twice = sorted(name for name, count in Counter(c[0] for c in cases).items() if count > 1)
        raise ValueError(f"case ids must be unique; these occur more than once: {', '.join(twice)}")
    left = allocate(Counter(categories.values()), n, floor=floor, spreads=spreads)
    chosen = []
    for case_id in sorted(categories, key=lambda case_id: order_key(seed, case_id)):
        if left[categories[case_id]] > 0:
            left[categories[case_id]] -= 1
            chosen.append(case_id)
    return chosen
