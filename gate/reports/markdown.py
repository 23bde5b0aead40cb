"""The comment and the job summary: one page, two lengths.

The comment holds at most 65,536 characters, as GitHub counts them, with room for what the
publisher adds; the summary stays well below GitHub's 1,048,576 bytes for a step. What does not
fit leaves whole, the least useful first, and the page says so: text is never cut in the middle of
a construct. Verdict and table stay.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from gate.reports.changed import MOST_LISTED, untold
from gate.reports.detail import COMMENT, SUMMARY, Detail
from gate.reports.options import NoOptions
from gate.reports.page import build
from gate.templates import render
from gate.types import Artifact, Report

COMMENT_BUDGET = 60_000
"""UTF-16 units of the comment. One is at most three bytes of UTF-8, so 262,144 bytes hold too."""
SUMMARY_BUDGET = 900_000
"""Bytes of the summary."""
MEDIA_TYPE = "text/markdown"
"""Of both files."""


@dataclass(frozen=True)
class MarkdownReporter:
    """The comment of a pull request, `comment.md`."""

    Options = NoOptions
    """Options of `use: markdown`."""
    options: NoOptions
    """The options."""

    def render(self, report: Report) -> Artifact:
        """Render the comment in at most 60,000 characters."""
        text = fitted(report, "comment.md.j2", COMMENT, _units, COMMENT_BUDGET)
        return Artifact(name="comment.md", media_type=MEDIA_TYPE, text=text)


@dataclass(frozen=True)
class SummaryReporter:
    """The job summary, `summary.md`: the comment's longer sister."""

    Options = NoOptions
    """Options of `use: summary`."""
    options: NoOptions
    """The options."""

    def render(self, report: Report) -> Artifact:
        """Render the summary in at most 900,000 bytes."""
        text = fitted(report, "summary.md.j2", SUMMARY, _bytes, SUMMARY_BUDGET)
        return Artifact(name="summary.md", media_type=MEDIA_TYPE, text=text)


def fitted(
    report: Report,
    template: str,
    levels: Sequence[Detail],
    size: Callable[[str], int],
    budget: int,
) -> str:
    """Render on the first level whose text fits; the last level fits by its own limits."""
    text = ""
    # What lists more cases than a page can hold need not be tried.
    many = untold(report).count > MOST_LISTED
    for detail in [one for one in levels if not many or one.listed <= MOST_LISTED]:
        text = render(f"reports/templates/{template}", page=build(report, detail))
        if size(text) <= budget:
            break
    return text


def _units(text: str) -> int:
    return len(text.encode("utf-16-le")) // 2


def _bytes(text: str) -> int:
    return len(text.encode("utf-8"))
