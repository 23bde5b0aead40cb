"""Whether and when a failed call is tried again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from gate.errors import CallError


@dataclass(frozen=True)
class RetryPolicy:
    """The one retry layer: the vendors' SDKs are told not to retry."""

    max_tries: int = 5
    """Requests for one call at most, the first one included."""
    base_s: float = 1.0
    """Upper end of the first wait, in seconds; it doubles with each try."""
    cap_s: float = 30.0
    """Upper end of every wait, in seconds, unless the vendor asks for more."""
    asked_cap_s: float = 60.0
    """Most seconds that a vendor's Retry-After is kept to; quotas are counted by the minute."""
    deadline_s: float = 300.0
    """Seconds from the first request after which no other is started, and for which a vendor that
    gives no sign of life is waited for."""
    budget_share: float = 1.0
    """Retries of a whole run, as a share of its calls, so that a dead vendor is not flooded."""
    budget_floor: int = 32
    """Retries that a run has in any case, added to the share."""

    def wait_s(
        self, error: CallError, *, tries: int, elapsed_s: float, draw: Callable[[], float]
    ) -> float | None:
        """Return the seconds to wait before the next try, or None for no other try.

        `tries` were made so far, the first one `elapsed_s` seconds ago; `draw` gives uniform
        numbers in [0, 1). Full jitter: uniform up to the doubled base (M. Brooker, "Exponential
        Backoff And Jitter", AWS Architecture Blog, 2015). A wait that the vendor asked for is
        kept to, up to its cap and the deadline; the jitter comes on top and is at least half as
        wide, since calls that were told the same must not come back in the same instant.
        """
        left_s = self.deadline_s - elapsed_s
        if not error.retryable or tries >= self.max_tries or left_s <= 0:
            return None
        # The exponent is bounded: 2.0 ** 1024 would overflow.
        width_s = min(self.cap_s, self.base_s * 2.0 ** min(tries - 1, 64))
        asked_s = min(max(0.0, error.retry_after_s or 0.0), self.asked_cap_s)
        return min(asked_s + draw() * max(width_s, asked_s / 2), left_s)

    def allows(self, *, retries: int, calls: int) -> bool:
        """Whether a run that made so many calls and retries may retry once more."""
        return retries < self.budget_floor + self.budget_share * calls
