"""The line that names right answers whose pages do not say it, and the row of what is watched."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from gate.reports.junit import JunitReporter
from gate.reports.memory import MOST_CASES
from gate.reports.numbers import MISSING
from gate.reports.options import NoOptions
from gate.reports.rows import table_rows
from gate.reports.stories import stories
from gate.reports.terminal import terminal_text
from gate.types import MemoryFinding, Report
from tests.unit.reports.markdown_reading import comment, summary
from tests.unit.reports.report_samples import (
    COMPARISON,
    FROM_MEMORY,
    TWO_TARGETS,
    changed,
    report,
)

EXPLAINED = (
    "Correctness is high and faithfulness low: the model may have answered from memory, or cited "
    "pages that do not say it."
)


def shown(of: Report) -> str:
    """The plain text of a report."""
    return terminal_text(of, 120, color=False)


def found(*findings: MemoryFinding, run: str = "evidence") -> Report:
    """A report with these findings."""
    return changed(report(run), from_memory=findings)


@pytest.mark.parametrize("render", [comment, summary])
def test_memory__one_line_in_markdown(render: Callable[[Report], str]) -> None:
    """How many of how many, before and now, and which cases: as code, since ids are foreign."""
    text = render(found(FROM_MEMORY))

    assert (
        "\n**Right, but not from its pages:** 3 of 38 answers (2% in the baseline): "
        f"`mast-owner`, `ferry-fare`. {EXPLAINED}\n"
    ) in text


def test_memory__one_line_in_the_terminal() -> None:
    """The same words."""
    assert (
        "\nRight, but not from its pages: 3 of 38 answers (2% in the baseline): "
        f"mast-owner and ferry-fare. {EXPLAINED}\n"
    ) in shown(found(FROM_MEMORY))


@pytest.mark.parametrize("render", [comment, summary, shown])
@pytest.mark.parametrize(
    "findings", [(), (FROM_MEMORY.model_copy(update={"count": 0, "cases": ()}),)]
)
def test_memory__no_line_without_such_an_answer(
    render: Callable[[Report], str], findings: tuple[MemoryFinding, ...]
) -> None:
    """Nor where one of the two dimensions was not measured."""
    assert "from its pages" not in render(found(*findings))


@pytest.mark.parametrize("render", [comment, summary, shown])
def test_memory__without_a_share_of_the_baseline(render: Callable[[Report], str]) -> None:
    """What is not known is not said; one answer is no plural."""
    one = MemoryFinding(target="search", count=1, n=1, cases=("a",))
    text = render(found(one))

    assert re.search(r"from its pages:(\*\*)? 1 of 1 answer: `?a`?\. Correctness", text)


@pytest.mark.parametrize("render", [comment, summary, shown])
def test_memory__a_line_for_each_target_explained_once(render: Callable[[Report], str]) -> None:
    """With several targets each line names its own."""
    rival = MemoryFinding(target="rival", count=1, n=2, cases=("tide-table",), baseline=0.0)
    of = found(FROM_MEMORY, rival).model_copy(update={"run": TWO_TARGETS})
    text = render(of)

    assert re.search(r"Right, but not from its pages \(`?search`?\):(\*\*)? 3 of 38", text)
    assert re.search(
        r"Right, but not from its pages \(`?rival`?\):(\*\*)? 1 of 2 answers \(0% in the "
        r"baseline\): `?tide-table`?\n",
        text,
    )
    assert 1 == text.count("may have answered from memory")


@pytest.mark.parametrize("render", [comment, summary, shown])
def test_memory__the_list_is_capped(render: Callable[[Report], str]) -> None:
    """The first cases are named and the others counted; verdict.json has all."""
    cases = tuple(f"case-{number:02d}" for number in range(MOST_CASES + 4))
    many = MemoryFinding(target="search", count=20, n=30, cases=cases)
    text = render(found(many))

    assert cases[MOST_CASES - 1] in text
    assert cases[MOST_CASES] not in text
    assert "and 4 more. Correctness" in text


def test_watched__row_has_its_own_word_and_no_licence() -> None:
    """Mark and word, both means in claims, and a dash where others show their judge's trust."""
    text = comment(report("evidence"))

    assert (
        "| 👀 watched\u00a0[3] | claims | 3.90 → 2.10 | \N{MINUS SIGN}1.80 "
        f"(\N{MINUS SIGN}2.20 … \N{MINUS SIGN}1.40) | 31 / 2 | {MISSING} |\n"
    ) in text
    assert "- [3] watched: a clear fall is pointed out, and fails no run\n" in text
    assert re.search(r"\nwatched \[3\] +claims +3\.90 → 2\.10 ", shown(report("evidence")))


def test_watched__is_skipped_in_junit() -> None:
    """It neither passed nor failed."""
    text = JunitReporter(NoOptions()).render(report("evidence")).text

    assert re.search(r'name="claims">\s*<skipped message="watched; 3\.90 → 2\.10; ', text)
    assert 'failures="0"' in text


def test_watched__fall_is_no_story() -> None:
    """A claim more or less is another scale than a score: the case counts by its scores alone."""
    [fell] = COMPARISON.rows
    claims = fell.model_copy(update={"dimension": "claims", "watched": True})
    without = COMPARISON.model_copy(update={"rows": (claims,)})

    assert 2 == len(stories(COMPARISON, (), keep_text=False))
    assert () == stories(without, (), keep_text=False)
    assert "changed case" not in comment(
        report("evidence").model_copy(update={"comparison": without})
    )


def test_watched__advisory_rows_keep_theirs() -> None:
    """The two words stand for two things."""
    words = [(row.finding.dimension, row.word) for row in table_rows(report("evidence"))]

    assert [("relevance", "ok"), ("faithfulness", "advisory"), ("claims", "watched")] == words
