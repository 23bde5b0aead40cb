"""The cited pages of a run: each is fetched and read once, however many answers cite it."""

from __future__ import annotations

import asyncio

from gate.types import Page
from gate.wire.pagetext.reader import PageReader
from gate.wire.web import PageFetcher


class CitedPages:
    """Fetches and reads; remembers pages by the address that was asked for, and no bodies."""

    def __init__(self, fetcher: PageFetcher, reader: PageReader) -> None:
        """Take the two doors; `aclose` closes them."""
        self._fetcher = fetcher
        self._reader = reader
        self._pages: dict[str, asyncio.Task[Page]] = {}

    async def page(self, uri: str) -> Page:
        """Return the page at an address; who asks while it is on its way waits for the same one.

        Raises CannotRun when pages cannot be read on this machine.
        """
        task = self._pages.get(uri)
        if task is None:
            task = self._pages[uri] = asyncio.create_task(self._load(uri))
        return await asyncio.shield(task)  # others may wait for it, or will

    async def aclose(self) -> None:
        """Give up what is on its way, end the processes, close connections."""
        tasks = list(self._pages.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._reader.aclose()
        await self._fetcher.aclose()

    async def _load(self, uri: str) -> Page:
        return await self._reader.read(await self._fetcher.fetch(uri))
