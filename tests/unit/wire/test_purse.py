"""What a run has spent, may spend, and does not know."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import CallError
from gate.wire.purse import Purse, Totals


def _spend(purse: Purse, usd: float | None, reserve_usd: float | None = 1.0) -> None:
    with purse.hold(reserve_usd) as hold:
        hold.settle(usd)


def test_totals__empty() -> None:
    """Nothing spent is 0, which is known."""
    assert (
        Totals(usd=0.0, known_usd=0.0, assumed_usd=0.0, calls=0, cached_calls=0) == Purse().totals
    )


def test_totals__priced_and_counted() -> None:
    """Prices add up, calls and cached calls are counted apart."""
    purse = Purse()
    purse.count_call()
    _spend(purse, 0.25)
    purse.count_cached()

    assert Totals(0.25, 0.25, 0.0, 1, 1) == purse.totals


def test_totals__unknown_price() -> None:
    """One unknown price makes the sum unknown, and leaves the known part."""
    purse = Purse()
    _spend(purse, 0.25)
    _spend(purse, None)

    assert Totals(None, 0.25, 0.0, 0, 0) == purse.totals


def test_totals__unknown_outcome() -> None:
    """A try that ended nobody knows how counts at its reserve."""
    purse = Purse()
    with pytest.raises(TimeoutError), purse.hold(0.5):
        raise TimeoutError

    assert Totals(0.5, 0.0, 0.5, 0, 0) == purse.totals


def test_totals__unknown_outcome_and_reserve() -> None:
    """Without a reserve it is unknown."""
    purse = Purse()
    with purse.hold(None):
        pass

    assert Totals(None, 0.0, 0.0, 0, 0) == purse.totals


def test_totals__released() -> None:
    """What the vendor refused costs nothing."""
    purse = Purse()
    with purse.hold(0.5) as hold:
        hold.release()

    assert Totals(0.0, 0.0, 0.0, 0, 0) == purse.totals


def test_totals__recalled_and_carried() -> None:
    """Earlier parts of the run count as if they had been paid now."""
    purse = Purse()
    purse.recall(0.25, lost=2, reserve_usd=0.5)
    purse.carry(0.5)
    purse.carry(1.0, lost=3)

    assert Totals(4.75, 0.25, 4.5, 3, 0) == purse.totals


@given(st.lists(st.floats(0, 1), max_size=30), st.integers())
def test_totals__order(prices: list[float], seed: int) -> None:
    """The order in which calls end changes no bit of the sum."""
    shuffled = list(prices)
    random.Random(seed).shuffle(shuffled)
    one, other = Purse(), Purse()
    for usd in prices:
        _spend(one, usd)
    for usd in shuffled:
        _spend(other, usd)

    assert one.totals == other.totals


def test_ceiling__holds() -> None:
    """What is spent, put aside, assumed and hidden all count against it."""
    purse = Purse(2.0)
    _spend(purse, 0.5)
    _spend(purse, None, reserve_usd=0.5)
    purse.carry(0.5)

    assert not purse.would_pass(0.5)
    assert purse.would_pass(0.51)
    with purse.hold(0.5):
        assert purse.would_pass(0.01)
        assert not purse.would_pass(0.0)


def test_ceiling__refuses() -> None:
    """Above it nothing is sent, and the error says what to do."""
    purse = Purse(1.0)
    _spend(purse, 0.75)

    with pytest.raises(CallError, match=r"ceiling of \$1\.00: raise --max-cost") as caught:
        _spend(purse, 0.1, reserve_usd=0.5)

    assert "budget" == caught.value.kind
    assert not caught.value.retryable
    assert 0.75 == purse.totals.usd


def test_ceiling__unknown_reserve() -> None:
    """A call of unknown cost is sent until the ceiling is reached."""
    purse = Purse(1.0)
    _spend(purse, 0.99)

    assert not purse.would_pass(None)

    _spend(purse, 0.01, reserve_usd=None)

    assert purse.would_pass(None)


def test_ceiling__rounding() -> None:
    """Ten dimes fit into a dollar."""
    purse = Purse(1.0)
    for _ in range(10):
        _spend(purse, 0.1, reserve_usd=0.1)

    assert purse.would_pass(0.1)


def test_ceiling__none() -> None:
    """Without one nothing is refused."""
    assert not Purse().would_pass(1e9)
    assert not Purse().would_pass(None)


def test_bring__holds_the_ceiling_and_counts_once() -> None:
    """What will be found is spent from the start; being found adds nothing."""
    purse = Purse(1.0)
    purse.bring(7, 0.5, lost=1, reserve_usd=0.25)

    assert (0.75, 0.0) == (purse.spent_usd, purse.reached_usd)
    assert purse.would_pass(0.3)
    purse.recall(0.5, lost=1, reserve_usd=0.25, number=7)
    assert (0.75, 0.75) == (purse.spent_usd, purse.reached_usd)
    assert Totals(0.75, 0.5, 0.25, 1, 0) == purse.totals
