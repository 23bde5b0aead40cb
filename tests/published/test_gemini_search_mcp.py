"""A real published run, through the real commands: gemini-search-mcp, 2026-07-12, three models."""

from __future__ import annotations

import json
from pathlib import Path
from statistics import fmean
from typing import Any

import pytest

from tests.gate_cli import gate

STAMP = "2026-07-12T23-22-55Z"

KAPPAS = {
    # dimension: (kappa, standard error, n, people's rows low/med/high x judge's columns)
    "relevance": (1.0, 0.0, 24, [[0, 0, 0], [0, 2, 0], [0, 0, 22]]),
    "correctness": (0.630769, 0.230809, 24, [[2, 0, 0], [0, 0, 0], [1, 1, 20]]),
    "source_quality": (0.866667, 0.089214, 24, [[7, 0, 0], [0, 4, 2], [0, 0, 11]]),
}
"""Kappa of flash-lite.yaml against the run, gemini-3.1-flash-lite."""

AVERAGES = {
    # model: relevance, correctness, source_quality, faithfulness, precision, coverage
    "gemini-3.1-flash-lite": (0.9154, 0.8662, 0.5250, 0.9243, 0.9655, 0.3077),
    "gemini-3.1-pro-preview": (0.7121, 0.6875, 0.3375, 0.7786, 0.8631, 0.3826),
    "gemini-3.5-flash": (0.8846, 0.8187, 0.3292, 0.8408, 0.8657, 0.3511),
}
"""Averages that the project published for the run."""

COMMON = {
    # model: faithfulness, precision, coverage and their F1, on the 5 cases that all models have
    "gemini-3.1-flash-lite": (0.873, 0.950, 0.231, 0.372),
    "gemini-3.1-pro-preview": (0.656, 0.933, 0.263, 0.410),
    "gemini-3.5-flash": (0.891, 0.938, 0.262, 0.409),
}
"""Averages on the common grounded subset of the run, computed apart from this project."""

SCORED = {
    # model: cases with faithfulness, cases with citations
    "gemini-3.1-flash-lite": (17, 16),
    "gemini-3.1-pro-preview": (13, 12),
    "gemini-3.5-flash": (10, 10),
}
"""Cases behind each average; it differs between models, so those cannot be compared."""

THEIRS = {
    "Faithfulness": "faithfulness",
    "Citation precision": "citation_precision",
    "Citation recall": "source_coverage",
    "Citation F1": "F1 of averages",
}
"""Column of the published table -> ours."""

WITHOUT_EMPTY = (0.8545, 0.8250, 0.4050)
"""gemini-3.1-pro-preview without its four empty answers: relevance, correctness, sources."""

DIMENSIONS = (
    *("relevance", "correctness", "source_quality"),
    *("faithfulness", "citation_precision", "source_coverage"),
)


@pytest.fixture(scope="module")
def evals(data_dir: Path) -> Path:
    """The published files."""
    return data_dir / "gemini-search-mcp" / "evals"


@pytest.fixture(scope="module")
def folder(evals: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the imported run."""
    folder = tmp_path_factory.mktemp("published")
    results = evals / "results" / f"{STAMP}.json"
    done = gate("import", "gemini-search-mcp", str(results), "-o", "run.json", folder=folder)
    assert 0 == done.code, done.err
    return folder


def test_kappa__of_the_published_labels(evals: Path, folder: Path) -> None:
    """Values, errors and tables; unbound, since the labels name no answers."""
    labels = str(evals / "labels" / "flash-lite.yaml")
    words = ("kappa", "run.json", "--labels", labels, "--target", "gemini-3.1-flash-lite", "--json")

    done = gate(*words, folder=folder)

    assert 0 == done.code, done.err
    found = {one["dimension"]: one for one in json.loads(done.out)}
    assert set(KAPPAS) == set(found)
    for dimension, (kappa, se, n, table) in KAPPAS.items():
        one = found[dimension]
        assert kappa == pytest.approx(one["kappa"], abs=5e-7)
        assert se == pytest.approx(one["se"], abs=5e-7)
        assert (n, table, "unbound") == (one["n"], one["table"], one["state"])
        assert one["low"] <= one["kappa"] <= one["high"]


def test_compare__with_its_own_averages_changes_nothing(evals: Path, folder: Path) -> None:
    """Every delta is 0, and the table says that averages cannot tell noise from a drop."""
    baseline = str(evals / "baseline.json")

    done = gate("compare", "run.json", "--baseline", baseline, "--out", "gate-out", folder=folder)

    rows = done.verdict["comparisons"]
    assert 18 == len(rows)
    assert {0.0} == {row["delta"] for row in rows}
    assert all(row["averages_only"] for row in rows)
    assert "averages" in done.out
    for row in rows:
        position = DIMENSIONS.index(row["dimension"])
        assert AVERAGES[row["target"]][position] == pytest.approx(row["current"], abs=5e-5)


def test_compare__drop_against_averages_fails_where_it_is_licensed(
    evals: Path, folder: Path
) -> None:
    """With the labels and the bare kappa, a better baseline is a regression by the plain rule."""
    stored = json.loads((evals / "baseline.json").read_text("utf-8"))
    stored["models"]["gemini-3.1-flash-lite"]["source_quality"] += 0.06
    (folder / "better.json").write_text(json.dumps(stored), "utf-8")
    (folder / "gate.yaml").write_text(
        "dataset: {path: cases.yaml}\npolicy: {licence: point}\n", "utf-8"
    )
    labels = ("--labels", str(evals / "labels" / "flash-lite.yaml"))
    target = ("--label-target", "gemini-3.1-flash-lite")
    words = ("compare", "run.json", "--config", "gate.yaml", "--baseline", "better.json")

    done = gate(*words, *labels, *target, "--out", "gate-out", folder=folder)

    fallen = [row for row in done.verdict["comparisons"] if row["outcome"] == "regression"]
    assert (1, "regression") == (done.code, done.verdict["status"])
    assert [("gemini-3.1-flash-lite", "source_quality")] == [
        (row["target"], row["dimension"]) for row in fallen
    ]


def test_report__equals_the_published_table(evals: Path, folder: Path) -> None:
    """Our averages, rounded as published, are those of the report beside the run."""
    published = (evals / "results" / f"{STAMP}.md").read_text("utf-8")
    cells = {
        found[0]: found[1:]
        for line in published.splitlines()
        if (found := [one.strip() for one in line.strip("|").split("|")])[0].startswith("gemini")
        and "%" in line
    }
    baseline = str(evals / "baseline.json")
    done = gate("compare", "run.json", "--baseline", baseline, "--out", "gate-out", folder=folder)

    for model, row in cells.items():
        for dimension, text in zip(DIMENSIONS[:3], row[:3], strict=True):
            ours = next(
                one["current"]
                for one in done.verdict["comparisons"]
                if (one["target"], one["dimension"]) == (model, dimension)
            )
            assert text == f"{ours:.2f}"
        operation = next(one for one in done.verdict["operations"] if one["target"] == model)
        assert row[3] == f"{operation['p50_latency_s'] * 1000:.0f}"
        assert row[4] == f"{operation['usd_per_1k']:.2f}"


def tables(text: str) -> list[dict[str, dict[str, str]]]:
    """The tables of a Markdown text that have a row for each model: model -> title -> cell.

    Of several rows of one model the first counts.
    """
    found: list[dict[str, dict[str, str]]] = []
    titles: list[str] = []
    for line in text.splitlines():
        cells = [one.strip() for one in line.strip("|").split("|")]
        if not line.startswith("|"):
            titles = []
        elif not titles:
            titles = cells[1:]
            found.append({})
        elif cells[0] in COMMON:
            found[-1].setdefault(cells[0], dict(zip(titles, cells[1:], strict=True)))
    return [one for one in found if one.keys() == COMMON.keys()]


def recomputed(cells: list[dict[str, Any]], model: str) -> tuple[float, ...]:
    """The averages on the common cases, from the published cells and by no code of ours."""

    def mean(key: str, field: str) -> float:
        each = ({c["case_id"] for c in cells if c["model"] == m and c.get(key)} for m in COMMON)
        shared = set.intersection(*each)
        own = [c for c in cells if c["model"] == model and c["case_id"] in shared]
        return fmean(c[key][field] for c in own)

    precision, recall = mean("citations", "precision"), mean("citations", "recall")
    f1 = 2 * precision * recall / (precision + recall)
    return mean("faithfulness", "score"), precision, recall, f1


def test_report__citations_equal_the_published_table(evals: Path, folder: Path) -> None:
    """Faithfulness, precision, recall and F1 of the averages, with the cases behind each."""
    published = (evals / "results" / f"{STAMP}.md").read_text("utf-8")
    [theirs] = [one for one in tables(published) if "Citation F1" in next(iter(one.values()))]

    ours = tables(gate("report", "run.json", "--format", "markdown", folder=folder).out)[0]

    for model, row in theirs.items():
        assert THEIRS.keys() == row.keys()
        faithful, cited = SCORED[model]
        counts = (f" (n {faithful})", f" (n {cited})", f" (n {cited})", "")
        for (title, name), n in zip(THEIRS.items(), counts, strict=True):
            assert f"{row[title]}{n}" == ours[model][name]


def test_report__common_grounded_subset(evals: Path, folder: Path) -> None:
    """Five cases have pages in all three models: the second table holds those alone."""
    stored = json.loads((evals / "results" / f"{STAMP}.json").read_text("utf-8"))
    done = gate("report", "run.json", "--format", "markdown", folder=folder)

    found = tables(done.out)[1]

    for model, row in found.items():
        assert [f"{name} (n 5)" for name in THEIRS.values()] == list(row)
        assert [f"{value:.2f}" for value in COMMON[model]] == list(row.values())
        assert COMMON[model] == pytest.approx(recomputed(stored, model), abs=5e-4)
    assert "on the cases that every target has a value for, n of them" in done.out


def test_compare__right_but_not_from_its_pages(evals: Path, folder: Path) -> None:
    """One of 40 answers is right and borne out by 28% only; averages have no share of such."""
    baseline = str(evals / "baseline.json")
    done = gate("compare", "run.json", "--baseline", baseline, "--out", "gate-out", folder=folder)

    found = {one["target"]: one for one in done.verdict["from_memory"]}

    assert {model: faithful for model, (faithful, _) in SCORED.items()} == {
        model: one["n"] for model, one in found.items()
    }
    assert {"gemini-3.1-pro-preview": ["fake-study-citation"]} == {
        model: one["cases"] for model, one in found.items() if one["count"]
    }
    assert {None} == {one["baseline"] for one in found.values()}
    assert (
        "Right, but not from its pages (gemini-3.1-pro-preview): 1 of 13 answers: "
        "fake-study-citation. Correctness is high"
    ) in done.out


def test_report__averages_without_empty_answers_stand_beside(folder: Path) -> None:
    """Four blank answers of one model were scored 0; without them it looks quite different."""
    done = gate("report", "run.json", "--format", "markdown", folder=folder)

    lines = done.out.splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| gemini-3.1-pro-preview"))
    row = [one.strip() for one in lines[first + 1].strip("|").split("|")]
    assert "without empty answers" == row[0]
    assert WITHOUT_EMPTY == pytest.approx([float(one) for one in row[1:4]], abs=0.0051)
