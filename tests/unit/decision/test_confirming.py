"""The second look: candidate and base, asked again, decide on what the first look suspects."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.attempts import attempt_of
from gate.decision.comparison import compare
from gate.decision.confirming import Suspicion, suspicion_of
from gate.decision.on_head import NOTHING, Head, suspicion_on_head
from gate.types import (
    Agreement,
    AttemptState,
    Baseline,
    Commits,
    Confirm,
    FallenCase,
    Metric,
    Policy,
    Provenance,
    Run,
    Verdict,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    baseline_of,
    cell,
    columns,
    licence,
    run_of,
    verdict_of,
)

N = 24
FALLEN = 12
BASE = baseline_of(run_of(columns([0.9] * N)))
"""Every case had 0.9."""
WORSE = [0.3] * FALLEN + [0.9] * (N - FALLEN)
"""Half of the cases lost 0.6."""


def first(scores: Sequence[float] = WORSE, **more: object) -> Run:
    """A run that would regress."""
    return run_of(columns(scores), **more)


def confirmed_by(
    candidate: Sequence[float | Sequence[float | None] | None],
    base: Sequence[float | Sequence[float | None] | None],
    *,
    metric: str = "correctness",
    **more: object,
) -> Confirm:
    """Fresh answers to the first cases."""
    made = Confirm(
        suspects=(("t", metric),),
        case_ids=tuple(f"case-{i:02d}" for i in range(len(candidate))),
        fallen=len(candidate) // 2,
        candidate=tuple(columns(candidate, metric=metric)),
        base=tuple(columns(base, metric=metric)),
    )
    return made.model_copy(update=more)


def decided(confirm: Confirm | None, policy: Policy | None = None, **more: object) -> Verdict:
    """The verdict on a run that would regress, with this second look."""
    return verdict_of(first(confirm=confirm), BASE, policy, **more)  # type: ignore[arg-type]  # keywords


def suspected(
    run: Run, policy: Policy | None = None, baseline: Baseline = BASE
) -> Suspicion | None:
    """What would be asked again."""
    rules = policy or Policy()
    comparison = compare(run, baseline, rules)
    return suspicion_of(run, comparison, verdict_of(run, baseline, rules), rules)


def test_no_second_look__decides_as_ever() -> None:
    """Where there is no base to ask."""
    verdict = decided(None)

    assert ("regression", 1) == (verdict.status, verdict.exit_code)
    assert verdict.comparisons[0].confirm is None


def test_fell_again__is_confirmed() -> None:
    """Both looks say so, and the fresh numbers stand beside."""
    verdict = decided(confirmed_by([0.3] * 12 + [0.9] * 6, [0.9] * 18))

    assert ("regression", 1) == (verdict.status, verdict.exit_code)
    found = verdict.comparisons[0].confirm
    assert found is not None
    assert ("confirmed", 18) == (found.outcome, found.n)
    assert [0.5, 0.9, 0.9] == [found.candidate, found.base, found.before]
    assert found.p is not None
    assert found.p < 0.001
    assert "Confirmed: asked again, candidate 0.50 and base 0.90 on 18 cases." in verdict.headline
    assert verdict.comparisons[0].note is not None


def test_base_fell_as_well__is_drift() -> None:
    """Neither arm is better: exit 0, and a new baseline is what would settle it."""
    verdict = decided(confirmed_by([0.3] * 18, [0.3] * 18))

    assert ("inconclusive", 0) == (verdict.status, verdict.exit_code)
    (row,) = verdict.comparisons
    assert ("inconclusive", "not confirmed") == (row.outcome, row.confirm and row.confirm.outcome)
    assert "not confirmed: base fell as well (drift of web, search or judge)" in verdict.headline
    assert (
        "candidate 0.30 and base 0.30 on 18 cases, where the baseline has 0.90" in verdict.headline
    )
    assert "a new baseline" in str(row.settles)
    assert [] == [text for text in verdict.warnings if "may be real" in text]


def test_candidate_did_not_fall_again__is_luck() -> None:
    """Nothing need be done; who wants to know asks the head again."""
    verdict = decided(confirmed_by([0.9] * 18, [0.9] * 18))

    assert ("inconclusive", 0) == (verdict.status, verdict.exit_code)
    assert "not confirmed: the candidate did not fall again" in verdict.headline
    words = "another run of this head: its answers are added to these"
    assert words == verdict.comparisons[0].settles
    assert () == verdict.fallen


def test_no_further_apart_than_noise() -> None:
    """Three cases of eighteen fell again: too few to tell."""
    verdict = decided(confirmed_by([0.3] * 3 + [0.9] * 15, [0.9] * 18))

    assert "inconclusive" == verdict.status
    assert "candidate and base are no further apart than noise" in verdict.headline


def test_second_look__is_shuffled_by_the_seed_of_the_run() -> None:
    """Two runs of other seeds draw other labels; one run draws the same ones twice."""
    look = confirmed_by([[0.2, 0.9, 0.6]] * 9 + [[0.9, 0.3, 0.9]] * 9, [[0.8, 0.6, 0.6]] * 18)

    def p(seed: str) -> float | None:
        plan = first().plan.model_copy(update={"seed": seed})
        found = verdict_of(first(confirm=look, plan=plan), BASE).comparisons[0].confirm
        return None if found is None else found.p

    assert p("x") == p("x") != p("y")


def test_a_drop_below_the_smallest_effect__is_not_confirmed() -> None:
    """Every case a little lower is sure and small."""
    verdict = decided(confirmed_by([0.88] * 18, [0.9] * 18))

    found = verdict.comparisons[0].confirm
    assert found is not None
    assert found.p is not None
    assert found.p < 0.001
    assert "not confirmed" == found.outcome


def test_a_drop_of_exactly_the_smallest_effect__is_confirmed() -> None:
    """0.05 is enough in the second look as in the first."""
    verdict = decided(confirmed_by([0.85] * 18, [0.9] * 18))

    assert "confirmed" == getattr(verdict.comparisons[0].confirm, "outcome", None)


def test_unconfirmed__fails_where_inconclusive_runs_do() -> None:
    """It is no pass."""
    verdict = decided(confirmed_by([0.9] * 18, [0.9] * 18), Policy(on_inconclusive="fail"))

    assert ("inconclusive", 3) == (verdict.status, verdict.exit_code)


@pytest.mark.parametrize(
    ("confirm", "why"),
    [
        (confirmed_by([], [], stopped="no money"), "no money"),
        (
            confirmed_by([None] * 9 + [0.9] * 9, [0.9] * 18),
            "only 9 of 18 cases had scores on both sides",
        ),
        (confirmed_by([], []), "only 0 of 0 cases had scores on both sides"),
    ],
)
def test_not_asked__the_first_look_stands(confirm: Confirm, why: str) -> None:
    """And says why it was not confirmed."""
    verdict = decided(confirm)

    assert ("regression", 1) == (verdict.status, verdict.exit_code)
    assert f"Not confirmed, and stands as it was: {why}." in verdict.headline
    assert "not asked" == getattr(verdict.comparisons[0].confirm, "outcome", None)


@pytest.mark.parametrize("policy", [Policy(confirm=False), Policy(rule="threshold")])
def test_switched_off__fresh_answers_are_not_looked_at(policy: Policy) -> None:
    """By the rules, or by the plain threshold."""
    verdict = decided(confirmed_by([0.9] * 18, [0.9] * 18), policy)

    assert "regression" == verdict.status
    assert verdict.comparisons[0].confirm is None


def test_row_that_was_not_in_question__stands() -> None:
    """A second look of another dimension says nothing of this one."""
    verdict = decided(confirmed_by([0.9] * 18, [0.9] * 18, suspects=(("t", "exact"),)))

    assert "regression" == verdict.status


def test_lower_is_better__directions_stay_right() -> None:
    """A dimension that should be low: base rose as well."""
    slow = Metric(name="slips", judged=False, better="lower")
    baseline = baseline_of(run_of(columns([0.1] * N, metric="slips"), [slow]))
    run = run_of(columns([0.7] * FALLEN + [0.1] * FALLEN, metric="slips"), [slow])
    look = confirmed_by([0.7] * 18, [0.7] * 18, metric="slips")

    verdict = verdict_of(run.model_copy(update={"confirm": look}), baseline)

    assert "base fell as well" in verdict.headline
    assert "where the baseline has 0.10" in verdict.headline
    assert 0.1 == getattr(verdict.comparisons[0].confirm, "before", None)


def two(correctness: Sequence[float], exact: Sequence[float]) -> Run:
    """A run of two dimensions."""
    cells = [
        cell("t", f"case-{i:02d}", {"correctness": [one], "exact": [other]})
        for i, (one, other) in enumerate(zip(correctness, exact, strict=True))
    ]
    return run_of(cells, [CORRECTNESS, EXACT])


@pytest.mark.parametrize(
    ("base", "said"),
    [
        (0.65, "base fell as well (drift of web, search or judge)"),
        (0.68, "candidate and base are no further apart than noise"),
    ],
)
def test_a_fall_of_exactly_the_smallest_effect__is_one(base: float, said: str) -> None:
    """0.7 - 0.65 is a little below 0.05 in doubles, and 0.05 for people: of base and candidate."""
    run = first([0.1] * FALLEN + [0.7] * (N - FALLEN))
    look = confirmed_by([0.65] * 18, [base] * 18)
    baseline = baseline_of(run_of(columns([0.7] * N)))
    verdict = verdict_of(run.model_copy(update={"confirm": look}), baseline)

    found = verdict.comparisons[0].confirm
    assert found is not None
    assert f"not confirmed: {said}" in found.because


def test_one_of_two_rows_confirmed__is_a_regression() -> None:
    """The other one is unclear, and says why."""
    baseline = baseline_of(two([0.9] * N, [0.9] * N))
    fresh = two([0.3] * 12 + [0.9] * 6, [0.9] * 18)
    look = Confirm(
        suspects=(("t", "correctness"), ("t", "exact")),
        case_ids=fresh.plan.case_ids,
        candidate=fresh.cells,
        base=two([0.9] * 18, [0.9] * 18).cells,
    )
    verdict = verdict_of(two(WORSE, WORSE).model_copy(update={"confirm": look}), baseline)

    assert "regression" == verdict.status
    assert ["regression", "inconclusive"] == [row.outcome for row in verdict.comparisons]
    assert "exact" not in verdict.headline


def test_suspicion__fallen_cases_and_as_many_others() -> None:
    """Chosen by hash, the same on every machine; a case that moved a little has not fallen."""
    run = first([0.3] * 8 + [0.88] + [0.9] * 15)
    found = suspected(run)

    assert found is not None
    assert (8, 16) == (found.fallen, len(found.case_ids))
    assert {f"case-{i:02d}" for i in range(8)} <= set(found.case_ids)
    assert ((("t", "correctness"),), ("t",)) == (found.rows, found.targets)
    assert found == suspected(run)


def test_suspicion__a_case_that_fell_by_just_the_smallest_effect_has_fallen() -> None:
    """0.7 - 0.65 is a little below 0.05 in doubles, and 0.05 for people."""
    before = baseline_of(run_of(columns([0.7] * N)))
    found = suspected(first([0.1] * 8 + [0.65] + [0.66] + [0.7] * 14), baseline=before)

    assert found is not None
    assert 9 == found.fallen


def test_suspicion__never_more_than_there_are() -> None:
    """Twenty fell, and four others are left."""
    found = suspected(first([0.3] * 20 + [0.9] * 4))

    assert found is not None
    assert (20, 24) == (found.fallen, len(found.case_ids))


@pytest.mark.parametrize(
    ("run", "policy"),
    [
        (first([0.9] * N), Policy()),
        (first(), Policy(confirm=False)),
        (first(), Policy(rule="threshold")),
        (first(), Policy(report_only=True)),
    ],
)
def test_suspicion__none(run: Run, policy: Policy) -> None:
    """Nothing regressed, or nobody wants to know."""
    assert suspected(run, policy) is None


def test_suspicion__none_where_the_run_fails_anyway() -> None:
    """A target is missing, or answers failed."""
    both = baseline_of(run_of([*columns([0.9] * N), *columns([0.9] * N, target="other")]))
    broken = [
        cell("t", f"case-{i:02d}", {"correctness": [None]}, ["error"]) for i in range(N - 8, N)
    ]
    failing = run_of([*columns([0.3] * (N - 8)), *broken])

    assert suspected(first(), baseline=both) is None
    assert suspected(failing, Policy(coverage=0.5)) is None
    well = columns([0.9] * N, target="other")
    beside = failing.model_copy(
        update={
            "cells": (*failing.cells, *well),
            "targets": run_of([*failing.cells, *well]).targets,
        }
    )
    assert suspected(beside, Policy(coverage=0.5), both) is None


def test_suspicion__a_required_case_is_no_row() -> None:
    """What regressed without a row cannot be asked again."""
    run = first([0.9] * N)
    verdict = verdict_of(run, BASE, required=["gone"])

    assert "regression" == verdict.status
    assert suspicion_of(run, compare(run, BASE, Policy()), verdict, Policy()) is None


def test_suspicion__a_required_case_that_broke_is_asked_again() -> None:
    """Beside those of the row, or alone; and with as many others."""
    run = first()
    plan = run.plan.model_copy(update={"required": ("case-00",)})
    run = run.model_copy(update={"plan": plan})
    verdict = verdict_of(run, BASE)
    broke = FallenCase(
        target="t", case_id="case-00", dimension="correctness", baseline=0.9, current=0.3,
        required=True, fails=True,
    )  # fmt: skip
    comparison = compare(run, BASE, Policy())

    failed = verdict.model_copy(update={"fallen": (broke,)})
    still = verdict.model_copy(update={"fallen": (broke,), "comparisons": ()})
    both, alone = (suspicion_of(run, comparison, one, Policy()) for one in (failed, still))

    assert suspicion_of(run, comparison, verdict, Policy()) == both
    assert alone is not None
    assert ((("t", "correctness"),), ("case-00",), 1) == (alone.rows, alone.case_ids, alone.fallen)


HEAD = "a" * 40


def on_head(run: Run) -> Run:
    """A run that says its head."""
    return run.model_copy(
        update={
            "provenance": Provenance(created="2026-07-01T00:00:00Z", commits=Commits(head=HEAD))
        }
    )


def earlier(verdict: Verdict) -> Head:
    """One attempt before, on the same head."""
    one = attempt_of(on_head(first()), verdict, run_id=1, run_attempt=1)
    return Head(earlier=AttemptState(head_sha=HEAD, attempts=(one,)))


def test_suspicion_on_head__what_was_confirmed_once_is_not_asked_again() -> None:
    """Running again must be no way to green."""
    licences: list[Agreement] = [licence()]
    run = on_head(first())
    before = decided(confirmed_by([0.3] * 12 + [0.9] * 6, [0.9] * 18))

    assert suspicion_on_head(run, BASE, licences, Policy(), NOTHING) is not None
    assert suspicion_on_head(run, BASE, licences, Policy(), earlier(before)) is None


def test_suspicion_on_head__what_could_not_be_asked_is() -> None:
    """The attempt before had no money for it."""
    before = decided(confirmed_by([], [], stopped="no money"))

    assert suspicion_on_head(on_head(first()), BASE, [licence()], Policy(), earlier(before))
