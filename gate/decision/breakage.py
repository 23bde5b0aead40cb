"""What broke: the one cause that most of the missing scores share."""

from __future__ import annotations

import re
from collections import Counter

from gate.types import Failure, FailureKind, Run

_SENTENCES: dict[FailureKind, str] = {
    "error": "The system under test or its network failed.",
    "empty": "The answers were empty.",
    "blocked": "A safety filter of the vendor refused the answers.",
    "timeout": "The answers did not come in time.",
    "judge": "The judge failed, or its replies could not be read.",
    "pages": "The pages that the answers cite could not be read.",
    "undefined": "The answers have nothing that could be scored.",
    "budget": "The budget was reached before the answers were there.",
}
"""What is said where the failure says nothing of its own."""

_NO_ANSWERS = "The run holds no answers."


_LATER = frozenset({408, 429, 500, 502, 503, 504, 529})
"""HTTP statuses that pass by themselves."""

_CREDENTIALS = frozenset({401, 403})

_ANSWERED = re.compile(r"\banswered (\d{3})\b", re.ASCII)
"""How the sentence of a failed call gives its status, where no field does: what was not sent has
none, and an answer keeps the sentence alone."""


_RUN_DEADLINE = "run.timeout_s"
"""Stands in the sentence of a run that its own deadline ended."""


def ended_early(because: str) -> Failure:
    """Give the cause of a run that ended early: its deadline, or else the money."""
    kind: FailureKind = "timeout" if _RUN_DEADLINE in because else "budget"
    return Failure(kind=kind, message=because)


def next_step(cause: Failure) -> str:
    """Say what to do about a cause."""
    if cause.kind == "budget":
        return (
            "raise --max-cost (where the run's journal lies, the same command goes on from there), "
            "or take a smaller --sample"
        )
    if cause.kind == "timeout":
        ours = _RUN_DEADLINE in cause.message
        passed = "the deadline that passed (run.call_timeout_s or run.case_timeout_s)"
        further = " (where the run's journal lies, the same command goes on from there)"
        return (
            f"raise {_RUN_DEADLINE if ours else passed} in gate.yaml{further if ours else ''}, "
            "or take a smaller --sample"
        )
    if cause.kind == "pages":
        return "look at the network of this machine, or raise evidence.timeout_s, and run again"
    status = _status_of(cause)
    if status in _LATER:
        return "wait a while, then run again: the vendor is busy or out of order"
    if status in _CREDENTIALS:
        return "check the credential and what it may call, then run again"
    return "mend the cause and run again"


def _status_of(cause: Failure) -> int | None:
    """Return the HTTP status of a failure, from its sentence where it has none of its own."""
    found = _ANSWERED.search(cause.message)
    return cause.status if cause.status is not None or found is None else int(found[1])


def measured(run: Run) -> bool:
    """Tell whether the run holds any score, and did not break as a whole."""
    return run.broken is None and any(
        value is not None
        for cell in run.cells
        for column in cell.scores.values()
        for value in column
    )


def cause_of(run: Run) -> Failure:
    """Give the one cause: the run's own, why it was stopped, or what most attempts say."""
    if run.broken is not None:
        return run.broken
    if run.stopped is not None:
        return ended_early(run.stopped)
    said: Counter[tuple[FailureKind, str]] = Counter()
    for cell in run.cells:
        for attempt in cell.attempts:
            if attempt.state != "ok":
                said[attempt.state, attempt.message or _SENTENCES[attempt.state]] += 1
        for kind, sentence in _SENTENCES.items():
            # One failed reply of a judge leaves several dimensions without a score: count it once.
            said[kind, sentence] += max((k.count(kind) for k in cell.failures.values()), default=0)
    (kind, message), count = min(
        said.items(), key=lambda item: (-item[1], item[0]), default=(("error", _NO_ANSWERS), 1)
    )
    if count == 0:
        return Failure(kind="error", message="The answers were not scored.")
    return Failure(kind=kind, message=message)
