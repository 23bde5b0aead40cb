"""The verdict in a terminal."""

from __future__ import annotations

import re

import pytest

from gate.reports.facts import STAND_IN
from gate.reports.numbers import MINUS, MISSING
from gate.reports.terminal import terminal_text
from gate.types import Report, Run, Verdict
from tests.unit.reports.hostile import hostile
from tests.unit.reports.report_samples import REPORTS, changed, report

WIDTH = 120


def shown(of: Report) -> str:
    """The plain text of a report."""
    return terminal_text(of, WIDTH, color=False)


def test_terminal__without_a_run() -> None:
    """Nothing was run, so nothing was paid."""
    verdict = Verdict(status="broken", exit_code=2, headline="gate.yaml is missing")

    assert "🚫 No verdict: gate.yaml is missing\n" == (
        shown(Report(name="default", verdict=verdict, run=Run(id="none")))
    )


def test_terminal__verdict_and_table() -> None:
    """The verdict comes first, and each dimension has its row."""
    lines = shown(report("regression")).splitlines()

    assert lines[0] == "❌ Regression: correctness fell by 0.13 (0.88 → 0.75)"
    assert [" FAIL ", " ok ", " unclear ", " advisory "] == [
        f" {line.split()[0]} "
        for line in lines
        if re.match(
            r"[a-zA-Z]+ (?:\[[0-9,]+\])? *(correctness|relevance|source_quality|faithfulness)", line
        )
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
    assert "kappa 0.81 (>= 0.69), n 90" in text


@pytest.mark.parametrize("width", [20, 80, 300])
def test_terminal__reproduce_lines_are_not_broken(width: int) -> None:
    """A line to type can be copied whatever the width."""
    text = terminal_text(report("regression"), width, color=False)

    assert "Reproduce: docker run kappagate run --replay journal.sqlite\n" in text


def test_terminal__broken_shows_what_was_compared() -> None:
    """The cause, and the table with the lost row, which has no number, and its note."""
    text = shown(report("broken"))

    assert "Cause: the judge answered 529 in 37 of 40 cells" in text
    assert re.search(rf"\nunmeasured \[1\] +correctness( +{MISSING}){{3}} +κ", text)
    assert "\n[1] scored in 3 of 40 cases\n" in text


def test_terminal__broken_with_nothing_measured_shows_no_number() -> None:
    """Where no row has a mean there is no table."""
    of = report("broken")
    rows = tuple(one.model_copy(update={"current": None}) for one in of.verdict.comparisons)

    assert re.search(r"0\.12|0\.90|κ|dimension", shown(changed(of, comparisons=rows))) is None


def table_of(width: int) -> list[str]:
    """The lines of the table and its notes."""
    lines = terminal_text(report("regression"), width, color=False).splitlines()
    return lines[1 : next(n for n, line in enumerate(lines) if line.startswith("search:"))]


@pytest.mark.parametrize("width", [40, 60, 79, 80, 100, 120, 200])
def test_terminal__nothing_of_the_table_is_wider_than_the_terminal(width: int) -> None:
    """No terminal has to break a row or a note; lines of rows need 56 columns."""
    assert max(map(len, table_of(width))) <= max(width, 56)


@pytest.mark.parametrize(
    ("width", "counts", "trust_below"),
    [(200, True, False), (120, True, False), (106, False, False), (80, False, True)],
)
def test_terminal__what_leaves_first(width: int, *, counts: bool, trust_below: bool) -> None:
    """The counts leave before the judge's trust goes below the table; intervals stay whole."""
    text = "\n".join(table_of(width))

    assert counts is ("worse / better" in text)
    assert trust_below is ("\njudge trust\n  correctness: κ 0.81 (≥ 0.69), n 90\n" in text)
    assert f"{MINUS}0.13 ({MINUS}0.20 … {MINUS}0.06)" in text


def test_terminal__narrow_rows_are_lines() -> None:
    """At 60 columns each row is three short lines."""
    assert table_of(60)[1:4] == [
        "FAIL: correctness 0.88 → 0.75",
        f"  change (90% interval) {MINUS}0.13 ({MINUS}0.20 … {MINUS}0.06)",
        "  judge trust: κ 0.81 (≥ 0.69), n 90",
    ]


def test_terminal__narrow_models_are_lines() -> None:
    """Targets that do not fit side by side are headings."""
    text = terminal_text(report("two-targets"), 40, color=False)

    assert "\nrival\n  relevance 0.25 (n 2)\n  correctness 0.25 (n 2)\n" in text


def test_terminal__a_long_trust_takes_two_lines() -> None:
    """Only the row whose licence is not plain needs a second line, broken before its bound."""
    lines = table_of(120)

    [place] = [n for n, line in enumerate(lines) if line.endswith("provisional: κ 0.70")]
    assert lines[place + 1].strip() == "(≥ 0.37), n 24"


def test_terminal__stand_in_was_not_paid() -> None:
    """What it would have cost is said so, and what came from the journal."""
    of = changed(report("pass"), warnings=(STAND_IN,)).model_copy(update={"stand_in": True})
    text = shown(of)

    said = "Nothing was paid: at list prices this run would have cost $1.84"
    assert f"\n{said} (4 of 100 calls from the journal)\n" in text
    assert text.count(STAND_IN) == 1


@pytest.mark.parametrize("status", ["regression", "report", "broken"])
def test_terminal__stand_in_is_named(status: str) -> None:
    """The notice stands above the numbers."""
    text = terminal_text(report(status).model_copy(update={"stand_in": True}), 200, color=False)

    assert text.splitlines()[1] == STAND_IN


def test_terminal__models_without_a_baseline() -> None:
    """Numbers only: the model table stands in for the verdict's."""
    text = shown(report("report"))

    assert re.search(r" +search\n.*\nrelevance +0\.92\ncorrectness +0\.42\n", text)
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


def test_terminal__edits_are_listed_and_counted() -> None:
    """A pull request with a hundred edits leaves the table in sight."""
    shown_edits = tuple(f"`policy.rule{number}`: changed" for number in range(12))
    of = report("regression")
    verdict = of.verdict.model_copy(
        update={"edits": shown_edits, "accepted_by": "ada", "attempts": 3}
    )

    lines = shown(of.model_copy(update={"verdict": verdict})).splitlines()

    assert 10 == sum(line.startswith("Ignored edit of what decides: ") for line in lines)
    assert "and 2 more edits: verdict.json lists them" in lines
    assert "Accepted for this head by ada" in lines
    assert "Pooled with earlier attempts on this head: 3 attempts" in lines
