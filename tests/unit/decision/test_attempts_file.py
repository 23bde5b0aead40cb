"""The file of earlier attempts is not believed unseen."""

from __future__ import annotations

import json

import pytest

from gate.decision.attempts_file import attempts_text, read_attempts
from gate.errors import FileError
from gate.types.attempts import AttemptState, PastAttempt


def state(*attempts: PastAttempt) -> AttemptState:
    """Attempts on one head."""
    return AttemptState(head_sha="ab" * 20, attempts=attempts)


def answered(*numbers: int) -> PastAttempt:
    """An attempt with so many answers to each of its cases."""
    cases = {f"c{place}": (1.0,) * number for place, number in enumerate(numbers)}
    return PastAttempt(run_id=1, run_attempt=1, status="pass", scores={"t": {"relevance": cases}})


def test_attempts_file__is_read_as_it_was_written() -> None:
    """One attempt a line."""
    scores = {"t": {"relevance": {"c1": (1.0, None)}}}
    wanted = state(PastAttempt(run_id=1, run_attempt=1, status="regression", scores=scores))

    assert wanted == read_attempts(json.loads(attempts_text(wanted)))


@pytest.mark.parametrize(
    ("attempts", "said"),
    [
        (
            [PastAttempt(run_id=n, run_attempt=1, status="pass") for n in range(101)],
            "holds more than 100 attempts",
        ),
        ([PastAttempt(run_id=7, run_attempt=1, status="pass")] * 2, "holds an attempt twice"),
        ([answered(101, 1)], "run 1 has more than 100 answers to a case"),
    ],
)
def test_attempts_file__what_nobody_makes(attempts: list[PastAttempt], said: str) -> None:
    """More than a comment remembers, and one that counts twice."""
    with pytest.raises(FileError, match=said):
        read_attempts(json.loads(attempts_text(state(*attempts))))


def test_attempts_file__as_many_as_somebody_may_make() -> None:
    """A hundred attempts, of which one alone has scores, and a hundred answers to a case."""
    others = [
        PastAttempt(run_id=number, run_attempt=2, status="broken") for number in range(1, 100)
    ]
    most = state(answered(100, 1), *others)

    assert most == read_attempts(json.loads(attempts_text(most)))
