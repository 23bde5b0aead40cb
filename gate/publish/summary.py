"""A report -> the job summary: the text of summary.md, in a size that the runner takes."""

from __future__ import annotations

from gate.reports.markdown import SUMMARY_BUDGET, SummaryReporter
from gate.reports.options import NoOptions
from gate.reports.untrusted import sentence
from gate.types import Report

__all__ = ["summary_text"]


def summary_text(report: Report) -> str:
    """Return the Markdown of the job summary, at most 900,000 bytes.

    It is rendered here and not read from a file, which may have come from elsewhere.
    """
    text = SummaryReporter(NoOptions()).render(report).text
    if len(text.encode("utf-8", "replace")) <= SUMMARY_BUDGET:
        return text
    return f"## {sentence(report.verdict.headline)}\n\nThe report is too long to be shown here.\n"
