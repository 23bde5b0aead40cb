"""The verdict in a terminal."""

from __future__ import annotations

import re

import pytest

from gate.reports.numbers import MINUS
from gate.reports.page import STAND_IN
from gate.reports.terminal import terminal_text
from gate.types import Report
from tests.unit.reports.hostile import hostile
from tests.unit.reports.report_samples import REPORTS, changed, report

WIDTH = 120


def shown(of: Report) -> str:
    """The plain text of a report."""
    return terminal_text(of, WIDTH, color=False)


def test_terminal__verdict_and_table() -> None:
    """The verdict comes first, and each dimension has its row."""
    lines = shown(report("regression")).splitlines()

    assert lines[0] == "❌ Regression: correctness fell by 0.13 (0.88 → 0.75)"
    assert [" FAIL ", " ok ", " unclear ", " advisory "] == [
        re.match(r" [a-zA-Z]+ ", line)[0]  # type: ignore[index]
        for line in lines
        if re.match(r" [a-zA-Z]+ +(correctness|relevance|source_quality|faithfulness)", line)
    ]


@pytest.mark.parametrize("status", sorted(REPORTS))
def test_terminal__no_control_sequence_without_colour(status: str) -> None:
    """Plain text for a log, foreign escape sequences taken out."""
    text = shown(hostile(report(status)))

    assert re.search(r"[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e]", text) is None
    assert "EVIL" in text


def test_terminal__colour_is_ours_alone() -> None:
    """With colour, the only control sequences are those of colours."""
    text = terminal_text(hostile(report("regression")), WIDTH, color=True)

    assert "\x1b[1;31m" in text
    assert "\x1b" not in re.sub(r"\x1b\[[0-9;]*m", "", text)


@pytest.mark.parametrize("status", sorted(REPORTS))
def test_terminal__ascii_for_other_streams(status: str) -> None:
    """A stream that is not UTF-8 gets ASCII, minus signs included."""
    text = terminal_text(report(status), WIDTH, color=False, unicode=False)

    assert text.isascii()


def test_terminal__ascii_spells_signs() -> None:
    """Signs are spelled, not lost."""
    text = terminal_text(report("regression"), 200, color=False, unicode=False)

    assert "0.88 -> 0.75" in text
    assert "-0.13 (-0.20 ... -0.06)" in text
    assert "kappa 0.81 (0.66-0.95), n 90" in text


@pytest.mark.parametrize("width", [20, 80, 300])
def test_terminal__reproduce_lines_are_not_broken(width: int) -> None:
    """A line to type can be copied whatever the width."""
    text = terminal_text(report("regression"), width, color=False)

    assert "Reproduce: docker run kappagate run --replay journal.sqlite\n" in text


def test_terminal__broken_shows_no_quality_number() -> None:
    """The cause and what was not measured, without a score."""
    text = shown(report("broken"))

    assert "Cause: the judge answered 529 in 37 of 40 cells" in text
    assert "unmeasured: search correctness (scored in 3 of 40 cases)" in text
    assert re.search(r"0\.12|0\.46|0\.33|0\.90|κ", text) is None


@pytest.mark.parametrize("status", ["regression", "report", "broken"])
def test_terminal__stand_in_is_named(status: str) -> None:
    """The notice stands above the numbers."""
    text = terminal_text(report(status).model_copy(update={"stand_in": True}), 200, color=False)

    assert text.splitlines()[1] == STAND_IN


def test_terminal__models_without_a_baseline() -> None:
    """Numbers only: the model table stands in for the verdict's."""
    text = shown(report("report"))

    assert re.search(r" +search\n.*\n relevance +0\.92\n correctness +0\.42\n", text)
    assert "Next step: write a baseline of this run" in text


def test_terminal__operation_regressed() -> None:
    """What regressed is said beside its target."""
    of = report("regression")
    worse = of.verdict.operations[0].model_copy(
        update={"outcome": "regression", "because": "empty answers rose"}
    )

    assert "FAIL: empty answers rose" in shown(changed(of, operations=(worse,)))


def test_terminal__a_table_for_each_target() -> None:
    """With several targets each has a table under its name."""
    text = shown(report("two-targets"))

    assert re.search(
        r"Target search\n.*?ok +relevance.*?Target rival\n.*?ok +relevance", text, re.DOTALL
    )


def test_terminal__names_are_never_shortened() -> None:
    """A name that is cut could be another's: a long one breaks in lines."""
    of = report("two-targets")
    long = tuple(one.model_copy(update={"name": one.name + "-x" * 60}) for one in of.run.targets)
    run = of.run.model_copy(update={"targets": long, "cells": ()})
    text = shown(of.model_copy(update={"run": run}))

    assert text.count("x") >= 2 * 60


@pytest.mark.parametrize("width", [1, 80, 120, 300])
def test_terminal__numbers_are_never_cut(width: int) -> None:
    """Cells break between words, not between digits."""
    words = terminal_text(report("regression"), width, color=False).split()

    for row in report("regression").verdict.comparisons:
        assert {f"{row.baseline:.2f}", f"{row.current:.2f}"} <= set(words)
    assert {f"{MINUS}0.13", f"({MINUS}0.20", f"{MINUS}0.06)", "advisory", "source_quality"} <= set(
        words
    )
