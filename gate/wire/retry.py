"""Whether and when a failed call is tried again."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

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
    deadline_s: float = 300.0
    """Seconds from the first request after which no other is started."""
    budget_share: float = 0.5
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
        kept to, as far as the deadline allows.
        """
        left_s = self.deadline_s - elapsed_s
        if not error.retryable or tries >= self.max_tries or left_s <= 0:
            return None
        # The exponent is bounded: 2.0 ** 1024 would overflow.
        wait_s = draw() * min(self.cap_s, self.base_s * 2.0 ** min(tries - 1, 64))
        if error.retry_after_s is not None and error.retry_after_s > wait_s:
            wait_s = error.retry_after_s
        return min(wait_s, left_s)

    def allows(self, *, retries: int, calls: int) -> bool:
        """Whether a run that made so many calls and retries may retry once more."""
        return retries < self.budget_floor + self.budget_share * calls


_SECONDS = re.compile(r"\d{1,9}(\.\d{1,9})?", re.ASCII)


def parse_retry_after(value: str, *, now: datetime) -> float | None:
    """Return the seconds that a `Retry-After` header asks for, None when it cannot be read.

    Seconds or an HTTP date (RFC 9110, section 10.2.3); a date is taken relative to `now`, best
    the reply's own `Date`, and one in the past gives 0.
    """
    text = value.strip()
    if _SECONDS.fullmatch(text):
        return float(text)
    try:
        moment = parsedate_to_datetime(text)
        if moment.tzinfo is None:
            moment = moment.replace(tzinfo=UTC)
        return max(0.0, (moment - now).total_seconds())
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
