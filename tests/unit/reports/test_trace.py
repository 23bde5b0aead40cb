"""A trace follows scores to calls as far as that can be done, and no text of it is obeyed."""

from __future__ import annotations

import asyncio
from pathlib import Path

from gate.reports.trace import Trace, trace_case
from gate.reports.trace_text import trace_text
from gate.types import REPEAT_STRIDE, Answer, Call, Failure, Result, Score, Source, Usage
from gate.wire.journal import Journal
from gate.wire.journal_entry import Outcome, Problem
from tests.unit.wire.wire_fakes import begun, call, record

HOSTILE = "fine\n::error::no\n##[error]no \x1b[31mred\u202e"


def body(text: str, tokens: int) -> dict[str, object]:
    """A judge's reply."""
    return {
        "content": [{"type": "text", "text": text}],
        "usage": {"input_tokens": tokens, "output_tokens": 1},
    }


def score(metric: str, calls: int, usd: float, tokens: int) -> Score:
    """The first score of a scorer."""
    usage = Usage(input_tokens=tokens, output_tokens=calls)
    return Score(metric=metric, value=0.5, calls=calls, cost_usd=usd, usage=usage, judge="j")


def traced(path: Path) -> Trace:
    """One answer; a judge that was repaired, a failed call, and two calls that look the same."""

    def judge(question: str) -> Call:
        return call(question, case_id="c1", target="t1")

    with begun(path) as book:

        async def work() -> None:
            answer = call("ask", kind="answer", scope="r1")
            await record(book, answer, Outcome(body={}, usd=1, tries=2, latency_s=1.5))
            await record(book, judge("first"), Outcome(body=body(HOSTILE, 10), usd=0.25))
            await record(book, judge("repair"), Outcome(body=body("{}", 20), usd=0.5))
            await record(book, judge("busy"), Outcome(problem=Problem(HOSTILE, 529), lost=1))
            for name in ("twin a", "twin b"):
                await record(book, judge(name), Outcome(body=body(name, 7), usd=0.125))
            await book.intend(judge("bare"))

        asyncio.run(work())
        book.finish_run("r1")
    result = Result(
        case_id="c1",
        category="c",
        case_digest="d",
        target="t1",
        attempt=0,
        question=HOSTILE,
        answer=Answer(text=HOSTILE, sources=(Source(uri=f"http://a/{HOSTILE}"),)),
        scores=(
            score("repaired", 2, 0.75, 30),
            Score(metric="beside", value=True, judge="j"),
            score("twins", 1, 0.125, 7),
            Score(metric="counted", value=3.0),
            Score(metric="uncited", value=None, failure=Failure(kind="undefined", message="-")),
            Score(metric="unread", value=None, failure=Failure(kind="pages", message="-")),
            Score(metric="unheard", value=None, failure=Failure(kind="judge", message="-")),
        ),
    )
    with Journal.open_replay(path, "r1") as tape:
        return trace_case(tape, [result], "c1")


def test_trace__scores_and_their_calls(tmp_path: Path) -> None:
    """A repair belongs to its score; calls that look alike are not guessed at."""
    trace = traced(tmp_path / "journal.sqlite")
    (attempt,) = trace.attempts

    assert {
        "repaired": (2, 3),
        "beside": (2, 3),
        "twins": None,
        "counted": (),
        "uncited": (),
        "unread": (),
        "unheard": None,
    } == {one.metric: one.calls for one in attempt.scores}
    assert [3] == [one.number for one in attempt.calls if one.repair]
    outcomes = ["reply", "reply", "reply", "failed", "reply", "reply", "no result"]
    assert outcomes == [one.outcome for one in attempt.calls]
    # A try of unknown outcome and a call without a result count at their reserve of 0.50.
    assert 1 + 0.25 + 0.5 + 0.25 + 0.5 + 0.5 == trace.usd
    assert ["not in the journal"] == [one.status for one in attempt.pages]


def test_trace__a_judge_call_names_the_answer_that_it_judged(tmp_path: Path) -> None:
    """By the number of the answer's call in the same trace."""
    trace = traced(tmp_path / "journal.sqlite")

    assert {"answer": None, "judge": 1} == {one.kind: one.judged for one in trace.attempts[0].calls}
    assert "on the answer of #1" in trace_text(trace)


def test_trace_text__whether_it_was_paid(tmp_path: Path) -> None:
    """What the stand-in world answered was not."""
    trace = traced(tmp_path / "journal.sqlite")

    assert "Paid by this run: $3.0" in trace_text(trace)
    shown = trace_text(trace.model_copy(update={"stand_in": True}))
    assert "Stand-in world, nothing was paid; at list prices: $3.0" in shown


def test_trace_text__foreign_text_is_harmless(tmp_path: Path) -> None:
    """No control character, and no line that a workflow's runner takes for a command."""
    text = trace_text(traced(tmp_path / "journal.sqlite"))

    assert "which of the judge calls it came of cannot be told" in text
    assert "failed with status 529" in text
    assert all(one == "\n" or one.isprintable() for one in text)
    assert "##[" not in text
    assert not [line for line in text.split("\n") if line.lstrip().startswith("::")]


def test_trace_text__no_judge_was_asked(tmp_path: Path) -> None:
    """Where there is nothing to judge, no call is missing."""
    text = trace_text(traced(tmp_path / "journal.sqlite"))

    assert "uncited = none, no judge was asked" in text
    assert "unread = none, no judge was asked" in text
    assert "unheard = none, which of the judge calls" in text


def test_trace_text__tries_of_unknown_outcome(tmp_path: Path) -> None:
    """The worst price is named as such, and a reply that never came has none."""
    text = trace_text(traced(tmp_path / "journal.sqlite"))

    assert "1 try, 1 of unknown outcome, counted at a worst price of $0.500000, sent" in text
    assert "$0.000000" not in text


def test_trace__judges_of_a_panel_are_no_repairs(tmp_path: Path) -> None:
    """Each judge and each of its rulings is asked once; asked again it is a repair."""
    asked = [("opus", 0), ("sonnet", 0), ("opus", REPEAT_STRIDE), ("sonnet", 0)]
    with begun(tmp_path / "journal.sqlite") as book:

        async def work() -> None:
            for place, (model, attempt) in enumerate(asked):
                made = call(str(place), model=model, attempt=attempt)
                await record(book, made, Outcome(body=body("{}", 10), usd=0.25))

        asyncio.run(work())
        book.finish_run("r1")
    result = Result(
        case_id="c1",
        category="c",
        case_digest="d",
        target="t1",
        attempt=0,
        question="q",
        answer=Answer(text="a"),
        scores=(score("panel", 4, 1.0, 40),),
    )
    with Journal.open_replay(tmp_path / "journal.sqlite", "r1") as tape:
        (attempt,) = trace_case(tape, [result], "c1").attempts

    assert (1, 2, 3, 4) == attempt.scores[0].calls
    assert [False, False, False, True] == [one.repair for one in attempt.calls]
