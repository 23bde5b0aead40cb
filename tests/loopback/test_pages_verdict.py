"""What the gate says of runs that read pages: fewer claims, memory, targets side by side."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

SAMPLE = ("--sample", "12", "--report-only")
STORED = """
  stored:
    use: recorded
    file: stored.jsonl
"""
SWAPPED, BARE, LENDER = "install-tarn-linux", "herring-festival-dates", "seed-kinds"
"""Cases whose stored answer cites another case's page, and none; whose page that is."""


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose gate reads pages, with and without a target of stored answers."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    one = (folder / "gate.yaml").read_text("utf-8")
    two = one.replace("\njudge:\n", f"{STORED}judge:\n", 1)
    (folder / "two.yaml").write_text(two, "utf-8")
    return folder


@pytest.fixture(scope="module")
def wordy(folder: Path) -> list[dict[str, Any]]:
    """Results of a run of which two facts in each answer stand in no page; it is the baseline."""
    done = gate("run", "--offline=unsupported", *SAMPLE, "--out", "wordy", folder=folder)
    assert 0 == done.code, done.err
    made = gate("baseline", "wordy/run.json", "--write", "wordy.json", folder=folder)
    assert 0 == made.code, made.err
    lines = (folder / "wordy" / "results.jsonl").read_text("utf-8").splitlines()
    return [json.loads(line) for line in lines]


@pytest.fixture(scope="module")
def done(folder: Path, wordy: list[dict[str, Any]]) -> Done:
    """A steady run beside the wordy one's stored answers, two of which lost their own pages."""
    answers = {row["case_id"]: row["answer"] for row in wordy}
    answers[SWAPPED]["sources"] = answers[LENDER]["sources"][:1]
    for citation in answers[SWAPPED]["citations"]:
        citation["sources"] = [0]
    answers[BARE] |= {"sources": [], "citations": []}
    stored = "".join(json.dumps(row) + "\n" for row in wordy)
    (folder / "stored.jsonl").write_text(stored, "utf-8")
    words = ("run", "--offline", "--config", "two.yaml", *SAMPLE)
    done = gate(*words, folder=folder)
    assert 0 == done.code, done.err
    return done


def test_claims__fewer_are_pointed_out_and_fail_nothing(done: Done, folder: Path) -> None:
    """Without the invented facts faithfulness rises and claims fall: one sentence says both."""
    words = ("compare", "gate-out/run.json", "--baseline", "wordy.json", "--out", "compared")

    compared = gate(*words, "--report-only", folder=folder)

    assert 0 == compared.code, compared.err
    verdict = json.loads((folder / "compared" / "verdict.json").read_text("utf-8"))
    [claims] = [
        row
        for row in verdict["comparisons"]
        if (row["target"], row["dimension"]) == ("gemini-3.8-flash", "claims")
    ]
    [said] = [one for one in verdict["warnings"] if "fewer claims" in one]
    assert not any("fewer claims" in one for one in done.verdict["warnings"])
    assert (True, False, "inconclusive") == (claims["watched"], claims["gating"], claims["outcome"])
    assert claims["current"] < 0.9 * claims["baseline"]
    assert said.startswith("Answers of gemini-3.8-flash make fewer claims: ")
    assert re.search(r", while faithfulness \(0\.\d\d → \d\.\d\d\), .* rose: read ", said)
    assert re.search(r"\nwatched \[\d\] +claims ", compared.out)
    assert f"\nNote: {said}\n" in compared.out


def test_memory__right_answers_with_the_wrong_pages_are_named(done: Done) -> None:
    """The answer is as right as before, and its page speaks of something else."""
    found = {one["target"]: one for one in done.verdict["from_memory"]}

    assert (1, [SWAPPED]) == (found["stored"]["count"], found["stored"]["cases"])
    assert 0 == found["gemini-3.8-flash"]["count"]
    line = f"from its pages (stored): 1 of {found['stored']['n']} answers: {SWAPPED}. Correctness"
    assert f"\nRight, but not {line}" in done.out
    assert f"`{SWAPPED}`. Correctness" in (done.folder / "gate-out/comment.md").read_text("utf-8")


def test_report__two_targets_on_their_common_cases(done: Done, folder: Path) -> None:
    """An answer that cites nothing has no faithfulness, so both averages leave its case out."""
    report = gate("report", "gate-out", "--format", "markdown", folder=folder)

    lines = report.out.splitlines()
    place = next(n for n, line in enumerate(lines) if line.startswith("| target | faithfulness (n"))
    head = [one.strip() for one in lines[place].strip("|").split("|")]
    rows = {line.split("|")[1].strip(): line for line in lines[place + 2 : place + 4]}
    measured = {
        target: {
            cell["case_id"]
            for cell in done.json("run.json")["cells"]
            if cell["target"] == target and cell["scores"]["faithfulness"] != [None]
        }
        for target in rows
    }
    assert {"stored", "gemini-3.8-flash"} == set(rows)
    assert measured["stored"] < measured["gemini-3.8-flash"]
    assert f"faithfulness (n {len(measured['stored'])})" == head[1]
    assert [one for one in head if one.startswith("citation_precision (n ")]
    assert [one for one in head if one.startswith("F1 of averages")]
