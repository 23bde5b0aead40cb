"""What is refused in a run, a baseline or a calibration beyond the types of its fields."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from gate.decision import shape
from gate.decision.shape import check_baseline, check_calibration, check_run, this_schema
from gate.errors import FileError
from gate.types import Baseline, Calibration, Cell, Confirm, Metric, Run, TargetInfo
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    baseline_of,
    cell,
    columns,
    labelled,
    run_of,
)

SECONDS = Metric(name="seconds", better="lower", unit="s")


def run_with(one: Cell, *more: Cell, **changes: object) -> Run:
    """A run of two metrics, one of them in seconds."""
    return run_of([one, *more], [CORRECTNESS, SECONDS], **changes)  # type: ignore[arg-type]


def figure(**figures: float | None) -> Cell:
    """A cell whose one attempt has these figures."""
    made = cell("t", "a", {"correctness": [1.0]})
    return replace(made, attempts=(replace(made.attempts[0], **figures),))


GOOD = cell("t", "a", {"correctness": [1.0, None], "seconds": [12.5, -1.0]})

WRONG: list[tuple[Cell, str]] = [
    (cell("t", "a", {"correctness": [1.2]}), "case a of target t has correctness 1.2: a score"),
    (cell("t", "a", {"correctness": [0.5, -0.1]}), "target t has correctness -0.1: a score"),
    (cell("t", "a", {"correctness": [1e308]}), r"has correctness 1e\+308: a score"),
    (cell("t", "a", {"other": [3.0]}), "has other 3: a score between 0 and 1 .*another `unit`"),
    (cell("t", "a", {"seconds": [1e308]}), r"has seconds 1e\+308: a number up to"),
    (cell("t", "a", {"seconds": [-1e16]}), r"has seconds -1e\+16: a number up to"),
    (figure(latency_s=-1.0), "has latency_s -1: a number from 0"),
    (figure(latency_s=-0.5), "has latency_s -0.5: a number from 0"),
    (figure(cost_usd=-0.5), "has cost_usd -0.5: a number from 0"),
    (figure(cost_usd=1e308), r"has cost_usd 1e\+308: a number from 0"),
    (figure(cost_usd=1e15 + 1), r"has cost_usd 1e\+15: a number from 0"),
    (cell("t", "a", {"correctness": [1.0 + 1.5e-9]}), "has correctness 1: a score"),
    (replace(GOOD, attempts=()), "of target t has columns of different lengths"),
    (
        replace(GOOD, scores={"correctness": (1.0, 1.0), "seconds": (1.0,)}),
        "case a of target t has columns of different lengths",
    ),
    (
        replace(GOOD, failures={"correctness": (None,)}),
        "has columns of different lengths .*2 attempts",
    ),
    (
        replace(GOOD, members={"correctness": {"a": (1.0,), "b": (1.0, 1.0)}}),
        "has columns of different lengths .*2 attempts",
    ),
]


@pytest.mark.parametrize("edge", [0.0, 1e15])
def test_check__figures_at_the_ends(edge: float) -> None:
    """Nothing and the most that is let through, looked at one by one."""
    run_of_two = run_with(
        figure(cost_usd=edge, latency_s=edge),
        cell("t", "b", {"correctness": [1.0 + 1e-9, -1e-9], "seconds": [edge, -edge]}),
    )

    check_run(run_of_two)


def test_check__figures_that_nobody_knows() -> None:
    """Cells of one and of two answers are looked at one by one; an unknown cost is no wrong one."""
    run = run_with(
        cell("t", "a", {"correctness": [None]}, ["error"]),
        cell("t", "b", {"correctness": [None, 1.0]}, ["error", "ok"]),
    )

    assert None in [attempt.cost_usd for one in run.cells for attempt in one.attempts]
    check_run(run)


def test_check__a_wrong_score_beside_figures_that_nobody_knows() -> None:
    """An answer that failed has neither seconds nor dollars; its score is held to the scale."""
    lost = figure(latency_s=None, cost_usd=None)

    check_run(run_with(lost))
    with pytest.raises(FileError, match=r"has correctness -0\.5: a score"):
        check_run(run_with(replace(lost, scores={"correctness": (-0.5,)})))


def test_check__rulings_of_one_case_alone() -> None:
    """Where only one of the cells has single rulings, their number is looked at all the same."""
    plain, panel = columns([0.5, 0.5])
    panel = replace(panel, members={"correctness": {"a": (1.0, 1.0)}})

    with pytest.raises(FileError, match=r"case case-01 of target t has columns of different"):
        check_run(run_of([plain, panel]))


def test_check__good_ones_are_let_through() -> None:
    """Other units have a scale of their own, and a mean of ones may be a hair above 1."""
    hair = cell("t", "b", {"correctness": [1.0000000000000002, -1e-12]})
    run = run_with(GOOD, hair)

    check_run(run, "run.json")
    check_baseline(baseline_of(run), "baseline.json")
    check_baseline(Baseline(cells=(replace(GOOD, scores={}),)), "baseline.json")


@pytest.mark.parametrize(("wrong", "because"), WRONG)
def test_check__numbers_and_columns(wrong: Cell, because: str) -> None:
    """Runs and baselines are refused alike, with target, case and dimension."""
    run = run_with(wrong)
    with pytest.raises(FileError, match=rf"^run\.json: .*{because}"):
        check_run(run, "run.json")

    baseline = Baseline(metrics=run.metrics, targets=run.targets, cells=run.cells)
    with pytest.raises(FileError, match=rf"^baseline\.json: .*{because}"):
        check_baseline(baseline, "baseline.json")


@pytest.mark.parametrize("place", [0, 499, 500, 1_233])
def test_check__one_wrong_number_among_many_cases(place: int) -> None:
    """Cells are looked at together, and the one that is wrong is named."""
    many = list(columns([0.5] * 1_234))
    name = many[place].case_id
    many[place] = replace(many[place], scores={"correctness": (1.5,)})
    with pytest.raises(
        FileError, match=rf"^run\.json: case {name} of target t has correctness 1.5"
    ):
        check_run(run_of(many), "run.json")


@pytest.mark.parametrize("arm", ["candidate", "base"])
def test_check_run__what_was_asked_again(arm: str) -> None:
    """The second look's cells are held to the same."""
    run = run_with(GOOD)
    check_run(run.model_copy(update={"confirm": Confirm(candidate=(GOOD,), base=(GOOD,))}))

    fresh = cell("t", "a", {"correctness": [1.5]})
    run = run.model_copy(update={"confirm": Confirm.model_validate({arm: (fresh,)})})
    with pytest.raises(FileError, match=r"correctness 1\.5"):
        check_run(run, "run.json")


TWICE: list[tuple[dict[str, Any], str]] = [
    ({"cells": (GOOD, GOOD)}, "case a of target t stands twice: keep one"),
    ({"metrics": (SECONDS, SECONDS)}, "dimension seconds stands twice in `metrics`"),
    ({"targets": (TargetInfo(name="t", use="x"),) * 2}, "target t stands twice in `targets`"),
]


@pytest.mark.parametrize(("change", "because"), TWICE)
def test_check__what_stands_twice(change: dict[str, Any], because: str) -> None:
    """Of two cells or names one would win in silence."""
    run = run_of(columns([1.0])).model_copy(update=change)
    with pytest.raises(FileError, match=because):
        check_run(run)
    with pytest.raises(FileError, match=because):
        check_baseline(Baseline(metrics=run.metrics, targets=run.targets, cells=run.cells))


def test_check_run__cell_of_an_unlisted_target() -> None:
    """Its numbers would be left out without a word."""
    with pytest.raises(FileError, match="case a is of target u, which `targets` does not list"):
        check_run(run_of([cell("u", "a", {"correctness": [1.0]})], targets=["t"]))


def test_check_baseline__averages_by_their_unit() -> None:
    """An average in seconds may be above 1; a score may not, and neither may be boundless."""
    check_baseline(Baseline(metrics=(SECONDS,), averages={"t": {"seconds": 2.4}}))
    for name, value in (("c", 2.4), ("seconds", 1e300)):
        with pytest.raises(FileError, match=f"the average of t has {name} "):
            check_baseline(Baseline(metrics=(SECONDS,), averages={"t": {name: value}}))


@pytest.mark.parametrize("bound", [True, False])
def test_check_calibration__label_that_stands_twice(*, bound: bool) -> None:
    """It would count twice: a few labels copied often make any kappa sure."""
    good = labelled([[2, 0, 0], [0, 1, 0], [0, 0, 3]], bound=bound)
    check_calibration(Calibration(sets=(good,)))

    doubled = good.model_copy(update={"items": (*good.items, good.items[0])})
    whose = "answer digest-000" if bound else "target t"
    with pytest.raises(
        FileError,
        match=rf"^c\.json: the label of correctness for case case-00000\d?, {whose}, stands twice",
    ):
        check_calibration(Calibration(sets=(doubled,)), "c.json")


def test_check_calibration__label_of_an_item_that_stands_twice() -> None:
    """It is named with its answer, which may have many."""
    claim: dict[str, Any] = {
        "case_id": "c",
        "target": "t",
        "answer": "d",
        "item": "i7",
        "human": "supported",
        "judge": "supported",
    }
    items = [claim, claim]
    labels = {"dimension": "faithfulness", "counts": "claims", "identity": {}, "items": items}
    with pytest.raises(FileError, match="for case c, answer d, item i7, stands twice"):
        check_calibration(Calibration.model_validate({"sets": [labels]}))


def test_check_calibration__dimension_that_stands_twice() -> None:
    """Of two sets the last would license in silence."""
    one = labelled([[1, 0, 0], [0, 0, 0], [0, 0, 1]])
    with pytest.raises(FileError, match="the labels of correctness stand twice: keep one"):
        check_calibration(Calibration(sets=(one, one)))


@pytest.mark.parametrize("version", [None, True, False, 0, -1, 1.0, "1", 2])
def test_this_schema__other_versions_are_refused(version: Any) -> None:
    """Only whole numbers from 1 to this gate's own are versions that it reads."""
    with pytest.raises(FileError, match=r'"schema": 1 is expected|written by a newer gate'):
        this_schema({"schema": version}, "run", "run again", "run.json")


def test_this_schema__no_object() -> None:
    """A list is no file of ours."""
    with pytest.raises(FileError, match=r"^run\.json: is no run of the gate"):
        this_schema([], "run", "run again", "run.json")


def test_this_schema__this_version() -> None:
    """The rest stays as it is."""
    assert {"schema": 1, "id": "r"} == this_schema({"schema": 1, "id": "r"}, "run", "again")


def test_this_schema__an_older_version_becomes_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """Once there is a second version, what was read of the first is one of the second."""
    monkeypatch.setattr(shape, "SCHEMA", 2)

    assert {"schema": 2, "id": "r"} == this_schema({"schema": 1, "id": "r"}, "run", "again")


@pytest.mark.parametrize("name", ["::error::pwned", " t", "a\nb", "", "x" * 101])
def test_check_run__target_name_that_could_steer_a_log(name: str) -> None:
    """Names stand at the beginning of lines, where a workflow's runner looks for commands."""
    run = run_of([cell(name, "c", {"correctness": [1.0]})])

    with pytest.raises(FileError, match="cannot stand in tables and logs"):
        check_run(run, "run.json")


@pytest.mark.parametrize(
    ("counts", "item", "human", "judge"),
    [
        (None, "i", "low", 0.1),
        (None, None, "supported", 0.1),
        (None, None, "low", "supported"),
        ("claims", None, "supported", "supported"),
        ("claims", "i", "low", "supported"),
        ("claims", "i", "supported", 0.1),
    ],
)
def test_check_calibration__labels_of_another_kind(
    counts: str | None, item: str | None, human: str, judge: float | str
) -> None:
    """A set is of whole answers or of one kind of item, and every label of it is."""
    labels = {
        "dimension": "faithfulness",
        "counts": counts,
        "identity": {},
        "items": [
            {
                "case_id": "a",
                "target": "t",
                "answer": "d",
                "item": item,
                "human": human,
                "judge": judge,
            }
        ],
    }
    mixed = Calibration.model_validate({"sets": [labels]})
    with pytest.raises(FileError, match=r"c\.json: the labels of faithfulness are of .*case a is"):
        check_calibration(mixed, "c.json")
