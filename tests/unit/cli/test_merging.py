"""Which parts of a run make one journal, and what is said where they make none."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime
from pathlib import Path

from gate.cli.merge_command import _journal
from gate.types import Page, Provenance, Run
from gate.wire.journal import Journal

DAY = "2026-07-12T00:00:00+00:00"


def part(folder: Path, text: str) -> Run:
    """A part that read one page."""
    folder.mkdir()
    with Journal(folder / "journal.sqlite", now=lambda: datetime.now(UTC)) as book:
        book.begin_run(folder.name, identity={"plan": "i"})
        page = Page(uri="http://news", status="ok", text=text, digest=text)
        asyncio.run(book.keep_page("http://news", page))
        book.finish_run(folder.name)
    return Run(id=folder.name, provenance=Provenance(created=DAY, journal=folder.name))


def merged(place: Path, *texts: str) -> tuple[str, bool]:
    """What is said of the journal of parts that read these, and whether there is one."""
    folders = [place / f"part{number}" for number in range(len(texts))]
    parts = [part(folder, text) for folder, text in zip(folders, texts, strict=True)]
    into = place / "journal.sqlite"
    whole = Run(id="whole", provenance=Provenance(created=DAY, journal="whole"))
    return _journal(folders, parts, whole, into), into.exists()


def test_merge__parts_that_read_the_same(tmp_path: Path) -> None:
    """One journal replays them all."""
    said, there = merged(tmp_path, "news", "news")

    assert (True, True) == (there, said.endswith("replays it"))


def test_merge__parts_that_read_another_text_of_a_page(tmp_path: Path) -> None:
    """A replay would not find the judgements of one of them: there is no such journal."""
    said, there = merged(tmp_path, "news of today", "news of tomorrow")

    assert not there
    assert "no journal, since the parts read different texts of http://news" in said
