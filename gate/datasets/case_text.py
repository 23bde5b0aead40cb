"""Cases as the text of a cases.yaml, for what makes cases of other tools' files."""

from __future__ import annotations

import json
from collections.abc import Sequence

__all__ = ["case_text", "quoted_text"]


def case_text(id_: str, query: str, assertions: Sequence[str]) -> str:
    """Return the lines of one case. The id must be one that `load_cases` takes."""
    lines = [f"- id: {quoted_text(id_)}", f"  query: {quoted_text(query)}"]
    if assertions:
        lines.append("  expect_assertions:")
        lines += [f"    - {quoted_text(one)}" for one in assertions]
    return "\n".join(lines) + "\n"


def quoted_text(text: str) -> str:
    """Return a text in double quotes, on one line, so that every YAML reader reads it back.

    Signs that cannot be seen are escaped: YAML takes some of them for line ends.
    """
    visible = all(sign.isprintable() or sign in "\n\t" for sign in text)
    return json.dumps(text, ensure_ascii=not visible)
