"""`DIR/inputs/`: what a verdict was read from besides the run, so that it can be had again."""

from __future__ import annotations

from pathlib import Path

from pydantic import ValidationError

from gate.cli.concluding import Question
from gate.cli.reading import read_calibration, read_run
from gate.cli.results import RESULTS
from gate.decision.calibration_file import calibration_text
from gate.errors import FileError
from gate.types import Policy, Word
from gate.wire.files import dump_json, read_json, read_text, write_text

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
    kept = {
        BASELINE: read_text(question.baseline) if question.baseline.exists() else None,
        CALIBRATION: (
            None if question.calibration is None else calibration_text(question.calibration)
        ),
        DECISION: dump_json(
            Decision(
                name=question.name,
                policy=question.policy,
                keep_text=question.keep_text,
                reproduce=tuple(question.reproduce),
                own_labels=question.own_labels,
            )
        ),
    }
    for name, text in kept.items():
        if text is None:
            (folder / name).unlink(missing_ok=True)
        else:
            write_text(folder / name, text)


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
        results=place / RESULTS,
        policy=decision.policy,
        baseline=folder / BASELINE,
        calibration=read_calibration(folder / CALIBRATION),
        reporters=(),
        keep_text=decision.keep_text,
        reproduce=decision.reproduce,
        own_labels=decision.own_labels,
    )
