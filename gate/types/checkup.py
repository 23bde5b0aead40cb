"""What was looked at before anything is paid, and how it stands."""

from __future__ import annotations

from typing import Literal

from gate.types.word import Word

CheckState = Literal["ok", "look", "wrong", "not asked"]
"""Fine; works, but a person should look at it; a run would end with it or decide nothing; not
looked at, and the sentence says why."""


class Check(Word):
    """One line of `gate doctor`."""

    topic: str
    """What was looked at, in a word or two."""
    state: CheckState
    """How it stands."""
    says: str
    """What was found, in a sentence."""
    mend: str | None = None
    """What to do, where there is something to do."""
