"""Pages in the journal: fetched once a run, replayed as they were."""

from __future__ import annotations

import asyncio
import sqlite3
from pathlib import Path

import pytest

from gate.errors import ReplayError
from gate.types import Page
from gate.wire.journal import Journal
from gate.wire.page_door import KnownPages, PageDoor, RememberedPages, ReplayPages
from tests.unit.wire.wire_fakes import begun


class ChangingPages:
    """Each fetch finds another text."""

    def __init__(self, name: str = "fetched") -> None:
        self.name = name
        self.asked: list[str] = []
        self.closed = False

    async def page(self, uri: str) -> Page:
        """Fetch, with a number."""
        self.asked.append(uri)
        await asyncio.sleep(0)
        if uri == "gone":
            return Page(uri=uri, status="http 404")
        text = f"{self.name} {len(self.asked)}: ø\n\u2028"
        return Page(uri=f"final {uri}", status="ok", text=text, digest="d")

    async def aclose(self) -> None:
        """Remember it."""
        self.closed = True


async def test_page_door__keeps_what_was_fetched(path: Path) -> None:
    """The second time it comes from the journal; a page that did not come is kept too."""
    pages = ChangingPages()
    with begun(path) as book:
        door = PageDoor(pages, book)
        first = [await door.page(uri) for uri in ("a", "gone", "b")]
        again = [await door.page(uri) for uri in ("a", "gone", "b")]
        await door.aclose()

    assert first == again
    assert (["a", "gone", "b"], True) == (pages.asked, pages.closed)


async def test_page_door__interrupted_run_goes_on_with_its_pages(path: Path) -> None:
    """The same run id, another process: nothing is fetched again, and the text is the first one."""
    with begun(path) as book:
        before = await PageDoor(ChangingPages(), book).page("a")
    later = ChangingPages("later")
    with begun(path) as book:
        after = await PageDoor(later, book).page("a")

    assert before == after
    assert [] == later.asked


async def test_page_door__another_run_fetches_afresh(path: Path) -> None:
    """Pages change."""
    with begun(path) as book:
        await PageDoor(ChangingPages(), book).page("a")
        book.finish_run("r1")
    later = ChangingPages("later")
    with begun(path, "r2") as book:
        page = await PageDoor(later, book).page("a")

    assert page.text.startswith("later 1")


async def test_page_door__the_first_of_two_stays(path: Path) -> None:
    """Two who ask together and get different texts: later on both see the first one kept."""
    with begun(path) as book:
        door = PageDoor(ChangingPages(), book)
        together = await asyncio.gather(door.page("a"), door.page("a"))
        kept = await door.page("a")

    assert kept in together


async def test_page_door__without_a_journal() -> None:
    """`journal: off` keeps nothing."""
    pages = ChangingPages()
    door = PageDoor(pages, None)

    await door.page("a")
    await door.page("a")

    assert ["a", "a"] == pages.asked


async def test_replay__gives_the_pages_of_its_run(path: Path) -> None:
    """Not those of an earlier one, and byte for byte."""
    for run_id in ("r1", "r2"):
        with begun(path, run_id) as book:
            page = await PageDoor(ChangingPages(run_id), book).page("a")
            book.finish_run(run_id)
    with Journal.open_replay(path) as tape:
        replay = ReplayPages(tape)
        found = await replay.page("a")
        await replay.aclose()

    assert page == found
    assert found.text.startswith("r2 1: ø")


async def test_replay__missing_page_is_an_error(path: Path) -> None:
    """Never a live fetch."""
    with begun(path) as book:
        book.finish_run("r1")
    with (
        Journal.open_replay(path) as tape,
        pytest.raises(ReplayError, match="run r1 fetched no page http://a: replay with"),
    ):
        await ReplayPages(tape).page("http://a")


async def test_journal__of_before_there_were_pages(path: Path) -> None:
    """It replays, and is written to, all the same."""
    with begun(path) as book:
        book.finish_run("r1")
    with sqlite3.connect(path) as connection:
        connection.execute("DROP TABLE pages")
    connection.close()
    with Journal.open_replay(path) as tape, pytest.raises(ReplayError, match="fetched no page"):
        await ReplayPages(tape).page("a")
    with begun(path, "r2") as book:
        door = PageDoor(ChangingPages(), book)
        assert await door.page("a") == await door.page("a")


async def test_known_pages__fetch_nothing() -> None:
    """What is not known has no text, and says so."""
    page = Page(uri="final a", status="ok", text="It is so.")
    pages = KnownPages({"a": page})

    assert page == await pages.page("a")
    assert ("not stored", "") == ((other := await pages.page("b")).status, other.text)
    await pages.aclose()


async def test_remembered_pages__one_text_for_all_who_ask() -> None:
    """Of two that ask at once both get the first text, and it is what is remembered."""
    pages, found = ChangingPages(), dict[str, Page]()
    door = RememberedPages(pages, found)
    both = await asyncio.gather(door.page("a"), door.page("a"))
    later = await door.page("a")
    await door.aclose()

    assert both[0] == both[1] == later == found["a"]
    assert pages.closed
