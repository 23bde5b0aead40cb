"""Fetched pages -> pages with readable text, by a few processes that can be killed."""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Mapping

from gate.types import Page
from gate.wire.pagetext.kinds import Kind, kind_of
from gate.wire.pagetext.process import ReaderLimits, ReadingProcess, UnreadError
from gate.wire.web import Fetched


class PageReader:
    """Reads pages in processes that are started when they are needed and used again."""

    def __init__(
        self, limits: ReaderLimits | None = None, *, env: Mapping[str, str] | None = None
    ) -> None:
        """Take the limits, and what the processes find in their environment: nothing by default.

        A hostile page may take over the process that reads it, so no credential may be in there.
        """
        self._limits = limits or ReaderLimits()
        self._env = env or {}
        self._slots = asyncio.Semaphore(self._limits.workers)
        self._idle: list[ReadingProcess] = []

    async def read(self, fetched: Fetched) -> Page:
        """Return the page with its text, or with the status that says why there is none.

        Statuses beside those of `Fetched`: `no_text`, `unreadable`, `too slow to read`, `too large
        to read`, `reader died`. Raises CannotRun when no process can be started.
        """
        kind = kind_of(fetched.content_type, fetched.charset, fetched.body)
        if fetched.status != "ok":
            return Page(uri=fetched.uri, status=fetched.status)
        if kind is None:
            return Page(uri=fetched.uri, status="unsupported type")
        if kind == "pdf" and fetched.truncated:
            return Page(uri=fetched.uri, status="too large to read")
        try:
            text = await self._text(kind, fetched)
        except UnreadError as error:
            return Page(uri=fetched.uri, status=str(error))
        if not text:
            return Page(uri=fetched.uri, status="no_text")
        digest = hashlib.sha256(text.encode()).hexdigest()
        return Page(uri=fetched.uri, status="ok", text=text, digest=digest)

    async def aclose(self) -> None:
        """End the processes that are idle; the others end with the task that waits for them."""
        while self._idle:
            await self._idle.pop().close()

    async def _text(self, kind: Kind, fetched: Fetched) -> str:
        body = fetched.body if kind == "pdf" else fetched.body[: self._limits.html_bytes]
        cut = fetched.truncated or len(body) < len(fetched.body)
        async with self._slots:
            process = await self._process()
            try:
                return await process.read(kind, body, charset=fetched.charset, cut=cut)
            finally:
                if process.alive:
                    self._idle.append(process)

    async def _process(self) -> ReadingProcess:
        while self._idle:
            process = self._idle.pop()
            if process.alive:
                return process
            await process.close()
        return await ReadingProcess.start(self._limits, self._env)
