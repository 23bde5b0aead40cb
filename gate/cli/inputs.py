"""`DIR/inputs/`: what a verdict was read from besides the run, so that it can be had again."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from pydantic import ValidationError

from gate.cli.cell_lines import LARGEST
from gate.cli.concluding import Question
from gate.cli.reading import read_calibration, read_results, read_run
from gate.decision.calibration_file import calibration_text
from gate.errors import FileError
from gate.types import Policy, Result, Word
from gate.wire.files import copy_file, dump_json, read_json, write_text

FOLDER = "inputs"
BASELINE = "baseline.json"
CALIBRATION = "calibration.json"
DECISION = "decision.json"


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


def keep_inputs(question: Question, out: Path) -> None:
    """Write what the verdict is read from to `out/inputs/`, and remove what it is not."""
    folder = out / FOLDER
    folder.mkdir(exist_ok=True)
    if question.baseline.exists():
        # Byte by byte: it was read, so it is what the verdict rests on.
        copy_file(question.baseline, folder / BASELINE, max_bytes=LARGEST)
    else:
        (folder / BASELINE).unlink(missing_ok=True)
    if question.calibration is None:
        (folder / CALIBRATION).unlink(missing_ok=True)
    else:
        write_text(folder / CALIBRATION, calibration_text(question.calibration))
    decision = Decision(
        name=question.name,
        policy=question.policy,
        keep_text=question.keep_text,
        reproduce=tuple(question.reproduce),
        own_labels=question.own_labels,
    )
    write_text(folder / DECISION, dump_json(decision))


def keep_results(results: Sequence[Result], out: Path) -> None:
    """Write the results that belong to the run of this folder, and remove those of another."""
    path = out / "results.jsonl"
    if not results:
        path.unlink(missing_ok=True)
        return
    write_text(path, "".join(f"{one.model_dump_json(by_alias=True)}\n" for one in results))


def read_inputs(place: Path) -> Question | None:
    """Return the question behind a folder's verdict; None where the folder holds no inputs.

    Raises FileError for inputs that cannot be read.
    """
    folder = place / FOLDER
    if not (folder / DECISION).is_file():
        return None
    path = folder / DECISION
    try:
        decision = Decision.model_validate(read_json(path))
    except ValidationError as error:
        raise FileError("is no decision of the gate: run `gate compare` again", path) from error
    run = read_run(place)
    return Question(
        name=decision.name,
        run=run,
        results=read_results(place, run),
        policy=decision.policy,
        baseline=folder / BASELINE,
        calibration=read_calibration(folder / CALIBRATION),
        reporters=(),
        keep_text=decision.keep_text,
        reproduce=decision.reproduce,
        own_labels=decision.own_labels,
    )
