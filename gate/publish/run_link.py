"""The one link of a comment, to the run that wrote it: its address is the runner's own word.

Reports hold no link at all, since they know no address that nobody else could have written.
"""

from __future__ import annotations

import re
from typing import Final

from gate.types import Occasion

LONGEST: Final = 1_000
"""Characters of an address; the hidden parts of a comment need the room."""
_PAGE: Final = re.compile(
    r"https?://[A-Za-z0-9._:\[\]/-]+/actions/runs/[0-9]{1,18}/attempts/[0-9]{1,18}"
)
"""The one form that is linked: no sign of it ends a link of Markdown."""


def run_page(occasion: Occasion) -> str | None:
    """Return a link to the page of a run; None for an address of another form."""
    url = occasion.run_url
    return f"[this run]({url})" if len(url) <= LONGEST and _PAGE.fullmatch(url) else None


def run_link(occasion: Occasion, *, finished: bool) -> str | None:
    """Return the line that leads to a run; None for an address of another form.

    A run that has not `finished` has nothing but its log. The files of one that only publishes are
    those of the run that measured.
    """
    page = run_page(occasion)
    if page is None:
        return None
    files = " and files" if occasion.measured_run is None else ""
    return f"{page}: its {f'summary{files}' if finished else 'log'}"
