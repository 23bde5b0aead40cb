"""Renders reports, and reads Markdown as GitHub does, near enough: CommonMark, tables, HTML."""

from __future__ import annotations

import re
from collections.abc import Iterator

from markdown_it import MarkdownIt
from markdown_it.token import Token

from gate.reports.markdown import MarkdownReporter, SummaryReporter
from gate.types import Report

READER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])


def tokens(text: str) -> list[Token]:
    """Block tokens."""
    return READER.parse(text)


def inline(text: str) -> Iterator[Token]:
    """Inline tokens of all blocks."""
    for token in tokens(text):
        yield from token.children or ()


def outside_code(text: str) -> str:
    """All rendered text that is not code, where GitHub looks for mentions and addresses."""
    return "\n".join(
        one.content for one in inline(text) if one.type not in ("code_inline", "html_inline")
    )


def html(text: str) -> set[str]:
    """All raw HTML tags that come alive."""
    blocks = [one.content for one in tokens(text) if one.type == "html_block"]
    spans = [one.content for one in inline(text) if one.type == "html_inline"]
    return set(re.findall(r"<[^>]*>?", "".join([*blocks, *spans])))


def table_rows(text: str) -> list[list[int]]:
    """Of each table outside of code, the number of cells of each of its lines."""
    tables: list[list[int]] = []
    source = text.splitlines()
    for token in tokens(text):
        if token.type == "table_open":
            assert token.map is not None
            begin, end = token.map
            counts = [len(re.findall(r"(?<!\\)\|", line)) - 1 for line in source[begin:end]]
            tables.append(counts)
    return tables


def comment(of: Report) -> str:
    """The comment of a report."""
    return MarkdownReporter(MarkdownReporter.Options()).render(of).text


def summary(of: Report) -> str:
    """The job summary of a report."""
    return SummaryReporter(SummaryReporter.Options()).render(of).text
