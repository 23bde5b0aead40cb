"""The door of cited pages: what a run has fetched is in its journal and is not fetched again.

A page is kept once a run, under the address that the answer gave: so a resumed run and a replay
judge the very text that was judged before. Another run fetches afresh, since pages change.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.protocols import Pages
from gate.types import Page
from gate.wire.journal import Journal
from gate.wire.journal_replay import Replay


class PageDoor:
    """Fetches what the journal does not hold."""

    def __init__(self, pages: Pages, journal: Journal | None) -> None:
        """Take the pages, which `aclose` closes, and the journal (None: nothing is kept)."""
        self._pages = pages
        self._journal = journal

    async def page(self, uri: str) -> Page:
        """Return the page of this run, fetched now where it was not before."""
        if self._journal is None:
            return await self._pages.page(uri)
        kept = await self._journal.find_page(uri)
        if kept is not None:
            return kept
        page = await self._pages.page(uri)
        await self._journal.keep_page(uri, page)
        return page

    async def aclose(self) -> None:
        """Close the pages; the journal stays open."""
        await self._pages.aclose()


class ReplayPages:
    """Pages of a recorded run; nothing is fetched."""

    def __init__(self, replay: Replay) -> None:
        """Take the recorded run."""
        self._replay = replay

    async def page(self, uri: str) -> Page:
        """Return the recorded page; raises ReplayError when there is none."""
        return self._replay.find_page(uri)

    async def aclose(self) -> None:
        """Nothing is open."""


class KnownPages:
    """Pages whose texts are there already; nothing is fetched."""

    def __init__(self, pages: Mapping[str, Page]) -> None:
        """Take the pages by the addresses that the answer gave."""
        self._pages = pages

    async def page(self, uri: str) -> Page:
        """Return the page; one without text for an address that is not known."""
        return self._pages.get(uri) or Page(uri=uri, status="not stored")

    async def aclose(self) -> None:
        """Nothing is open."""


class RememberedPages:
    """Hands pages on and remembers them."""

    def __init__(self, pages: Pages, found: dict[str, Page]) -> None:
        """Take the pages, and where those that were read are put, by their addresses."""
        self._pages = pages
        self._found = found

    async def page(self, uri: str) -> Page:
        """Return the page, the same one each time."""
        if uri in self._found:
            return self._found[uri]
        return self._found.setdefault(uri, await self._pages.page(uri))

    async def aclose(self) -> None:
        """Close the pages."""
        await self._pages.aclose()
