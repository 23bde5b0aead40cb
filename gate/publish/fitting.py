"""Makes a comment's body short enough, whatever it is; a report of ours is so already.

It is cut at an empty line outside of code, what is open is closed, and it says that it was cut.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from gate.publish.hidden import units

MOST_UNITS: Final = 60_000
"""UTF-16 units of a body, which leaves room for the hidden parts."""
CUT: Final = (
    "Left out to fit: the rest of the report. All of it is in `summary.md` and `verdict.json`."
)
"""The last line of a body that was cut."""
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})")
_CLOSE: Final = "</details>"


def fitted(body: str) -> str:
    """Return a body of at most MOST_UNITS, without characters that GitHub refuses."""
    clean = body.encode("utf-8", "replace").decode("utf-8").replace("\0", "").strip("\n")
    if units(clean) <= MOST_UNITS:
        return clean
    lines = clean.split("\n")
    end, opened = _last_place(lines, MOST_UNITS - units(CUT) - 2)
    parts = ["\n".join(lines[:end]).rstrip("\n"), *[_CLOSE] * opened, CUT]
    return "\n\n".join(part for part in parts if part)


def _last_place(lines: Sequence[str], room: int) -> tuple[int, int]:
    """Return how many lines fit, up to an empty one, and how many folds are open there."""
    best = (0, 0)
    used, fence, opened = 0, "", 0
    for place, line in enumerate(lines):
        if not line and not fence and used + opened * (len(_CLOSE) + 2) <= room:
            best = (place, opened)
        used += units(line) + 1
        if used > room:
            break
        fence = _fence_after(line, fence)
        if not fence:
            opened = max(opened + line.count("<details>") - line.count(_CLOSE), 0)
    return best


def _fence_after(line: str, fence: str) -> str:
    """Return the fence that is open after a line; empty for none."""
    found = _FENCE.match(line)
    if found is None:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not line[found.end() :].strip()
    return "" if closes else fence
