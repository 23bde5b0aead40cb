"""`DIR/inputs/`: what a verdict was read from besides the run, so that it can be had again."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path

from pydantic import Field, ValidationError

from gate.cli.cell_lines import LARGEST
from gate.cli.concluding import OUT, Question
from gate.cli.reading import (
    RUN,
    read_attempts_file,
    read_calibration,
    read_record,
    read_run,
    read_sensitivity,
)
from gate.cli.results import RESULTS
from gate.decision.attempts_file import attempts_text
from gate.decision.calibration_file import calibration_text
from gate.decision.on_head import Head
from gate.decision.sensitivity_file import sensitivity_text
from gate.errors import FileError
from gate.types import Acceptance, Policy, Verdict, Word
from gate.wire.files import copy_file, file_digest, read_json, remove_files, write_text

VERDICT = "verdict.json"
FOLDER = "inputs"
BASELINE = "baseline.json"
CALIBRATION = "calibration.json"
SENSITIVITY = "sensitivity.json"
DECISION = "decision.json"
ATTEMPTS = "attempts.json"


class Decision(Word):
    """How a run was decided: `inputs/decision.json`."""

    name: str
    """Name of the configuration."""
    policy: Policy
    """The rules, options of the command line included."""
    keep_text: bool
    """Whether answers may stand in reports."""
    reproduce: tuple[str, ...]
    """Lines to type to have this verdict again."""
    own_labels: bool = False
    """Whether the calibration was computed from this very run."""
    acceptance: Acceptance | None = None
    """Who accepted a regression of which head."""
    reports: tuple[str, ...] = ()
    """Files that the configuration's reporters gave, beside the three that are always there."""
    stored: str | None = Field(default=None, max_length=200, pattern=r"^[\w./ -]+$")
    """File of the baseline's answers, where they are stored."""
    folder: str = OUT
    """The run's own folder, as it was named; that of a run without options in earlier folders."""
    digests: Mapping[str, str] = Field(default_factory=dict)
    """File in the folder -> SHA-256 of its bytes, for all that the verdict was read from; empty in
    folders of an earlier gate."""


def write_inputs(question: Question, out: Path) -> None:
    """Write what the verdict is read from to `out/inputs/`, all but the decision.

    Removes what there is not. Raises FileError.
    """
    folder = out / FOLDER
    if question.baseline.exists():
        # Byte by byte: it was read, so it is what the verdict rests on.
        copy_file(question.baseline, folder / BASELINE, max_bytes=LARGEST)
    else:
        remove_files(folder, [BASELINE])
    if question.calibration is None:
        remove_files(folder, [CALIBRATION])
    else:
        write_text(folder / CALIBRATION, calibration_text(question.calibration))
    if question.sensitivity is None:
        remove_files(folder, [SENSITIVITY])
    else:
        write_text(folder / SENSITIVITY, sensitivity_text(question.sensitivity))
    if question.head.earlier is None:
        remove_files(folder, [ATTEMPTS])
    else:
        write_text(folder / ATTEMPTS, attempts_text(question.head.earlier))


def input_digests(out: Path) -> dict[str, str]:
    """Return the SHA-256 of each file that a verdict is read from, as far as it is there."""
    return {name: file_digest(out / name) for name in _READ_FROM if (out / name).is_file()}


def reports_of(place: Path) -> tuple[str, ...]:
    """Name the files that reporters gave to a folder; none where nothing readable says so."""
    try:
        decision = _read_decision(place)
    except FileError:
        return ()
    # A name that is a path would lead out of the folder, and what is named here gets removed.
    return tuple(name for name in decision.reports if _PLAIN_NAME.fullmatch(name))


def read_inputs(place: Path) -> Question | None:
    """Return the question behind a folder's verdict; None where the folder holds no inputs.

    Raises FileError for inputs that cannot be read.
    """
    folder = place / FOLDER
    if not (folder / DECISION).is_file():
        return None
    decision = _read_decision(place)
    if decision.digests:
        _check_digests(place, decision.digests)
    run = read_run(place)
    return Question(
        name=decision.name,
        run=run,
        results=place / RESULTS,
        policy=decision.policy,
        baseline=folder / BASELINE,
        calibration=read_calibration(folder / CALIBRATION),
        sensitivity=read_sensitivity(folder / SENSITIVITY),
        reporters=(),
        keep_text=decision.keep_text,
        reproduce=decision.reproduce,
        own_labels=decision.own_labels,
        stored=decision.stored,
        folder=decision.folder,
        head=Head(
            read_attempts_file(folder / ATTEMPTS),
            decision.acceptance,
            str(folder / ATTEMPTS),
        ),
    )


def accepted_run(run_path: Path) -> str | None:
    """Return who accepted the regression of a run, as the verdict beside it says; else None.

    A verdict of another run says nothing of this one, and a run alone has none.
    """
    file = run_path / RUN if run_path.is_dir() else run_path
    try:
        decision = _read_decision(file.parent)
        verdict = read_record(Verdict, file.parent / VERDICT)
        own = file.name == RUN and decision.digests.get(RUN) == file_digest(file)
    except FileError:
        return None
    return verdict.accepted_by if own else None


def _read_decision(place: Path) -> Decision:
    path = place / FOLDER / DECISION
    try:
        return Decision.model_validate(read_json(path))
    except ValidationError as error:
        raise FileError(f"is no decision of the gate: {_AGAIN}", path) from error


def _check_digests(place: Path, digests: Mapping[str, str]) -> None:
    """Raise FileError where a file is not the one that the verdict was read from."""
    found = input_digests(place)
    for name in _READ_FROM:
        if found.get(name) != digests.get(name):
            raise FileError(
                "is not what the verdict of this folder was read from: files of two runs lie here, "
                f"or it was edited; {_AGAIN}",
                place / name,
            )


_READ_FROM = (RUN, *(f"{FOLDER}/{name}" for name in (BASELINE, CALIBRATION, SENSITIVITY, ATTEMPTS)))
"""Files that a verdict is read from, besides the decision."""

_PLAIN_NAME = re.compile(r"(?!\.\.?$)[^/\\\0]+")
_AGAIN = "run `gate compare RUN.json --out DIR` to decide again"
