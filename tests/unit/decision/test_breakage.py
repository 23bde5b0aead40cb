"""What broke, and what to do about it."""

from __future__ import annotations

import pytest

from gate.decision.breakage import next_step
from gate.types import Failure


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (Failure(kind="judge", message="m", status=529), "run again later"),
        (Failure(kind="error", message="m", status=429), "run again later"),
        (Failure(kind="error", message="m", status=401), "check the credential"),
        (Failure(kind="judge", message="m", status=403), "check the credential"),
        (Failure(kind="budget", message="m"), "raise --max-cost"),
        (Failure(kind="timeout", message="m"), "raise the deadline that passed"),
        (Failure(kind="timeout", message="raise run.timeout_s, or"), "raise run.timeout_s in"),
        (Failure(kind="pages", message="m"), "raise evidence.timeout_s"),
        (Failure(kind="judge", message="m"), "mend the cause"),
    ],
)
def test_next_step__fits_the_cause(failure: Failure, says: str) -> None:
    """An overloaded vendor needs patience, a refused credential does not."""
    assert says in next_step(failure)
