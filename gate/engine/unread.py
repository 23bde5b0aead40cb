"""How many of the cited pages could not be read: said of a run when they are many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence

from pydantic import JsonValue

from gate.types import Result

__all__ = ["unread_pages"]

MANY = 0.25
"""Share of unread pages from which a run warns of it: a few sites always refuse."""
_NAMED = 4


def unread_pages(results: Sequence[Result]) -> tuple[str, ...]:
    """Return a warning where a quarter of the cited pages or more could not be read; else none.

    Each source of each answer counts once, whichever scorers read it.
    """
    statuses = Counter(status for result in results for status in _statuses(result))
    total = statuses.total()
    unread = total - statuses["ok"]
    if not total or unread < MANY * total:
        return ()
    del statuses["ok"]
    why = ", ".join(f"{status} {count}" for status, count in statuses.most_common(_NAMED))
    said = f"{unread} of {total} cited pages could not be read ({why})"
    return (f"{said}: claims that rest on them are left out.",)


def _statuses(result: Result) -> Iterable[str]:
    for score in result.scores:
        sources = score.details.get("sources")
        if isinstance(sources, list):
            yield from (_status(source) for source in sources)
            return


def _status(source: JsonValue) -> str:
    status = source.get("status") if isinstance(source, dict) else None
    return status if isinstance(status, str) else "unknown"
