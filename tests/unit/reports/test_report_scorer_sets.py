"""A run of a scorer set says which dimensions of the baseline it did not measure."""

from __future__ import annotations

import pytest

from gate.reports.json import JsonReporter
from gate.reports.markdown import MarkdownReporter, SummaryReporter
from gate.reports.options import NoOptions
from gate.reports.terminal import terminal_text
from gate.types import Coverage, Report
from tests.unit.reports.report_samples import report as sample

LEFT_OUT = ("faithfulness", "citation_precision")


def report(*sets: str, left_out: tuple[str, ...] = LEFT_OUT) -> Report:
    """A passing run of these sets."""
    made = sample("pass")
    coverage = Coverage(cases=40, compared=40, not_measured=left_out)
    return made.model_copy(
        update={
            "verdict": made.verdict.model_copy(update={"coverage": coverage}),
            "run": made.run.model_copy(
                update={"plan": made.run.plan.model_copy(update={"scorer_sets": sets})}
            ),
        }
    )


def texts(one: Report) -> list[str]:
    """Terminal, comment and summary."""
    return [
        terminal_text(one, 120, color=False),
        MarkdownReporter(NoOptions()).render(one).text,
        SummaryReporter(NoOptions()).render(one).text,
    ]


def test_not_measured__is_named_with_the_set() -> None:
    """In the same words wherever a person reads it, and in verdict.json."""
    terminal, comment, summary = texts(report("quick"))
    said = "faithfulness, citation_precision (scorer set quick)"

    assert f"\nNot measured here: {said}\n" in terminal
    markdown = said.replace("_", "\\_")
    assert any(f"- **Not measured here:** {one}\n" in comment for one in (said, markdown))
    assert "**Not measured here:**" in summary
    assert (
        '"not_measured": [\n      "faithfulness",'
        in JsonReporter(NoOptions()).render(report("quick")).text
    )


def test_not_measured__several_sets() -> None:
    """All of them are named."""
    assert "(scorer sets quick and pages)" in texts(report("quick", "pages"))[0]


@pytest.mark.parametrize("one", [report(), report("full", left_out=())], ids=["no set", "all"])
def test_not_measured__nothing_to_say(one: Report) -> None:
    """Without a set a warning says it; a set that leaves nothing out has no line."""
    assert not any("Not measured" in text for text in texts(one))
