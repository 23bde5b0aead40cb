"""What a journal keeps of texts, of which run, and for how long."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from gate.errors import ReplayError
from gate.types import Call, Page
from gate.wire.door import carry_over
from gate.wire.journal import Journal
from gate.wire.journal_entry import Entry, Outcome, Problem
from gate.wire.journal_keep import Mode
from gate.wire.page_door import PageDoor
from gate.wire.purse import Purse
from tests.unit.wire.wire_fakes import NOW, call, record

PAGE = "the text of a page that nobody may keep"
ANSWER = "the text of an answer"
REPLY = "the reply of a judge who saw no page"
ANSWERED = call("question", kind="answer", scope="r1")
PLAIN = call("rates without pages", quotes_pages=False)
READING = call(f"judge this: {PAGE}", quotes_pages=True)


class OnePage:
    """Finds the page each time, and counts."""

    def __init__(self) -> None:
        self.fetched = 0

    async def page(self, uri: str) -> Page:
        """The page, or none."""
        self.fetched += 1
        if uri == "gone":
            return Page(uri=uri, status="http 404")
        return Page(uri=f"final {uri}", status="ok", text=PAGE, digest="d")

    async def aclose(self) -> None:
        """Nothing is open."""


def opened(path: Path, mode: Mode = "full", *, days: float = 0, keep_days: int = 30) -> Journal:
    """A journal some days after the others."""

    def now() -> datetime:
        return NOW + timedelta(days=days)

    return Journal(path, now=now, mode=mode, keep_days=keep_days)


async def work(book: Journal) -> None:
    """An answer, its page, a judge who saw it, one who did not."""
    await record(book, ANSWERED, Outcome(body={"text": ANSWER}, usd=0.125))
    for uri in ("a", "gone"):
        await PageDoor(OnePage(), book).page(uri)
    await record(book, PLAIN, Outcome(body=REPLY, usd=0.25))
    await record(book, READING, Outcome(body={"quote": PAGE}, usd=0.5))
    await record(book, call("fails"), Outcome(problem=Problem("busy", 429)))


def run(path: Path, mode: Mode, *, finish: bool = True) -> None:
    """One run under a mode."""
    with opened(path, mode) as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(work(book))
        if finish:
            book.finish_run("r1")


def holds(path: Path, text: str) -> bool:
    """Whether the text stands anywhere in the files of the journal."""
    return any(text.encode() in file.read_bytes() for file in path.parent.iterdir())


def audited(path: Path) -> tuple[Entry, ...]:
    """The calls, as a reader finds them."""
    with Journal.open_replay(path) as tape:
        return tape.audit("c1")


def test_full__keeps_everything(path: Path) -> None:
    """The test's own check: in this mode all of it is there."""
    run(path, "full")

    assert all(holds(path, text) for text in (PAGE, ANSWER, REPLY, "question"))


def test_no_pages__holds_no_text_of_a_page(path: Path) -> None:
    """Neither the page, nor a prompt or a reply that quotes it; the rest stays."""
    run(path, "no-pages")

    assert not holds(path, PAGE)
    assert all(holds(path, text) for text in (ANSWER, REPLY, "question", "http 404", "busy"))
    assert [0.125, 0.25, 0.5, 0.0] == [entry.usd for entry in audited(path)]
    assert [True, True, False, False] == [entry.kept for entry in audited(path)]


def test_no_pages__writes_no_page_and_no_prompt_at_any_time(path: Path) -> None:
    """Also a killed run holds none; only what judges quoted in their replies, for its resuming."""
    with opened(path, "no-pages") as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(PageDoor(OnePage(), book).page("a"))
        number = asyncio.run(book.intend(READING))
        assert not holds(path, PAGE)
        asyncio.run(book.settle(number, Outcome(body={"quote": PAGE})))
        assert holds(path, PAGE)


def test_no_pages__is_resumed_with_all_replies(path: Path) -> None:
    """The page is fetched again, one without text is not; no call is paid for twice."""
    run(path, "no-pages", finish=False)
    with opened(path, "no-pages") as book:
        assert "r1" == book.begin_run("r2", identity={"plan": "i"})
        pages = OnePage()
        door = PageDoor(pages, book)
        read = [asyncio.run(door.page(uri)) for uri in ("a", "gone")]
        bodies = [asyncio.run(book.find(one)) for one in (ANSWERED, PLAIN, READING)]
        book.finish_run("r1")

    assert [PAGE, ""] == [page.text for page in read]
    assert 1 == pages.fetched
    assert [{"text": ANSWER}, REPLY, {"quote": PAGE}] == [one.body for one in bodies if one]
    assert not holds(path, PAGE)


def test_no_pages__later_runs_reuse_what_is_kept(path: Path) -> None:
    """Judgements of pages are asked again, others are not."""
    run(path, "no-pages")
    with opened(path, "no-pages") as book:
        book.begin_run("r2", identity={"plan": "i"})
        plain, reading = (asyncio.run(book.find(one)) for one in (PLAIN, READING))

    assert plain is not None
    assert REPLY == plain.body
    assert reading is None


@pytest.mark.parametrize(("mode", "first"), [("no-pages", READING), ("no-text", ANSWERED)])
def test_replay__of_what_was_not_kept(path: Path, mode: Mode, first: Call) -> None:
    """The mode is named as the reason; what is there is still found."""
    run(path, mode)
    with Journal.open_replay(path) as tape:
        with pytest.raises(ReplayError, match=f"journal: {mode}.*does not keep the reply of the "):
            tape.find(first)
        with pytest.raises(ReplayError, match=f"journal: {mode}.*does not keep the text of the pa"):
            tape.find_page("a")
        assert "http 404" == tape.find_page("gone").status
        assert Problem("busy", 429) == tape.find(call("fails")).problem
        with pytest.raises(ReplayError, match="made no such judge call"):
            tape.find(call("never asked"))


def test_no_text__keeps_keys_costs_and_problems(path: Path) -> None:
    """No text at any time, and still what was spent."""
    run(path, "no-text", finish=False)

    assert not any(holds(path, text) for text in (PAGE, ANSWER, REPLY, "question", "rates"))
    with opened(path, "no-text") as book:
        book.begin_run("r2", identity={"plan": "i"})
        purse = Purse()
        carry_over(book, purse)
        assert asyncio.run(book.find(PLAIN)) is None
        told = book.audit("c1")

    assert (0.875, 3) == (purse.totals.usd, purse.totals.calls)
    assert [ANSWERED.key, PLAIN.key, READING.key] == [entry.key for entry in told[:3]]
    assert [(None, None)] * 4 == [(entry.request, entry.body) for entry in told]
    assert Problem("busy", 429) == told[3].problem


@pytest.mark.parametrize("finish", [True, False], ids=["finished", "killed"])
def test_mode__changed_later_holds_for_the_whole_file(path: Path, *, finish: bool) -> None:
    """What was kept under `full` is taken out when a run under another mode ends."""
    run(path, "full", finish=finish)
    with opened(path, "no-text") as book:
        run_id = book.begin_run("r2", identity={"plan": "i"})
        assert ("r2" if finish else "r1") == run_id
        book.finish_run(run_id)

    assert not any(holds(path, text) for text in (PAGE, ANSWER, REPLY, "question"))
    with Journal.open_replay(path, "r1") as tape:
        assert "no-text" == tape.run.mode
        assert [0.125, 0.25, 0.5, 0.0] == [entry.usd for entry in tape.audit("c1")]


# How long


def long_run(path: Path, run_id: str, day: float, *, judge: Call = PLAIN) -> None:
    """A run of a day, that reuses the judgement where there is one."""
    with opened(path, days=day) as book:
        assert run_id == book.begin_run(run_id, identity={"plan": "i"})
        asyncio.run(
            record(book, call("own", kind="answer", scope=run_id), Outcome(body=f"of {run_id}"))
        )
        asyncio.run(PageDoor(OnePage(), book).page("a"))
        if asyncio.run(book.find(judge)) is None:
            asyncio.run(record(book, judge, Outcome(body=REPLY)))
        book.finish_run(run_id)


def test_keep_days__older_runs_go(path: Path) -> None:
    """Calls and pages of them; younger ones stay, and so does what they reused."""
    long_run(path, "r1", 0)
    long_run(path, "r2", 20)
    opened(path, days=31).close()
    with Journal.open_replay(path) as tape:
        assert ("r2", "of r2") == (
            tape.run.id,
            tape.find(call("own", kind="answer", scope="r2")).body,
        )
        assert REPLY == tape.find(PLAIN).body
        assert PAGE == tape.find_page("a").text
        assert ["of r2"] == [one.body for one in tape.audit("c1") if one.kind == "answer"]
    assert not holds(path, "of r1")
    opened(path, days=51).close()
    assert not any(holds(path, text) for text in ("of r2", REPLY, PAGE))


def test_keep_days__not_the_run_that_is_resumed(path: Path) -> None:
    """However old it is: it was paid for and is not finished."""
    run(path, "full", finish=False)
    with opened(path, days=400) as book:
        assert "r1" == book.begin_run("r2", identity={"plan": "i"})
        entry = asyncio.run(book.find(ANSWERED))

    assert entry is not None
    assert {"text": ANSWER} == entry.body


def test_compaction__drops_what_nobody_can_need(path: Path) -> None:
    """Smaller, and replay and audit of the run that is kept are the same, byte for byte."""
    noise = random.Random(7)

    def text() -> str:
        return f"{noise.getrandbits(40_000):x}"

    def given_up(run_id: str) -> Iterator[tuple[Call, Outcome]]:
        for number in range(20):
            yield call(f"{number}", kind="answer", scope=run_id), Outcome(body=text())
        yield call(f"of {run_id}", quotes_pages=False), Outcome(body=f"judged in {run_id}")

    for run_id in ("r1", "r2"):
        with opened(path) as book:
            book.begin_run(run_id, identity={"plan": run_id}, resume=False)
            for made, outcome in given_up(run_id):
                asyncio.run(record(book, made, outcome))
    with opened(path) as book:
        book.begin_run("r3", identity={"plan": "i"}, resume=False)
        asyncio.run(record(book, call("twice"), Outcome(problem=Problem(text(), 500))))
        asyncio.run(record(book, call("twice"), Outcome(body="at last")))
        asyncio.run(work(book))
        assert asyncio.run(book.find(call("of r1"))) is not None
        book.finish_run("r3")

    def told() -> bytes:
        with Journal.open_replay(path) as tape:
            found = [tape.find(one) for one in (PLAIN, READING, call("twice"), call("of r1"))]
            own = [entry for entry in tape.audit("c1") if entry.run_id == "r3"]
            return repr((found, own, tape.reused("c1"), tape.find_page("a"))).encode()

    before, size = told(), path.stat().st_size
    opened(path).close()

    assert before == told()
    assert size > 300_000
    assert path.stat().st_size < 100_000
    with opened(path) as book:
        book.begin_run("r4", identity={"plan": "i"})
        again = asyncio.run(book.find(call("of r2")))
    assert again is not None
    assert "judged in r2" == again.body


def test_compaction__failures_of_an_earlier_finished_run(path: Path) -> None:
    """Once answered and cost nothing, they go when a later run is finished; lost money stays."""
    with opened(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        for outcome in (
            Outcome(problem=Problem("free", 500)),
            Outcome(problem=Problem("lost"), lost=1),
            Outcome(body=1),
        ):
            asyncio.run(record(book, call("q"), outcome))
        asyncio.run(record(book, call("p"), Outcome(problem=Problem("never answered", 500))))
        book.finish_run("r1")
    opened(path).close()
    assert [1, 2, 3, 4] == [entry.id for entry in audited(path)]
    long_run(path, "r2", 0)
    opened(path).close()

    assert [2, 3, 4] == [entry.id for entry in audited(path) if entry.run_id == "r1"]
