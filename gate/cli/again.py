"""The lines to type to have a run again for nothing: as it was typed, from its journal."""

from __future__ import annotations

import shlex
import sys

from gate.cli.request import Wish
from gate.config import Config
from gate.types import Run
from gate.wire.journal_file import JOURNAL

NOT_AGAIN = {"--offline": True, "--replay": True, "--out": True, "--max-cost": True, "--yes": False}
"""Options that a replay does without -> whether a value may follow."""


def reproduce_lines(wish: Wish, config: Config, run: Run) -> tuple[str, ...]:
    """Say how to have this run again; nothing where no journal holds the whole of it."""
    if run.interrupted is not None or (wish.replay is None and config.journal != "full"):
        return ()
    journal = wish.replay or wish.out / JOURNAL
    kept = ["gate"]
    takes_value = False
    for word in sys.argv[1:]:
        name, equals, _ = word.partition("=")
        if takes_value and not word.startswith("-"):
            takes_value = False
            continue
        takes_value = NOT_AGAIN.get(name, False) and not equals
        if name not in NOT_AGAIN:
            kept.append(word)
    return (shlex.join([*kept, "--replay", str(journal), "--out", "again"]),)
