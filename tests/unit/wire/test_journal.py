"""The journal keeps what was paid for."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import JsonValue

from gate.errors import CannotRun, JournalError
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome, Problem
from tests.unit.wire.wire_fakes import NOW, TEXT, ask, call, journal, record, whole_run

# Runs


def test_begin_run__resumes_the_unfinished(path: Path) -> None:
    """An unfinished run goes on under its id and with its first facts; then a new one starts."""
    with journal(path) as book:
        assert "r1" == book.begin_run("r1", identity={"plan": "i"}, meta={"date": "1 May"})
    with journal(path) as book:
        assert "r1" == book.begin_run("r2", identity={"plan": "i"}, meta={"date": "2 May"})
        assert {"date": "1 May"} == book.run_meta("r1")
        assert "r1" == book.run_id
        book.finish_run("r1", {"stopped": True})
        assert {"date": "1 May", "stopped": True} == book.run_meta("r1")
    with journal(path) as book:
        assert "r3" == book.begin_run("r3", identity={"plan": "other"})


def test_begin_run__another_identity(path: Path) -> None:
    """A run that was started otherwise is not resumed; what differs is said; nothing changes."""
    before = {"the plan's repeats": "1", "the settings of target a": "x", "the cases": "c"}
    after = {"the plan's repeats": "2", "the cases": "c", "the settings of target b": "x"}
    with journal(path) as book:
        book.begin_run("r1", identity=before)
    with journal(path) as book:
        with pytest.raises(JournalError) as caught:
            book.begin_run("r2", identity=after)
        with pytest.raises(JournalError, match="no run was begun"):
            _ = book.run_id
    with journal(path) as book:
        assert "r1" == book.begin_run("r2", identity=before)
    assert (
        f"{path}: holds the unfinished run r1 of another configuration; what differs: the plan's "
        "repeats, the settings of target a (only in the unfinished run), the settings of target b "
        "(only in this one). Go on with what that run was begun with, use another --out, or delete "
        "the file to start afresh"
    ) == str(caught.value)


def test_begin_run__identity_of_an_earlier_gate(path: Path) -> None:
    """It wrote one digest of everything, so nobody can say what differs."""
    whole_run(path, finish=False)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute("UPDATE runs SET identity = '00a1'")
    with journal(path) as book, pytest.raises(JournalError, match="earlier version of the gate"):
        book.begin_run("r2", identity={"plan": "i"})


def test_begin_run__without_resume(path: Path) -> None:
    """The unfinished run is given up for good, whatever its identity."""
    whole_run(path, finish=False)
    with journal(path) as book:
        assert "r2" == book.begin_run("r2", identity={"plan": "other"}, resume=False)
        book.finish_run("r2")
        assert "r3" == book.begin_run("r3", identity={"plan": "i"})


STOPPED: dict[str, JsonValue] = {"stopped": "the ceiling was reached", "undone": [3]}


def test_begin_run__one_that_was_stopped(path: Path) -> None:
    """It goes on under its id, even after another run, until it is whole."""
    whole_run(path, {"q": Outcome(body=1, usd=0.1)}, finish=False)
    with journal(path) as book:
        assert "r1" == book.begin_run("r2", identity={"plan": "i"})
        book.finish_run("r1", STOPPED)
        assert "r2" == book.begin_run("r2", identity={"plan": "other"})
        book.finish_run("r2")
        assert "r1" == book.begin_run("r3", identity={"plan": "i"})
        assert [(1, 0.1)] == [(one.id, one.usd) for one in book.paid()]
        book.finish_run("r1", {"stopped": None, "undone": []})
        assert "r3" == book.begin_run("r3", identity={"plan": "i"})


def test_begin_run__stopped_without_its_replies(path: Path) -> None:
    """What was not kept would be paid for again: a new run starts."""
    with Journal(path, now=lambda: NOW, mode="no-text") as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(record(book, call(), Outcome(body=1)))
        book.finish_run("r1", STOPPED)
        assert "r2" == book.begin_run("r2", identity={"plan": "i"})


def test_give_up_run__one_that_was_stopped(path: Path) -> None:
    """It is what it was before: it can be replayed, and gone on with."""
    with journal(path) as book:
        for _ in range(2):
            assert "r1" == book.begin_run("r1", identity={"plan": "i"})
            book.finish_run("r1", STOPPED)
        book.begin_run("r2", identity={"plan": "i"})
        book.give_up_run("r1")
    with Journal.open_replay(path) as tape:
        assert ("r1", "finished") == (tape.run.id, tape.run.state)


def test_begin_run__id_used_before(path: Path) -> None:
    """A run id names one run."""
    whole_run(path)
    with journal(path) as book, pytest.raises(JournalError, match="r1 is already in this journal"):
        book.begin_run("r1", identity={"plan": "i"})


def test_give_up_run__without_a_call(path: Path) -> None:
    """The run is forgotten, and a replay gives the one before it."""
    whole_run(path)
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "other"})
        book.give_up_run("r2")
        with pytest.raises(JournalError, match="there is no run r2"):
            book.run_meta("r2")
    with Journal.open_replay(path) as tape:
        assert "r1" == tape.run.id


def test_give_up_run__with_a_call(path: Path) -> None:
    """It is neither gone on with nor replayed; what it paid for stays."""
    whole_run(path)
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "other"})
        asyncio.run(record(book, call(), Outcome(body=1)))
        book.give_up_run("r2")
        assert "r3" == book.begin_run("r3", identity={"plan": "other"})
        assert 1 == ask(book, call())
        book.give_up_run("r3")
    with Journal.open_replay(path) as tape:
        assert "r1" == tape.run.id


def test_run_meta__unknown_run(path: Path) -> None:
    """There is nothing to tell of a run that never was."""
    with journal(path) as book:
        with pytest.raises(JournalError, match="there is no run r9"):
            book.run_meta("r9")
        with pytest.raises(JournalError, match="there is no run r9"):
            book.finish_run("r9")


async def test_calls__before_a_run(path: Path) -> None:
    """A call belongs to a run."""
    with journal(path) as book:
        with pytest.raises(JournalError, match="no run was begun"):
            await book.intend(call())
        with pytest.raises(JournalError, match="no run was begun"):
            await book.find(call())


# Looking up


def test_find__judgement_of_another_run(path: Path) -> None:
    """A judgement without scope is reused by every run; its first reply counts."""
    whole_run(path, {"q": Outcome(body={"b": 1, "a": TEXT})})
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})
        entry = asyncio.run(book.find(call("q", case_id="other", target="other")))

        assert entry is not None
        assert {"b": 1, "a": TEXT} == entry.body
        assert '{"b": 1, "a": ' == json.dumps(entry.body)[:14]
        assert "r1" == entry.run_id
        assert entry.settled


@pytest.mark.parametrize(
    "change",
    [
        {"question": "p"},
        {"attempt": 1},
        {"vendor": "other"},
        {"model": "other"},
        {"kind": "answer"},
        {"scope": "r1"},
    ],
)
def test_find__another_call(path: Path, change: dict[str, object]) -> None:
    """Everything in the key, and the scope, must be the same."""
    whole_run(path, {"q": Outcome(body=1)})
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})

        assert 1 == ask(book, call("q"))
        assert ask(book, call(**{"question": "q", **change})) is None  # type: ignore[arg-type]


@pytest.mark.parametrize("kind", ["answer", "judge"])
def test_find__scope(path: Path, kind: str) -> None:
    """What is scoped to a run is reused in that run and in no other."""
    wanted = call(kind=kind, scope="r1")
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(record(book, wanted, Outcome(body=1)))

        assert 1 == ask(book, wanted)
        book.finish_run("r1")
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})

        assert ask(book, wanted) is None
        assert ask(book, call(kind=kind, scope="r2")) is None


def test_find__answer_without_scope(path: Path) -> None:
    """An answer is never reused by another run, even when its scope was forgotten."""
    wanted = call(kind="answer")
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(record(book, wanted, Outcome(body=1)))

        assert 1 == ask(book, wanted)
        book.finish_run("r1")
        book.begin_run("r2", identity={"plan": "i"})

        assert ask(book, wanted) is None


def test_find__own_reply_first(path: Path) -> None:
    """This run's own reply comes before an earlier one, so that a replay finds the same."""
    whole_run(path, {"q": Outcome(body="old")})
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})

        assert "old" == ask(book, call())
        asyncio.run(record(book, call(), Outcome(body="own")))

        assert "own" == ask(book, call())
        book.finish_run("r2")
        book.begin_run("r3", identity={"plan": "i"})

        assert "old" == ask(book, call())


def test_find__failed_or_without_result(path: Path) -> None:
    """Failures and bare intents are kept and not reused."""
    whole_run(path, {"q": Outcome(problem=Problem("busy", 429))}, finish=False)
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})
        asyncio.run(book.intend(call("p")))

        assert ask(book, call("q")) is None
        assert ask(book, call("p")) is None


def test_find__null_body(path: Path) -> None:
    """A body may be null, and is a reply all the same."""
    whole_run(path, {"q": Outcome(body=None)})
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})
        entry = asyncio.run(book.find(call("q")))

        assert entry is not None
        assert entry.body is None


# What it tells


def test_audit__every_column(path: Path) -> None:
    """All that is known of a call can be read again."""
    done = Outcome(body=[1.5], usd=0.25, lost=1, latency_s=2.5, tries=3)
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        made = call(kind="answer", scope="r1", attempt=2)
        asyncio.run(record(book, made, done))
        (entry,) = book.audit("c1")

        assert () == book.audit("c2")
    with Journal.open_replay(path) as replay:
        assert (entry,) == replay.audit("c1")
        assert () == replay.audit("c2")
    assert (1, "r1", made.key, "r1", "answer") == (
        entry.id,
        entry.run_id,
        entry.key,
        entry.scope,
        entry.kind,
    )
    assert ("anthropic", "claude", 2, "c1", "t1") == (
        entry.vendor,
        entry.model,
        entry.attempt,
        entry.case_id,
        entry.target,
    )
    assert ({"messages": ["q"]}, 0.5, [1.5]) == (entry.request, entry.reserve_usd, entry.body)
    assert (0.25, 1, 2.5, 3, None) == (
        entry.usd,
        entry.lost,
        entry.latency_s,
        entry.tries,
        entry.problem,
    )
    assert NOW.isoformat(timespec="milliseconds") == entry.intent_at == entry.result_at


def test_unsettled__calls_of_the_interrupted_part(path: Path) -> None:
    """Bare intents and tries of unknown outcome of earlier parts of this run, nothing else."""
    whole_run(path, {"lost": Outcome(problem=Problem("x"), lost=1)}, run_id="r0")
    with journal(path) as book:
        book.begin_run("r1", identity={"plan": "i"})
        asyncio.run(record(book, call("paid"), Outcome(body=1)))
        asyncio.run(record(book, call("refused"), Outcome(problem=Problem("x", 400))))
        asyncio.run(record(book, call("timeout"), Outcome(problem=Problem("x"), lost=2)))
        asyncio.run(book.intend(call("bare")))
    with journal(path) as book:
        book.begin_run("r2", identity={"plan": "i"})
        asyncio.run(book.intend(call("in flight")))
        found = [(entry.request, entry.settled, entry.lost) for entry in book.unsettled()]

    assert [({"messages": ["timeout"]}, True, 2), ({"messages": ["bare"]}, False, 0)] == found


def test_secrets__written_nowhere(path: Path) -> None:
    """A credential that turns up in a request, a body, an error or a fact is not written."""
    canary = 'sk-"canary"-0123456789'
    short = "sk-"
    with journal(path, (canary, short, "canary")) as book:
        book.begin_run("r1", identity={"plan": "i"}, meta={"note": f"with {canary}"})
        asyncio.run(record(book, call(f"ask {canary}"), Outcome(body={"echo": canary})))
        failed = Outcome(problem=Problem(f"no host ?key={canary}", 400))
        asyncio.run(record(book, call("q"), failed))
        for file in path.parent.iterdir():
            data = file.read_bytes()
            assert b"canary" not in data
            assert b"0123456789" not in data
        told = [(entry.request, entry.body, entry.problem) for entry in book.audit("c1")]
        assert {"note": "with [secret]"} == book.run_meta("r1")

    assert b"0123456789" not in path.read_bytes()
    assert [
        ({"messages": ["ask [secret]"]}, {"echo": "[secret]"}, None),
        ({"messages": ["q"]}, None, Problem("no host ?key=[secret]", 400)),
    ] == told


def test_problem__survives() -> None:
    """An error that cannot be mended stays one."""
    assert isinstance(Problem.of(CannotRun("no such model")).error(), CannotRun)
