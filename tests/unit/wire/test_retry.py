"""When a failed call is tried again."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.errors import CallError
from gate.wire.retry import RetryPolicy


def _error(retry_after_s: float | None = None, *, retryable: bool = True) -> CallError:
    return CallError("busy", status=429, retryable=retryable, retry_after_s=retry_after_s)


@pytest.mark.parametrize(
    ("tries", "draw", "wait_s"),
    [(1, 0.5, 0.5), (2, 0.5, 1.0), (3, 0.5, 2.0), (4, 0.25, 2.0), (6, 0.5, 15.0), (9, 1.0, 30.0)],
)
def test_wait__doubles(tries: int, draw: float, wait_s: float) -> None:
    """The upper end doubles from one second to thirty; the wait is a draw below it."""
    policy = RetryPolicy(max_tries=10)

    assert wait_s == policy.wait_s(_error(), tries=tries, elapsed_s=0, draw=lambda: draw)


@pytest.mark.parametrize(
    ("retry_after_s", "elapsed_s", "wait_s"),
    [
        (2.0, 0.0, 2.5),  # the jitter comes on top
        (7.0, 0.0, 7.0 + 0.5 * 3.5),  # and is at least half as wide as what was asked
        (0.0, 0.0, 0.5),  # at once: the jitter stays
        (-5.0, 0.0, 0.5),  # nonsense
        (45.0, 0.0, 45.0 + 0.5 * 22.5),  # above the cap of the jitter
        (3600.0, 0.0, 60.0 + 0.5 * 30.0),  # above the cap of what is kept to
        (3600.0, 290.0, 10.0),  # what is left of it
        (None, 299.9, 0.1),
    ],
)
def test_wait__what_the_vendor_asks(
    retry_after_s: float | None, elapsed_s: float, wait_s: float
) -> None:
    """Retry-After is kept to, as far as its cap and the deadline allow."""
    found = RetryPolicy().wait_s(
        _error(retry_after_s), tries=1, elapsed_s=elapsed_s, draw=lambda: 0.5
    )

    assert wait_s == pytest.approx(found)


@pytest.mark.parametrize(
    ("error", "tries", "elapsed_s"),
    [(_error(retryable=False), 1, 0.0), (_error(), 5, 0.0), (_error(1.0), 1, 300.0)],
)
def test_wait__no_other_try(error: CallError, tries: int, elapsed_s: float) -> None:
    """What cannot be retried, the last try and the deadline end it."""
    assert RetryPolicy().wait_s(error, tries=tries, elapsed_s=elapsed_s, draw=lambda: 0.5) is None


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True), st.floats(0, 299))
def test_wait__bounds(tries: int, draw: float, elapsed_s: float) -> None:
    """No wait is negative, above the cap or beyond the deadline."""
    policy = RetryPolicy(max_tries=20_000)

    found = policy.wait_s(_error(), tries=tries, elapsed_s=elapsed_s, draw=lambda: draw)

    assert found is not None
    assert 0 <= found <= min(policy.cap_s, policy.deadline_s - elapsed_s)


@pytest.mark.parametrize(
    ("retries", "calls", "allowed"),
    [(31, 0, True), (32, 0, False), (131, 100, True), (132, 100, False)],
)
def test_allows__budget(retries: int, calls: int, allowed: bool) -> None:  # noqa: FBT001
    """32 retries, and one more for every call."""
    assert allowed == RetryPolicy().allows(retries=retries, calls=calls)


@given(st.lists(st.floats(0, 1, exclude_max=True), min_size=2, max_size=20, unique=True))
def test_wait__told_the_same(draws: list[float]) -> None:
    """Calls that were told the same come back one after the other, and none too early."""
    found = [
        RetryPolicy().wait_s(_error(2.0), tries=1, elapsed_s=0, draw=lambda drawn=drawn: drawn)
        for drawn in (round(draw, 6) for draw in draws)
    ]

    assert len(set(found)) == len({round(draw, 6) for draw in draws})
    assert all(wait_s is not None and wait_s >= 2.0 for wait_s in found)
