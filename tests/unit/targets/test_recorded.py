"""Stored answers."""

from __future__ import annotations

import json
from collections.abc import Sequence
from datetime import date
from pathlib import Path

import pytest

from gate.errors import ConfigError, FileError
from gate.kit import Kit
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.targets.recorded import RecordedTarget
from gate.types import Answer, Question, Result
from tests.fakes import OpenDoor


def target(lines: Sequence[str], **options: str) -> RecordedTarget:
    """A target that reads these lines."""
    kit = Kit(
        door=OpenDoor(),
        connections=Connections(),
        catalogue=load_catalogue(date(2026, 11, 30)),
        read_text=lambda name: "\n".join(lines),
        read_owned=lambda name: "\n".join(lines),
        run_id="r",
        root=Path(),
    )
    return RecordedTarget("t", RecordedTarget.Options(file="a.jsonl", **options), kit)


def line(case_id: str, answer: str = "yes", **more: object) -> str:
    """A hand-written line."""
    return json.dumps({"case_id": case_id, "answer": answer, **more})


def result_line(target_name: str) -> str:
    """A line of a results.jsonl."""
    return Result(
        case_id="c1",
        category="x",
        case_digest="0" * 64,
        target=target_name,
        attempt=0,
        question="q",
        answer=Answer(text=f"from {target_name}"),
    ).model_dump_json()


async def answer(of: RecordedTarget, case_id: str = "c1", attempt: int = 0) -> Answer:
    """Ask one case."""
    return await of.answer(Question(id=case_id, input="?"), attempt)


async def test_recorded__answers_by_case_and_attempt() -> None:
    """Each repeat has its own answer."""
    stored = target([line("c1", "first"), "", line("c1", "second", attempt=1)])

    assert "first" == (await answer(stored)).text
    assert "second" == (await answer(stored, attempt=1)).text


async def test_recorded__missing_answer_is_an_error_of_its_case() -> None:
    """Coverage sees it."""
    found = await answer(target([line("c1")]), "c2")

    assert found.failure is not None
    assert "error" == found.failure.kind


async def test_recorded__blank_answer_is_empty() -> None:
    """Not scored, counted."""
    found = await answer(target([line("c1", "  ")]))

    assert found.failure is not None
    assert "empty" == found.failure.kind


async def test_recorded__results_of_a_run_are_read() -> None:
    """Judge again what was answered before; of several targets one is named."""
    lines = [result_line("a"), result_line("b")]

    assert "from b" == (await answer(target(lines, target="b"))).text
    with pytest.raises(ConfigError, match=r"answers of a, b: say which"):
        await answer(target(lines))


@pytest.mark.parametrize(
    ("lines", "says"),
    [
        (["{"], r"a\.jsonl:1: not an answer"),
        ([line("c1"), '{"case_id": "c2"}'], r"a\.jsonl:2: not an answer"),
        ([line("c1"), line("c1")], r"a\.jsonl:2: a second answer to case c1"),
        ([], r"a\.jsonl: holds no answers"),
    ],
)
def test_recorded__unreadable_file_is_refused_with_its_line(
    lines: Sequence[str], says: str
) -> None:
    """Found before any call, since the card needs the digest."""
    with pytest.raises(FileError, match=says):
        _ = target(lines).info


def test_recorded__card_changes_with_the_answers() -> None:
    """An unfinished run is not resumed with other answers."""
    assert target([line("c1", "a")]).info.settings != target([line("c1", "b")]).info.settings
