"""The file of earlier attempts is not believed unseen."""

from __future__ import annotations

import json

import pytest

from gate.decision.attempts_file import MOST_ATTEMPTS, attempts_text, read_attempts
from gate.errors import FileError
from gate.types.attempts import AttemptState, PastAttempt


def state(*attempts: PastAttempt) -> AttemptState:
    """Attempts on one head."""
    return AttemptState(head_sha="ab" * 20, attempts=attempts)


def test_attempts_file__is_read_as_it_was_written() -> None:
    """One attempt a line."""
    scores = {"t": {"relevance": {"c1": (1.0, None)}}}
    wanted = state(PastAttempt(run_id=1, run_attempt=1, status="regression", scores=scores))

    assert wanted == read_attempts(json.loads(attempts_text(wanted)))


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        (
            [PastAttempt(run_id=n, run_attempt=1, status="pass") for n in range(MOST_ATTEMPTS + 1)],
            f"holds more than {MOST_ATTEMPTS} attempts",
        ),
        ([PastAttempt(run_id=7, run_attempt=1, status="pass")] * 2, "holds an attempt twice"),
    ],
)
def test_attempts_file__what_nobody_makes(attempts: list[PastAttempt], said: str) -> None:
    """More than a comment remembers, and one that counts twice."""
    with pytest.raises(FileError, match=said):
        read_attempts(json.loads(attempts_text(state(*attempts))))
