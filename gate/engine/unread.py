"""How many of the cited pages could not be read: said of a run when they are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping

from pydantic import JsonValue

from gate.types import Result

__all__ = ["page_statuses", "unread_pages"]

MANY = 0.25
"""Share of unread pages from which a run warns of it: a few sites always refuse."""
_NAMED = 4


def unread_pages(pages: Mapping[str, int]) -> tuple[str, ...]:
    """Return a warning where a quarter of the cited pages or more could not be read; else none.

    `pages` counts them by status; each source of each answer counts once, whichever scorers read
    it.
    """
    total = sum(pages.values())
    unread = Counter({status: count for status, count in pages.items() if status != "ok"})
    if not total or unread.total() < MANY * total:
        return ()
    # By name where counts are equal, so that the order in which answers came says nothing.
    ordered = sorted(unread.items(), key=lambda item: (-item[1], item[0]))
    why = ", ".join(f"{status} {count}" for status, count in ordered[:_NAMED])
    said = f"{unread.total()} of {total} cited pages could not be read ({why})"
    return (f"{said}: claims that rest on them are left out.",)


def page_statuses(result: Result) -> Iterator[str]:
    """Yield the status of each source of an answer, as the first scorer that read it tells."""
    for score in result.scores:
        sources = score.details.get("sources")
        if isinstance(sources, list):
            yield from (_status(source) for source in sources)
            return


def _status(source: JsonValue) -> str:
    status = source.get("status") if isinstance(source, dict) else None
    return status if isinstance(status, str) else "unknown"
