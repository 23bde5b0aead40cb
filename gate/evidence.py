"""An answer in, the pages that it cites out."""

from __future__ import annotations

import asyncio

from gate.protocols import Pages
from gate.types import Answer, Evidence, Page

__all__ = ["MOST_SOURCES", "NOT_FETCHED", "gather"]

MOST_SOURCES = 20
"""Pages that are fetched for one answer; a list of a hundred links must not hold a run."""
NOT_FETCHED = "not fetched"
"""Status of a source beyond that number."""


async def gather(answer: Answer, pages: Pages) -> Evidence:
    """Return one page for each of the answer's sources, in their order.

    An address that stands there twice is asked for once. A page that could not be read is there
    with its status and without text. Raises CannotRun when pages cannot be read on this machine.
    """
    addresses = [source.uri for source in answer.sources]
    wanted = list(dict.fromkeys(addresses[:MOST_SOURCES]))
    found = dict(zip(wanted, await asyncio.gather(*map(pages.page, wanted)), strict=True))
    return Evidence(
        pages=tuple(found.get(uri) or Page(uri=uri, status=NOT_FETCHED) for uri in addresses)
    )
