"""What broke, and what to do about it."""

from __future__ import annotations

import pytest

from gate.decision.breakage import next_step
from gate.types import Failure


@pytest.mark.parametrize(
    ("failure", "says"),
    [
        (Failure(kind="judge", message="m", status=529), "wait a while, then run again"),
        (Failure(kind="error", message="m", status=429), "wait a while, then run again"),
        (
            Failure(kind="judge", message="not sent (the last: Claude answered 529: Overloaded)"),
            "wait a while, then run again",
        ),
        (Failure(kind="error", message="Gemini answered 503: no"), "wait a while, then run again"),
        (Failure(kind="error", message="Gemini answered 403: no"), "check the credential"),
        (Failure(kind="error", message="answered 503:", status=400), "mend the cause"),
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
