"""A comment as GitHub's own Markdown library renders it, raw HTML alive, as a tree of elements."""

from __future__ import annotations

from collections.abc import Iterator

import cmarkgfm
from cmarkgfm.cmark import Options
from lxml import etree, html

COMMENT = "!--"
"""Stands for the name of a comment of HTML."""
CODE = frozenset({"code", "pre"})
INLINE = frozenset({"code"})


def rendered(text: str) -> html.HtmlElement:
    """Render a comment; nothing is sanitised, so that all that could come alive does."""
    made = cmarkgfm.github_flavored_markdown_to_html(text, Options.CMARK_OPT_UNSAFE)
    return html.fragment_fromstring(made, create_parent="main")


def names(tree: html.HtmlElement) -> set[str]:
    """Names of all elements."""
    return {_name(one) for one in tree.iterdescendants()}


def outside_code(tree: html.HtmlElement) -> str:
    """All text where GitHub looks for mentions, issues and addresses."""
    return "\n".join(_outside(tree))


def _outside(element: html.HtmlElement) -> Iterator[str]:
    if _name(element) in CODE:
        return
    if _name(element) != COMMENT:
        yield element.text or ""
        for child in element:
            yield from _outside(child)
            yield child.tail or ""


def columns(tree: html.HtmlElement) -> list[set[int]]:
    """Of each table, how many cells its rows have."""
    return [{len(row) for row in one.iter("tr")} for one in tree.iter("table")]


def skeleton(element: html.HtmlElement) -> object:
    """The tree without texts and without code inside a line."""
    inner = [skeleton(one) for one in element if _name(one) not in INLINE]
    return (_name(element), inner)


def _name(element: html.HtmlElement) -> str:
    return COMMENT if isinstance(element, etree._Comment) else str(element.tag)
