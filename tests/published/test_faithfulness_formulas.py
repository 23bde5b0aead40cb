"""Our formulas on the labels that a published run stored with its scores.

They are those of gemini-search-mcp but in one thing: what cannot be divided is undefined here,
while it stores 0 for an answer without a claim and 1 for one that cites or states nothing.
"""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from gate.scorers.alce import f1, share
from gate.scorers.faithfulness import faithfulness

STAMP = "2026-07-12T23-22-55Z"
CLOSE = 1e-9

PUBLISHED_F1 = {
    "gemini-3.1-flash-lite": "0.47",
    "gemini-3.1-pro-preview": "0.53",
    "gemini-3.5-flash": "0.50",
}
"""F1 of the averages, as the report beside the run gives it."""


@pytest.fixture(scope="module")
def cells(data_dir: Path) -> list[dict[str, Any]]:
    """The 72 cells of the run."""
    path = data_dir / "gemini-search-mcp" / "evals" / "results" / f"{STAMP}.json"
    read: list[dict[str, Any]] = json.loads(path.read_text("utf-8"))
    assert 72 == len(read)
    return read


def test_faithfulness__every_stored_score_recomputes(cells: list[dict[str, Any]]) -> None:
    """40 cells, 430 claims; those without a claim are undefined here and 0 there."""
    stored = [cell["faithfulness"] for cell in cells if cell.get("faithfulness")]
    labels = [[one["label"] for one in kept["verdicts"] or []] for kept in stored]
    ours = [faithfulness(one) for one in labels]

    assert (40, 430) == (len(stored), sum(map(len, labels)))
    for kept, value in zip(stored, ours, strict=True):
        assert kept["score"] == pytest.approx(0.0 if value is None else value, abs=CLOSE)
    assert [not one for one in labels] == [value is None for value in ours]


def test_precision__every_stored_one_recomputes(cells: list[dict[str, Any]]) -> None:
    """Cited sentences that are entailed, of all cited sentences; 38 cells."""
    stored = [cell["citations"] for cell in cells if cell.get("citations")]

    assert 38 == len(stored)
    for kept in stored:
        ours = share(one["entailed"] for one in kept["sentence_labels"] or [] if one["cited"])
        assert kept["precision"] == pytest.approx(1.0 if ours is None else ours, abs=CLOSE)


def test_coverage__every_stored_recall_recomputes(cells: list[dict[str, Any]]) -> None:
    """Facts of the sources that the answer states, of all that were listed."""
    stored = [cell["citations"] for cell in cells if cell.get("citations")]

    assert sum(len(kept["statement_labels"] or []) for kept in stored) > 300
    for kept in stored:
        ours = share(one["cited"] for one in kept["statement_labels"] or [])
        assert kept["recall"] == pytest.approx(1.0 if ours is None else ours, abs=CLOSE)


@pytest.mark.parametrize("model", PUBLISHED_F1)
def test_f1__of_the_averages_is_the_published_one(cells: list[dict[str, Any]], model: str) -> None:
    """Theirs comes from averaged precision and recall."""
    rows = [cell["citations"] for cell in cells if cell["model"] == model and cell.get("citations")]

    found = f1(fmean(row["precision"] for row in rows), fmean(row["recall"] for row in rows))

    assert PUBLISHED_F1[model] == f"{found:.2f}"
