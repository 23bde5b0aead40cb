"""Files that commands read: configuration, cases, runs, baselines, calibrations, labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TypeVar

from pydantic import JsonValue, ValidationError

from gate.cli.cell_lines import read_cell_lines
from gate.config import Config, load_config
from gate.datasets import load_cases, load_labels
from gate.decision.attempts_file import MOST_BYTES as ATTEMPTS_BYTES
from gate.decision.attempts_file import read_attempts
from gate.decision.baseline_file import other_shape, read_baseline
from gate.decision.controls_file import check_controls
from gate.decision.sensitivity_file import check_sensitivity
from gate.decision.shape import check_calibration, check_run, this_schema
from gate.errors import ConfigError, FileError
from gate.types import (
    Answers,
    AttemptState,
    Baseline,
    Calibration,
    Case,
    Controls,
    LabelSet,
    Run,
    Sensitivity,
    Verdict,
)
from gate.wire.files import MOST_BYTES, read_json, read_text

R = TypeVar("R", Answers, Run, Calibration, Verdict, Sensitivity, Controls)

RUN = "run.json"
"""The run in its folder."""

LARGEST_OTHER = 4 * MOST_BYTES
"""Size cap of a run or a baseline whose cells do not stand one a line: it is read whole."""


def read_config(path: Path, env: Mapping[str, str]) -> Config:
    """Read gate.yaml. Raises ConfigError, with the way to begin where there is none."""
    if not path.exists():
        raise ConfigError(
            "there is no such configuration: name it with --config, or write one with `gate init`",
            path,
        )
    return load_config(read_text(path), str(path), env)


def read_cases(config: Config, root: Path) -> tuple[Case, ...]:
    """Read the dataset. Raises ConfigError and DatasetError."""
    config.require_files(root)
    return load_cases(read_text(root / config.dataset.path), config.dataset.path)


def read_run(path: Path) -> Run:
    """Read a run.json, or the one in a folder.

    Raises FileError for another shape, and for parts that contradict each other: see `check_run`.
    """
    file = path / RUN if path.is_dir() else path
    lines = read_cell_lines(file, lambda where, what: _other_shape("run", file, where, what))
    if lines is None:
        run = read_record(Run, file, max_bytes=LARGEST_OTHER)
    else:
        rest, cells = lines
        run = _record(Run, rest, file).model_copy(update={"cells": cells})
    check_run(run, str(file))
    return run


def read_baseline_file(path: Path) -> Baseline | None:
    """Read a baseline; None where there is no such file. Raises FileError for another shape."""
    if not path.exists():
        return None
    lines = read_cell_lines(path, lambda where, what: other_shape(where, what, str(path)))
    if lines is None:
        return read_baseline(read_json(path, max_bytes=LARGEST_OTHER), str(path))
    rest, cells = lines
    return read_baseline(rest, str(path), cells)


def read_calibration(path: Path) -> Calibration | None:
    """Read a calibration file; None where there is none.

    Raises FileError for another shape, and for a dimension or a label that stands twice.
    """
    if not path.exists():
        return None
    calibration = read_record(Calibration, path)
    check_calibration(calibration, str(path))
    return calibration


def read_sensitivity(path: Path) -> Sensitivity | None:
    """Read a sensitivity file; None where there is none.

    Raises FileError for another shape, and for what stands twice.
    """
    if not path.exists():
        return None
    sensitivity = read_record(Sensitivity, path)
    check_sensitivity(sensitivity, str(path))
    return sensitivity


def read_controls(path: Path) -> Controls | None:
    """Read a file of control answers; None where there is none.

    Raises FileError for another shape, and for what cannot be.
    """
    if not path.exists():
        return None
    controls = read_record(Controls, path)
    check_controls(controls, str(path))
    return controls


def read_attempts_file(path: Path | None) -> AttemptState | None:
    """Read the attempts before this one; None where there is no such file.

    Raises FileError for another shape.
    """
    if path is None or not path.exists():
        return None
    return read_attempts(read_json(path, max_bytes=ATTEMPTS_BYTES), str(path))


def read_labels(paths: Sequence[Path]) -> tuple[LabelSet, ...]:
    """Read labels files. Raises FileError and DatasetError."""
    return tuple(load_labels(read_text(path), str(path)) for path in paths)


def find_files(root: Path, patterns: Sequence[str]) -> tuple[Path, ...]:
    """Find files below `root` by patterns such as `evals/labels/*.yaml`, sorted."""
    found = {path for pattern in patterns for path in root.glob(pattern)}
    return tuple(sorted(found))


def read_record(word: type[R], path: Path, *, max_bytes: int = MOST_BYTES) -> R:
    """Read one of our own files.

    Raises FileError for another shape, and for a schema that this gate does not read.
    """
    return _record(word, read_json(path, max_bytes=max_bytes), path)


def _record(word: type[R], data: JsonValue, path: Path) -> R:
    kind = word.__name__.lower()
    ours = this_schema(data, kind, f"write the {kind} again", str(path))
    try:
        return word.model_validate(ours)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise _other_shape(kind, path, where, first["msg"]) from error


def _other_shape(kind: str, path: Path, where: str, what: str) -> FileError:
    return FileError(f"is no {kind} file of the gate ({where}: {what}): write it again", path)
