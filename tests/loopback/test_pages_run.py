"""`gate run` with scorers that read pages: run, replay, and the terms of grounded search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.gate_cli import Done, copy_of_repository, gate

FILES = ("run.json", "verdict.json", "comment.md", "summary.md")
WORDS = ("--sample", "12", "--report-only")


@pytest.fixture(scope="module")
def folder(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A repository whose gate reads pages, as our own does."""
    return copy_of_repository(root, tmp_path_factory.mktemp("repository"))


@pytest.fixture(scope="module")
def done(folder: Path) -> Done:
    """One run."""
    return gate("run", "--offline", *WORDS, folder=folder)


def test_run__measures_claims_and_citations(done: Done) -> None:
    """All metrics have numbers; the pages came from the world, none was refused."""
    assert 0 == done.code, done.err
    lines = (done.folder / "gate-out" / "results.jsonl").read_text("utf-8").splitlines()
    scores = [score for line in lines for score in json.loads(line)["scores"]]
    names = {score["metric"] for score in scores if score["value"] is not None}
    statuses = [row["status"] for score in scores for row in score["details"].get("sources", [])]

    assert names > {"faithfulness", "claims", "citation_precision", "source_coverage"}
    assert names > {"citation_f1", "alce_recall", "alce_precision", "relevance"}
    assert statuses.count("ok") > 8
    assert "refused address" not in statuses
    assert "unknown host" not in statuses


def test_replay__same_bytes_from_the_journal_alone(done: Done, folder: Path) -> None:
    """Pages are in the journal: the world is gone, and nothing is fetched."""
    words = ("run", "--replay", "gate-out/journal.sqlite", *WORDS)
    for name in ("one", "two"):
        again = gate(*words, "--out", name, folder=folder)
        assert 0 == again.code, again.err

    for file in FILES:
        assert (folder / "gate-out" / file).read_bytes() == (folder / "one" / file).read_bytes()
    for file in (*FILES, "results.jsonl"):
        assert (folder / "one" / file).read_bytes() == (folder / "two" / file).read_bytes()


def test_replay__of_a_run_that_fetched_no_pages_is_refused(folder: Path, done: Done) -> None:
    """A missing page is an error, never a live fetch."""
    assert 0 == done.code
    plain = gate("run", "--offline", *WORDS, "--scorer", "quality", "--out", "plain", folder=folder)
    assert 0 == plain.code, plain.err

    words = ("run", "--replay", "plain/journal.sqlite", *WORDS, "--out", "again")
    again = gate(*words, folder=folder)

    assert 3 == again.code
    assert "fetched no page" in again.err


def test_terms__real_grounded_links_are_not_followed_unasked(folder: Path) -> None:
    """Exit 2 with the terms and the key, before any call."""
    env = {"GOOGLE_CLOUD_PROJECT": "p"}

    refused = gate("run", "--yes", *WORDS, "--out", "real", folder=folder, env=env)

    assert 2 == refused.code
    assert "Google's terms of grounded search" in refused.err
    assert "evidence: {fetch: true}" in refused.err
