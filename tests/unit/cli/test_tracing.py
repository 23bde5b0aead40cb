"""What a trace cannot be had of, and what to do about it."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from gate.cli import tracing
from gate.cli.tracing import read_trace
from gate.decision.run_file import run_lines
from gate.errors import ConfigError, FileError, JournalRefused
from gate.reports.trace import Trace
from gate.types import (
    Answer,
    Answers,
    Attempt,
    Cell,
    GivenAnswer,
    Plan,
    Provenance,
    Result,
    Run,
    TargetInfo,
)
from gate.wire.files import dump_json, write_parts, write_text
from gate.wire.journal_entry import Outcome
from gate.wire.results_file import ResultsWriter
from tests.unit.wire.wire_fakes import call, journal, record


def folder(place: Path, **of: str) -> Path:
    """A folder with a run of some cases and nothing else."""
    cases = ("airport-passengers", "airport-tax", "ferry-fare", "tram-fare")
    run = Run(
        id="r1",
        provenance=Provenance(**of),
        targets=(TargetInfo(name="t", use="recorded"),),
        cells=tuple(
            Cell(target="t", case_id=case, attempts=(Attempt(state="ok"),)) for case in cases
        ),
    )
    write_parts(place / "run.json", run_lines(run))
    return place


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("airport-pasengers", "did you mean `airport-passengers`"),
        ("fare", "did you mean `tram-fare` and `ferry-fare`?"),
        ("zeppelin", "no case `zeppelin`. It has 4 cases, named in results.jsonl"),
    ],
)
def test_trace__unknown_case(tmp_path: Path, asked: str, said: str) -> None:
    """Cases named alike are suggested, and the others counted."""
    with pytest.raises(ConfigError) as caught:
        read_trace(folder(tmp_path), asked)

    assert said in str(caught.value)


@pytest.mark.parametrize(
    ("of", "said"),
    [
        (
            {"journal": "r1"},
            "Name the folder of the run itself, or of the part with the case where",
        ),
        ({"imported": "gemini-search-mcp"}, "imported from gemini-search-mcp"),
        ({}, "run again with `journal: full`"),
    ],
)
def test_trace__no_journal(tmp_path: Path, of: dict[str, str], said: str) -> None:
    """The reason is that of this run."""
    with pytest.raises(FileError) as caught:
        read_trace(folder(tmp_path, **of), "ferry-fare")

    assert said in str(caught.value)


def test_trace__damaged_journal(tmp_path: Path) -> None:
    """Nothing was started, so it is a refusal."""
    place = folder(tmp_path, journal="r1")
    (place / "journal.sqlite").write_text("no database" * 100, "utf-8")
    (place / "results.jsonl").write_text(
        Result(
            run="r1",
            target="t",
            case_id="ferry-fare",
            case_digest="d",
            category="c",
            question="q?",
            attempt=0,
            answer=Answer(),
        ).model_dump_json()
        + "\n",
        "utf-8",
    )
    with pytest.raises(JournalRefused, match="damaged, or not a journal"):
        read_trace(place, "ferry-fare")


def paid(place: Path, *, run_id: str = "r1", kind: str = "answer", finish: bool = True) -> None:
    """A journal in which a run made one call for the case c1, and its results."""
    with journal(place / "journal.sqlite") as book:
        book.begin_run(run_id, identity={"plan": run_id})
        asyncio.run(record(book, call(run_id, kind=kind), Outcome(body={}, usd=0.5)))
        if finish:
            book.finish_run(run_id)
    writer = ResultsWriter(place / "results.jsonl")
    writer.append(
        Result(
            case_id="c1",
            category="c",
            case_digest="d",
            target="t1",
            attempt=0,
            question="q",
            answer=Answer(text="yes"),
            answer_digest=Answer(text="yes").digest,
            scores=(),
        )
    )
    writer.close()


def collected(place: Path) -> None:
    """What `gate collect` writes."""
    paid(place)
    given = GivenAnswer(case_id="c1", target="t1", answer=Answer(text="yes"))
    answers = Answers(id="r1", provenance=Provenance(journal="r1"), answers=(given,))
    write_text(place / "answers.json", dump_json(answers))


def calls(trace: Trace) -> list[tuple[str, str | None, int | None]]:
    """Kind, source and answer of the calls of the one answer."""
    (attempt,) = trace.attempts
    return [(one.kind, one.reused_from, one.judged) for one in attempt.calls]


def test_trace__a_collection(tmp_path: Path) -> None:
    """What asking cost can be followed before anything is judged."""
    collected(tmp_path)

    trace = read_trace(tmp_path, "c1")

    assert [("answer", None, None)] == calls(trace)
    assert "answers without a judgement" in (trace.note or "")
    with pytest.raises(ConfigError, match="no case `c2`"):
        read_trace(tmp_path / "answers.json", "c2")


def test_trace__judged_in_the_folder_of_the_collection(tmp_path: Path) -> None:
    """The call that gave the answer is that of the collection, and counts; killed or finished."""
    collected(tmp_path)
    paid(tmp_path, run_id="r2", kind="judge", finish=False)
    seen = [("answer", None, None), ("judge", None, 1)]

    trace = read_trace(tmp_path, "c1")
    assert seen == calls(trace)
    assert "run r2 is unfinished: the same command goes on from there" == trace.note
    run = Run(
        id="r1",
        provenance=Provenance(journal="r2"),
        targets=(TargetInfo(name="t1", use="recorded"),),
        cells=(
            Cell(
                target="t1",
                case_id="c1",
                attempts=(Attempt(state="ok", digest=Answer(text="yes").digest),),
            ),
        ),
    )
    write_parts(tmp_path / "run.json", run_lines(run))
    trace = read_trace(tmp_path, "c1")
    assert (seen, 1.0, None) == (calls(trace), trace.usd, trace.note)


def test_trace__a_case_beyond_the_finished_part(tmp_path: Path) -> None:
    """It was paid for, so it can be followed; it is said that the numbers are without it."""
    paid(tmp_path)
    why = "after 0 of 2 cases, the ceiling of $0.50 was reached"
    run = Run(id="r1", provenance=Provenance(journal="r1"), plan=Plan(planned=2), stopped=why)
    write_parts(tmp_path / "run.json", run_lines(run))

    trace = read_trace(tmp_path, "c1")

    assert [("answer", None, None)] == calls(trace)
    assert (trace.note or "").endswith(why)
    with pytest.raises(ConfigError) as caught:
        read_trace(tmp_path, "zeppelin")
    assert f"It has 1 case, named in results.jsonl; {why}" in str(caught.value)


def test_trace__a_killed_run(tmp_path: Path) -> None:
    """Without run.json it is followed all the same, as far as it came."""
    paid(tmp_path, finish=False)
    goes_on = "run r1 is unfinished: the same command goes on from there"

    assert goes_on == read_trace(tmp_path, "c1").note
    with pytest.raises(ConfigError, match=goes_on):
        read_trace(tmp_path, "zeppelin")
    (tmp_path / "results.jsonl").unlink()
    with pytest.raises(FileError, match=f"no result of case c1 yet, only 1 call .*{goes_on}"):
        read_trace(tmp_path, "c1")


def test_trace__a_run_in_progress(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its journal is another process's."""
    paid(tmp_path, finish=False)
    monkeypatch.setattr(tracing, "is_being_written", lambda _: True)

    with pytest.raises(JournalRefused, match="the run of this folder is in progress"):
        read_trace(tmp_path, "c1")
