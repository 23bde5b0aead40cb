"""results.jsonl, a line each, read without holding the whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.errors import FileError
from gate.types import Answer, Result
from gate.wire.results_file import Head, ResultsWriter, read_results, wanted_lines


def result(case_id: str, text: str = "x") -> Result:
    """An answer."""
    answer = Answer(text=text)
    return Result(
        case_id=case_id,
        category="c",
        case_digest="0",
        target="t",
        attempt=0,
        question="q",
        answer=answer,
        answer_digest=answer.digest,
    )


def write(path: Path, *results: Result) -> None:
    """Write a file."""
    writer = ResultsWriter(path)
    for one in results:
        writer.append(one)
    writer.close()


def test_results__what_is_wanted_in_the_files_order(tmp_path: Path) -> None:
    """Whatever stands in the texts: only a line feed ends a line."""
    path = tmp_path / "results.jsonl"
    results = [result("b", "one\N{LINE SEPARATOR}two\nthree"), result("a"), result("c")]
    write(path, *results)

    def wanted(head: Head) -> bool:
        return head.case_id != "a" and ("t", head.case_id, 0) == head.key

    assert [results[0], results[2]] == list(read_results(path, wanted))
    assert path.read_bytes().splitlines(keepends=True)[2] == list(wanted_lines(path, wanted))[1]


def test_results__written_afresh(tmp_path: Path) -> None:
    """The results of an earlier run are gone."""
    path = tmp_path / "results.jsonl"
    write(path, result("a"), result("b"))
    write(path, result("c"))

    assert ["c"] == [one.case_id for one in read_results(path, lambda _: True)]


def test_results__no_file(tmp_path: Path) -> None:
    """A run without results has none."""
    assert [] == list(read_results(tmp_path / "results.jsonl", lambda _: True))


@pytest.mark.parametrize("line", ["{", "[]", '{"target": "t"}', '{"target": 1}'])
def test_results__what_is_no_result(tmp_path: Path, line: str) -> None:
    """Named with its line, also where nobody wanted it."""
    path = tmp_path / "results.jsonl"
    write(path, result("a"))
    with path.open("a", encoding="utf-8") as stream:
        stream.write(f"{line}\n")

    with pytest.raises(FileError, match=r"results\.jsonl:2: is no result of the gate"):
        list(read_results(path, lambda _: False))
