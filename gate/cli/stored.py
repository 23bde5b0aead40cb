"""A run's folder that was made elsewhere, by a job that nobody here has to trust.

Nothing of it is shown as it stands. Its verdict is decided once more on its run and its inputs,
with the rules that it names, and what is shown is rendered by this gate. So a folder can say what
its maker measured, and no more: whether those numbers are true is for whoever runs the maker.
"""

from __future__ import annotations

import stat
from dataclasses import dataclass, replace
from pathlib import Path

from gate.cli.concluding import Question, conclude
from gate.cli.inputs import (
    ATTEMPTS,
    BASELINE,
    CALIBRATION,
    DECISION,
    FOLDER,
    SENSITIVITY,
    VERDICT,
    read_inputs,
)
from gate.cli.reading import LARGEST_OTHER, RUN, read_record
from gate.cli.results import RESULTS
from gate.decision.attempts_file import MOST_BYTES as ATTEMPTS_BYTES
from gate.decision.on_head import Head
from gate.errors import FileError
from gate.types import Report, Verdict
from gate.wire.files import MOST_BYTES

__all__ = ["Stored", "check_folder", "read_stored"]

LARGEST: dict[str, int] = {
    VERDICT: MOST_BYTES // 4,
    RUN: LARGEST_OTHER,
    RESULTS: 2 * LARGEST_OTHER,
    f"{FOLDER}/{DECISION}": MOST_BYTES // 4,
    f"{FOLDER}/{BASELINE}": LARGEST_OTHER,
    f"{FOLDER}/{CALIBRATION}": MOST_BYTES,
    f"{FOLDER}/{SENSITIVITY}": MOST_BYTES,
    f"{FOLDER}/{ATTEMPTS}": ATTEMPTS_BYTES,
}
"""File of a folder that is read -> most bytes that it may have."""


def check_folder(folder: Path) -> None:
    """Refuse a folder whose files are links or pipes, or too large to be read. Raises FileError."""
    for part in (folder, folder / FOLDER):
        if _kind(part) not in (None, stat.S_IFDIR):
            raise FileError(
                "is no folder of its own: a link is not followed, put the folder itself there", part
            )
    for name, most in LARGEST.items():
        path = folder / name
        kind = _kind(path)
        if kind not in (None, stat.S_IFREG):
            raise FileError(
                "is no file of its own: a link is not followed, put the file itself there", path
            )
        if kind is not None and path.lstat().st_size > most:
            raise FileError(
                f"is larger than {most} bytes, which no run's file needs: name the folder of a run",
                path,
            )


@dataclass(frozen=True)
class Stored:
    """A folder that says what it decides."""

    question: Question
    """What it was decided on."""
    report: Report
    """Its report, decided once more."""

    def report_for(self, head: Head) -> Report:
        """Return the report with what the host says of the head, in the place of the folder's."""
        own = self.question.head
        if (head.earlier, head.acceptance) == (own.earlier, own.acceptance):
            return self.report
        return conclude(replace(self.question, head=head))


def read_stored(folder: Path) -> Stored:
    """Return what a folder decides, decided once more on what lies in it.

    Raises FileError for a folder without a verdict, and for one whose verdict is not what its run
    decides.
    """
    if not (folder / VERDICT).is_file():
        raise FileError(
            "holds no verdict: name the folder of a `gate run` or a `gate compare --out`", folder
        )
    told = read_record(Verdict, folder / VERDICT, max_bytes=LARGEST[VERDICT])
    question = read_inputs(folder)
    if question is None:
        raise FileError(
            "holds no inputs/ of its verdict, so it cannot be decided once more: publish the whole "
            "folder of the run",
            folder,
        )
    report = conclude(question)
    verdict = report.verdict
    if (told.status, told.exit_code) != (verdict.status, verdict.exit_code):
        raise FileError(
            f"says {told.status}, and what lies beside it decides {verdict.status}: it was edited, "
            "or another version of the gate wrote it; run `gate compare RUN.json --out DIR`",
            folder / VERDICT,
        )
    return Stored(question, report)


def _kind(path: Path) -> int | None:
    """Return the kind of what is there, links not followed; None where nothing is."""
    try:
        return stat.S_IFMT(path.lstat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise FileError(
            f"cannot be looked at: {error.strerror}; check who may use it", path
        ) from error
