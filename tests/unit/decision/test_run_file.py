"""run.json in lines: the same run, a cell a line."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from gate.decision.run_file import run_lines
from gate.types import Run
from tests.unit.decision.decision_samples import columns, run_of


def test_run_lines__reads_back_with_a_cell_a_line() -> None:
    """The keys are the record's, and every cell has a line of its own."""
    run = run_of(columns([1.0, None, 0.5]))
    text = "".join(run_lines(run))

    assert json.loads(run.model_dump_json()) == json.loads(text)
    assert run == Run.model_validate(json.loads(text))
    assert 3 == sum(one.startswith('{"target":') for one in text.splitlines())


def test_run_lines__no_cells() -> None:
    """A run without a cell is JSON too."""
    run = Run(id="r")
    text = "".join(run_lines(run))

    assert run == Run.model_validate(json.loads(text))
    assert '"cells": []' in text


@pytest.mark.parametrize("cases", [499, 500, 501, 1_000, 1_001])
def test_run_lines__many_cells_are_written_in_parts(cases: int) -> None:
    """None is lost or written twice where a part ends, and none is followed by nothing."""
    run = run_of(columns([0.5] * cases))
    cells = json.loads("".join(run_lines(run)))["cells"]

    assert [one.case_id for one in run.cells] == [one["case_id"] for one in cells]


def test_run_lines__single_rulings_stand_only_where_there_are_several() -> None:
    """A run of one judge is written as it ever was."""
    (one,) = columns([1.0])
    panel = replace(one, members={"correctness": {"a": (1.0,), "b": (None,)}})
    text = "".join(run_lines(run_of([panel])))

    assert run_of([panel]) == Run.model_validate(json.loads(text))
    assert '"members"' not in "".join(run_lines(run_of([one])))


@pytest.mark.parametrize("cells", [1, 499, 500, 501, 1_000, 1_001])
def test_run_lines__many_cells_are_written_once_each(cells: int) -> None:
    """They are written in parts, and none is lost or written again where a part ends."""
    run = run_of(columns([1.0] * cells))

    assert run == Run.model_validate(json.loads("".join(run_lines(run))))
