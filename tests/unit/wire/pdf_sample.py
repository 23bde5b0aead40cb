"""A PDF of a few lines."""

from __future__ import annotations


def pdf(*pages: str) -> bytes:
    """A PDF with one line of Latin text on each page (PDF 1.4, uncompressed)."""
    objects = ["<< /Type /Catalog /Pages 2 0 R >>", "", "<< /Type /Font /Subtype /Type1"]
    objects[2] += " /BaseFont /Helvetica >>"
    kids = []
    for text in pages:
        safe = text.replace("\\", "\\\\").replace("(", "\\(").replace(")", "\\)")
        drawn = f"BT /F1 12 Tf 72 720 Td ({safe}) Tj ET"
        objects.append(f"<< /Length {len(drawn)} >>\nstream\n{drawn}\nendstream")
        objects.append(
            f"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents {len(objects)} 0 R"
            " /Resources << /Font << /F1 3 0 R >> >> >>"
        )
        kids.append(f"{len(objects)} 0 R")
    objects[1] = f"<< /Type /Pages /Kids [{' '.join(kids)}] /Count {len(kids)} >>"
    made, places = "%PDF-1.4\n", []
    for number, body in enumerate(objects, start=1):
        places.append(len(made))
        made += f"{number} 0 obj\n{body}\nendobj\n"
    table = "".join(f"{place:010d} 00000 n \n" for place in places)
    count = len(objects) + 1
    made_table = f"xref\n0 {count}\n0000000000 65535 f \n{table}"
    end = f"trailer << /Size {count} /Root 1 0 R >>\nstartxref\n{len(made)}\n%%EOF"
    return (made + made_table + end).encode()
