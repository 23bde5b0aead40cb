"""Files that commands read: what is refused before anything is decided on it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.cli.reading import read_baseline_file, read_calibration, read_run
from gate.decision.calibration_file import calibration_text
from gate.errors import FileError
from gate.types import Calibration, Run
from gate.wire.files import dump_json
from tests.unit.decision.decision_samples import columns, labelled, run_of


def written(path: Path, **changes: Any) -> Path:
    """A run.json with these keys changed."""
    data = json.loads(dump_json(run_of(columns([1.0, 0.5]))))
    path.write_text(json.dumps({**data, **changes}), "utf-8")
    return path


def test_read_run__file_or_folder(tmp_path: Path) -> None:
    """What was written is read."""
    path = written(tmp_path / "run.json")

    assert read_run(path) == read_run(tmp_path) == run_of(columns([1.0, 0.5]))


CELL = {"target": "t", "case_id": "a", "scores": {"correctness": [0.5]}}

OK = [{"state": "ok"}]


@pytest.mark.parametrize(
    ("changes", "because"),
    [
        ({"schema": True}, r'"schema": 1 is expected'),
        ({"schema": 0}, r'"schema": 1 is expected'),
        ({"schema": -1}, r'"schema": 1 is expected'),
        ({"schema": None}, r'"schema": 1 is expected'),
        ({"schema": 2}, "written by a newer gate"),
        ({"id": 3}, r"is no run file of the gate \(id: "),
        ({"cells": [CELL]}, "case a of target t has columns of different lengths"),
        ({"cells": [{**CELL, "attempts": OK}] * 2}, "case a of target t stands twice"),
        ({"cells": [{**CELL, "attempts": OK, "target": "u"}]}, "target u, which `targets` does"),
        (
            {"cells": [{**CELL, "attempts": OK, "scores": {"correctness": [1e308]}}]},
            r"case a of target t has correctness 1e\+308",
        ),
        ({"metrics": [{"name": "correctness"}] * 2}, "dimension correctness stands twice"),
        ({"targets": [{"name": "t", "use": "x"}] * 2}, "target t stands twice"),
    ],
)
def test_read_run__refuses_with_its_place(
    tmp_path: Path, changes: dict[str, Any], because: str
) -> None:
    """An edited run is refused with exit code 2, and says what is wrong where."""
    path = written(tmp_path / "run.json", **changes)
    with pytest.raises(FileError, match=rf"run\.json: .*{because}") as caught:
        read_run(path)
    assert 2 == caught.value.exit_code


@pytest.mark.parametrize("number", ["1e999", "-1e999", "1" + "0" * 400])
def test_read__numbers_beyond_a_double(tmp_path: Path, number: str) -> None:
    """Infinities come in by other spellings than their name."""
    text = dump_json(run_of(columns([0.25]))).replace("0.25", number)
    for name in ("run.json", "baseline.json"):
        (tmp_path / name).write_text(text, "utf-8")
    with pytest.raises(FileError, match=r"run\.json: "):
        read_run(tmp_path)
    with pytest.raises(FileError, match=r"baseline\.json: "):
        read_baseline_file(tmp_path / "baseline.json")


def test_read_baseline_file__is_checked_too(tmp_path: Path) -> None:
    """The same checks hold for the other side; a missing file is no baseline."""
    path = written(tmp_path / "baseline.json", cells=[{**CELL, "scores": {"correctness": [7]}}])
    with pytest.raises(FileError, match=r"baseline\.json: case a of target t has columns"):
        read_baseline_file(path)
    assert None is read_baseline_file(tmp_path / "none.json")


def test_read_calibration__labels_that_stand_twice(tmp_path: Path) -> None:
    """A merged file may hold them; a missing file is no calibration."""
    one = labelled([[1, 0, 0], [0, 0, 0], [0, 0, 1]])
    path = tmp_path / "calibration.json"
    path.write_text(calibration_text(Calibration(sets=(one,))), "utf-8")
    assert Calibration(sets=(one,)) == read_calibration(path)

    path.write_text(calibration_text(Calibration(sets=(one, one))), "utf-8")
    with pytest.raises(FileError, match=r"calibration\.json: the labels of correctness stand"):
        read_calibration(path)
    assert None is read_calibration(tmp_path / "none.json")


def test_read_run__plan_of_an_older_file(tmp_path: Path) -> None:
    """Files from before the plan named the dataset are read."""
    path = written(tmp_path / "run.json", plan={"case_ids": ["case-00"], "total": 2})

    run: Run = read_run(path)
    assert ((), 2) == (run.plan.dataset, run.plan.total)
