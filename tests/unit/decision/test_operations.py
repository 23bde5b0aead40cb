"""How a target worked, apart from quality."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.comparison import compare
from gate.types import Attempt, Cell, Operation, Policy
from tests.unit.decision.decision_samples import baseline_of, cell, run_of


def ended(*states: Sequence[str], grounded: bool | None = True) -> list[Cell]:
    """One cell a case, with how its attempts ended."""
    cells = []
    for i, attempts in enumerate(states):
        one = cell(
            "t",
            f"case-{i:02d}",
            {"correctness": [None] * len(attempts)},
            attempts,
        )
        made = tuple(
            replace(attempt, grounded=grounded if attempt.state == "ok" else None)
            for attempt in one.attempts
        )
        cells.append(replace(one, attempts=made, scores={"correctness": (1.0,) * len(attempts)}))
    return cells


def operation(new: list[Cell], base: list[Cell] | None) -> Operation:
    """The operation of the only target."""
    baseline = None if base is None else baseline_of(run_of(base))
    (found,) = compare(run_of(new, targets=["t"]), baseline, Policy()).operations
    return found


def test_operation__figures() -> None:
    """Lower median, mean cost of answers, shares of attempts; those never made do not count."""
    one = cell("t", "a", {"correctness": [None] * 6})
    attempts = (
        Attempt(state="ok", latency_s=1.0, cost_usd=0.001, grounded=True),
        Attempt(state="ok", latency_s=3.0, cost_usd=0.002, grounded=False),
        Attempt(state="ok", latency_s=None, cost_usd=None, grounded=None),
        Attempt(state="empty", latency_s=2.0, cost_usd=0.003),
        Attempt(state="timeout", latency_s=60.0, cost_usd=0.5),
        Attempt(state="budget"),
    )
    found = operation([replace(one, attempts=attempts)], None)

    assert found.p50_latency_s == 2.0
    assert found.usd_per_1k == pytest.approx(2.0)
    assert (found.error_rate, found.empty_rate, found.grounded_rate) == (0.2, 0.2, 0.5)
    assert found.attempts == 5
    assert (found.baseline, found.p, found.p_holm, found.cases) == ({}, {}, {}, {})


def test_operation__nothing_made() -> None:
    """Without attempts every figure is None, not 0."""
    found = operation(ended(["budget"]), None)

    assert found.attempts == 0
    assert {None} == {
        found.p50_latency_s,
        found.usd_per_1k,
        found.error_rate,
        found.empty_rate,
        found.grounded_rate,
    }


def test_operation__rise_of_empty_answers() -> None:
    """Six of eight cases turn empty: p = 2^-6, times three by Holm."""
    new = ended(*[["empty"]] * 6, *[["ok"]] * 2)
    base = ended(*[["ok", "ok", "empty"]] * 8)
    found = operation(new, base)

    assert found.p == {"error_rate": 1.0, "empty_rate": 1 / 64, "ungrounded_rate": 1.0}
    assert found.p_holm == {"error_rate": 1.0, "empty_rate": 3 / 64, "ungrounded_rate": 1.0}
    assert found.cases == {"empty_rate": tuple(f"case-{i:02d}" for i in range(6))}
    assert found.empty_rate == 0.75
    assert found.baseline["empty_rate"] == pytest.approx(1 / 3)


def test_operation__most_is_more_than_half() -> None:
    """One of two repeats is not most of them."""
    half = operation(ended(["ok"]), ended(["empty", "ok"]))
    most = operation(ended(["ok"]), ended(["empty", "empty", "ok"]))
    assert half.p["empty_rate"] == most.p["empty_rate"] == 1.0
    fell = operation(ended(["empty", "ok"]), ended(["ok"]))
    assert fell.cases == {}
    assert operation(ended(["empty", "empty", "ok"]), ended(["ok"])).cases == {
        "empty_rate": ("case-00",)
    }


def test_operation__cases_that_got_well_count_against_a_rise() -> None:
    """Three turned bad and one turned good: P(Bin(4, 1/2) >= 3) = 5/16."""
    new = ended(["error"], ["error"], ["blocked"], ["ok"])
    base = ended(["ok"], ["ok"], ["ok"], ["timeout"])
    assert operation(new, base).p["error_rate"] == 5 / 16


def test_operation__ungrounded_answers() -> None:
    """Answers that lost their sources; unknown grounding is not tested and does not widen Holm."""
    grounded, bare = ended(*[["ok"]] * 5), ended(*[["ok"]] * 5, grounded=False)
    assert operation(bare, grounded).p["ungrounded_rate"] == 1 / 32

    unknown = operation(ended(["ok"], grounded=None), grounded[:1])
    assert set(unknown.p) == {"error_rate", "empty_rate"}
    assert unknown.grounded_rate is None


def test_operation__only_unchanged_cases_of_both_sides() -> None:
    """A case with another text and a case of one side alone are not tested."""
    new, base = ended(["empty"], ["empty"]), ended(["ok"])
    changed = [replace(new[0], case_digest="other"), new[1]]
    found = operation(changed, base)

    assert (found.p, found.baseline) == ({}, {})
