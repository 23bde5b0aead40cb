"""Results and baselines of gemini-search-mcp."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from gate.errors import FileError
from gate.imports import FORMATS
from gate.imports.gemini_search_mcp import import_baseline, import_results, read
from gate.reports.summary_stats import TargetSummary, common_averages, summaries
from gate.types import Answer, Attempt, Baseline, Cell, Run, Source

RATED = {"reasoning": "", "relevance": 0.5, "correctness": 1, "source_quality": 0.25}


def foreign(case_id: str = "a", model: str = "gemini-x", **more: object) -> dict[str, object]:
    """One cell of theirs, answered and rated."""
    cell: dict[str, object] = {
        "case_id": case_id,
        "category": "facts",
        "model": model,
        "answer": "It is 34 metres high.",
        "scores": RATED,
        "latency_ms": 1250,
        "cost_usd": 0.002,
        "source_count": 0,
    }
    return cell | more


def imported(*cells: object, path: str = "results.json") -> Run:
    """The run of these cells."""
    return import_results(json.dumps(cells), path)


def only(run: Run) -> tuple[Cell, Attempt]:
    """The one cell and its attempt."""
    [cell] = run.cells
    [attempt] = cell.attempts
    return cell, attempt


def test_results__an_answered_cell() -> None:
    """Everything that the file tells of an answer is kept."""
    source = {"title": "T", "domain": "d.example", "uri": "https://r.example/1"}
    cell, attempt = only(imported(foreign(sources=[source], source_count=1)))

    sources = (Source(uri="https://r.example/1", title="T", domain="d.example"),)
    digest = Answer(text="It is 34 metres high.", sources=sources).digest
    expected = Attempt(
        state="ok",
        digest=digest,
        model="gemini-x",
        grounded=True,
        latency_s=1.25,
        cost_usd=0.002,
    )
    assert expected == attempt
    assert ("gemini-x", "a", "facts", None) == (
        cell.target,
        cell.case_id,
        cell.category,
        cell.case_digest,
    )
    assert cell.scores == {"relevance": (0.5,), "correctness": (1.0,), "source_quality": (0.25,)}


def test_results__dimensions_that_read_pages() -> None:
    """Their citation recall is our source coverage; F1 is not stored; what is absent is None."""
    pages: dict[str, Any] = {
        "faithfulness": {"score": 0.75, "verdicts": [{"claim": "c", "label": "supported"}]},
        "citations": {"precision": 0.5, "recall": 0.25},
        "sources": [{"title": "t", "uri": "u"}],
    }
    run = imported(foreign("a", **pages), foreign("b"), foreign("c", sources=pages["sources"]))

    assert [one.name for one in run.metrics[3:]] == [
        "faithfulness",
        "citation_precision",
        "source_coverage",
    ]
    assert [(0.75,), (0.5,), (0.25,)] == [run.cells[0].scores[m.name] for m in run.metrics[3:]]
    assert run.cells[1].scores["faithfulness"] == (None,)
    assert run.cells[1].failures["faithfulness"] == ("undefined",)
    assert run.cells[2].failures == {}


def test_results__an_empty_answer_keeps_its_published_scores() -> None:
    """It is an empty answer, no answer without a failure, and its scores stand; it is said."""
    run = imported(foreign(answer=" \n"))
    cell, attempt = only(run)

    assert (attempt.state, attempt.digest, attempt.grounded) == ("empty", None, False)
    assert cell.scores["relevance"] == (0.5,)
    assert "1 of 1 answers are empty" in run.warnings[1]


def test_results__an_error_has_no_scores() -> None:
    """The zeros on a cell with an error are no scores."""
    cell, attempt = only(imported(foreign(answer="", err="search: 503", cost_usd=0)))

    assert (attempt.state, attempt.message, attempt.cost_usd) == ("error", "search: 503", None)
    assert set(cell.scores.values()) == {(None,)}
    assert set(cell.failures.values()) == {("error",)}


def test_results__a_judge_error_is_no_error_of_the_target() -> None:
    """The answer came; only its scores are missing."""
    cell, attempt = only(imported(foreign(err="judge: no JSON object found")))

    assert attempt.state == "ok"
    assert attempt.digest is not None
    assert set(cell.scores.values()) == {(None,)}
    assert set(cell.failures.values()) == {("judge",)}


def test_results__unknown_cost_is_none() -> None:
    """They write 0 for a model without a price; an unknown cost is not 0."""
    assert only(imported(foreign(cost_usd=0)))[1].cost_usd is None


def test_results__vacuous_faithfulness_is_said() -> None:
    """An answer without a claim keeps its 0, and a reader is told."""
    run = imported(foreign(faithfulness={"score": 0, "verdicts": None}))

    assert run.cells[0].scores["faithfulness"] == (0.0,)
    assert "1 of 1 answers make no claim" in run.warnings[1]


def test_results__what_the_file_cannot_tell() -> None:
    """No judge, no prompt: unknown, so that comparisons warn; the date is in the name."""
    run = imported(foreign(), path="some/where/2026-01-31T23-59-07Z.json")

    assert run.provenance.created == "2026-01-31T23:59:07Z"
    assert run.provenance.imported == "gemini-search-mcp"
    assert {(one.judge, one.prompt, one.scorer) for one in run.identities.values()} == {
        (None, None, None)
    }
    assert all(one.judged and one.better == "higher" for one in run.metrics)
    assert imported(foreign()).provenance.created is None


def test_results__cells_are_sorted_and_targets_are_not() -> None:
    """Cells by target and case, as in every run; targets in the file's order."""
    run = imported(foreign("b", "z"), foreign("a", "z"), foreign("b", "gemini-a"))

    assert [(one.target, one.case_id) for one in run.cells] == [
        ("gemini-a", "b"),
        ("z", "a"),
        ("z", "b"),
    ]
    assert [(one.name, one.family) for one in run.targets] == [("z", None), ("gemini-a", "gemini")]
    assert run.plan.case_ids == ("a", "b")


def test_read__several_files_are_repeats() -> None:
    """Each file is an attempt; the same files give the same run."""
    one = json.dumps([foreign("a"), foreign("b")])
    two = json.dumps([foreign("a", scores=RATED | {"relevance": 1})])
    files = [("1/2026-01-02T00-00-00Z.json", one), ("2026-01-01T00-00-00Z.json", two)]
    run = read(files)

    assert isinstance(run, Run)
    assert [(0.5, 1.0), (0.5,)] == [cell.scores["relevance"] for cell in run.cells]
    assert [2, 1] == [len(cell.attempts) for cell in run.cells]
    assert (run.plan.repeats, run.provenance.created) == (2, "2026-01-02T00:00:00Z")
    assert run == read(files)


def test_baseline__averages_only() -> None:
    """Names are ours, and the baseline knows that it cannot tell noise from a drop."""
    dimensions = {"correctness": 0.5, "relevance": 1, "citation_recall": 0.25, "tone": 0.75}
    baseline = read([("baseline.json", json.dumps({"models": {"m": dimensions}}))])

    assert isinstance(baseline, Baseline)
    assert baseline.averages_only
    assert baseline.averages == {
        "m": {"correctness": 0.5, "relevance": 1.0, "source_coverage": 0.25, "tone": 0.75}
    }
    assert [one.name for one in baseline.metrics] == [
        "relevance",
        "correctness",
        "source_coverage",
        "tone",
    ]


@pytest.mark.parametrize(
    ("message", "value"),
    [
        ("a results file is a JSON array", "text"),
        ("the array of cells is empty", []),
        ("cell 1: Input should be", [foreign(), 3]),
        ("cell 0: `case_id`: ", [foreign(case_id="")]),
        ("cell 0: `latency_ms`: ", [foreign(latency_ms="1")]),
        ("cell 0: `scores.relevance`: ", [foreign(scores=RATED | {"relevance": 2})]),
        ("cell 0: `scores.relevance`: ", [foreign(scores=RATED | {"relevance": True})]),
        ("cell 0: `scores.correctness`: ", [foreign(scores={"relevance": 1})]),
        ("cell 0: it has neither `scores` nor `err`", [foreign(scores=None)]),
        (
            "cell 2: model 'gemini-x' has case 'a' already in cell 0",
            [foreign(), foreign("b"), foreign()],
        ),
        ("baseline: `models`: ", {"models": {}}),
        ("baseline: `models`: ", {"verdict": 1}),
        ("baseline: `models.m.relevance`: ", {"models": {"m": {"relevance": "high"}}}),
    ],
)
def test_read__wrong_shape(message: str, value: object) -> None:
    """The message names the file, the cell by its index, and the field."""
    with pytest.raises(FileError, match=f"^r.json: {re.escape(message)}"):
        read([("r.json", json.dumps(value))])


@pytest.mark.parametrize("text", ["{", "", "[NaN]", '[{"cost_usd": Infinity}]', "[" * 100_000])
def test_read__no_json(text: str) -> None:
    """Text that is no JSON, or holds numbers that JSON has not, is refused by the file's name."""
    with pytest.raises(FileError, match=r"^r\.json: not readable as JSON"):
        read([("r.json", text)])


def test_read__files_that_do_not_go_together() -> None:
    """No file, and a baseline among results, are refused."""
    results, baseline = json.dumps([foreign()]), '{"models": {"m": {"relevance": 1}}}'

    with pytest.raises(FileError, match="no file to import"):
        read([])
    with pytest.raises(FileError, match=r"b\.json: a baseline is imported alone"):
        read([("a.json", results), ("b.json", baseline)])


def test_formats__the_registry_reads() -> None:
    """The command finds the format by name, with a sentence for its list."""
    found = FORMATS["gemini-search-mcp"]

    assert isinstance(found.read([("r.json", json.dumps([foreign()]))]), Run)
    assert found.says.endswith(".")


@pytest.fixture(scope="module")
def published(data_dir: Path) -> Path:
    """The published run of 12 July 2026."""
    return data_dir / "gemini-search-mcp" / "evals" / "results" / "2026-07-12T23-22-55Z.json"


@pytest.fixture(scope="module")
def run(published: Path) -> Run:
    """The published run, imported."""
    return import_results(published.read_text("utf-8"), str(published))


@pytest.fixture(scope="module")
def found(run: Run) -> dict[str, TargetSummary]:
    """Its summaries by model."""
    return {one.target: one for one in summaries(run)}


def printed(report: str, title: str) -> dict[str, list[str]]:
    """The rows of a table in the published report, by their first cell."""
    section = report.split(f"## {title}")[1].split("\n## ", maxsplit=1)[0]
    rows = [line.strip("|").split("|") for line in section.splitlines() if line.startswith("| ")]
    return {row[0].strip(): [cell.strip() for cell in row[1:]] for row in rows[2:]}


def test_published__model_table(published: Path, found: dict[str, TargetSummary]) -> None:
    """Every figure of their model table comes out to its printed precision."""
    expected = printed(published.with_suffix(".md").read_text("utf-8"), "Model tradeoff")

    names = ("relevance", "correctness", "source_quality")
    actual = {
        model: [
            *(f"{one.averages[name].mean:.2f}" for name in names),
            f"{(one.p50_latency_s or 0) * 1000:.0f}",
            f"{one.usd_per_1k:.2f}",
            f"{one.error_rate:.0%}",
        ]
        for model, one in found.items()
    }
    assert len(actual) == 3
    assert expected == actual


def test_published__faithfulness_and_citations(
    published: Path, found: dict[str, TargetSummary]
) -> None:
    """Their second table too, with F1 of the averaged precision and recall."""
    expected = printed(published.with_suffix(".md").read_text("utf-8"), "Faithfulness & citations")

    actual = {}
    for model, one in found.items():
        faithful, precision, recall = (
            one.averages[name].mean or 0.0
            for name in ("faithfulness", "citation_precision", "source_coverage")
        )
        f1 = 2 * precision * recall / (precision + recall)
        actual[model] = [f"{value:.2f}" for value in (faithful, precision, recall, f1)]
    assert expected == actual


def test_published__counts(run: Run, found: dict[str, TargetSummary]) -> None:
    """72 answers, four of them empty, with as many scores of each kind as were published."""
    assert {name: (one.attempts, one.empty) for name, one in found.items()} == {
        "gemini-3.1-pro-preview": (24, 4),
        "gemini-3.5-flash": (24, 0),
        "gemini-3.1-flash-lite": (24, 0),
    }
    assert [17, 13, 10] == [
        found[name].averages["faithfulness"].n
        for name in ("gemini-3.1-flash-lite", "gemini-3.1-pro-preview", "gemini-3.5-flash")
    ]
    assert "4 of 72 answers are empty" in run.warnings[1]
    assert run.provenance.created == "2026-07-12T23:22:55Z"


def test_published__without_the_empty_answers(found: dict[str, TargetSummary]) -> None:
    """The one model with empty answers is better than its published averages; the others equal."""
    names = ("relevance", "correctness", "source_quality")
    answered = found["gemini-3.1-pro-preview"].answered_averages

    assert answered is not None
    assert [0.8545, 0.8250, 0.4050] == pytest.approx([answered[name].mean for name in names])
    assert {answered[name].n for name in names} == {20}
    assert found["gemini-3.5-flash"].answered_averages is None


def test_published__common_cases(run: Run) -> None:
    """On the five cases that all three models have, as in their later reports."""
    faithful_cases, faithful = common_averages(run, ["faithfulness"])
    cited_cases, cited = common_averages(run, ["citation_precision", "source_coverage"])

    assert (5, 5) == (len(faithful_cases), len(cited_cases))
    models = ("gemini-3.1-flash-lite", "gemini-3.1-pro-preview", "gemini-3.5-flash")
    assert ["0.873", "0.656", "0.891"] == [f"{faithful[m]['faithfulness']:.3f}" for m in models]
    assert [("0.950", "0.231"), ("0.933", "0.263"), ("0.938", "0.262")] == [
        (f"{cited[m]['citation_precision']:.3f}", f"{cited[m]['source_coverage']:.3f}")
        for m in models
    ]


def test_published__baseline_equals_the_run(
    published: Path, found: dict[str, TargetSummary]
) -> None:
    """Their baseline was made of this run: every average agrees."""
    path = published.parents[1] / "baseline.json"
    baseline = import_baseline(path.read_text("utf-8"), str(path))

    assert baseline.averages.keys() == found.keys()
    for model, averages in baseline.averages.items():
        own = {name: one.mean for name, one in found[model].averages.items()}
        assert averages == pytest.approx(own, abs=1e-12)
