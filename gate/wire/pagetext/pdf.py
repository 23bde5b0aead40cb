"""The text of a PDF; the one importer of pypdfium2, which has no types."""

from __future__ import annotations

import re
from contextlib import closing

import pypdfium2

_HYPHEN = re.compile("[\x02\ufffe](?:\r?\n)?")
"""How pdfium marks a word that is broken at the end of a line."""


class UnreadableError(Exception):
    """The bytes are not what they seem to be."""


def pdf_text(body: bytes, *, enough: int) -> str:
    """Return the text page by page, until there are `enough` characters.

    Raises UnreadableError for what is no PDF, is broken, or wants a password.
    """
    pages: list[str] = []
    size = 0
    try:
        with closing(pypdfium2.PdfDocument(body)) as document:
            for number in range(len(document)):
                with closing(document[number]) as page, closing(page.get_textpage()) as text:
                    pages.append(_HYPHEN.sub("", text.get_text_range()))
                size += len(pages[-1])
                if size > enough:
                    break
    except pypdfium2.PdfiumError as error:
        raise UnreadableError(str(error)) from error
    return "\n\n".join(pages)
