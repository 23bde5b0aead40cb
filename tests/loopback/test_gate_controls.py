"""Control answers in whole runs: a judge that holds, one that drifts, one of another name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.loopback.drifting import stricter
from gate.loopback.judging.form import Field
from tests.gate_cli import Done, copy_of_repository, gate

QUICK = ("--scorer", "quick")
DIMENSIONS = {"relevance", "correctness", "source_quality"}


@pytest.fixture(scope="module")
def steady(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A run whose judge is what it was."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    return gate("run", "--offline", *QUICK, folder=folder)


@pytest.fixture(scope="module")
def strict(steady: Done) -> Done:
    """A run of the same system, judged one step lower under the same name."""
    return gate(
        *("run", "--offline=steady+judge-stricter", *QUICK, "--out", "gate-out/strict"),
        folder=steady.folder,
    )


def flips(controls: Any) -> dict[str, int]:
    """Dimension -> control answers that flipped."""
    found: dict[str, int] = {}
    for one in controls["readings"]:
        found[one["dimension"]] = found.get(one["dimension"], 0) + one["flipped"]
    return found


def test_stricter__one_step_lower_and_never_below_the_form() -> None:
    """Levels, labels of claims, and what sentences rest on."""
    form = (Field("relevance", "level", (0, 1, 2)), Field("claims", "rows"), Field("why", "text"))
    labels = ("supported", "partial", "unsupported", "unverifiable")
    filled = stricter(
        {"relevance": 2, "claims": [{"label": label} for label in labels], "why": "So."}, form
    )

    assert 1 == filled["relevance"]
    assert "So." == filled["why"]
    assert [{"label": label} for label in ("partial", *labels[2:3], *labels[2:])] == filled[
        "claims"
    ]
    assert {"relevance": 0} == stricter({"relevance": 0}, form[:1])
    carried = {"supported": True, "citations": [{"page": 1, "alone": True, "rest": True}]}
    assert {
        "sentences": [
            {"supported": False, "citations": [{"page": 1, "alone": False, "rest": True}]}
        ]
    } == stricter({"sentences": [carried]}, ())


def test_run__of_a_judge_that_holds(steady: Done) -> None:
    """Three control answers, none flipped, and the verdict is what it was."""
    controls = steady.json("run.json")["controls"]

    assert (0, "pass") == (steady.code, steady.verdict["status"])
    assert (3, 8, 1) == (len(controls["case_ids"]), controls["of"], controls["rounds"])
    assert dict.fromkeys(DIMENSIONS, 0) == flips(controls)
    assert {} == controls["skipped"]
    comment = (steady.folder / "gate-out/comment.md").read_text("utf-8")
    assert "Control answers: 3 judged again, none flipped" in comment


def test_run__of_a_judge_that_drifted(strict: Done) -> None:
    """No regression of the candidate: not comparable, exit 3, all of them judged twice."""
    controls, verdict = (strict.json(f"strict/{name}.json") for name in ("run", "verdict"))

    assert (3, "broken") == (strict.code, verdict["status"])
    assert "the judge drifted, control answers flipped in relevance (8 of 8)" in verdict["headline"]
    assert "egression" not in verdict["headline"]
    assert {"incomparable"} == {
        row["outcome"] for row in verdict["comparisons"] if row["dimension"] in DIMENSIONS
    }
    assert (8, 2) == (len(controls["controls"]["case_ids"]), controls["controls"]["rounds"])
    assert (
        "gate controls RUN.json --write evals/controls.json --offline=steady+"
        in verdict["next_step"]
    )
    assert "a control answer flipped: all 8 control answers are judged again" in strict.err


def test_replay__of_a_judge_that_drifted(strict: Done) -> None:
    """Byte by byte the same, without the file of control answers."""
    file = strict.folder / "evals/controls.json"
    text = file.read_text("utf-8")
    file.unlink()
    journal = "gate-out/strict/journal.sqlite"
    again = gate(
        *("run", "--replay", journal, *QUICK, "--out", "gate-out/again"), folder=strict.folder
    )
    file.write_text(text, "utf-8")

    assert 3 == again.code, again.err
    out = strict.folder / "gate-out"
    first, second = ((out / name / "run.json").read_bytes() for name in ("strict", "again"))
    assert first == second


def test_run__a_journal_hides_no_drift(steady: Done) -> None:
    """The same folder: its own answers' rulings come from the journal, the control answers' not."""
    folder, out = steady.folder, "gate-out/cached"
    (folder / out).mkdir()
    journal = (folder / "gate-out/journal.sqlite").read_bytes()
    (folder / out / "journal.sqlite").write_bytes(journal)
    done = gate(
        *("run", "--offline=steady+judge-stricter", *QUICK, "--out", out, "--report-only"),
        folder=folder,
    )

    run = done.json("cached/run.json")
    assert 48 == run["cost"]["cached_calls"]
    assert 8 == flips(run["controls"])["relevance"]

    refused = gate("baseline", out, "--write", "mixed.json", folder=folder)
    assert (2, False) == (refused.code, (folder / "mixed.json").exists())
    assert "run again into a new folder" in refused.err


def test_run__of_a_judge_of_another_name(steady: Done) -> None:
    """All are judged, none flips, and the other name alone makes it not comparable."""
    done = gate(
        *("run", "--offline=steady+judge-renamed", *QUICK, "--out", "gate-out/renamed"),
        folder=steady.folder,
    )
    controls, verdict = (done.json(f"renamed/{name}.json") for name in ("run", "verdict"))

    assert (3, "broken") == (done.code, verdict["status"])
    assert (8, 1) == (len(controls["controls"]["case_ids"]), controls["controls"]["rounds"])
    assert dict.fromkeys(DIMENSIONS, 0) == flips(controls["controls"])
    assert controls["controls"]["judge"].startswith("loopback-judge-")
    assert "by another instrument than the baseline" in verdict["headline"]


def test_run__reads_the_pages_of_the_file(steady: Done) -> None:
    """A page that was edited in the file, as none is on the web, is what the judge reads."""
    folder = steady.folder
    file = folder / "evals/controls.json"
    text = file.read_text("utf-8")
    written = json.loads(text)
    for one in written["answers"]:
        for page in one["pages"]:
            page["text"] = "Nothing of that."
    file.write_text(json.dumps(written), "utf-8")
    done = gate(
        *("run", "--offline", "--report-only", "--sample", "6", "--out", "gate-out/edited"),
        folder=folder,
    )
    file.write_text(text, "utf-8")

    readings = done.json("edited/run.json")["controls"]["readings"]
    moved = {one["dimension"] for one in readings if one["values"][0] not in one["stored"]}
    assert "faithfulness" in moved
    assert moved.isdisjoint(DIMENSIONS)


def test_judge__answers_of_a_baseline_anew(steady: Done, strict: Done) -> None:
    """The next step names the commands; after them the baseline has the present judge's scores."""
    folder = steady.folder
    stored = "evals/baseline-answers.jsonl"
    made = gate(
        *("baseline", "gate-out", "--write", "baseline.json", "--answers", stored), folder=folder
    )
    compared = gate(
        "compare", "gate-out/strict/run.json", "--out", "gate-out/compared", folder=folder
    )
    step = compared.json("compared/verdict.json")["next_step"]
    judged = gate(
        *("judge", stored, "--offline=steady+judge-stricter", *QUICK, "--out", "rejudged"),
        folder=folder,
    )
    again = gate("baseline", "rejudged", "--write", "again.json", folder=folder)

    assert (0, 0, 0) == (made.code, judged.code, again.code), made.err + judged.err + again.err
    assert f"`gate judge {stored} --out rejudged --offline=steady+judge-stricter`" in step
    before, after = (
        json.loads((folder / name).read_text("utf-8")) for name in ("baseline.json", "again.json")
    )
    assert before["provenance"]["created"] == after["provenance"]["created"]
    now = strict.json("strict/run.json")
    rated, scores = (
        {cell["case_id"]: cell["scores"]["relevance"] for cell in one["cells"]}
        for one in (now, after)
    )
    assert rated == scores

    file = folder / stored
    file.write_text(file.read_text("utf-8").replace('"text": "', '"text": "Not so. ', 1), "utf-8")
    refused = gate("judge", stored, "--offline", "--out", "refused", folder=folder)
    assert 2 == refused.code
    assert "it was edited" in refused.err


def test_controls__written_and_replayed(steady: Done) -> None:
    """Four answers, three rulings each; a replay of its journal gives the same, without a world."""
    words = ("controls", "gate-out", *QUICK, "--answers", "4", "--json")
    done = gate(*words, "--offline", "--out", "made", "--write", "four.json", folder=steady.folder)
    again = gate(*words, "--replay", "made/journal.sqlite", "--out", "remade", folder=steady.folder)

    assert (0, 0) == (done.code, again.code), done.err + again.err
    first, second = json.loads(done.out), json.loads(again.out)
    assert first["answers"] == second["answers"]
    assert first["identities"] == second["identities"]
    assert 4 == len(first["answers"])
    assert {3} == {len(rulings) for one in first["answers"] for rulings in one["scores"].values()}
    assert {"steady"} == {first["world"]}
