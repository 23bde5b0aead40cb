"""The first seconds of a run, before the folder is its own."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from gate.cli.filing import OURS, withdraw
from gate.cli.output import tell
from gate.cli.reading import RUN
from gate.cli.signals import Signals
from gate.errors import FileError, Interrupted
from gate.wire.journal_file import JOURNAL, is_being_written


@contextmanager
def begun(out: Path, signals: Signals, *, made: Sequence[str] = ()) -> Iterator[None]:
    """Begin a run for a folder: one that is interrupted leaves no report of the run before it.

    From the walk on, the run looks after its folder itself. What is refused (exit 2) has not begun,
    and leaves the folder as it was. `made` names what else the run would have written anew.
    """
    try:
        signals.loaded()
        yield
    except Interrupted:
        # Another process may be writing its report there.
        if not signals.at_work and not is_being_written(out / JOURNAL):
            _take_away(out, made)
        raise


def _take_away(out: Path, made: Sequence[str]) -> None:
    there = any((out / name).exists() for name in (*OURS, RUN, *made))
    try:
        withdraw(out, also=made)
    except FileError as error:
        tell(f"gate: the report of the run before is still there: {error}")
    else:
        if there:
            tell(
                f"{out}: the report of the run before was removed, so that nobody takes it for "
                "this one's; its journal and results.jsonl stay"
            )
