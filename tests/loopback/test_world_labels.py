"""The ratings in evals/labels are of answers that the world still gives."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

import pytest
import yaml

from gate.models.grounding import read_answer
from tests.loopback.world_driver import CASES, TARGET, ask, world

LABELS = Path(__file__).resolve().parents[2] / "evals" / "labels"
QUESTIONS = {case["id"]: case["query"] for case in CASES}
RUNS = ("steady", "wrong", *(f"flaky:{seed}" for seed in range(1, 13)))
"""The runs that the headers of the label files name."""
REPEATS = 5
"""A flaky run may have asked a question several times."""
FIRST_CASES = 24
"""The labels were drawn up when there were no more cases."""


def labelled(name: str) -> list[tuple[str, str]]:
    """Return case and answer digest of each label of the stand-in target."""
    rows = yaml.safe_load((LABELS / name).read_text(encoding="utf-8"))["labels"]
    return [(row["case_id"], row["answer"]) for row in rows if row["target"] == TARGET]


@cache
def answers() -> dict[str, frozenset[str]]:
    """Return the digests of all answers by case, over the named runs."""
    found: dict[str, set[str]] = {}
    for variant in RUNS:
        where = world(variant)
        for case_id, question in list(QUESTIONS.items())[:FIRST_CASES]:
            for _ in range(REPEATS if variant.startswith("flaky") else 1):
                body = ask(where, question)
                answer = read_answer(body, model_asked=TARGET, on=date(2026, 10, 1), card=None)
                found.setdefault(case_id, set()).add(answer.digest)
    return {case_id: frozenset(digests) for case_id, digests in found.items()}


@pytest.mark.parametrize("name", ["loopback.yaml", "tuning/loopback.yaml"])
def test_labels__are_of_answers_that_are_still_given(name: str) -> None:
    """Each rated digest of the stand-in target occurs; a change of the pages may not lose one."""
    rows = labelled(name)

    assert 30 <= len(rows)
    assert [] == [row for row in rows if row[1] not in answers().get(row[0], frozenset())]
