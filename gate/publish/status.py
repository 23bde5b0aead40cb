"""The commit status: what a branch rule can require.

An older run that ends after a newer one leaves it alone, as it does the comment.
"""

from __future__ import annotations

import re
from typing import Final

from gate.errors import HostError
from gate.protocols import Statuses
from gate.publish.later import unposted
from gate.reports.page import WORDS
from gate.reports.untrusted import plain
from gate.types import CommitState, CommitStatus, Occasion, Verdict

MOST_CHARACTERS: Final = 140
"""Of a description, GitHub's limit."""
_MOST_NAME: Final = 100
_CANNOT_RUN: Final = 2
_INTERRUPTED: Final = 128
_ASTRAL: Final = 0xFFFF
_RUN: Final = re.compile(r"/actions/runs/(\d{1,18})/attempts/(\d{1,18})\Z", re.ASCII)


def publish_status(host: Statuses, occasion: Occasion, name: str, verdict: Verdict) -> str | None:
    """Set `kappagate / <name>` on the occasion's head; returns why that was not done, if so."""
    if occasion.head_sha is None:
        return "The run does not say which head it measured, so it has no commit status."
    mine = commit_status(name, verdict, occasion.run_url or None)
    if _newer(_of(host, occasion.head_sha, mine.context), mine):
        return (
            "A newer run has set the commit status already, and an older one does not overwrite "
            "it: see the summary of this run."
        )
    try:
        host.set_status(occasion.head_sha, mine)
    except HostError as error:
        return unposted(error)
    return None


def _of(host: Statuses, sha: str, context: str) -> CommitStatus | None:
    """Return the newest status of a name; None where there is none, or the host does not say."""
    try:
        return next((one for one in host.statuses(sha) if one.context == context), None)
    except HostError:
        return None  # a status too many is better than none: a branch rule waits for it


def _newer(there: CommitStatus | None, mine: CommitStatus) -> bool:
    """Whether a status is of a later run than ours, by the ids and attempts in their addresses.

    Ids grow over the whole repository. One that names no run is somebody's own, and is replaced.
    """
    other, own = (_run(None if one is None else one.target_url) for one in (there, mine))
    return other is not None and own is not None and other > own


def _run(url: str | None) -> tuple[int, int] | None:
    """Return the id of a run and its attempt, from the address that `Occasion.run_url` has."""
    found = _RUN.search(url or "")
    return None if found is None else (int(found[1]), int(found[2]))


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
    if verdict.status == "report":
        # "No verdict" stands before it: there is little room, and numbers come last.
        text = text.replace(": numbers without a verdict.", ".", 1)
        text = text.replace(": no verdict, but ", ", but ", 1)
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
