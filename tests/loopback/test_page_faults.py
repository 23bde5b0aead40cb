"""`gate` when pages, results or labels are not what they should be: no silent pass."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

from tests.gate_cli import copy_of_repository, gate


def test_pages__that_nobody_can_read_are_no_verdict(root: Path, tmp_path: Path) -> None:
    """A network that is down is a broken machine: exit 3, told as such, and never a pass."""
    folder = copy_of_repository(root, tmp_path)
    with (folder / "gate.yaml").open("a", encoding="utf-8") as config:
        config.write("evidence:\n  timeout_s: 0.001\n")

    done = gate("run", "--offline", folder=folder)

    assert (3, "broken") == (done.code, done.verdict["status"]), done.out
    assert "The pages that the answers cite could not be read." in done.verdict["headline"]
    assert "evidence.timeout_s" in done.verdict["next_step"]
    assert any("cited pages could not be read" in one for one in done.verdict["warnings"])


def test_compare__labels_that_find_nothing_license_nothing_in_silence(
    root: Path, tmp_path: Path
) -> None:
    """Without results.jsonl labels of claims belong to nothing: exit 2, not a green report."""
    folder = copy_of_repository(root, tmp_path)
    words = ("--report-only", "--sample", "13", "--out", "done")
    assert 0 == gate("run", "--offline=unsupported", *words, folder=folder).code
    (folder / "done" / "results.jsonl").unlink()

    done = gate("compare", "done", "--labels", "evals/labels/claims.yaml", folder=folder)

    assert 2 == done.code
    assert "there is no results.jsonl beside the run" in done.err
    assert "none of the labels belongs to done" in done.err


def test_stderr__is_no_place_for_commands_of_a_file(root: Path, tmp_path: Path) -> None:
    """A key with a line break must not become a line that a runner obeys."""
    folder = copy_of_repository(root, tmp_path)
    shutil.rmtree(folder / "evals" / "labels")
    row = {"case_id": "a", "answer": "0" * 64, "claims": {"a\n::error::pwned": "supported"}}
    text = json.dumps({"schema": 1, "drafted_by": "a", "labels": [row]})
    (folder / "mine.yaml").write_text(text, "utf-8")
    assert 0 == gate("run", "--offline", "--sample", "13", "--report-only", folder=folder).code

    done = gate("kappa", "gate-out", "--labels", "mine.yaml", folder=folder)

    assert 2 == done.code
    assert "pwned" in done.err
    assert not [line for line in done.err.splitlines() if line.lstrip().startswith("::")]
