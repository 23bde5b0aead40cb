"""Schemas accept what the readers accept and refuse typical slips."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from gate.config import load_config
from gate.datasets import load_cases, load_labels
from gate.schemas import NAMES, Name, schema_for
from gate.types import (
    Attempt,
    Baseline,
    Calibration,
    CalibrationItem,
    CalibrationSet,
    Cell,
    Finding,
    Identity,
    Metric,
    Run,
    Trust,
    Verdict,
)
from gate.wire.yaml import load, to_json
from tests.unit.json_schema import faults
from tests.unit.test_config import FULL, LEAST

CELL = Cell(
    target="t",
    case_id="c",
    scores={"correctness": (0.5, None)},
    attempts=(Attempt(state="ok", cost_usd=0.1), Attempt(state="error")),
    failures={"correctness": (None, "judge")},
)
RUN = Run(id="r", metrics=(Metric(name="correctness"),), cells=(CELL,))
VERDICT = Verdict(
    status="pass",
    exit_code=0,
    headline="h",
    comparisons=(
        Finding(
            target="t",
            dimension="d",
            gating=True,
            trust=Trust(state="validated", kappa=0.9),
            outcome="pass",
        ),
    ),
)
ITEM = CalibrationItem(case_id="c", target=None, answer=None, human="low", judge=0.1)
CALIBRATION = Calibration(
    sets=(CalibrationSet(dimension="d", identity=Identity(judge="j"), items=(ITEM,)),)
)


def check(name: Name, text: str) -> list[str]:
    """What the schema has against a YAML or JSON text, read without any typing of ours."""
    return list(faults(schema_for(name), to_json(load(text, "f"))))


def properties(schema: Any) -> Iterator[tuple[str, Any]]:
    """All properties in a schema."""
    if isinstance(schema, dict):
        for key, value in schema.items():
            if key == "properties":
                yield from value.items()
            yield from properties(value)
    elif isinstance(schema, list):
        for value in schema:
            yield from properties(value)


@pytest.mark.parametrize("name", NAMES)
def test_schema_for__title_dialect_and_descriptions(name: Name) -> None:
    """2020-12, no `$id`, and a sentence for each key."""
    schema = schema_for(name)
    text = json.dumps(schema)

    assert "https://json-schema.org/draft/2020-12/schema" == schema["$schema"]
    assert schema["title"].endswith((".yaml", ".json"))
    assert '"$id"' not in text
    assert [] == [key for key, value in properties(schema) if not value.get("description")]


def test_names__of_the_contract() -> None:
    """The names of `gate schema`."""
    assert get_args(Name) == NAMES
    contract = {"config", "cases", "labels", "run", "verdict", "baseline", "calibration"}
    assert contract | {"answers", "sensitivity", "controls"} == set(NAMES)
    with pytest.raises(KeyError):
        schema_for("journal")  # type: ignore[arg-type]  # what a person may type


def test_schema_for__description_is_the_docstring() -> None:
    """Line breaks of the source are no part of it."""
    keep = schema_for("config")["$defs"]["GateFile"]["properties"]["keep_text"]

    assert keep["description"].startswith("Whether answers and the judge's reasons may stand")
    assert "\n" not in keep["description"]


@pytest.mark.parametrize("text", [FULL, LEAST, LEAST + "name: 1.10\njudge: null"])
def test_config__accepted(text: str) -> None:
    """What the reader accepts, the schema accepts."""
    load_config(text, "gate.yaml", {})

    assert [] == check("config", text)


def test_config__variables_in_the_place_of_anything() -> None:
    """A number or a switch that is filled in is a text until then."""
    text = (
        LEAST + "schema: ${S}\nkeep_text: ${B:-true}\njournal: ${J}\n"
        "run: {sample: '${N}', max_cost_usd: '${C}'}\npolicy: {q: '${Q}', rule: '${R}'}\n"
        "connections: {google: {road: '${W}', project: '${P}'}}"
    )
    env = {"S": "1", "J": "off", "N": "full", "C": "1.5", "Q": "0.1", "R": "default"}
    load_config(text, "gate.yaml", env)

    assert [] == check("config", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "name: x",
        LEAST + "polcy: {}",
        LEAST + "policy: {min_efect: 0.1}",
        LEAST + "policy: {q: 2}",
        LEAST + "policy: {rules: {x: {margin: 0}}}",
        LEAST + "run: {repeats: 0}",
        LEAST + "run: {sample: half}",
        LEAST + "keep_text: yes",
        LEAST + "journal: none",
        LEAST + "schema: 2",
        LEAST + "targets: {flash: gemini}",
        LEAST + "targets: {flash: {model: x}}",
        LEAST + "scorers: []",
        LEAST + "scorers: [{judge: x}]",
        LEAST + "connections: {gogle: {}}",
        LEAST + "connections: {google: {road: x}}",
    ],
)
def test_config__refused(text: str) -> None:
    """Slips are seen in an editor already."""
    assert check("config", text)


@pytest.mark.parametrize(
    "text",
    [
        "- {id: a, query: why}",
        "- {id: 2026, query: 1.10, category: no, notes: 2026-01-01, expect_assertions: [1, true]}",
        "- {id: a, query: {a: [1, null]}, reference: false, tags:, context: null}",
    ],
)
def test_cases__accepted(text: str) -> None:
    """Also texts that look like numbers, and keys that are left empty."""
    load_cases(text, "cases.yaml")

    assert [] == check("cases", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "- why",
        "- {id: a}",
        "- {query: why}",
        "- {id: ../a, query: why}",
        "- {id: a, query: ''}",
        "- {id: a, query: null}",
        "- {id: a, query: {}}",
        "- {id: a, query: why, querry: x}",
        "- {id: a, query: why, expect_assertions: x}",
        "- {id: a, query: why, expect_assertions: ['']}",
        "- {id: a, query: why, expect_assertions: [null]}",
    ],
)
def test_cases__refused(text: str) -> None:
    """Slips are seen in an editor already."""
    assert check("cases", text)


def test_published_files__accepted(data_dir: Path) -> None:
    """The published cases and labels."""
    evals = data_dir / "gemini-search-mcp" / "evals"

    assert [] == check("cases", (evals / "dataset" / "cases.yaml").read_text("utf-8"))
    for place in sorted((evals / "labels").glob("*.yaml")):
        assert [] == check("labels", place.read_text("utf-8"))


def test_own_files__accepted(root: Path) -> None:
    """The project's own files, as far as they are there."""
    names: list[tuple[Name, str]] = [("config", "gate.yaml"), ("cases", "evals/cases.yaml")]
    names += [("labels", str(one)) for one in sorted((root / "evals").glob("labels/*.yaml"))]
    names += [("baseline", "baseline.json"), ("calibration", "evals/calibration.json")]
    places = [(name, root / place) for name, place in names if (root / place).is_file()]
    if not places:
        pytest.skip("no files of the gate in this checkout")

    for name, place in places:
        text = place.read_text("utf-8")
        found = json.loads(text) if place.suffix == ".json" else to_json(load(text, str(place)))
        assert [] == list(faults(schema_for(name), found)), place


@pytest.mark.parametrize(
    "text",
    [
        "[]",
        "- {case_id: 7, scores: {x: low}}",
        "{schema: 1, drafted_by: A, approved_by: null, labels: []}",
        "{schema: 1, drafted_by: A, labels: [{case_id: a, answer: %s, scores: {}}]}" % ("0a" * 32),
    ],
)
def test_labels__accepted(text: str) -> None:
    """Both formats."""
    load_labels(text, "labels.yaml")

    assert [] == check("labels", text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "- {case_id: a}",
        "- {case_id: a, scores: {x: medium}}",
        "- {case_id: a, scores: {}, answer: x}",
        "{drafted_by: A, labels: []}",
        "{schema: 1, labels: []}",
        "{schema: 1, drafted_by: A, labels: [{case_id: a, answer: xy, scores: {}}]}",
    ],
)
def test_labels__refused(text: str) -> None:
    """Slips are seen in an editor already."""
    assert check("labels", text)


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("run", RUN),
        ("verdict", VERDICT),
        ("baseline", Baseline(cells=(CELL,))),
        ("baseline", Baseline(averages={"t": {"correctness": 0.9}})),
        ("calibration", CALIBRATION),
    ],
)
def test_written_files__accepted(name: Name, word: Run | Verdict | Baseline | Calibration) -> None:
    """What we write fits, and so does a file of a newer gate with keys of its own."""
    written = json.loads(word.model_dump_json())
    assert 1 == written["schema"]

    assert [] == list(faults(schema_for(name), written))
    assert [] == list(faults(schema_for(name), {**written, "later": 1}))


@pytest.mark.parametrize(
    ("name", "fault"),
    [
        ("run", {"id": None}),
        ("run", {"id": "r", "cells": [{"target": "t"}]}),
        ("run", {"id": "r", "cells": [{"target": "t", "case_id": "c", "scores": {"x": ["a"]}}]}),
        ("verdict", {"status": "fine", "exit_code": 0, "headline": ""}),
        ("verdict", {"status": "pass", "exit_code": 4, "headline": ""}),
        ("baseline", {"averages": {"t": 1}}),
        ("calibration", {"sets": [{"dimension": "d"}]}),
    ],
)
def test_written_files__refused(name: Name, fault: dict[str, object]) -> None:
    """A file that lacks what it is about."""
    assert list(faults(schema_for(name), fault))
