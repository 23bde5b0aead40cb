"""What the host says of a head before a run on it begins, as words of the command line."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gate.cli.hosting import Past
from gate.types import Acceptance, AttemptState, Occasion

__all__ = ["NOTHING_SAID", "Beforehand", "ask_beforehand", "unread", "words_of"]


@dataclass(frozen=True)
class Beforehand:
    """What was said."""

    earlier: AttemptState | None = None
    """Attempts on the head before this one; None where there are none."""
    acceptance: Acceptance | None = None
    """Who accepted the head's regression."""
    warnings: tuple[str, ...] = ()
    """What could not be had, and what does not count."""
    asked: bool = False
    """Whether the host answered."""


_MOST = 1000
"""Characters of a reason."""

NOTHING_SAID = Beforehand()
"""Nobody was asked."""


def ask_beforehand(past: Past, occasion: Occasion, name: str, label: str) -> Beforehand:
    """Ask for earlier attempts, and who accepted a regression; `name` is the configuration's."""
    recalled = past.attempts(occasion, name)
    if not recalled.asked:
        return unread(occasion, recalled.warning or "")
    state = recalled.state or _without(occasion, recalled.warning)
    if state is not None:
        # A job may decide twice on what it measured once.
        others = [
            one for one in state.attempts if (one.run_id, one.run_attempt) != occasion.measured
        ]
        state = state.model_copy(update={"attempts": tuple(others)})
    found = past.acceptance(occasion, label, recalled.state)
    said = (recalled.warning, found.warning)
    return Beforehand(
        earlier=state if state is not None and (state.attempts or state.unread) else None,
        acceptance=found.acceptance,
        warnings=tuple(one for one in said if one is not None),
        asked=True,
    )


def unread(occasion: Occasion, why: str) -> Beforehand:
    """Return what a run is told where the host did not answer: its verdict says that, too."""
    return Beforehand(_without(occasion, why), warnings=(why,))


def _without(occasion: Occasion, why: str | None) -> AttemptState | None:
    """Return no attempts, and why there are none; None where there need be none."""
    if why is None or occasion.head_sha is None:
        return None
    return AttemptState(head_sha=occasion.head_sha, unread=why[:_MOST])


def words_of(said: Beforehand, file: Path) -> list[str]:
    """Return the options that tell a command; `file` is where the attempts are."""
    words = [] if said.earlier is None else [f"--attempts={file}"]
    if said.acceptance is not None:
        words.append(f"--accepted-by={said.acceptance.by}")
        words.append(f"--accepted-sha={said.acceptance.head_sha}")
    return words
