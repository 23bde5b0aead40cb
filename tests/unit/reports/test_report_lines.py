"""The lines beside the table: operations, coverage, cost, changed cases, baseline."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from gate.reports.facts import STAND_IN
from gate.reports.terminal import terminal_text
from gate.types import Cost, Coverage, Finding, Report
from tests.unit.reports.markdown_reading import comment, summary
from tests.unit.reports.report_samples import COMPARISON, STORY, changed, finding, report


def risen(**more: object) -> Report:
    """A report whose one target has more empty answers than the baseline."""
    of = report("regression")
    values: dict[str, object] = {
        "outcome": "regression",
        "because": "empty answers rose from 0% to 25% (1 case turned)",
        "p": {"error_rate": 1.0, "empty_rate": 0.004},
        "cases": {"empty_rate": ("mast-owner",)},
    }
    worse = of.verdict.operations[0].model_copy(update=values | more)
    return changed(of, operations=(worse,))


def test_lines__operation_regressed() -> None:
    """What rose says why, with its own p value alone and no number twice; the fold has them all."""
    text = comment(risen())

    assert (
        "\n❌ FAIL: empty answers rose from 0% to 25% (1 case turned), p 0.0040 · "
        "empty rate: `mast-owner` · 3/4 answered · grounded 72% → 69% · p50"
    ) in text
    assert "| search | errors | 1.0000 |\n| search | empty answers | 0.0040 |" in text


def test_lines__several_operations_regressed() -> None:
    """Each p value says whose it is."""
    text = comment(
        risen(
            because="errors rose and empty answers rose",
            p=dict.fromkeys(("error_rate", "empty_rate"), 0.001),
        )
    )

    assert "rose, p of errors 0.0010, p of empty answers 0.0010 ·" in text
    limit = comment(risen(because="median latency of 9 s is above the limit of 5 s", p={}))
    assert "❌ FAIL: median latency of 9 s is above the limit of 5 s · " in limit


@pytest.mark.parametrize(
    ("expected", "cases"),
    [
        ("turned), p 0.0040 · 3/4", ("tide-table",)),
        ("empty rate: `mast-owner`, 1 more below · 3/4", ("tide-table", "mast-owner")),
    ],
)
def test_lines__no_case_is_named_twice(expected: str, cases: tuple[str, ...]) -> None:
    """A case among those without an answer is not named beside the rate as well."""
    text = comment(risen(cases={"empty_rate": cases}))

    assert expected in text
    assert text.count("`tide-table`") == 1


def test_lines__compared_cases_are_said_once() -> None:
    """A note that says how many of the cases were compared needs no second line."""
    note = "40 of 41 cases of the baseline could be compared, 99% are needed"
    row = finding("relevance", "unmeasured", note=note)

    assert "**Compared:**" in comment(report("regression"))
    assert "**Compared:**" not in comment(changed(report("regression"), comparisons=(row,)))


@pytest.mark.parametrize("render", [comment, lambda of: terminal_text(of, 120, color=False)])
def test_lines__a_run_that_measured_nothing_compared_nothing(
    render: Callable[[Report], str],
) -> None:
    """What a comparison counted and noted is no fact of it; its own warnings are."""
    about = (
        "Whether alce_recall was scored alike on both sides is not known: compared all the same."
    )
    of = report("broken")
    comparison = COMPARISON.model_copy(update={"warnings": (about,)})
    coverage = Coverage(cases=48, compared=4)

    def said(rows: tuple[Finding, ...]) -> tuple[bool, bool, bool]:
        verdict = changed(of, comparisons=rows, warnings=("own", about), coverage=coverage)
        text = render(verdict.model_copy(update={"comparison": comparison}))
        return "Compared:" in text, about in text, "Note: own" in text

    assert (True, True, True) == said(of.verdict.comparisons)
    assert (False, False, True) == said(())


def test_lines__what_moved_alike_is_said_together() -> None:
    """Five dimensions that stand and fall together take one line, the largest fall first."""
    moved = (
        ("citation_precision", 1.0, 0.33),
        ("alce_recall", 1.0, 0.33),
        ("citation_f1", 1.0, 0.5),
        ("alce_precision", 1.0, 0.334),
    )
    story = STORY.model_copy(update={"changes": moved})

    assert (
        "**Case** `lighthouse-height`: citation_precision, alce_recall and alce_precision "
        "1.00 → 0.33; citation_f1 1.00 → 0.50\n"
    ) in comment(report("regression").model_copy(update={"stories": (story,)}))


def test_lines__more_cases_changed_than_have_a_story() -> None:
    """The comment says how many; the summary lists the others in numbers, not folded."""
    text, long = comment(report("regression")), summary(report("regression"))

    assert "<summary>1 of 2 changed cases: question, answer, judge's reason</summary>" in text
    assert "full report with 1 more changed case: `summary.md`" in text
    assert "### 2 changed cases, 1 of them with question, answer, judge's reason\n" in long
    assert "\n- **Case** `ferry-fare`: correctness 0.75 → 0.25\n" in long
    assert "<details>" not in long


def test_lines__the_comment_that_has_all_promises_no_more() -> None:
    """Where the summary has nothing more, nothing points to it."""
    assert "summary.md" not in comment(report("pass"))


def test_lines__nothing_compared_leaves_the_baseline_out() -> None:
    """The age of a baseline that was compared with nothing is no fact of the run."""
    row = finding("relevance", "incomparable", baseline=None, delta=None)

    assert "baseline 12 days old" in comment(report("pass"))
    assert "days old" not in comment(changed(report("pass"), comparisons=(row,)))


@pytest.mark.parametrize("render", [comment, summary])
def test_lines__stand_in_was_not_paid(render: Callable[[Report], str]) -> None:
    """What it would have cost is said so, and no call is called paid."""
    text = render(report("pass").model_copy(update={"stand_in": True}))

    said = "**Nothing was paid: at list prices this run would have cost $1.84** (estimate $2.10, "
    assert f"{said}ceiling $5.00, 4 of 100 calls from the journal)" in text
    assert "paid call" not in text


def test_lines__stand_in_is_named_once() -> None:
    """A verdict that was read again has the notice among its warnings."""
    of = changed(report("pass"), warnings=(STAND_IN, "old"))

    text = comment(of.model_copy(update={"stand_in": True}))
    assert (1, True) == (text.count(STAND_IN), "Note: old" in text)


@pytest.mark.parametrize(
    ("expected", "calls", "stand_in"),
    [
        ("**This run $1.84** (96 paid calls) ·", 96, False),
        ("this run would have cost $1.84** (1 call) ·", 1, True),
        ("**This run $1.84** ·", 0, False),
    ],
)
def test_lines__calls(expected: str, calls: int, *, stand_in: bool) -> None:
    """Calls are counted where there are any, and called paid where they were."""
    cost = Cost(usd=1.84, calls=calls)
    of = changed(report("pass"), cost=cost).model_copy(update={"stand_in": stand_in})

    assert expected in comment(of)
