"""`gate report DIR --trace CASE`: from a folder and a case to its trace."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from pathlib import Path

from gate.cli.reading import read_run
from gate.cli.results import RESULTS, results_of
from gate.decision.words import counted, few
from gate.errors import ConfigError, FileError, before_any_call
from gate.reports.trace import Trace, trace_case
from gate.types import Run
from gate.wire.journal import Journal
from gate.wire.journal_file import JOURNAL

_NEAR = 3
"""Cases named alike that are listed."""


def read_trace(place: Path, case_id: str) -> Trace:
    """Return the trace of a case of the run in a folder.

    Raises ConfigError for a case that the run did not ask, FileError without a journal or results,
    JournalRefused where the journal does not hold the run.
    """
    folder = place if place.is_dir() else place.parent
    run = read_run(place)
    known = sorted({cell.case_id for cell in run.cells})
    if case_id not in known:
        raise ConfigError(f"--trace: {_no_case(case_id, known)}")
    path = folder / JOURNAL
    if not path.is_file():
        raise FileError(
            f"has no journal.sqlite, so no call can be followed: {_no_journal(run)}", folder
        )
    results = [one for one in results_of(folder / RESULTS, run) if one.case_id == case_id]
    if not results:
        raise FileError(
            f"has no results.jsonl with case {case_id} of run {run.id}: "
            "name the folder of that run",
            folder,
        )
    with before_any_call(), Journal.open_replay(path, run.provenance.journal or run.id) as tape:
        return trace_case(tape, results, case_id)


def _no_case(case_id: str, known: Sequence[str]) -> str:
    """Say that a run has no such case, which are named alike, and how many there are."""
    near = difflib.get_close_matches(case_id, known, n=_NEAR)
    near += [one for one in known if case_id in one and one not in near]
    guess = f"; did you mean {few([f'`{one}`' for one in near], _NEAR)}?" if near else "."
    return (
        f"the run has no case `{case_id}`{guess} It has {counted(len(known), 'case')}, "
        "named in results.jsonl"
    )


def _no_journal(run: Run) -> str:
    if run.provenance.imported is not None:
        return f"the run was imported from {run.provenance.imported}, and the gate made none"
    if run.provenance.journal is None:
        return "the run kept none (`journal: off`): run again with `journal: full`"
    return (
        f"that of run {run.id} lies where the run was made, and `gate compare` and `--replay` copy "
        "none. Name the folder of the run itself, or of the part with the case where `gate merge` "
        "made no journal"
    )
