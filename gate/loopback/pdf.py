"""A PDF of a few lines, as a page of the mini-web may be."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

_WIDTH = 88
_LINES_A_PAGE = 54
_ESCAPED = str.maketrans({"\\": "\\\\", "(": "\\(", ")": "\\)"})


def pdf_of(title: str, paragraphs: Sequence[str]) -> bytes:
    """Return a document of one column in Helvetica (PDF 1.4, ISO 32000-1, uncompressed).

    Text is in WinAnsiEncoding; a character that it lacks becomes a question mark.
    """
    lines = [line for text in (title, *paragraphs) for line in [*wrap(text, _WIDTH), ""]]
    pages = [lines[n : n + _LINES_A_PAGE] for n in range(0, len(lines), _LINES_A_PAGE)]
    return _file([body.encode("cp1252", "replace") for body in _objects(pages)])


def _objects(pages: Sequence[Sequence[str]]) -> Iterator[str]:
    """Return the bodies of the objects: catalogue, tree, font, then two for each page."""
    kids = " ".join(f"{5 + 2 * n} 0 R" for n in range(len(pages)))
    yield "<< /Type /Catalog /Pages 2 0 R >>"
    yield f"<< /Type /Pages /Kids [{kids}] /Count {len(pages)} >>"
    yield "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>"
    for number, lines in enumerate(pages):
        shown = "".join(f"({line.translate(_ESCAPED)}) Tj T*\n" for line in lines)
        drawn = f"BT /F1 10 Tf 13 TL 56 780 Td\n{shown}ET"
        yield f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream"
        yield (
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents {4 + 2 * number} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )


def _file(objects: Sequence[bytes]) -> bytes:
    """Return the objects with the table of their places and the trailer."""
    made, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(made))
        made += b"%d 0 obj\n%b\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    count = len(objects) + 1
    end = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (count, len(made))
    return made + b"xref\n0 %d\n0000000000 65535 f \n" % count + table + end
