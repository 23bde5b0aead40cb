"""What a trace cannot be had of, and what to do about it."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.tracing import read_trace
from gate.decision.run_file import run_lines
from gate.errors import ConfigError, FileError, JournalRefused
from gate.types import Answer, Attempt, Cell, Provenance, Result, Run, TargetInfo
from gate.wire.files import write_parts


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
