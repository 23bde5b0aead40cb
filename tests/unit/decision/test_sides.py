"""A run beside a baseline: which cases are there, changed, gone, or of unknown text."""

from __future__ import annotations

import pytest

from gate.decision.comparison import compare
from gate.decision.sides import Sides, side_by_side, undefined
from gate.decision.weighing import design_of
from gate.types import Cell, Plan, Policy
from tests.unit.decision.decision_samples import baseline_of, cell, run_of


def cells(*names: str, **more: object) -> list[Cell]:
    """One answer a case."""
    return [cell("t", name, {"correctness": [0.5]}, **more) for name in names]


def laid(new: list[Cell], base: list[Cell], *planned: str) -> Sides:
    """Both sides, with a plan of these cases."""
    cases = planned or tuple(one.case_id for one in new)
    return side_by_side(run_of(new, cases=cases, total=len(cases)), baseline_of(run_of(base)))


def test_both__planned_and_unchanged_on_both_sides() -> None:
    """Neither new, nor lost, nor changed, nor gone from the plan, though answered."""
    new = [*cells("a", "new", "gone"), *cells("changed", case_digest="other")]
    found = laid(new, cells("a", "lost", "gone", "changed"), "a", "new", "lost", "changed").both(
        "t"
    )

    assert [("a", "a")] == [(one.case_id, other.case_id) for one, other in found]


@pytest.mark.parametrize(
    ("now", "before", "unknown", "changed"),
    [
        ("x", "x", False, 0),
        ("x", "y", False, 1),
        (None, "y", True, 0),
        ("x", None, True, 0),
        (None, None, True, 0),
    ],
)
def test_text__that_one_side_does_not_know(
    now: str | None, before: str | None, *, unknown: bool, changed: int
) -> None:
    """It is no other text, and a reader is told."""
    found = laid(cells("a", case_digest=now), cells("a", case_digest=before))

    assert (unknown, changed) == (found.unknown_text, len(found.changed))


def test_coverage__names_in_order() -> None:
    """Whatever order the cases were answered in."""
    names = [f"n{i}" for i in range(9, -1, -1)]
    other = cells(*names, case_digest="other")
    moved = compare(run_of(other), baseline_of(run_of(cells(*names))), Policy()).coverage
    added = laid([*cells("a"), *other], cells("a")).added

    assert tuple(sorted(names)) == moved.changed == added


def test_coverage__of_a_run_that_measures_nothing() -> None:
    """No row, no compared case."""
    run = run_of(cells("a"), [], plan=Plan())

    assert 0 == compare(run, None, Policy()).coverage.compared


@pytest.mark.parametrize(
    ("kinds", "expected"),
    [
        (("undefined",), True),
        (("undefined", None), True),
        (("undefined", "judge"), False),
        ((None,), False),
        ((), False),
    ],
)
def test_undefined__where_nothing_failed(kinds: tuple[str | None, ...], *, expected: bool) -> None:
    """A lost judgement beside it makes the case a lost one."""
    one = cell("t", "a", {"correctness": [None] * len(kinds)}, failures={"correctness": kinds})

    assert expected == undefined(one, "correctness")


def test_of__categories_are_the_baselines() -> None:
    """A case that the baseline does not have has none there."""
    found = laid(cells("a", "new"), cells("a", category="easy"))

    assert (["a", "new"], ["easy", ""]) == (found.of("t").cases, found.of("t").categories)


def test_coverage__a_changed_case_that_the_plan_requires() -> None:
    """Though the baseline does not know yet that it is required."""
    run = run_of(cells("a", "b", case_digest="other"))
    plan = run.plan.model_copy(update={"required": ("b",)})
    found = compare(
        run.model_copy(update={"plan": plan}), baseline_of(run_of(cells("a", "b"))), Policy()
    ).coverage

    assert (("a", "b"), ("b",)) == (found.changed, found.changed_required)


def test_coverage__a_case_that_one_of_two_targets_did_not_answer() -> None:
    """One answer is not enough where two are planned."""
    other = [
        cell("u", "a", {"correctness": [0.5]}),
        cell("u", "b", {"correctness": [None]}, ["error"]),
    ]
    run = run_of([*cells("a", "b"), *other])

    assert ("b",) == compare(run, None, Policy()).coverage.errored


def test_sides__strata_only_where_a_plan_names_them() -> None:
    """Two sides that are laid out by hand have none."""
    run = run_of(cells("a"))
    found = Sides(
        run=run,
        baseline=baseline_of(run),
        planned=("a",),
        sampled=False,
        new={},
        base={},
        added=(),
        removed=(),
        not_sampled=0,
        share=1.0,
        changed=frozenset(),
        unknown_text=False,
    )

    assert {} == found.strata
    assert design_of(found, "t", "correctness", [0]).plain
