"""The lines of `gate doctor`, for a terminal and for a job summary. Pure."""

from __future__ import annotations

import textwrap
from collections import Counter
from collections.abc import Sequence

from gate.decision.words import counted
from gate.reports.tables import table
from gate.reports.untrusted import plain, sentence, span
from gate.types import Check, CheckState

__all__ = ["checkup_markdown", "checkup_text", "conclusion"]

_MARKS: dict[CheckState, tuple[str, str, str]] = {
    "ok": ("✅", "+", "ok"),
    "look": ("⚠️", "!", "look"),
    "wrong": ("❌", "x", "WRONG"),
    "not asked": ("⏭️", "-", "not asked"),
}
"""State -> mark, mark without Unicode, word. No meaning by the mark alone."""
_WORD = 9
_NARROWEST = 50


def checkup_text(checks: Sequence[Check], width: int) -> str:
    """Return the lines for a terminal of `width` columns, what to do below what was found."""
    topic = max((len(plain(one.topic)) for one in checks), default=0)
    indent = " " * (_WORD + topic + 4)
    room = max(width, _NARROWEST + len(indent))
    lines: list[str] = []
    for one in checks:
        head = f"{_MARKS[one.state][2]:<{_WORD}}  {plain(one.topic):<{topic}}  "
        lines += _wrapped(plain(one.says), room, head, indent)
        if one.mend is not None:
            lines += _wrapped(plain(one.mend), room, f"{indent}-> ", f"{indent}   ")
    return "\n".join([*lines, "", conclusion(checks), ""])


def checkup_markdown(checks: Sequence[Check]) -> str:
    """Return the lines as Markdown; what is foreign in them stays in code."""
    rows = [
        (
            f"{_MARKS[one.state][0]} {_MARKS[one.state][2]}",
            span(one.topic, 60),
            sentence(one.says) + ("" if one.mend is None else f" → {sentence(one.mend)}"),
        )
        for one in checks
    ]
    shown = table(("", "what", "found → what to do"), rows)
    return f"### Check-up: {sentence(conclusion(checks))}\n\n{shown}\n"


def conclusion(checks: Sequence[Check]) -> str:
    """Say in a sentence whether a run can be made."""
    counts = Counter(one.state for one in checks)
    look = f", {counted(counts['look'], 'thing')} to look at" if counts["look"] else ""
    if counts["wrong"]:
        return f"{counted(counts['wrong'], 'thing')} to mend before a run{look}."
    return f"Nothing stands in the way of a run{look}."


def _wrapped(text: str, width: int, first: str, other: str) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=first,
        subsequent_indent=other,
        break_long_words=False,
        break_on_hyphens=False,
    ) or [first.rstrip()]
