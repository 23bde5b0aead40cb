"""The ceiling is kept, whatever calls do and in whatever order they end."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from fractions import Fraction
from math import fsum
from typing import Literal

from hypothesis import given
from hypothesis import strategies as st

from gate.errors import CallError
from gate.wire.purse import ExactSum, Purse

DUST_USD = 1e-6
"""Far under a cent: what rounding may add up to."""


@dataclass(frozen=True)
class Try:
    """One call: its reserve, what it turns out to cost, when and how it ends."""

    reserve: float
    share: float
    ends: Literal["paid", "released", "lost", "cancelled", "unpriced"]
    begins: int
    lasts: int


tries = st.builds(
    Try,
    reserve=st.floats(0, 1),
    share=st.floats(0, 1),
    ends=st.sampled_from(["paid", "released", "lost", "cancelled", "unpriced"]),
    begins=st.integers(0, 5),
    lasts=st.integers(0, 5),
)


def _cancelled() -> None:
    raise asyncio.CancelledError


async def _make(purse: Purse, one: Try, seen: list[float]) -> None:
    """Go through with a call, and note what is committed at each step."""
    for _ in range(one.begins):
        await asyncio.sleep(0)
    await purse.wait_for_room(one.reserve)
    try:
        with purse.hold(one.reserve) as hold:
            for _ in range(one.lasts):
                seen.append(purse.spent_usd + purse.held_usd)
                await asyncio.sleep(0)
            if one.ends == "paid":
                hold.settle(one.share * one.reserve)
            elif one.ends == "unpriced":
                hold.settle(None)
            elif one.ends == "released":
                hold.release()
            elif one.ends == "cancelled":
                _cancelled()
    except (CallError, asyncio.CancelledError):
        pass
    seen.append(purse.spent_usd + purse.held_usd)


@given(st.floats(0, 3), st.lists(tries, max_size=25))
def test_ceiling__never_passed(ceiling_usd: float, made: list[Try]) -> None:
    """What is spent and what is put aside stay under it at every moment, and nobody hangs."""
    purse = Purse(ceiling_usd)
    seen: list[float] = []

    async def work() -> None:
        calls = [_make(purse, one, seen) for one in made]
        await asyncio.wait_for(asyncio.gather(*calls), timeout=20)

    asyncio.run(work())

    assert all(usd <= ceiling_usd + DUST_USD for usd in seen)
    assert 0.0 == purse.held_usd
    assert purse.spent_usd >= purse.totals.known_usd + purse.totals.assumed_usd - DUST_USD


@given(st.lists(st.tuples(st.floats(0, 1), st.floats(0, 1)), max_size=25))
def test_ceiling__refuses_only_what_does_not_fit(made: list[tuple[float, float]]) -> None:
    """One call after the other: each goes through exactly if its reserve fits."""
    purse = Purse(2.0)
    for reserve, share in made:
        fits = purse.spent_usd + reserve <= 2.0
        try:
            with purse.hold(reserve) as hold:
                hold.settle(share * reserve)
        except CallError:
            assert not fits
        else:
            assert fits or purse.spent_usd <= 2.0 + DUST_USD


def test_ceiling__unknown_reserves() -> None:
    """A call without a reserve goes through until the ceiling is reached; then none does."""
    purse = Purse(1.0)
    with purse.hold(None) as hold:
        hold.settle(1.5)

    assert purse.would_pass(None)
    assert 1.5 == purse.spent_usd


@given(st.lists(st.floats(-1e6, 1e6), max_size=60))
def test_sum__exact(numbers: list[float]) -> None:
    """It is the exact sum, rounded once, like `math.fsum` of all numbers."""
    total = ExactSum()
    for number in numbers:
        total.add(number)

    assert fsum(numbers) == total.value
    assert float(sum(map(Fraction, numbers), Fraction())) == total.value


@given(st.lists(st.floats(0, 1e3), min_size=1, max_size=40), st.randoms())
def test_sum__taken_away_again(numbers: list[float], random: object) -> None:
    """What was added and taken away leaves no trace, in whatever order."""
    total = ExactSum()
    steps = [*numbers, *(-number for number in numbers[1:])]
    random.shuffle(steps)  # type: ignore[attr-defined]  # hypothesis gives its own kind of Random
    for number in steps:
        total.add(number)

    assert numbers[0] == total.value
