"""The comment and the summary: what they say, what foreign text cannot do, and their length."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from gate.reports.json import JsonReporter
from gate.reports.markdown import COMMENT_BUDGET, SUMMARY_BUDGET, MarkdownReporter, SummaryReporter
from gate.reports.numbers import MINUS, MISSING
from gate.reports.page import STAND_IN
from gate.types import CaseStory, Coverage, Failure, IdentityFinding, Report, Row
from tests.unit.reports.hostile import hostile
from tests.unit.reports.markdown_reading import html, inline, outside_code, table_rows, tokens
from tests.unit.reports.report_samples import (
    COMPARISON,
    FAITHFULNESS_ADVISORY,
    RELEVANCE_OK,
    REPORTS,
    STORY,
    changed,
    finding,
    report,
)

GITHUB_CHARACTERS = 65_536
GITHUB_BYTES = 262_144
GITHUB_SUMMARY_BYTES = 1_048_576


def comment(of: Report) -> str:
    """The comment of a report."""
    return MarkdownReporter(MarkdownReporter.Options()).render(of).text


def summary(of: Report) -> str:
    """The job summary of a report."""
    return SummaryReporter(SummaryReporter.Options()).render(of).text


@pytest.mark.parametrize("status", sorted(REPORTS))
@pytest.mark.parametrize("kind", ["comment", "summary"])
def test_markdown__golden(status: str, kind: str, root: Path) -> None:
    """Every status reads as it was read and approved, word by word."""
    expected = (root / "tests" / "golden" / f"{kind}-{status}.md").read_text("utf-8")

    assert expected == (comment if kind == "comment" else summary)(report(status))


@pytest.mark.parametrize("status", sorted(REPORTS))
@pytest.mark.parametrize("render", [comment, summary])
def test_markdown__hostile_text_stays_in_code(status: str, render: object) -> None:
    """With foreign text in every field, none of it is read as Markdown, HTML or a mention."""
    text = render(hostile(report(status)))  # type: ignore[operator]

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
def test_markdown__broken_shows_no_quality_number(render: object) -> None:
    """The cause stands there once, and no score, neither of lost rows nor of measured ones."""
    text = render(report("broken"))  # type: ignore[operator]

    assert text.count("the judge answered 529 in 37 of 40 cells") == 1
    assert re.search(r"0\.12|0\.46|0\.33|0\.90|κ", text) is None


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

    assert STAND_IN in render(standing_in)  # type: ignore[operator]
    assert STAND_IN not in render(real)  # type: ignore[operator]


def test_markdown__report_says_the_next_step() -> None:
    """Numbers without a verdict tell what to do."""
    assert "**Next step:** write a baseline of this run" in comment(report("report"))


def test_markdown__advisory_rows_are_marked() -> None:
    """A row that cannot fail the run says so, whatever it found, and why."""
    row = next(
        line for line in comment(report("regression")).splitlines() if "faithfulness" in line
    )

    assert row.startswith("| 💬 advisory | faithfulness | 0.91 → 0.84 |")
    assert row.endswith("| no labels; nobody has labelled it yet; fell |")


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
    assert "averages only: cannot tell noise from a drop" in text
    assert '"FAIL" = a mean drop larger than 0.05' in text
    assert "Look first" not in text


def test_markdown__missing_target() -> None:
    """A target that is gone is named."""
    of = report("regression")
    comparison = COMPARISON.model_copy(update={"missing_targets": ("rival",)})
    text = comment(of.model_copy(update={"comparison": comparison}))

    assert "**Missing:** the baseline has `rival`, and this run does not." in text


def test_markdown__operation_regressed() -> None:
    """A rise that fails the run says why and names its cases."""
    of = report("regression")
    worse = of.verdict.operations[0].model_copy(
        update={
            "outcome": "regression",
            "because": "empty answers rose",
            "p": {"empty_rate": 0.004},
            "cases": {"empty_rate": ("tide-table",)},
        }
    )
    text = comment(changed(of, operations=(worse,)))

    assert "empty p 0.0040 · ❌ FAIL: empty answers rose · empty rate: `tide-table`" in text


def test_markdown__unknown_cost() -> None:
    """What is known is a lower bound, never the cost."""
    of = report("pass")
    cost = of.verdict.cost.model_copy(update={"usd": None, "known_usd": 0.5})

    assert "**This run at least $0.50**" in comment(changed(of, cost=cost))


STORIES = tuple(
    CaseStory(
        case_id=f"case-{number}",
        target="search",
        question="why " * 100,
        answer="\N{SNOWMAN WITHOUT SNOW}\N{GRINNING FACE}" * 2_000,
        changes=(("correctness", 1.0, 0.0),),
        reasons=(("correctness", "because " * 125),),
    )
    for number in range(400)
)


def test_length__400_changed_cases() -> None:
    """400 long stories: the details leave, verdict and table stay, and it is said."""
    of = report("regression").model_copy(update={"stories": STORIES})
    text, long = comment(of), summary(of)

    assert len(text.encode("utf-16-le")) // 2 <= COMMENT_BUDGET < GITHUB_CHARACTERS
    assert len(text.encode("utf-8")) < GITHUB_BYTES
    assert "| ❌ FAIL | correctness | 0.88 → 0.75 |" in text
    assert "Left out to fit: " in text
    assert "`case-0`" in text
    assert len(long.encode("utf-8")) <= SUMMARY_BUDGET < GITHUB_SUMMARY_BYTES
    assert long.count("**Case**") > text.count("**Case**")


def monstrous(names: int, rows: int, costly: str) -> Report:
    """A report in which every list is long and every text is long and costly to show."""
    many = tuple(f"{costly}{number}" for number in range(names))
    of = report("regression")
    findings = tuple(
        finding(
            "d" * 5_000, "inconclusive", target=costly + str(number), settles=costly, note=costly
        )
        for number in range(rows)
    )
    operation = of.verdict.operations[0]
    return changed(
        of,
        headline=costly * 100,
        comparisons=(*findings, finding("correctness", "regression", worst_cases=many)),
        operations=tuple(
            operation.model_copy(update={"target": name, "because": costly}) for name in many
        ),
        coverage=Coverage(
            cases=9,
            added=many,
            removed=many,
            changed=many,
            errored=many,
            unscored=dict.fromkeys(many, 1),
        ),
        warnings=many,
        edits=many,
        reproduce=tuple(name * 20 for name in many),
        next_step=costly * 100,
        accepted_by=costly * 100,
        seed=costly * 100,
        identity=IdentityFinding(comparable=False, differs=many),
    ).model_copy(update={"stories": (STORY.model_copy(update={"answer": costly * 200}),) * 50})


@pytest.mark.parametrize("costly", ["`@|#[" * 120, "` " * 300, "\N{GRINNING FACE}" * 600])
def test_length__everything_is_too_long(costly: str) -> None:
    """The last level fits by its own limits, and the failing row is the last to leave."""
    of = monstrous(names=60, rows=60, costly=costly)
    text, long = comment(of), summary(of)

    assert len(text.encode("utf-16-le")) // 2 <= COMMENT_BUDGET
    assert len(long.encode("utf-8")) <= SUMMARY_BUDGET
    assert "| ❌ FAIL | correctness |" in text
    assert "rows of the table" in text
    assert text.startswith("### ☑️ Accepted regression: ")
    assert [one.type for one in tokens(text)].count("html_block") % 2 == 0


def test_length__everything_is_too_long_and_broken() -> None:
    """A broken run of the same kind fits as well."""
    of = monstrous(names=60, rows=60, costly="` " * 300)
    broken = Failure(kind="judge", message="` " * 9_000)
    text = comment(changed(of, status="broken", exit_code=3, broken=broken))

    assert len(text.encode("utf-16-le")) // 2 <= COMMENT_BUDGET
    assert text.startswith("### 🚫 No verdict: ")


def test_kept__order_of_rows_stays() -> None:
    """A table that is shortened keeps gating rows before advisory ones."""
    advisory = tuple(
        FAITHFULNESS_ADVISORY.model_copy(update={"dimension": f"{'a' * 5_000}{number}"})
        for number in range(450)
    )
    text = comment(changed(report("regression"), comparisons=(*advisory, RELEVANCE_OK)))

    assert text.index("| ✅ ok | relevance") < text.index("| 💬 advisory")


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
