"""`gate report DIR --trace CASE`: from a folder and a case to its trace."""

from __future__ import annotations

from pathlib import Path

from gate.cli.reading import read_run
from gate.cli.results import RESULTS, results_of
from gate.errors import ConfigError, FileError
from gate.reports.trace import Trace, trace_case
from gate.wire.journal import Journal
from gate.wire.journal_file import JOURNAL
from gate.wire.records import unknown


def read_trace(place: Path, case_id: str) -> Trace:
    """Return the trace of a case of the run in a folder.

    Raises ConfigError for a case that the run did not ask, FileError without a journal or results,
    JournalError where the journal does not hold the run.
    """
    folder = place if place.is_dir() else place.parent
    run = read_run(place)
    known = sorted({cell.case_id for cell in run.cells})
    if case_id not in known:
        raise ConfigError(f"--trace: {unknown('case', case_id, known)}")
    path = folder / JOURNAL
    if not path.is_file():
        raise FileError(
            "has no journal.sqlite, so no call can be followed: the run was made with "
            "`journal: off`, replayed or imported. Name the folder of the run itself, or run again "
            "with `journal: full`",
            folder,
        )
    results = [one for one in results_of(folder / RESULTS, run) if one.case_id == case_id]
    if not results:
        raise FileError(
            f"has no results.jsonl with case {case_id} of run {run.id}: "
            "name the folder of that run",
            folder,
        )
    with Journal.open_replay(path, run.provenance.journal or run.id) as tape:
        return trace_case(tape, results, case_id)
