"""What a run leaves behind is enough to have its reports again, and to stay under a ceiling."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import pytest

from tests.gate_cli import Done, copy_of_repository, gate


@pytest.fixture(scope="module")
def wrong(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A failing run."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    return gate("run", "--offline=wrong", folder=folder)


def test_report__is_rendered_as_it_was(wrong: Done) -> None:
    """The comment of `gate report` is the comment of the run."""
    done = gate("report", "gate-out", "--format", "markdown", folder=wrong.folder)

    assert 0 == done.code, done.err
    assert (wrong.folder / "gate-out" / "comment.md").read_text("utf-8") == done.out


def test_report__verdict_is_the_same(wrong: Done) -> None:
    """Decided again from inputs/, it says the same."""
    done = gate("report", "gate-out", "--format", "json", folder=wrong.folder)

    assert (wrong.folder / "gate-out" / "verdict.json").read_text("utf-8") == done.out


def test_report__csv_has_both_sides(wrong: Done) -> None:
    """One row a case and dimension, with the baseline's mean."""
    done = gate("report", "gate-out", "--format", "csv", folder=wrong.folder)

    rows = list(csv.DictReader(io.StringIO(done.out)))
    assert 48 * 10 == len(rows)
    quality = [row for row in rows if row["dimension"] in ("relevance", "correctness")]
    assert 96 == len(quality)
    aliases = {row["dimension"]: row["alias"] for row in rows if row["alias"]}
    assert {"source_coverage": "citation_recall"} == aliases
    assert all(row["baseline_mean"] and row["current_mean"] for row in quality)


def test_compare__decides_as_the_run_did(wrong: Done) -> None:
    """Run and compare meet in one place."""
    done = gate("compare", "gate-out", "--out", "again", folder=wrong.folder)

    assert 1 == done.code
    again = (wrong.folder / "again" / "run.json").read_text("utf-8")
    assert (wrong.folder / "gate-out" / "run.json").read_text("utf-8") == again
    assert wrong.verdict["headline"] in done.out + (
        wrong.folder / "again" / "verdict.json"
    ).read_text("utf-8")


def test_ceiling__that_the_run_fits_under_refuses_nothing(root: Path, tmp_path: Path) -> None:
    """Worst-case reserves of many calls at once are far above what the run costs."""
    folder = copy_of_repository(root, tmp_path)

    done = gate("run", "--offline", "--max-cost", "4", folder=folder)

    assert 0 == done.code, done.err
    assert "pass" == done.verdict["status"]


def test_compare__into_a_folder_of_another_run_shows_no_foreign_answers(wrong: Done) -> None:
    """Answers of one run never stand beside the verdict of another."""
    folder = wrong.folder
    assert 0 == gate("run", "--offline", "--out", "steady", folder=folder).code
    assert 1 == gate("compare", "gate-out", "--out", "steady", folder=folder).code

    done = gate("report", "steady", "--format", "markdown", folder=folder)

    assert (folder / "steady" / "comment.md").read_text("utf-8") == done.out
    kept = (folder / "steady" / "results.jsonl").read_text("utf-8").splitlines()
    ours = (folder / "gate-out" / "results.jsonl").read_text("utf-8").splitlines()
    assert sorted(kept) == sorted(ours)


@pytest.mark.parametrize("more", [(), ("--report-only",)], ids=["gating", "report-only"])
def test_pages__dead_judge_is_broken_although_some_value_needs_no_judge(
    root: Path, tmp_path: Path, more: tuple[str, ...]
) -> None:
    """Recall of an answer without a citation is 0 unasked: that makes no measured run."""
    folder = copy_of_repository(root, tmp_path)
    done = gate("run", "--offline=steady+judge-529", *more, folder=folder)

    assert (3, "broken") == (done.code, done.verdict["status"])
    assert [] == done.verdict["comparisons"]
    assert "529" in done.verdict["broken"]["message"]


def test_pages__stored_answers_fetch_nothing_beyond_the_world(root: Path, tmp_path: Path) -> None:
    """Offline means offline: a public address in a stored answer is not asked."""
    folder = copy_of_repository(root, tmp_path)
    line = (
        '{"case_id": "kveldsnut-height", "answer": "It is 1,204 m high.", "sources": '
        '[{"uri": "http://203.0.113.7/page", "title": "t", "domain": "d"}]}'
    )
    (folder / "one.jsonl").write_text(line, "utf-8")
    config = (folder / "gate.yaml").read_text("utf-8")
    head, tail = config.split("targets:")
    tail = tail[tail.index("judge:") :]
    target = "targets:\n  stored: {use: recorded, file: one.jsonl}\n"
    (folder / "one.gate.yaml").write_text(head + target + tail, "utf-8")
    words = ("run", "--config", "one.gate.yaml", "--case", "kveldsnut-height")

    done = gate(*words, "--offline", folder=folder)

    assert 0 == done.code, done.err
    assert "refused address" in (folder / "gate-out" / "results.jsonl").read_text("utf-8")
    refused = gate(*words, "--yes", folder=folder, env={"GOOGLE_CLOUD_PROJECT": "p"})
    assert 2 == refused.code
    assert "evidence: {fetch: true}" in refused.err
