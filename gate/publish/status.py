"""The commit status: what a branch rule can require."""

from __future__ import annotations

import re
from typing import Final

from gate.errors import HostError
from gate.protocols import Statuses
from gate.reports.page import WORDS
from gate.reports.untrusted import plain
from gate.types import CommitState, CommitStatus, Occasion, Verdict

MOST_CHARACTERS: Final = 140
"""Of a description, GitHub's limit."""
_MOST_NAME: Final = 100
_CANNOT_RUN: Final = 2
_INTERRUPTED: Final = 128
_ASTRAL: Final = 0xFFFF


def publish_status(host: Statuses, occasion: Occasion, name: str, verdict: Verdict) -> str | None:
    """Set `kappagate / <name>` on the occasion's head; returns why that failed, if it did."""
    if occasion.head_sha is None:
        return "The run does not say which head it measured, so it has no commit status."
    try:
        host.set_status(occasion.head_sha, commit_status(name, verdict, occasion.run_url or None))
    except HostError as error:
        return str(error)
    return None


def commit_status(name: str, verdict: Verdict, target_url: str | None) -> CommitStatus:
    """Return what is set; the state follows the exit code alone, as the job's does."""
    return CommitStatus(
        state=_state(verdict),
        context=f"kappagate / {_cut(_narrow(name) or 'gate', _MOST_NAME)}",
        description=_cut(_narrow(f"{_word(verdict)}: {_sentence(verdict)}"), MOST_CHARACTERS),
        target_url=target_url,
    )


def _state(verdict: Verdict) -> CommitState:
    if verdict.exit_code == 0:
        return "success"
    return "failure" if verdict.exit_code == 1 else "error"


def _word(verdict: Verdict) -> str:
    """Say which of the things it is that share a state."""
    if verdict.exit_code > _INTERRUPTED:
        return "Interrupted"
    if verdict.exit_code == _CANNOT_RUN:
        return "Cannot run"
    if verdict.status == "regression":
        by = verdict.accepted_by
        return "Regression" if by is None else f"Regression accepted by {by}"
    if verdict.status == "inconclusive":
        return "Unclear, tolerated" if verdict.exit_code == 0 else "Unclear"
    return {"pass": "Pass", "report": "Report only, no verdict", "broken": "No verdict"}[
        verdict.status
    ]


def _sentence(verdict: Verdict) -> str:
    """Return the headline without the word that stands before it here."""
    known = "|".join(re.escape(one) for one in (WORDS[verdict.status][1], verdict.status))
    text = verdict.headline.removeprefix(f"Regression, accepted by {verdict.accepted_by}: ")
    return re.sub(rf"^(?:{known})\s*:\s*", "", text, flags=re.IGNORECASE)


def _narrow(text: str) -> str:
    """Return one printable line without characters beyond 16 bits, which old fields refuse."""
    return plain("".join(one for one in text if ord(one) <= _ASTRAL))


def _cut(text: str, most: int) -> str:
    """Cut between words, with a mark; a single long word is cut where it must be."""
    if len(text) <= most:
        return text
    head = text[: most - 1]
    whole = head if text[most - 1] == " " else head.rpartition(" ")[0]
    return f"{(whole or head).rstrip(' ,;:')}…"
