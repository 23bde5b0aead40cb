"""Bytes of a page -> its readable text. Slow on hostile pages, so it runs in a killable process.

What it cannot see: text that scripts or style sheets put in or hide, and text in pictures.
"""

from __future__ import annotations

import re

import trafilatura

from gate.wire.pagetext.decode import decode
from gate.wire.pagetext.kinds import Kind
from gate.wire.pagetext.pdf import UnreadableError, pdf_text

__all__ = ["MOST_TEXT_BYTES", "UnreadableError", "clean", "extract"]

MOST_TEXT_BYTES = 60_000
"""Cap of a page's text in UTF-8."""

_HIDDEN = [
    "//body//*[@hidden]",
    "//body//noscript",
    "//body//template",
    *(
        f"//body//*[contains(translate(@style,'{words.upper()} ','{words}'),'{style}')]"
        for words, style in (("displaynoe", "display:none"), ("visbltyhden", "visibility:hidden"))
    ),
]
"""What a reader of the page does not see; trafilatura keeps some of it on short pages."""

_UNSEEN = re.compile(
    "["
    "\x00-\x08\x0b\x0e-\x1f\x7f-\x9f"  # control characters, without tab and line ends
    "\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u3164\uffa0"  # fillers, soft hyphens
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff0-\ufffb"  # zero width, direction
    "\ufe00-\ufe0f\U000e0000-\U000e0fff"  # variation selectors, tags
    "\ud800-\udfff\ufdd0-\ufdef\ufffe\uffff"  # halves of characters, and none
    "]"
)
"""Characters without a shape of their own, in which a page could hide words from people."""
_LINE_END = re.compile("\r\n?|[\x0c\u0085\u2028\u2029]")
_SPACES = re.compile("[^\\S\n]+")
_AROUND = re.compile(" ?\n ?")
_GAP = re.compile("\n{3,}")


def extract(kind: Kind, body: bytes, *, charset: str | None = None, cut: bool = False) -> str:
    """Return the readable text, cleaned and capped; empty when there is none.

    `charset` is the one in the HTTP header; `cut` says that the page goes on after `body`. Raises
    UnreadableError.
    """
    if kind == "pdf":
        return clean(pdf_text(body, enough=MOST_TEXT_BYTES))
    text = decode(body, charset, cut=cut)
    return clean(_main_text(text) if kind == "html" else text)


def clean(text: str) -> str:
    """Return a text without invisible characters and runs of blanks, cut at the cap."""
    text = _UNSEEN.sub("", _LINE_END.sub("\n", text))
    text = _GAP.sub("\n\n", _AROUND.sub("\n", _SPACES.sub(" ", text))).strip()
    return text.encode()[:MOST_TEXT_BYTES].decode(errors="ignore")


def _main_text(html: str) -> str:
    """Return the text without menus, comments and scripts.

    `fast` leaves out two other extractors that trafilatura may ask: they gave the same text in
    our measurements, and one of them runs for minutes on a page of nothing but lists.
    """
    found = trafilatura.extract(html, fast=True, include_comments=False, prune_xpath=_HIDDEN)
    return found or ""
