"""Numbers as text, averages, the model tables, and what a row says."""

from __future__ import annotations

import pytest

from gate.reports.common_cases import MOST_METRICS
from gate.reports.models import model_table
from gate.reports.notes import with_notes
from gate.reports.numbers import (
    MINUS,
    MISSING,
    change,
    figure,
    interval,
    movement,
    percent,
    probability,
    seconds,
    usd,
)
from gate.reports.rows import remarks, table_rows, trust_words
from gate.reports.summary_stats import Average, case_mean, common_averages, summaries
from gate.types import Attempt, Cell, Metric, Run, Trust
from tests.unit.reports.report_samples import (
    FAITHFULNESS_ADVISORY,
    PROVISIONAL,
    QUALITY_UNCLEAR,
    RUN,
    TWO_TARGETS,
    UNLABELLED,
    VALIDATED,
    changed,
    finding,
    report,
)


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        ("0.87", figure(0.871)),
        (MISSING, figure(None)),
        (f"{MINUS}0.11", figure(-0.11)),
        ("0.00", figure(-0.001)),
        ("12.3", figure(12.34, "s")),
        ("1234", figure(1234.4, "tokens")),
        ("+0.02", change(0.02)),
        (f"{MINUS}0.11", change(-0.11)),
        ("0.00", change(-0.004)),
        ("0.00", change(0.0)),
        (MISSING, change(None)),
        (f"({MINUS}0.17 … +0.05)", interval(-0.17, 0.05)),
        ("", interval(None, 0.05)),
        ("0.87 → 0.76", movement(0.87, 0.76)),
        ("0.76", movement(None, 0.76)),
        (f"0.87 → {MISSING}", movement(0.87, None)),
        ("0%", percent(0.0)),
        ("under 1%", percent(0.001)),
        ("71%", percent(0.708)),
        (MISSING, percent(None)),
        ("$0.69", usd(0.688)),
        ("$0.0012", usd(0.0012)),
        ("$0.001", usd(0.001)),
        ("$0.000012", usd(0.0000123)),
        ("$0.01", usd(0.0099999)),
        ("$0.00", usd(0.0)),
        (MISSING, usd(None)),
        ("2.5 s", seconds(2.455)),
        ("0.25 s", seconds(0.25)),
        (MISSING, seconds(None)),
        ("0.0040", probability(0.004)),
        ("under 0.0001", probability(0.00001)),
        (MISSING, probability(None)),
    ],
)
def test_numbers__as_people_read_them(expected: str, actual: str) -> None:
    """Two decimals, a true minus sign, a dash for what is undefined."""
    assert expected == actual


@pytest.mark.parametrize(
    ("expected", "trust"),
    [
        ("κ 0.81 (≥ 0.69), n 90", VALIDATED),
        ("provisional: κ 0.70 (≥ 0.37), n 24", PROVISIONAL),
        (
            f"unvalidated: κ 0.43 (≥ {MINUS}0.04), n 12",
            Trust(state="unvalidated", kappa=0.43, lower_one_sided=-0.04, n=12),
        ),
        (
            "κ 1.00 (≥ 0.78), n 24",
            Trust(state="validated", kappa=1.0, low=1.0, high=1.0, lower_one_sided=0.78, n=24),
        ),
        ("no calibration", UNLABELLED),
        ("no judge", Trust(state="not_needed")),
        ("κ undefined, n 24", Trust(state="undefined", n=24)),
        ("stale: κ 0.90, n 24", Trust(state="stale", kappa=0.9, n=24)),
    ],
)
def test_trust_words__every_kind(expected: str, trust: Trust) -> None:
    """Kappa, the bound that decides and the labels stand beside every row, or why there is none."""
    assert expected == trust_words(trust)


def test_remarks__of_an_unclear_row() -> None:
    """It says what it could have seen and what would settle it."""
    said = "smallest visible drop 0.16; what would settle it: about 35 more cases, or 3 repeats"
    assert (said,) == remarks(QUALITY_UNCLEAR)
    without = QUALITY_UNCLEAR.model_copy(update={"smallest_visible_drop": 0.0, "settles": None})
    assert () == remarks(without)


def test_remarks__of_an_advisory_row() -> None:
    """It says why it cannot fail the run, and that it fell."""
    assert ("nobody has labelled it yet", "fell, which cannot fail the run") == remarks(
        FAITHFULNESS_ADVISORY
    )
    new = finding("x", "unmeasured", gating=False, advisory_because="set so")
    assert ("set so",) == remarks(new)


def test_remarks__of_a_row_that_was_not_measured() -> None:
    """Why it was not, and nothing of a licence that had nothing to decide."""
    lost = finding("x", "unmeasured", gating=False, advisory_because="set so", note="3 of 40 cases")
    assert ("3 of 40 cases",) == remarks(lost)


@pytest.mark.parametrize(
    ("expected", "outcome", "more"),
    [
        (MISSING, "unmeasured", {}),
        (MISSING, "unmeasured", {"gating": False}),
        (MISSING, "unmeasured", {"gating": False, "watched": True}),
        ("0.80", "unmeasured", {"gating": False, "baseline": None, "delta": None}),
        ("0.80", "incomparable", {}),
    ],
)
def test_row__not_measured_does_not_look_like_a_pass(
    expected: str, outcome: str, more: dict[str, object]
) -> None:
    """No means of a few cases, no interval and no counts: the run's own mean at most."""
    lost = finding("relevance", outcome, **({"current": 0.8, "delta": -0.1} | more))
    [row] = table_rows(changed(report("pass"), comparisons=(lost,)))

    assert (expected, MISSING, MISSING) == (row.moved, row.changed, row.counts)


def test_remarks__averages_only_is_said_once() -> None:
    """It is said whatever else a row notes, and not again where its note says it."""
    said = "only averages were compared, which cannot tell noise from a drop"

    assert remarks(finding("x", "pass", averages_only=True, note="new")) == ("new", said)
    assert remarks(finding("x", "pass", averages_only=True, note=said)) == (said,)


def noted(*remarked: str) -> tuple[list[str], tuple[str, ...]]:
    """The marks of rows with these notes, and what is said below."""
    names = "abcdef"[: len(remarked)]
    rows = table_rows(
        changed(
            report("pass"),
            comparisons=tuple(
                finding(name, "pass", note=note or None)
                for name, note in zip(names, remarked, strict=True)
            ),
        )
    )
    shown, notes = with_notes(rows)
    return [one.mark for one in shown], notes


def test_with_notes__each_is_said_once() -> None:
    """Rows carry numbers, in the order in which the notes stand."""
    assert (["[1]", "[2]", "", "[1]"], ("x", "y")) == noted("x", "y", "", "x")


def test_with_notes__several_of_one_row() -> None:
    """A row names all its notes."""
    shown, _ = with_notes(table_rows(changed(report("pass"), comparisons=(FAITHFULNESS_ADVISORY,))))

    assert "[1,2]" == shown[0].mark


def test_with_notes__that_differ_in_kappa_are_one() -> None:
    """Kappa stands in the row, so its figures are left out of the note."""
    why = "kappa {} (n {}) is not above 0.6: mend the judge's prompt"

    assert (["[1]", "[1]"], ("kappa is not above 0.6: mend the judge's prompt",)) == noted(
        why.format("0.43", 85), why.format("-0.02", 84)
    )


def test_with_notes__of_licences_above_all_bounds_are_one() -> None:
    """What weakens them is left."""
    why = (
        "provisional licence, fails a run only from a drop of 0.10: kappa {} is above 0.6, and its "
        "lower bound {} above 0.4 (n {}); the run is one whose judge is not known"
    )
    said = (
        "provisional licence, fails a run only from a drop of 0.10: the run is one whose judge is "
        "not known"
    )

    assert (["[1]", "[1]"], (said,)) == noted(
        why.format("0.99", "0.94", 186), why.format("0.98", "0.93", 179)
    )


def test_with_notes__that_differ_in_a_count_give_the_range() -> None:
    """What each row needs lies between the two numbers."""
    why = (
        "provisional licence, fails a run only from a drop of 0.10: kappa {} is above 0.6, but its "
        "lower bound {} is not above 0.4: label about {} more answers, low or med ones first"
    )
    said = (
        "provisional licence, fails a run only from a drop of 0.10: kappa's lower bound is not "
        "above 0.4: label about 9 to 41 more answers, low or med ones first"
    )

    assert (["[1]"] * 3, (said,)) == noted(
        why.format("0.70", "0.31", 41), why.format("0.62", "0.21", 9), why.format("0.8", "0.3", 10)
    )


def test_with_notes__names_that_are_numbers_are_no_range() -> None:
    """Cases named 17 and 19 are two cases, not a number between them."""
    why = "a regression if the 1 case without a score now ({}) had the worst one"

    assert ["[1]", "[2]"] == noted(why.format(17), why.format(19))[0]


def test_case_mean__attempts_first() -> None:
    """The unit is the case: its attempts are averaged, those without a value left out."""
    one = Cell(
        target="search",
        case_id="a",
        scores={"relevance": (1.0, None, 0.0)},
        attempts=(Attempt(state="ok"), Attempt(state="ok"), Attempt(state="empty")),
    )

    assert case_mean(one, "relevance") == 0.5
    assert case_mean(one, "relevance", answered_only=True) == 1.0
    assert case_mean(one, "unknown") is None


def test_summaries__counts_and_shares() -> None:
    """Attempts that never started count nowhere; failures cost nothing and are a share."""
    attempts = (
        Attempt(state="ok", grounded=True, latency_s=3.0, cost_usd=0.002),
        Attempt(state="ok", grounded=None, latency_s=1.0, cost_usd=None),
        Attempt(state="timeout", latency_s=9.0, cost_usd=5.0),
        Attempt(state="empty", latency_s=None, cost_usd=0.004),
        Attempt(state="budget"),
    )
    one = Cell(target="search", case_id="a", attempts=attempts)
    [summary] = summaries(Run(id="r", targets=RUN.targets, cells=(one,)))

    assert (4, 2, 1) == (summary.attempts, summary.answered, summary.empty)
    assert summary.error_rate == 0.25
    assert summary.empty_rate == 0.25
    assert summary.grounded_rate == 1.0
    assert summary.p50_latency_s == 3.0
    assert summary.usd_per_1k == pytest.approx(3.0)


def test_summaries__nothing_measured_is_none() -> None:
    """A target without a cell has no averages and no shares, not zeros."""
    [summary] = summaries(Run(id="r", targets=RUN.targets, metrics=(Metric(name="m"),)))

    assert summary.averages == {"m": Average(None, 0)}
    assert (None,) * 5 == (
        summary.error_rate,
        summary.empty_rate,
        summary.grounded_rate,
        summary.p50_latency_s,
        summary.usd_per_1k,
    )


def test_summaries__without_empty_answers_only_where_some_are_scored() -> None:
    """Our own runs never score an empty answer, so they have one average."""
    own, foreign = summaries(TWO_TARGETS)

    assert own.answered_averages is None
    assert foreign.averages["relevance"] == Average(0.25, 2)
    assert foreign.answered_averages is not None
    assert foreign.answered_averages["relevance"] == Average(0.5, 1)


def test_common_averages__cases_that_all_targets_have() -> None:
    """A case that one target lacks is left out for all."""
    shared, means = common_averages(TWO_TARGETS, ["relevance", "correctness"])

    assert shared == {"ferry-fare"}
    assert means == {
        "search": {"relevance": 1.0, "correctness": 0.25},
        "rival": {"relevance": 0.5, "correctness": 0.5},
    }
    assert common_averages(TWO_TARGETS, ["source_quality"]) == (frozenset(), {})
    assert common_averages(Run(id="r"), ["relevance"]) == (frozenset(), {})


def test_model_table__each_average_also_without_the_empty_answers() -> None:
    """Where a foreign tool scored empty answers, a second row leaves them out."""
    found = model_table(report("two-targets"))

    assert found.head == (
        *("target", "relevance", "correctness", "source_quality"),
        *("p50", "per 1k", "errors", "empty", "grounded"),
    )
    assert found.rows == (
        (
            *("search", "0.92 (n 3)", "0.42 (n 3)", "0.58 (n 3)"),
            *("2.0 s", "$1.00", "0%", "25%", "100%"),
        ),
        (
            *("rival", "0.25 (n 2)", "0.25 (n 2)", "0.00 (n 1)"),
            *("2.0 s", "$1.00", "0%", "50%", "100%"),
        ),
        (
            *("without empty answers", "0.50 (n 1)", "0.50 (n 1)", f"{MISSING} (n 0)"),
            *[""] * 5,
        ),
    )


def test_model_table__runs_side_by_side() -> None:
    """With another run beside it, each row names its run."""
    of = report("pass")
    found = model_table(of.model_copy(update={"others": (RUN.model_copy(update={"id": "old"}),)}))

    assert found.head[:2] == ("target", "run")
    assert [("search", "run-7"), ("search", "old")] == [row[:2] for row in found.rows]
    assert found.names == 2


def test_model_table__columns_are_capped() -> None:
    """A run with very many dimensions names those that have no column."""
    metrics = tuple(Metric(name=f"m{number}") for number in range(MOST_METRICS + 2))
    of = report("pass")
    found = model_table(of.model_copy(update={"run": RUN.model_copy(update={"metrics": metrics})}))

    assert len(found.head) == 1 + MOST_METRICS + 5
    assert found.remarks == ("not shown: m10, m11",)
