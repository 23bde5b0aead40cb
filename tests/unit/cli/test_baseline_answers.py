"""The file of a baseline's answers: what was lost or is none is noticed."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from gate.cli.baseline_answers import read_baseline_answers
from gate.errors import FileError
from gate.types import Answer

ANSWER = Answer(text="The mountain is 1,204 m high.")
LINES = [
    {
        "case_id": f"case-{number}",
        "target": "t",
        "answer": ANSWER.model_dump(mode="json"),
        "digest": ANSWER.digest,
    }
    for number in range(3)
]


def write(path: Path, head: dict[str, object], lines: list[dict[str, object]]) -> Path:
    """Write a file of answers."""
    path.write_text("".join(json.dumps(one) + "\n" for one in [head, *lines]), "utf-8")
    return path


@pytest.mark.parametrize("head", [{"schema": 1, "count": 3}, {"schema": 1}])
def test_read__whole(tmp_path: Path, head: dict[str, object]) -> None:
    """Files written before lines were counted are read as well."""
    found = read_baseline_answers(write(tmp_path / "answers.jsonl", head, LINES))

    assert ["case-0", "case-1", "case-2"] == [one.case_id for one in found.answers]


def test_read__lines_that_are_gone(tmp_path: Path) -> None:
    """A baseline of the rest would be another one, and a lucky one perhaps."""
    path = write(tmp_path / "answers.jsonl", {"schema": 1, "count": 3}, LINES[:2])

    with pytest.raises(FileError, match="holds 2 answers, and its first line says 3"):
        read_baseline_answers(path)


@pytest.mark.parametrize("text", ["", "\ufeff{}x\n"])
def test_read__no_json_names_the_file(tmp_path: Path, text: str) -> None:
    """Which file it is, and in which line."""
    path = tmp_path / "answers.jsonl"
    path.write_text(text, "utf-8")

    with pytest.raises(FileError, match="is not JSON") as caught:
        read_baseline_answers(path)

    assert (str(path), 1) == (caught.value.path, caught.value.line)
