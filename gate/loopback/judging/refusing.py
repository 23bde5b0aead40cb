"""Whether an answer says that it cannot answer."""

from __future__ import annotations

import re

_NO = re.compile(
    r"\b(?:could not|couldn't|cannot|can't|can not|was unable to|unable to|did not|do not|don't) "
    r"(?:find|locate|answer|say|tell|confirm|verify|give|have (?:any|enough))\b"
    r"|\bno (?:such|information|reliable|evidence|record|data|page|source)\b"
    r"|\bdoes not (?:seem to )?exist\b|\bnot (?:publicly )?(?:available|known)\b"
    r"|\bi will not guess\b",
    re.IGNORECASE,
)
_OPENING = 400


def refuses(answer: str) -> bool:
    """Return whether the opening of an answer is a refusal; what comes late is a caveat."""
    return bool(_NO.search(answer[:_OPENING].replace("\u2019", "'")))
