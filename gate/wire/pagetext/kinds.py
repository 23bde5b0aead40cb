"""What a page is, by what its server says of it and by how it begins."""

from __future__ import annotations

import re
from typing import Literal

Kind = Literal["html", "text", "pdf"]
"""The kinds that can be read."""

SNIFF_BYTES = 1024
"""How much of a page must be known to tell what it is."""

_TEXT_BYTES = 512
"""How far a page must be free of zero bytes to be text."""
_DECLARED: dict[str, Kind] = {
    "text/html": "html",
    "application/xhtml+xml": "html",
    "text/plain": "text",
    "application/pdf": "pdf",
    "application/x-pdf": "pdf",
}
_SAYS_NOTHING = frozenset({"", "application/octet-stream", "binary/octet-stream"})
_BOMS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff")
_MARKUP = re.compile(
    rb"(?>\s|<!--.*?-->|<\?xml.*?\?>)*+<(?:!doctype\s+html|html|head|body)\b", re.DOTALL
)
"""How HTML begins; atomic, since a page could make a backtracking match run for ages."""
_BINARY = (
    b"PK\x03\x04",
    b"\x89PNG",
    b"\x7fELF",
    b"GIF8",
    b"\xff\xd8\xff",
    b"\x1f\x8b",
    b"Rar!",
    b"7z\xbc\xaf",
    b"RIFF",
    b"OggS",
    b"MZ\x90",
    b"wOF",
)
"""How archives, pictures, sounds, programs and fonts begin."""


def may_be_read(media_type: str) -> bool:
    """Return whether a page of this declared type is worth its body."""
    return media_type in _DECLARED or media_type in _SAYS_NOTHING


def kind_of(media_type: str, charset: str | None, body: bytes) -> Kind | None:
    """Return what a page is; None when it cannot be read.

    `media_type` is the declared one in lower case, without parameters, and may lie: where the
    first bytes (`SNIFF_BYTES`) are those of a PDF, of HTML or of something binary, they hold.
    `charset` is the declared one: UTF-16 may hold zero bytes, other text may not start with them.
    """
    head = body[:SNIFF_BYTES]
    if head.lstrip().startswith(b"%PDF-"):
        return "pdf"
    wide = head.startswith(_BOMS[1:]) or (charset or "").lower().startswith("utf-16")
    if head.startswith(_BINARY) or (b"\0" in head[:_TEXT_BYTES] and not wide):
        return None
    declared = _DECLARED.get(media_type)
    if declared in ("html", "text") and (wide or not _begins_like_html(head)):
        return declared
    return "html" if may_be_read(media_type) and _begins_like_html(head) else None


def _begins_like_html(head: bytes) -> bool:
    return _MARKUP.match(head.removeprefix(_BOMS[0]).lower()) is not None
