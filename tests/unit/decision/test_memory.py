"""Right answers that their pages do not bear out: which are counted, and of how many."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import pytest

from gate.decision.baseline import baseline_text, read_baseline
from gate.decision.comparison import compare
from gate.types import (
    Baseline,
    Cell,
    Identity,
    MemoryFinding,
    Metric,
    Policy,
    Rule,
    Run,
)
from gate.wire.yaml import load, to_json
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    baseline_of,
    cell,
    run_of,
    verdict_of,
)

FAITHFULNESS = Metric(name="faithfulness", judged=True)
BOTH = (CORRECTNESS, FAITHFULNESS)
BORNE_OUT = (1.0, 1.0)
REMEMBERED = (1.0, 0.0)

Pair = tuple[float | None, float | None]
"""Correctness and faithfulness of one answer."""


def cells(answers: Mapping[str, Sequence[Pair]], target: str = "t") -> list[Cell]:
    """A cell for each case, an attempt for each pair."""
    return [
        cell(
            target,
            case,
            {"correctness": [one for one, _ in pairs], "faithfulness": [one for _, one in pairs]},
        )
        for case, pairs in answers.items()
    ]


def run(answers: Mapping[str, Sequence[Pair]]) -> Run:
    """A run of one target with both dimensions."""
    return run_of(cells(answers), BOTH)


def found(new: Run, base: Run | Baseline | None = None, policy: Policy | None = None) -> object:
    """What is found of the only target, None where nothing is."""
    baseline = baseline_of(base) if isinstance(base, Run) else base
    said = compare(new, baseline, policy or Policy()).from_memory
    return said[0] if said else None


@pytest.mark.parametrize(
    ("expected", "correctness", "faithfulness"),
    [
        (1, 1.0, 0.0),
        (1, 2 / 3, 0.3332),
        (0, 2 / 3, 1 / 3),
        (0, 0.6665, 0.0),
        (0, 0.6666, 0.0),
        (0, 0.0, 0.0),
        (0, 1.0, 1.0),
    ],
)
def test_from_memory__high_and_low_thirds(
    expected: int, correctness: float, faithfulness: float
) -> None:
    """Exactly 2/3 is high and exactly 1/3 is not low."""
    said = found(run({"a": [(correctness, faithfulness)]}))

    assert MemoryFinding(target="t", count=expected, n=1, cases=("a",) * expected) == said


def test_from_memory__thirds_are_the_same_in_a_baseline_from_disk() -> None:
    """Four decimals make 1/3 0.3333, which is med all the same, and 2/3 stays high."""
    on_edge = run({"a": [(2 / 3, 1 / 3)], "b": [(2 / 3, 0.333)]})
    text = baseline_text(baseline_of(on_edge))
    stored = read_baseline(to_json(load(text, "baseline.json")))

    said = found(on_edge, stored)

    assert '"faithfulness":[0.3333]' in text.replace(" ", "")
    assert MemoryFinding(target="t", count=1, n=2, cases=("b",), baseline=0.5, baseline_n=2) == said


def test_from_memory__counts_answers_with_both_scores_alone() -> None:
    """The case with most such answers comes first; an answer without a page says nothing."""
    new = run(
        {
            "a": [REMEMBERED, BORNE_OUT, (1.0, None)],
            "b": [REMEMBERED, REMEMBERED, (None, 0.0)],
            "c": [(1.0, None)] * 3,
        }
    )

    assert MemoryFinding(target="t", count=3, n=4, cases=("b", "a")) == found(new)


def test_from_memory__baseline_share_is_of_the_same_cases() -> None:
    """All its repeats count; a case outside the plan and one whose text changed do not."""
    base = run({"a": [REMEMBERED, BORNE_OUT], "b": [BORNE_OUT] * 2, "gone": [REMEMBERED] * 2})
    new = run({"a": [BORNE_OUT], "b": [BORNE_OUT]})
    assert MemoryFinding(target="t", count=0, n=2, baseline=0.25, baseline_n=4) == found(new, base)

    other = replace(new.cells[1], case_digest="another text")
    changed = new.model_copy(update={"cells": (new.cells[0], other)})
    assert MemoryFinding(target="t", count=0, n=2, baseline=0.5, baseline_n=2) == found(
        changed, base
    )


@pytest.mark.parametrize("name", ["correctness", "faithfulness"])
def test_from_memory__another_judge_is_no_comparison(name: str) -> None:
    """The answers are counted, and the baseline's share is not shown."""
    base = run({"a": [BORNE_OUT]})
    other = {**base.identities, name: Identity(judge="claude-y [json_schema]")}
    new = run({"a": [REMEMBERED]}).model_copy(update={"identities": other})

    assert MemoryFinding(target="t", count=1, n=1, cases=("a",)) == found(new, base)


def test_from_memory__averages_alone_have_no_share() -> None:
    """A baseline without single answers cannot say it."""
    base = Baseline(averages={"t": {"correctness": 1.0, "faithfulness": 0.2}})

    assert MemoryFinding(target="t", count=1, n=1, cases=("a",)) == found(
        run({"a": [REMEMBERED]}), base
    )


def test_from_memory__empty_answers_are_none() -> None:
    """A foreign tool that scores empty answers has said nothing of memory."""
    empty = cell("t", "a", {"correctness": [1.0], "faithfulness": [0.0]}, states=["empty"])

    assert found(run_of([empty], BOTH)) is None


@pytest.mark.parametrize(
    ("metrics", "policy"),
    [
        ((CORRECTNESS,), Policy()),
        ((FAITHFULNESS,), Policy()),
        ((CORRECTNESS, FAITHFULNESS.model_copy(update={"unit": "points"})), Policy()),
        ((CORRECTNESS.model_copy(update={"better": "lower"}), FAITHFULNESS), Policy()),
    ],
)
def test_from_memory__nothing_is_said(metrics: Sequence[Metric], policy: Policy) -> None:
    """Without one of the two, or where its thirds mean something else."""
    names = {one.name for one in metrics}
    kept = [
        replace(one, scores={n: v for n, v in one.scores.items() if n in names})
        for one in cells({"a": [REMEMBERED]})
    ]

    assert found(run_of(kept, metrics), policy=policy) is None


def test_from_memory__each_target_for_itself() -> None:
    """In the run's order; a target that nothing is known of is left out."""
    new = run_of(
        [*cells({"a": [REMEMBERED]}, "z"), *cells({"a": [BORNE_OUT]}), *cells({"a": []}, "mute")],
        BOTH,
    )

    said = compare(new, None, Policy()).from_memory

    assert [("z", 1, 1), ("t", 0, 1)] == [(one.target, one.count, one.n) for one in said]


def test_verdict__from_memory_decides_nothing() -> None:
    """Every answer turns to memory: the verdict names them, and its status stays."""
    names = [f"c{i:02d}" for i in range(24)]
    base = run({name: [BORNE_OUT] for name in names})
    policy = Policy(rules={"faithfulness": Rule(gating=False)})

    before = verdict_of(base, baseline_of(base), policy)
    after = verdict_of(run({name: [REMEMBERED] for name in names}), baseline_of(base), policy)

    assert ("pass", 0) == (before.status, before.from_memory[0].count)
    assert ("pass", 24, 24) == (after.status, after.from_memory[0].count, after.from_memory[0].n)
    assert tuple(names) == after.from_memory[0].cases


def test_verdict__a_broken_run_shows_no_such_number() -> None:
    """Nothing of its quality is shown, this included."""
    failed = {"broken": {"kind": "error", "message": "the network is down"}}
    new = Run.model_validate(run({"a": [REMEMBERED]}).model_dump() | failed)

    assert () == verdict_of(new, None).from_memory


def test_from_memory__the_scales_of_other_dimensions_do_not_matter() -> None:
    """Seconds have no thirds, and nobody asks for theirs."""
    seconds = Metric(name="latency", judged=False, unit="s", better="lower")

    said = compare(run_of(cells({"a": [REMEMBERED]}), (*BOTH, seconds)), None, Policy())

    assert [(1, 1)] == [(one.count, one.n) for one in said.from_memory]


def test_from_memory__what_lies_below_the_scale_is_low() -> None:
    """Imported files may hold such a score."""
    said = found(run({"a": [(1.0, -0.5)]}))

    assert isinstance(said, MemoryFinding)
    assert (1, 1) == (said.count, said.n)
