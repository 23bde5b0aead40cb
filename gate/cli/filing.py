"""The folder of a run: emptied of the verdict before, written, and sealed last.

A run may be killed between any two files. So that nobody reads the verdict of one run beside the
files of another: `verdict.json` is the first to go and the last but one to come, and
`inputs/decision.json`, without which the folder is no report, comes after it and names the digests
of what the verdict was read from.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from gate.cli.concluding import Question, render
from gate.cli.inputs import (
    DECISION,
    FOLDER,
    VERDICT,
    Decision,
    input_digests,
    reports_of,
    write_inputs,
)
from gate.cli.options import make_folder
from gate.cli.reading import RUN
from gate.cli.results import RESULTS, result_lines
from gate.decision.run_file import run_lines
from gate.protocols import Reporter
from gate.types import Report
from gate.wire.files import (
    dump_json,
    remove_drafts,
    remove_files,
    write_lines,
    write_parts,
    write_text,
)

OURS = (VERDICT, "comment.md", "summary.md")
"""Reports that every folder has, the first to be removed first."""


def withdraw(out: Path, *, keep: Sequence[str] = (), also: Sequence[str] = ()) -> None:
    """Remove the run that lies in a folder, but for its journal and the files to `keep`.

    `also` names further files to be removed.

    What a later run would leave of it, should it be killed, could be taken for its own. Raises
    FileError.
    """
    names = [*OURS, *reports_of(out), RUN, *also]
    remove_files(out, [name for name in names if name not in keep])
    remove_files(out / FOLDER, [DECISION])
    for folder in (out, out / FOLDER):
        remove_drafts(folder)


def file_report(
    report: Report,
    question: Question,
    out: Path,
    *,
    reporters: Sequence[Reporter] = (),
    own_results: bool = True,
) -> list[Path]:
    """Write run.json, verdict.json, comment.md, summary.md, what the reporters give, and `inputs/`.

    `own_results` says that the folder's results.jsonl is that of this run already; otherwise it is
    written, or removed where there are none. Returns the files, without inputs. Raises FileError.
    """
    reports = {one.name: one.text for one in render(report, reporters)}
    withdraw(out, keep=(RUN,))
    if not own_results:
        remove_files(out, [RESULTS])
    write_parts(out / RUN, run_lines(report.run))
    if not own_results and question.results.exists():
        write_lines(out / RESULTS, result_lines(question.results, report.run))
    make_folder(out / FOLDER)
    write_inputs(question, out)
    for name in sorted(reports, key=lambda name: name == VERDICT):
        write_text(out / name, reports[name])
    decision = Decision(
        name=question.name,
        policy=question.policy,
        keep_text=question.keep_text,
        reproduce=tuple(question.reproduce),
        own_labels=question.own_labels,
        acceptance=question.head.acceptance,
        reports=tuple(name for name in reports if name not in OURS),
        stored=question.stored,
        folder=question.folder,
        digests=input_digests(out),
    )
    write_text(out / FOLDER / DECISION, dump_json(decision))
    return [out / name for name in (RUN, *reports)]
