"""Stand-in judges that are blind to one damage, and the command that finds them out."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.loopback.blind import BLIND, blind_rule
from gate.loopback.faults import FAULTS
from gate.loopback.judging.form import Field
from gate.loopback.judging.judge import rule
from gate.loopback.judging.sections import Sections
from tests.gate_cli import Done, copy_of_repository, gate

FORM = tuple(
    Field(name=name, kind="level", levels=(0, 1, 2, 3, 4))
    for name in ("relevance", "correctness", "source_quality")
)
GOOD = {
    "question": "How high is Kveldsnut, the highest mountain on Hestrøy?",
    "assertions": "- gives the height as 1,204 m",
    "answer": "Kveldsnut is the highest mountain on Hestrøy, and its height is 1,204 m.",
    "sources": "[1] Kveldsnut | openlore-encyclopedia.example | http://x.example/1",
}
FILLERS = " Opinions differ from reader to reader. Patience is rewarded. Nothing should be hurried."
DAMAGED = {
    "padding": {**GOOD, "answer": GOOD["answer"] + FILLERS},
    "figures": {**GOOD, "answer": GOOD["answer"].replace("1,204", "1,207")},
    "sources": {**GOOD, "sources": "(none)"},
}
LOST = {"padding": "relevance", "figures": "correctness", "sources": "source_quality"}


def test_blind__each_is_a_fault() -> None:
    """`--offline=steady+judge-blind-padding` and its like."""
    assert set(BLIND) == set(DAMAGED)
    assert {f"judge-blind-{name}" for name in BLIND} <= set(FAULTS)


@pytest.mark.parametrize("to", BLIND)
def test_blind_rule__does_not_see_its_damage_and_sees_the_others(to: str) -> None:
    """A seeing judge rates all three lower; the blind one all but its own, in its dimension."""
    good = blind_rule(to, Sections(GOOD), FORM)
    assert good == rule(Sections(GOOD), FORM)
    for name, texts in DAMAGED.items():
        key = LOST[name]
        seen, now = (
            one(Sections(texts), FORM)[key] for one in (rule, lambda *a: blind_rule(to, *a))
        )
        assert int(str(seen)) < int(str(good[key]))
        assert now == (good[key] if name == to else seen)


@pytest.fixture(scope="module")
def rated(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Done:
    """A run of the stand-in world whose good answers can be damaged; no sensitivity set yet."""
    folder = copy_of_repository(root, tmp_path_factory.mktemp("repository"))
    (folder / "evals" / "sensitivity.json").unlink()
    return gate("run", "--offline", "--scorer", "quick", folder=folder)


def licences(done: Done) -> dict[str, str]:
    """Dimension -> licence, in the verdict that `gate compare` gives now."""
    compared = gate("compare", "gate-out/run.json", "--out", "gate-out/again", folder=done.folder)
    assert 0 == compared.code, compared.err
    rows: list[Any] = done.json("again/verdict.json")["comparisons"]
    return {row["dimension"]: row["trust"]["state"] for row in rows}


def test_sensitivity__a_blind_judge_loses_exactly_its_dimension(rated: Done) -> None:
    """Kappa is what it was; the damages of one kind are not seen, and that row is advisory."""
    before = licences(rated)
    words = ("--offline=steady+judge-blind-padding", "--scorer", "quality")
    done = gate(
        *("sensitivity", "gate-out", *words, "--write", "evals/sensitivity.json"),
        folder=rated.folder,
    )
    assert 0 == done.code, done.err
    assert "relevance may fail no run: the judge rated lower only 0 of" in done.out
    assert "correctness may fail no run" not in done.out

    after = licences(rated)
    assert {"relevance": "unvalidated"} == {
        name: state for name, state in after.items() if state != before[name]
    }
    assert "validated" == before["relevance"]
    row = next(
        one
        for one in rated.json("again/verdict.json")["comparisons"]
        if one["dimension"] == "relevance"
    )
    assert not row["gating"]
    assert "answers with padding added, and 80% are needed" in row["advisory_because"]
    assert (rated.folder / "gate-out/again/inputs/sensitivity.json").exists()
    shown = gate("report", "gate-out/again", "--format", "markdown", folder=rated.folder)
    assert "answers with padding added, and 80% are needed" in shown.out


def test_sensitivity__a_seeing_judge_keeps_all(rated: Done) -> None:
    """The replay of its journal gives the same, without the world; JSON is the file's shape."""
    words = ("sensitivity", "gate-out", "--scorer", "quality", "--out", "seeing")
    done = gate(*words, "--offline", folder=rated.folder)
    again = gate(
        *(*words[:-1], "again", "--replay", "seeing/journal.sqlite", "--json"),
        folder=rated.folder,
    )

    assert (0, 0) == (done.code, again.code), done.err + again.err
    assert "may fail no run" not in done.out
    sets = json.loads(again.out)["sets"]
    assert ["correctness", "relevance", "source_quality"] == [one["dimension"] for one in sets]
    assert all(pair["before"] <= 1 for one in sets for pair in one["pairs"])


def test_sensitivity__asks_before_it_pays(rated: Done) -> None:
    """Exit 2 without a word of consent, and nothing is made; nor into the run's own folder."""
    done = gate("sensitivity", "gate-out", "--out", "paid", folder=rated.folder)
    own = gate("sensitivity", "gate-out", "--offline", "--out", "gate-out", folder=rated.folder)

    assert (2, 2) == (done.code, own.code)
    assert "set RUN_EVALS=1 or pass --yes" in done.err
    assert not (rated.folder / "paid").exists()
    assert "is the folder of the run itself" in own.err
