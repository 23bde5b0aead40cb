"""Is there money for one more case? Asked before each, so that no answer is bought in vain."""

from __future__ import annotations

from collections.abc import Callable


class Admission:
    """Lets a job start while the ceiling has room for it and for those that are going.

    The purse refuses single calls at the ceiling, whatever is admitted here. This one looks further
    ahead: an answer that nobody could afford to judge is money lost, and a case that is half
    done is no part of the finished plan.
    """

    def __init__(
        self,
        ceiling_usd: float | None,
        *,
        spent_usd: Callable[[], float],
        reserve_usd: Callable[[], float],
        likely_usd: float | None = None,
        recorded: int = 0,
    ) -> None:
        """Take the ceiling (None: everything is admitted) and where to look money up.

        `spent_usd` gives what is spent, `reserve_usd` the largest reserve of a single call so far,
        which the last call needs room for; `likely_usd` is what a job is likely to cost, until
        jobs have told. The first `recorded` jobs were paid for when the run was stopped: they are
        admitted, and no other one before they have ended, since only then all that was spent on
        them is counted.
        """
        self._ceiling = ceiling_usd
        self._spent = spent_usd
        self._reserve = reserve_usd
        self._likely = likely_usd
        self._began_usd = spent_usd()
        self._done = 0
        self._to_admit = self._to_end = recorded

    def done(self) -> None:
        """A job ended."""
        if not self._to_end:
            self._done += 1
            return
        self._to_end -= 1
        self._began_usd = self._spent()

    def __call__(self, going: int) -> bool:
        """Tell whether a job may start beside the `going` ones."""
        if self._ceiling is None:
            return True
        if self._to_end:
            admitted = self._to_admit > 0
            self._to_admit -= admitted
            return admitted
        if self._likely is None and going > self._done:
            # Nobody knows yet what a job costs: as many at once as have told, so that a low
            # ceiling is not spent on answers before the first of them is judged.
            return False
        spent = self._spent()
        # What is spent holds a part of what the going ones cost, so the mean errs upwards: jobs
        # wait for others to end rather than be refused half way.
        mean = (spent - self._began_usd) / self._done if self._done else self._likely or 0.0
        needed = going * mean + max(mean, self._reserve())
        return spent + needed <= self._ceiling
