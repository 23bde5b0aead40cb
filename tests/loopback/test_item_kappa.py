"""`gate kappa` on claims and sentences of a real run of the stand-in world."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

KINDS = {
    "faithfulness": "claims",
    "citation_precision": "sentences",
    "alce_precision": "citations",
    "source_coverage": "statements",
}
FLIP = {"supported": "unsupported", "unsupported": "supported"}


@pytest.fixture(scope="module")
def run(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A page-reading run whose answers are partly bad, in a folder without labels of its own."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    shutil.rmtree(folder / "evals" / "labels")
    words = ("run", "--offline=misquoted", "--report-only", "--sample", "24")
    return gate(*words, folder=folder)


def judged(run: Done) -> list[dict[str, Any]]:
    """Every answer with an item: case, digest, and metric -> items."""
    lines = (run.folder / "gate-out" / "results.jsonl").read_text("utf-8").splitlines()
    found = []
    for result in map(json.loads, lines):
        items = {score["metric"]: score["items"] for score in result["scores"] if score["items"]}
        if items:
            found.append({**result, "items": items})
    return found


def write_labels(run: Done, *, flips: int = 0, name: str = "mine.yaml") -> Path:
    """Label every item as the judge did, but for the first `flips` claims of each third answer."""
    rows = []
    for place, one in enumerate(judged(run)):
        row: dict[str, Any] = {"case_id": one["case_id"], "answer": one["answer_digest"]}
        for metric, kind in KINDS.items():
            labels = {item["digest"]: item["label"] for item in one["items"].get(metric, ())}
            if metric == "faithfulness" and place % 3 == 0:
                for digest in list(labels)[:flips]:
                    labels[digest] = FLIP.get(labels[digest], labels[digest])
            if labels:
                row[kind] = labels
        rows.append(row)
    path = run.folder / name
    path.write_text(json.dumps({"schema": 1, "drafted_by": "ann", "labels": rows}), "utf-8")
    return path


def test_kappa__of_claims_sentences_citations_and_statements(run: Done) -> None:
    """Labels that say what the judge said have kappa 1, and license all that counts them."""
    labels = write_labels(run)
    words = ("kappa", "gate-out/run.json", "--labels", labels.name, "--config", "none.yaml")
    done = gate(*words, "--json", folder=run.folder)

    assert 0 == done.code, done.err
    found = {one["dimension"]: one for one in json.loads(done.out)}
    assert {*KINDS, "alce_recall"} == set(found)
    for dimension, kind in KINDS.items():
        assert (1.0, kind) == (found[dimension]["kappa"], found[dimension]["counts"])
        assert found[dimension]["cases"] > 12
    claims = [item for one in judged(run) for item in one["items"].get("faithfulness", ())]
    assert len({item["digest"] for item in claims}) == found["faithfulness"]["n"]
    assert "" == done.err


def test_kappa__a_disagreement_is_named_with_its_text(run: Done) -> None:
    """The claim stands below its place, so that a person sees what it is about."""
    labels = write_labels(run, flips=1, name="flipped.yaml")
    words = ("kappa", "gate-out", "--labels", labels.name, "--config", "none.yaml")
    done = gate(*words, folder=run.folder)

    assert 0 == done.code, done.err
    head = next(line for line in done.out.splitlines() if line.startswith("faithfulness"))
    assert 0.3 < float(head.split("kappa ")[1].split(",")[0]) < 0.99
    claims = {item["text"] for one in judged(run) for item in one["items"].get("faithfulness", ())}
    shown = [
        line.strip("\u201c\u201d \u2026") for line in done.out.splitlines() if "\u201c" in line
    ]
    assert shown
    assert all(any(" ".join(text.split()).startswith(one) for text in claims) for one in shown)


def test_kappa__licenses_the_next_run(run: Done) -> None:
    """What is written licenses faithfulness and the citations in the rows of another run."""
    labels = write_labels(run, flips=1, name="flipped.yaml")
    written = gate(
        *("kappa", "gate-out", "--labels", labels.name, "--config", "none.yaml"),
        *("--write", "calibration.json"),
        folder=run.folder,
    )
    assert 0 == written.code, written.err
    assert "counts" in (run.folder / "calibration.json").read_text("utf-8")

    done = gate(
        *("compare", "gate-out", "--calibration", "calibration.json", "--report-only"),
        *("--out", "again"),
        folder=run.folder,
    )
    assert 0 == done.code, done.err
    verdict = json.loads((run.folder / "again" / "verdict.json").read_text("utf-8"))
    trust = {row["dimension"]: row["trust"] for row in verdict["comparisons"]}
    assert "validated" == trust["faithfulness"]["state"]
    assert "validated" == trust["citation_f1"]["state"]
    assert trust["faithfulness"]["n"] > trust["faithfulness"]["kappa"] > 0.6


def test_kappa__without_the_results_beside_the_run(run: Done, tmp_path: Path) -> None:
    """Nothing can be paired, and it says what is missing."""
    labels = write_labels(run)
    shutil.copy(run.folder / "gate-out" / "run.json", tmp_path / "run.json")
    done = gate("kappa", "run.json", "--labels", str(labels), folder=tmp_path)

    assert 2 == done.code
    assert ".: there is no results.jsonl beside the run" in done.err
    assert "none of the labels belongs to run.json" in done.err
    assert " more labels: the judge counted no such item in that answer" in done.err
