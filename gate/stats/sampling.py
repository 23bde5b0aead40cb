"""A sample of cases that a seed decides: same cases, same seed, same sample, on any machine.

Each case has a place in a hash order of its own, which depends on nothing but the seed and the
case's id; each category hands in the first of its cases in that order.
"""

from __future__ import annotations

import hashlib
import heapq
from collections import Counter
from collections.abc import Mapping, Sequence

FEWEST_PER_CATEGORY = 2
"""A category's spread needs two cases."""


def order_key(seed: str, case_id: str) -> bytes:
    """Give a case's place in the hash order: SHA-256 of seed, 0x1F and id in UTF-8, 32 bytes."""
    return hashlib.sha256(f"{seed}\x1f{case_id}".encode()).digest()


def allocate(sizes: Mapping[str, int], n: int) -> dict[str, int]:
    """Share n places among the categories, in proportion to their sizes.

    Every category first gets two places (or all its cases, when it has fewer); the rest goes by
    largest remainder of n N_h / N, never above the category's size, ties to the name that sorts
    first. When n is too small for two each, the places are dealt in rounds, one a category, the
    largest category first. The counts sum to min(n, N). Raises ValueError for a negative number.
    """
    if n < 0 or any(size < 0 for size in sizes.values()):
        raise ValueError(
            f"a sample's size and its categories cannot be negative: n={n}, {dict(sizes)}"
        )
    total = sum(sizes.values())
    left = min(n, total)
    taken = dict.fromkeys(sizes, 0)
    for dealt in range(FEWEST_PER_CATEGORY):
        for name in sorted(sizes, key=lambda name: (-sizes[name], name)):
            if left > 0 and sizes[name] > dealt:
                taken[name] += 1
                left -= 1
    # Handing single places to whoever lacks most is largest remainder, and it stays well defined
    # when a floor or a category's size gets in the way. Whole numbers: n N_h - taken_h N.
    lacking = [
        (taken[name] * total - n * size, name) for name, size in sizes.items() if taken[name] < size
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


def stratified_sample(cases: Sequence[tuple[str, str]], n: int, seed: str) -> list[str]:
    """Give the ids of n cases, categories in proportion, in hash order; all of them when n >= N.

    `cases` are (id, category) pairs. Guaranteed: the sample does not depend on the order of the
    cases; within a category it is the first ones in hash order, so a category that gets at least
    as many places keeps every case it had; cases of one category never displace each other but
    through their places. Not guaranteed: that a larger n keeps every case of a smaller one, since
    largest remainder may take one place from a category as n grows (the Alabama paradox).
    Raises ValueError for an id that occurs twice and for a negative n.
    """
    categories = dict(cases)
    if len(categories) < len(cases):
        twice = sorted(name for name, count in Counter(c[0] for c in cases).items() if count > 1)
        raise ValueError(f"case ids must be unique; these occur more than once: {', '.join(twice)}")
    left = allocate(Counter(categories.values()), n)
    chosen = []
    for case_id in sorted(categories, key=lambda case_id: order_key(seed, case_id)):
        if left[categories[case_id]] > 0:
            left[categories[case_id]] -= 1
            chosen.append(case_id)
    return chosen
