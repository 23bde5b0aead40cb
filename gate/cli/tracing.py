"""`gate report DIR --trace CASE`: from a folder and a case to its trace."""

from __future__ import annotations

import difflib
from collections.abc import Collection
from pathlib import Path

from gate.cli.answers import ANSWERS
from gate.cli.reading import RUN, read_record, read_run
from gate.cli.results import RESULTS, results_of
from gate.decision.words import counted, few
from gate.errors import ConfigError, FileError, JournalError, before_any_call
from gate.reports.trace import Trace, trace_case
from gate.types import Answers, Result, Run
from gate.wire.journal import Journal
from gate.wire.journal_file import JOURNAL, is_being_written
from gate.wire.results_file import Head, read_results, wanted_lines

_NEAR = 3
"""Cases named alike that are listed."""


def read_trace(place: Path, case_id: str) -> Trace:
    """Return the trace of a case of the run in a folder, or of what there is of it.

    That is the run of `run.json`, the collection of `answers.json`, or the unfinished run of the
    journal. Raises ConfigError for a case that the run did not ask, FileError without a journal or
    results, JournalRefused where the journal does not hold the run or is being written.
    """
    with before_any_call():
        return _traced(place, case_id)


def _traced(place: Path, case_id: str) -> Trace:
    folder = place if place.is_dir() else place.parent
    if place.name == ANSWERS or (place.is_dir() and not (place / RUN).exists()):
        if (folder / ANSWERS).is_file():
            return _of_collection(folder, case_id)
        if (folder / JOURNAL).is_file():
            return _of_unfinished(folder, case_id)
    return _of_run(read_run(place), folder, case_id)


def _of_run(run: Run, folder: Path, case_id: str) -> Trace:
    known, note = {cell.case_id for cell in run.cells}, None
    ended = run.stopped or (run.interrupted and f"{run.interrupted} interrupted it")
    if ended and case_id not in known:
        # What was done beyond the finished part stands in the results, and was paid for.
        known |= _cases_in(folder)
        note = f"the numbers of the run are without this case, since it ended early: {ended}"
    if case_id not in known:
        raise ConfigError(f"--trace: {_no_case(case_id, known, ended or None)}")
    path = folder / JOURNAL
    if not path.is_file():
        raise FileError(
            f"has no journal.sqlite, so no call can be followed: {_no_journal(run)}", folder
        )
    lines = _lines_of(folder, case_id) if note else results_of(folder / RESULTS, run)
    results = [one for one in lines if one.case_id == case_id]
    if not results:
        raise FileError(
            f"has no results.jsonl with case {case_id} of run {run.id}: "
            "name the folder of that run",
            folder,
        )
    with Journal.open_replay(path, run.provenance.journal or run.id) as tape:
        return trace_case(tape, results, case_id, collection=run.id, note=note)


def _of_collection(folder: Path, case_id: str) -> Trace:
    """Trace a case that was asked and not judged, or not in this folder."""
    answers = read_record(Answers, folder / ANSWERS)
    given = {one.case_id for one in answers.answers}
    if case_id not in given:
        raise ConfigError(f"--trace: {_no_case(case_id, given, answers.stopped)}")
    asked = answers.provenance.journal or answers.id
    if asked is None or not (folder / JOURNAL).is_file():
        raise FileError(
            "has no journal.sqlite of its answers.json, so no call can be followed: name the "
            "folder that `gate collect` wrote, with its journal",
            folder,
        )
    with Journal.open_replay(folder / JOURNAL, unfinished=True) as tape:
        judging = tape.run.state == "unfinished"
    if judging:
        return _of_unfinished(folder, case_id, asked)
    results = _lines_of(folder, case_id)
    if not results:
        raise FileError(
            f"has no results.jsonl with case {case_id}: name the folder that `gate collect` wrote",
            folder,
        )
    note = "answers without a judgement: `gate judge` gives them scores"
    with Journal.open_replay(folder / JOURNAL, asked) as tape:
        return trace_case(tape, results, case_id, note=note)


def _of_unfinished(folder: Path, case_id: str, collection: str | None = None) -> Trace:
    """Trace a case of a run that was killed before it wrote its run.json.

    `collection` is the run that asked, where this one judges.
    """
    path = folder / JOURNAL
    if is_being_written(path):
        raise JournalError(
            f"{path}: the run of this folder is in progress, another process writes its journal: "
            "trace it when that has ended"
        )
    with Journal.open_replay(path, unfinished=True) as tape:
        because = (
            f"run {tape.run.id} is unfinished: the same command goes on from there"
            if tape.run.state == "unfinished"
            else f"the folder has no run.json of run {tape.run.id}"
        )
        own = [entry for entry in tape.audit(case_id) if entry.run_id == tape.run.id]
        results = _lines_of(folder, case_id)
        if results and own:
            return trace_case(tape, results, case_id, collection=collection, note=because)
    if own:
        raise FileError(
            f"has no result of case {case_id} yet, only {counted(len(own), 'call')} in its "
            f"journal; {because}, and then it can be traced",
            folder,
        )
    raise ConfigError(f"--trace: {_no_case(case_id, _cases_in(folder), because)}")


def _cases_in(folder: Path) -> set[str]:
    """Return the cases that results.jsonl has, whatever run they are of."""
    found: set[str] = set()

    def note(head: Head) -> bool:
        found.add(head.case_id)
        return False

    for _ in wanted_lines(folder / RESULTS, note):
        pass
    return found


def _lines_of(folder: Path, case_id: str) -> list[Result]:
    return list(read_results(folder / RESULTS, lambda head: head.case_id == case_id))


def _no_case(case_id: str, cases: Collection[str], ended: str | None = None) -> str:
    """Say that a run has no such case, which are named alike, and how many there are.

    `ended` says why it has no more of them.
    """
    known = sorted(cases)
    near = difflib.get_close_matches(case_id, known, n=_NEAR)
    near += [one for one in known if case_id in one and one not in near]
    guess = f"; did you mean {few([f'`{one}`' for one in near], _NEAR)}?" if near else "."
    return (
        f"the run has no case `{case_id}`{guess} It has {counted(len(known), 'case')}"
        + (", named in results.jsonl" if known else "")
        + ("" if ended is None else f"; {ended}")
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
