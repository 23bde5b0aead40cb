"""A sitting at the terminal: shows, waits for a key, saves what it changed."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType
from typing import Protocol

from gate.cli.label_file import LabelFile, save_change
from gate.cli.output import tell
from gate.cli.signals import Signals
from gate.datasets import load_labels
from gate.datasets.label_text import find_label
from gate.decision.words import counted
from gate.errors import Interrupted
from gate.labelling.lines import Line
from gate.labelling.people import between
from gate.labelling.screen import screen
from gate.labelling.sheet import Sheet
from gate.labelling.sitting import Sitting, begun, press, read_back
from gate.types import LabelSet
from gate.wire.files import read_text


class Display(Protocol):
    """What a sitting needs of a terminal."""

    def __enter__(self) -> object: ...
    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None: ...
    @property
    def size(self) -> tuple[int, int]:
        """Columns and lines."""
        ...

    def show(self, lines: Sequence[Line]) -> None:
        """Show a screen."""
        ...

    def key(self) -> str:
        """Wait for a key; raises EOFError where there will be none."""
        ...


def hold_sitting(
    sheets: tuple[Sheet, ...],
    file: LabelFile,
    window: Display,
    *,
    signals: Signals,
    runs: Sequence[Path],
    like: LabelSet | None = None,
) -> int:
    """Hold a sitting to its end and return the exit code: 0, or 130 and 143 after a signal.

    `like` are the ratings of somebody else to compare with once all is rated.
    Raises FileError and DatasetError where a rating cannot be written.
    """
    sitting = _taken_over(
        Sitting(
            sheets=sheets,
            by=file.by,
            approving=file.approving,
            drafted_by=file.labels.drafted_by or "",
        ),
        file.labels,
    )
    code = 0
    try:
        with window:
            sitting = begun(sitting)
            while not sitting.ended:
                width, height = window.size
                drawn = screen(sitting, width, height)
                window.show(drawn.lines)
                sitting, change = press(sitting, window.key(), room=drawn.room, lines=drawn.count)
                if change is None:
                    continue
                with signals.held():
                    labels = save_change(file, sheets[change.sheet], change)
                sitting = _taken_over(sitting, labels)
                _heed(signals)
    except EOFError:
        pass
    except Interrupted as error:
        code = error.exit_code
    for line in _summary(sitting, file, runs):
        tell(line)
    if like is not None and sitting.done == len(sheets):
        for line in between(load_labels(read_text(file.path), str(file.path)), like):
            tell(line)
    return code


def _heed(signals: Signals) -> None:
    """Act on a signal that came while a rating was being written."""
    if signals.received is not None:
        raise Interrupted(signals.received)


def _taken_over(sitting: Sitting, labels: LabelSet) -> Sitting:
    return read_back(
        sitting, lambda sheet: find_label(labels, sheet.case_id, sheet.answer, sheet.target)
    )


def _summary(sitting: Sitting, file: LabelFile, runs: Sequence[Path]) -> list[str]:
    """Say what is saved, and what to type next."""
    what = "approved" if file.approving else "rated"
    count, done = len(sitting.sheets), sitting.done
    if not file.path.exists():
        return ["nothing was rated, and no file was written"]
    saved = f"{file.path}: {done} of {counted(count, 'answer')} {what}; all is saved"
    if done < count:
        return [saved, "the same command goes on"]
    named = " ".join(shlex.quote(str(path)) for path in runs)
    kappa = f"gate kappa {named} --labels {shlex.quote(str(file.path))}"
    return [saved, f"next: {kappa}"]
