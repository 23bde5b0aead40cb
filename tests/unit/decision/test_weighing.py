"""Samples and clusters in a row: weighted by category, flipped as wholes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.comparison import compare
from gate.decision.sides import side_by_side
from gate.decision.weighing import design_of
from gate.stats.paired import t_interval
from gate.types import Baseline, Cell, Plan, Policy, Row, Run, Stratum
from tests.unit.decision.decision_samples import CORRECTNESS, baseline_of, cell, run_of, verdict_of

SIZES = {"easy": 30, "hard": 10}
"""Category -> cases of the dataset."""


def dataset(score: float = 0.9) -> list[Cell]:
    """Forty cases: thirty easy ones, ten hard ones."""
    return [
        cell("t", f"{name}-{i:02d}", {"correctness": [score]}, category=name)
        for name, size in SIZES.items()
        for i in range(size)
    ]


def sample(
    easy: int, hard: int, drops: dict[str, float], plan: dict[str, object] | None = None
) -> Run:
    """A run of so many cases of each category; the cases of a category fell alike."""
    ids = [f"easy-{i:02d}" for i in range(easy)] + [f"hard-{i:02d}" for i in range(hard)]
    cells = [
        cell(
            "t",
            case,
            {"correctness": [0.9 - drops.get(case, drops.get(case[:4], 0.0))]},
            category=case[:4],
        )
        for case in ids
    ]
    whole = tuple(sorted(one.case_id for one in dataset()))
    planned = Plan(case_ids=tuple(sorted(ids)), total=40, dataset=whole, **(plan or {}))
    return run_of(cells, (CORRECTNESS,), plan=planned)


def row(run: Run, baseline: Baseline | None = None) -> Row:
    """The only row."""
    (found,) = compare(run, baseline or baseline_of(run_of(dataset())), Policy()).rows
    return found


def test_sample__categories_count_by_their_size_in_the_dataset() -> None:
    """Half of the sample is hard and fell by 0.2; a quarter of the dataset is: 0.05, not 0.1."""
    found = row(sample(8, 8, {"hard": 0.2}))

    assert found.weighted
    assert (-0.05, -0.05, 0.85, 0.9) == (
        found.signed,
        found.delta,
        found.current,
        found.baseline,
    )
    assert (16, 8) == (found.n, found.worse)


def test_full_set__is_the_plain_mean() -> None:
    """Every case stands for itself, whatever the categories; and without clusters as ever."""
    found = row(sample(30, 10, {"hard": 0.2}))

    assert (False, None, -0.05) == (found.weighted, found.clusters, found.signed)
    assert (found.low, found.high) == pytest.approx(t_interval([0.0] * 30 + [-0.2] * 10))


def test_sample__strata_of_the_plan_go_first() -> None:
    """The plan knows how it drew: its strata and their sizes count."""
    ids = tuple(f"easy-{i:02d}" for i in range(8)), tuple(f"hard-{i:02d}" for i in range(8))
    strata = (
        Stratum(name="x", total=10, case_ids=ids[0]),
        Stratum(name="y", total=90, case_ids=ids[1]),
    )

    assert -0.18 == row(sample(8, 8, {"hard": 0.2}, {"strata": strata})).signed


def test_sample__required_cases_stand_for_themselves() -> None:
    """Two required cases that broke are two of forty, however small the sample."""
    found = row(
        sample(8, 8, {"hard-00": 0.8, "hard-01": 0.8}, {"required": ("hard-00", "hard-01")})
    )

    assert found.signed == pytest.approx(-0.8 * 2 / 40)


def test_sample__unknown_category_counts_alike() -> None:
    """Where a compared case is of no known stratum, there are no weights to go by."""
    strata = (Stratum(name="x", total=40, case_ids=("easy-00",)),)

    found = row(sample(8, 8, {"hard": 0.2}, {"strata": strata}))
    assert (False, -0.1) == (found.weighted, found.signed)


def test_sample__one_case_a_category_tells_no_error() -> None:
    """Two lonely cases: a mean, and nothing to tell its error by; so no pass."""
    found = row(sample(1, 1, {}))

    assert (None, None, None, None) == (found.low, found.high, found.sd, found.guarded)
    verdict = verdict_of(sample(1, 1, {}), baseline_of(run_of(dataset())))
    assert "inconclusive" == verdict.comparisons[0].outcome
    assert verdict.comparisons[0].settles is not None


def test_sample__lost_cases_have_their_weight_too() -> None:
    """A hard case without a score, at its worst: it stands for as many as the others."""
    run = sample(8, 8, {})
    cells = [
        cell("t", one.case_id, {"correctness": [None]}, category="hard")
        if one.case_id == "hard-00"
        else one
        for one in run.cells
    ]
    found = row(run.model_copy(update={"cells": tuple(cells)}))

    assert found.worst_signed == pytest.approx(-0.9 * 0.25 / 8)


def clustered(clusters: dict[str, str], drop: float = 0.3) -> Row:
    """Sixteen easy cases that all fell."""
    cells = [
        cell("t", f"easy-{i:02d}", {"correctness": [0.9 - (drop if i < 8 else 0.0)]})
        for i in range(16)
    ]
    before = [cell("t", one.case_id, {"correctness": [0.9]}) for one in cells]
    made = run_of(cells, (CORRECTNESS,))
    plan = made.plan.model_copy(update={"clusters": clusters})
    return row(made.model_copy(update={"plan": plan}), baseline_of(run_of(before)))


def test_clusters__are_flipped_as_wholes() -> None:
    """Eight fallen cases of one template are one observation: p is 1/2, not 2^-8."""
    alone = clustered({})
    shared = clustered({f"easy-{i:02d}": "atlas" for i in range(8)})

    assert (2.0**-8, None) == (alone.p, alone.clusters)
    assert (0.5, 9) == (shared.p, shared.clusters)
    assert alone.signed == shared.signed
    assert (shared.high or 0.0) - (shared.low or 0.0) > (alone.high or 0.0) - (alone.low or 0.0)
    assert (shared.guarded or 0.0) < (alone.guarded or 0.0)
    assert (shared.smallest_visible_drop or 0.0) > (alone.smallest_visible_drop or 0.0)


def test_clusters__of_one_case_change_nothing() -> None:
    """A cluster of its own is what every case is without the key."""
    assert clustered({}) == clustered({"easy-00": "a", "easy-01": "b"})


def test_clusters__a_pass_needs_as_many_clusters_as_cases() -> None:
    """Sixteen unchanged cases pass; as four templates they say no more than four cases."""
    assert (clustered({}, 0.0).guarded or 0.0) > -0.10
    four = clustered({f"easy-{i:02d}": f"t{i // 4}" for i in range(16)}, 0.0)

    assert 4 == four.clusters
    assert (four.guarded or 0.0) < -0.10


def test_clusters__what_would_settle_it_counts_whole_clusters() -> None:
    """Thirteen clusters of four are needed: 36 more cases beside these sixteen."""
    clusters = {f"easy-{i:02d}": f"t{i // 4}" for i in range(16)}
    cells = [cell("t", f"easy-{i:02d}", {"correctness": [0.9]}) for i in range(16)]
    made = run_of(cells, (CORRECTNESS,))
    plan = made.plan.model_copy(update={"clusters": clusters})
    verdict = verdict_of(made.model_copy(update={"plan": plan}), baseline_of(run_of(cells)))

    (found,) = verdict.comparisons
    assert "about 36 more cases like these; more repeats would not help" == found.settles
    assert (16, 4, False) == (found.n, found.clusters, found.weighted)
    assert (found.note or "").endswith("16 cases count as 4 clusters")


def test_sample__sizes_count_what_could_have_been_compared() -> None:
    """Neither another target's cases, nor those without a score, nor those that are gone."""

    def more(prefix: str, count: int, score: float | None = 0.9, target: str = "t") -> list[Cell]:
        return [
            cell(target, f"{prefix}-x{i:02d}", {"correctness": [score]}, category=prefix)
            for i in range(count)
        ]

    others = [*more("hard", 20, target="u"), *more("easy", 20, None), *more("hard", 30)]
    run = sample(8, 8, {"hard": 0.2})
    unscored = tuple(one.case_id for one in others if one.category == "easy")
    plan = run.plan.model_copy(update={"dataset": (*run.plan.dataset, *unscored), "total": 60})
    baseline = baseline_of(run_of([*dataset(), *others]))
    found = compare(run.model_copy(update={"plan": plan}), baseline, Policy()).rows[0]

    assert (-0.05, True) == (found.signed, found.weighted)


def test_sample__sizes_are_of_the_target_itself() -> None:
    """Another target that answered the hard cases alone makes them no larger a part."""
    hard = [replace(one, target="u") for one in dataset() if one.category == "hard"]
    baseline = baseline_of(run_of([*dataset(), *hard]))
    found = compare(sample(8, 8, {"hard": 0.2}), baseline, Policy()).rows

    assert [-0.05] == [one.signed for one in found if one.target == "t"]


def test_design_of__no_case_at_all() -> None:
    """Where nothing was scored there is nothing to weigh."""
    sides = side_by_side(sample(8, 8, {}), baseline_of(run_of(dataset())))

    assert design_of(sides, "t", "relevance", []).plain
