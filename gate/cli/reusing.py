"""What earlier runs had judged, for a run whose folder does not hold it."""

from __future__ import annotations

from pathlib import Path

from gate.decision.words import counted
from gate.errors import CannotRun, JournalError
from gate.protocols import Progress
from gate.wire.journal import Journal


def reuse(path: Path | None, journal: Journal, progress: Progress) -> None:
    """Take the judgements of another journal before a run begins.

    They save money and decide nothing, so what is wrong with that file is told, and the run pays.
    """
    if path is None or (journal.path.exists() and path.exists() and journal.path.samefile(path)):
        return
    if not path.exists():
        progress.note(f"nothing is reused: there is no {path}")
        return
    try:
        count = journal.take_judgements(path)
    except (CannotRun, JournalError) as error:
        progress.note(f"nothing is reused: {error}")
    else:
        progress.note(f"{counted(count, 'judgement')} of earlier runs may be reused")
