"""The comment and the summary: what they say, what foreign text cannot do, and their length."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from gate.reports.facts import STAND_IN
from gate.reports.json import JsonReporter
from gate.reports.numbers import MINUS, MISSING
from gate.types import (
    IdentityFinding,
    Policy,
    Report,
    Row,
    Rule,
    Run,
    Verdict,
)
from tests.unit.reports.hostile import hostile
from tests.unit.reports.markdown_reading import (
    comment,
    html,
    inline,
    outside_code,
    summary,
    table_rows,
)
from tests.unit.reports.report_samples import (
    COMPARISON,
    RELEVANCE_OK,
    REPORTS,
    STORY,
    changed,
    finding,
    report,
)


@pytest.mark.parametrize("status", sorted(REPORTS))
@pytest.mark.parametrize("kind", ["comment", "summary"])
def test_markdown__golden(status: str, kind: str, root: Path) -> None:
    """Every status reads as it was read and approved, word by word."""
    golden = root / "tests" / "golden" / f"{kind}-{status}.md"
    actual = (comment if kind == "comment" else summary)(report(status))
    if os.environ.get("GATE_GOLDEN") == "write":
        golden.write_text(actual, "utf-8")

    assert golden.read_text("utf-8") == actual


@pytest.mark.parametrize("status", sorted(REPORTS))
@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__hostile_text_stays_in_code(status: str, render: object) -> None:
    """With foreign text in every field, none of it is read as Markdown, HTML or a mention."""
    text = render(hostile(report(status)))  # type: ignore[operator]  # one of two functions

    assert re.search(r"EVIL|[@<]|#\d|//|www\.", outside_code(text)) is None
    assert html(text) <= {"<details>", "</details>", "<summary>", "</summary>", "<sub>", "</sub>"}
    assert {"link_open", "image", "s_open"}.isdisjoint(one.type for one in inline(text))
    assert "EVIL" in text


@pytest.mark.parametrize("status", ["regression", "two-targets", "report"])
def test_markdown__tables_keep_their_columns(status: str) -> None:
    """Pipes and newlines in names split no row."""
    counted = table_rows(comment(hostile(report(status))))

    assert counted != []
    assert all(len(set(counts)) == 1 for counts in counted)


@pytest.mark.parametrize("status", sorted(REPORTS))
def test_markdown__no_mark_without_a_word(status: str) -> None:
    """Nothing is said by a sign alone."""
    marks = re.findall(r"[❌✅❔🚫📋💬☑⚠]\ufe0f?(.{0,4})", comment(report(status)))

    assert marks != []
    assert all(re.match(r" \w", after) for after in marks)


def test_markdown__verdict_comes_first() -> None:
    """The first line is the verdict, in words."""
    first = comment(report("regression")).splitlines()[0]

    assert first == "### ❌ Regression: correctness fell by 0.13 (0.88 → 0.75)"


@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__broken_shows_what_was_compared(render: object) -> None:
    """The cause stands there once; the lost row has no number, and says how much it lacks."""
    text = render(report("broken"))  # type: ignore[operator]  # one of two functions

    assert text.count("the judge answered 529 in 37 of 40 cells") == 1
    assert f"| ✅ ok | relevance | 0.90 → 0.90 | 0.00 ({MINUS}0.02 … +0.02) | 0 / 0 |" in text
    dashes = " | ".join([MISSING] * 3)
    assert f"| 🚫 unmeasured\u00a0[1] | correctness | {dashes} |" in text
    assert "- [1] scored in 3 of 40 cases" in text


@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__broken_with_nothing_measured_shows_no_number(render: object) -> None:
    """Where no row has a mean there is no table, and no p value."""
    of = report("broken")
    rows = tuple(
        one.model_copy(update={"current": None, "outcome": "unmeasured"})
        for one in of.verdict.comparisons
    )
    text = render(changed(of, comparisons=rows))  # type: ignore[operator]  # one of two functions

    assert re.search(r"0\.12|0\.90|κ|^\|", text, re.MULTILINE) is None
    assert "**Cause:** the judge answered 529" in text


def test_markdown__broken_with_the_cause_in_its_headline() -> None:
    """A cause that the headline tells is not told again."""
    of = report("broken")
    assert of.verdict.broken is not None
    cause = of.verdict.broken.message
    text = comment(changed(of, headline=f"nothing could be decided: {cause}", warnings=(cause,)))

    assert text.count(cause) == 1


@pytest.mark.parametrize("status", ["regression", "report", "broken"])
@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__stand_in_is_named(status: str, render: object) -> None:
    """Numbers of the loopback world are never shown without its notice, nor others with it."""
    real = report(status).model_copy(update={"stand_in": False})
    standing_in = real.model_copy(update={"stand_in": True})

    assert STAND_IN in render(standing_in)  # type: ignore[operator]  # one of two functions
    assert STAND_IN not in render(real)  # type: ignore[operator]  # one of two functions


def test_markdown__report_says_the_next_step() -> None:
    """Numbers without a verdict tell what to do."""
    assert "**Next step:** write a baseline of this run" in comment(report("report"))


@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__the_next_step_of_a_regression(render: object) -> None:
    """Below the headline and before the table: mend it, or have it accepted."""
    text = render(report("regression"))  # type: ignore[operator]  # one of two functions

    step = text.index("**Next step:** mend it; if the drop is wanted, somebody who may write sets")
    assert text.index("Regression: ") < step < text.index("| dimension |")
    assert "(`kappagate: accept` unless the workflow names another);" in text
    assert "**Next step:**" not in render(report("pass"))  # type: ignore[operator]  # one of two functions


@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__pooled_attempts_say_whose_answer_is_shown(render: object) -> None:
    """Numbers are the mean of all attempts, and the answer is the latest one's."""
    text = render(changed(report("regression"), attempts=2))  # type: ignore[operator]  # one of two functions

    assert "relevance 1.00 → 0.75 (mean of 2 attempts; the latest answer is shown)\n" in text
    assert "mean of" not in render(report("regression"))  # type: ignore[operator]  # one of two functions


@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__without_a_run(render: object) -> None:
    """What kept a run from beginning has no cost and no run's name."""
    verdict = Verdict(status="broken", exit_code=2, headline="gate.yaml is missing")
    text = render(Report(name="default", verdict=verdict, run=Run(id="none")))  # type: ignore[operator]  # one of two functions

    assert "No verdict: gate.yaml is missing\n" == text.lstrip("# 🚫")


def test_markdown__advisory_rows_are_marked() -> None:
    """A row that cannot fail the run says so, whatever it found, and why."""
    row = next(
        line for line in comment(report("regression")).splitlines() if "faithfulness" in line
    )

    assert row.startswith("| 💬 advisory\u00a0[2,3] | faithfulness | 0.91 → 0.84 |")
    assert row.endswith("| no calibration |")
    assert "\n- [2] nobody has labelled it yet\n- [3] fell, which cannot" in comment(
        report("regression")
    )


def test_markdown__coverage_only_where_there_is_something() -> None:
    """Empty lists are not shown."""
    text = comment(report("pass"))

    assert re.search("Added|Removed|Text changed|Without an answer|Not in this", text) is None


def test_markdown__rows_by_target() -> None:
    """Each target has a table of its own under its name."""
    text = comment(report("two-targets"))

    assert text.index("**Target** `search`") < text.index("**Target** `rival`")
    assert len(re.findall(r"^\| ✅ ok \| relevance", text, re.MULTILINE)) == 2


def test_markdown__averages_only() -> None:
    """A plain threshold is called one, and counts of cases are not made up."""
    row = finding(
        "relevance", "regression", averages_only=True, delta=-0.08, low=None, high=None, p=None
    )
    text = comment(changed(report("regression"), comparisons=(row,)))

    assert f"| 0.90 → 0.90 | {MINUS}0.08 | {MISSING} |" in text
    assert "only averages were compared, which cannot tell noise from a drop" in text
    assert '"FAIL" = a mean drop larger than 0.05' in text


def test_markdown__look_first_at_the_worst_of_each_row() -> None:
    """The worst case of each fallen row comes before the next of any, each once, five at most."""
    rows = (
        finding("relevance", "regression", worst_cases=("a", "b", "c", "d")),
        finding("correctness", "regression", worst_cases=("x", "b")),
        finding("faithfulness", "regression", gating=False, worst_cases=("z",)),
    )
    text = comment(changed(report("regression"), comparisons=rows))

    assert "**Look first:** `a`, `x`, `b`, `c`, `d`.\n" in text


def test_markdown__categories_and_margins() -> None:
    """Rows of categories that moved stand in a fold; a dimension's own margin is named."""
    of = report("pass")
    still = RELEVANCE_OK.model_copy(update={"category": "still"})
    row = still.model_copy(
        update={"category": "facts", "delta": 0.02, "low": -0.5, "high": 1.4, "current": 0.92}
    )
    policy = Policy(rules={"relevance": Rule(margin=0.2)})
    text = comment(
        changed(of, comparisons=(RELEVANCE_OK, row, still)).model_copy(update={"policy": policy})
    )

    assert "<summary>Categories</summary>" in text
    assert "| ✅ ok | search | facts | relevance | 0.90 → 0.92 | +0.02 (" in text
    assert "0.50 … +1.00) |" in text
    assert "The other row did not move." in text
    calm = comment(changed(of, comparisons=(RELEVANCE_OK, still, still, still)))
    assert "3 rows of single categories tested, none moved." in calm
    assert "The other 3 rows did not move." in comment(
        changed(of, comparisons=(RELEVANCE_OK, row, still, still, still))
    )
    moved = comment(changed(of, comparisons=(RELEVANCE_OK, *[row] * 401)))
    assert "did not move" not in moved
    assert "and 1 more row" in moved
    assert '"ok" = no drop larger than 0.10 (relevance 0.20)' in text


def test_markdown__words_that_the_table_has_are_explained() -> None:
    """Under a FAIL alone stands what that is, and not what `ok` would be."""
    fell = finding("correctness", "regression")
    in_category = RELEVANCE_OK.model_copy(update={"category": "facts"})
    of = changed(report("regression"), comparisons=(fell, in_category))
    policy = Policy(rules={"correctness": Rule(min_effect=0.02)})

    said = "a drop of 0.05 or more that chance does not explain"
    assert f'"FAIL" = {said}\n' in comment(of)
    assert '"ok" =' not in comment(of)
    assert '"FAIL" =' not in comment(report("pass"))
    own = comment(of.model_copy(update={"policy": policy}))
    assert '"FAIL" = a drop of 0.05 (correctness 0.02) or more that chance' in own


def test_markdown__not_comparable() -> None:
    """A judge that differs is said aloud, and no difference is shown."""
    row = finding("relevance", "incomparable", baseline=None, current=0.9, delta=None)
    differs = IdentityFinding(comparable=False, differs=("judge: claude-1 and claude-2",))
    text = comment(changed(report("broken"), comparisons=(row,), identity=differs))

    assert "**Differs from the baseline:** judge: claude-1 and claude-2" in text
    assert f"| 🚫 not comparable | relevance | 0.90 | {MISSING} | {MISSING} |" in text


def test_markdown__what_differs_is_said_once() -> None:
    """A heading that says what differs needs no second line."""
    differs = IdentityFinding(comparable=False, differs=("judge: claude-1 and claude-2",))
    text = comment(
        changed(
            report("broken"),
            identity=differs,
            headline="No verdict: nothing could be compared. judge: claude-1 and claude-2",
        )
    )

    assert text.startswith("### 🚫 No verdict: nothing could be compared. Judge: claude-1 and")
    assert "Differs from the baseline" not in text


def test_markdown__a_name_keeps_its_small_letter() -> None:
    """A sentence that begins with a name of the run is not written large."""
    of = changed(report("broken"), headline="Nothing was compared. relevance: other scorer")

    assert "Nothing was compared. relevance: other scorer" in comment(of)


def test_markdown__provenance() -> None:
    """Pooled attempts, an imported run, an old baseline of averages and an early stop are told."""
    of = changed(report("pass"), attempts=2)
    run = of.run.model_copy(
        update={
            "stopped": "the ceiling was reached",
            "identities": {},
            "provenance": of.run.provenance.model_copy(update={"imported": "other-tool"}),
        }
    )
    comparison = COMPARISON.model_copy(
        update={"averages_only": True, "baseline_age_days": None, "warnings": ("normal limit",)}
    )
    text = comment(of.model_copy(update={"run": run, "comparison": comparison}))

    assert "baseline of unknown age, averages only · judge unknown · seed" in text
    assert "2 attempts on this head, pooled · imported from `other-tool` ·" in text
    assert "- ⚠️ Note: normal limit\n- ⚠️ Note: stopped early: the ceiling was reached" in text


def test_markdown__story_without_text() -> None:
    """Where text is not kept, a story has its numbers only."""
    bare = STORY.model_copy(update={"question": "", "answer": "", "reasons": (("x", ""),)})
    of = report("regression").model_copy(update={"stories": (bare,)})
    text = comment(of)

    assert "**Case** `lighthouse-height`: correctness 1.00 → 0.00" in text
    assert re.search("Question:|Answer now:|Judge on", text) is None
    assert "1.00 → 0.75 (mean of 3 attempts)\n" in comment(changed(of, attempts=3))


def test_markdown__missing_target() -> None:
    """A target that is gone is named."""
    of = report("regression")
    comparison = COMPARISON.model_copy(update={"missing_targets": ("rival",)})
    text = comment(of.model_copy(update={"comparison": comparison}))

    assert "**Missing:** the baseline has `rival`, and this run does not." in text


def test_markdown__unknown_cost() -> None:
    """What is known is a lower bound, never the cost."""
    of = report("pass")
    cost = of.verdict.cost.model_copy(update={"usd": None, "known_usd": 0.5})

    assert "**This run at least $0.50**" in comment(changed(of, cost=cost))


def test_json__of_a_comparison_row_is_not_needed() -> None:
    """A row of a comparison without differences breaks no reporter."""
    bare = Row(
        target="search",
        dimension="relevance",
        judged=True,
        direction_known=True,
        baseline=None,
        current=None,
        delta=None,
        signed=None,
    )
    of = report("pass").model_copy(
        update={"comparison": COMPARISON.model_copy(update={"rows": (bare,)})}
    )

    assert comment(of) == comment(report("pass"))
    assert JsonReporter(JsonReporter.Options()).render(of).name == "verdict.json"


def test_comment__how_to_look_into_a_case() -> None:
    """Where the run kept a journal, its calls can be followed."""
    of = report("regression")
    provenance = of.run.provenance.model_copy(update={"journal": "r1"})
    text = comment(
        of.model_copy(update={"run": of.run.model_copy(update={"provenance": provenance})})
    )

    assert (
        "`ferry-fare`. `gate report gate-out --trace CASE` shows each call behind a case." in text
    )
    own = {"run": of.run.model_copy(update={"provenance": provenance}), "folder": "gate-out/a b"}
    assert "`gate report 'gate-out/a b' --trace CASE` shows" in comment(of.model_copy(update=own))
