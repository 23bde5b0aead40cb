"""Required cases and dimensions: what may not go missing, and what may not fall."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.fallen import floor_of
from gate.decision.on_head import NOTHING, decide_on_head
from gate.decision.required import lacking_dimensions, not_asked, required_cases
from gate.reports.facts import not_compared
from gate.types import Metric, Policy, Rule, Run, Verdict
from tests.unit.decision.decision_samples import (
    baseline_of,
    cell,
    columns,
    licences,
    run_of,
    verdict_of,
)

N = 24
BEFORE = [[0.9] * 5] * N
"""Baseline scores: five answers a case, always right."""


def run(scores: list[float], required: tuple[str, ...] = (), **more: object) -> Run:
    """A run of single answers whose plan requires some cases."""
    made = run_of(columns(scores))
    plan = made.plan.model_copy(update={"required": required, **more})
    return made.model_copy(update={"plan": plan})


def decided(new: Run, policy: Policy | None = None, state: str = "validated") -> Verdict:
    """The verdict as the commands have it: the plan says what is required."""
    baseline = baseline_of(run_of(columns(BEFORE)))
    granted = licences(new, state)  # type: ignore[arg-type]  # a state's name
    return decide_on_head(new, baseline, granted, policy or Policy(), NOTHING)[1]


def test_required_case__that_broke_fails_the_run() -> None:
    """One case of 24 is nothing to the mean; a required one is named and blocks."""
    found = decided(run([0.1] + [0.9] * (N - 1), ("case-00",)))

    assert ("regression", 1) == (found.status, found.exit_code)
    assert (
        "Regression: the required case case-00 was always right and is always wrong (correctness)."
        == found.headline
    )
    (fallen,) = found.fallen
    assert ("case-00", 0.9, 0.1, True, True) == (
        fallen.case_id,
        fallen.baseline,
        fallen.current,
        fallen.required,
        fallen.fails,
    )


def test_other_case__that_broke_is_named_only() -> None:
    """A case without the mark decides nothing by itself."""
    found = decided(run([0.1] + [0.9] * (N - 1)))

    assert found.status in ("pass", "inconclusive")
    assert [("case-00", False)] == [(one.case_id, one.fails) for one in found.fallen]


def test_fallen_cases__policy_says_which_fail() -> None:
    """`all` blocks on every case, `name` on none, `off` says nothing."""
    new = run([0.1] + [0.9] * (N - 1), ("case-01",))

    assert "regression" == decided(new, Policy(fallen_cases="all")).status
    assert "Regression: case case-00 was always right" in (
        decided(new, Policy(fallen_cases="all")).headline
    )
    required = run([0.1] + [0.9] * (N - 1), ("case-00",))
    named = decided(required, Policy(fallen_cases="name"))
    assert named.status != "regression"
    assert [(True, False)] == [(one.required, one.fails) for one in named.fallen]
    assert () == decided(required, Policy(fallen_cases="off")).fallen


def test_fallen_cases__weak_licence_names_and_does_not_fail() -> None:
    """A provisional judge may not fail a run on one case."""
    found = decided(run([0.1] + [0.9] * (N - 1), ("case-00",)), state="provisional")

    assert [False] == [one.fails for one in found.fallen]
    assert found.status != "regression"


def test_fallen_cases__unlicensed_dimension_names_nobody() -> None:
    """What cannot fail a run has no say on its cases either."""
    assert () == decided(run([0.1] * N, ("case-00",)), state="unvalidated").fallen


def test_fallen_cases__beside_the_floor_is_no_fall() -> None:
    """From 0.52 to 0.48 crosses the floor and is no drop of the margin."""
    base = baseline_of(run_of(columns([[0.52] * 5] * N)))
    found = verdict_of(run([0.48] * N, ("case-00",)), base)

    assert () == found.fallen


def test_fallen_cases__two_baseline_answers_are_not_always() -> None:
    """Right twice may be luck."""
    base = baseline_of(run_of(columns([[0.9] * 2] * N)))

    assert () == verdict_of(run([0.1] + [0.9] * (N - 1), ("case-00",)), base).fallen


def test_fallen_cases__other_units_need_a_floor() -> None:
    """Nobody knows which number of seconds is right, unless a rule says it; lower is better."""
    seconds = Metric(name="seconds", unit="s", better="lower")
    base = baseline_of(run_of(columns([[2.0] * 5] * N, metric="seconds"), (seconds,)))
    new = run_of(columns([9.0] + [2.0] * (N - 1), metric="seconds"), (seconds,))
    rule = Rule(min_effect=1.0, margin=3.0)

    assert () == verdict_of(new, base, Policy(rules={"seconds": rule})).fallen
    floored = Policy(rules={"seconds": rule.model_copy(update={"floor": 5.0})})
    (fallen,) = verdict_of(new, base, floored).fallen
    assert ("case-00", 2.0, 9.0) == (fallen.case_id, fallen.baseline, fallen.current)


def test_fallen_cases__twenty_others_at_most() -> None:
    """A list of all of them would hide the rest; a collapse is told by the table alone."""
    base = baseline_of(run_of(columns([[0.9] * 5] * 100)))
    unproven = Policy(min_effect=0.5)

    found = verdict_of(run([0.1] * 25 + [0.9] * 75), base, unproven).fallen
    assert 20 == len(found)
    assert () == verdict_of(run([0.1] * 100), base).fallen


def test_required_case__several_targets_are_named() -> None:
    """Where there are several systems, the headline says of which the case broke."""
    both = [*columns(BEFORE, target="a"), *columns(BEFORE, target="b")]
    cells = [*columns([0.1] + [0.9] * (N - 1), target="a"), *columns([0.9] * N, target="b")]
    new = run_of(cells)
    plan = new.plan.model_copy(update={"required": ("case-00",)})

    found = verdict_of(new.model_copy(update={"plan": plan}), baseline_of(run_of(both)))
    assert "the required case case-00 of a was always right" in found.headline


def test_required_case__that_the_run_lacks_fails_it() -> None:
    """A required case cannot be left out of a plan."""
    found = decided(run([0.9] * (N - 1), (f"case-{N - 1:02d}",)))

    assert "regression" == found.status
    assert "the run lacks the required case case-23" in found.headline


def test_required_case__not_asked_since_the_run_ended_early() -> None:
    """No money left is no answer of the system: there is no verdict, and no regression."""
    found = decided(run([0.9] * (N - 1), (f"case-{N - 1:02d}",), planned=N))

    assert ("broken", 3) == (found.status, found.exit_code)
    assert found.headline.startswith("No verdict: the run ended before the required case case-23.")


def test_required_dimension__without_a_licence_has_no_verdict() -> None:
    """A dimension whose licence is lost must not fall silent where its owner demands it."""
    policy = Policy(rules={"correctness": Rule(required=True)})
    found = decided(run([0.9] * N), policy, "unvalidated")

    assert ("broken", 3) == (found.status, found.exit_code)
    assert (
        "No verdict: correctness is required and cannot fail it: it is unvalidated, because."
        == found.headline
    )
    assert "report" == decided(run([0.9] * N), None, "unvalidated").status


def test_required_dimension__not_measured_has_no_verdict() -> None:
    """Removing a scorer is no way out; a set of the owner's is his own choice."""
    policy = Policy(rules={"relevance": Rule(required=True)})
    found = decided(run([0.9] * N), policy)

    assert "No verdict: relevance is required and cannot fail it: the run did not measure it." == (
        found.headline
    )
    assert "pass" == decided(run([0.9] * N, scorer_sets=("quick",)), policy).status


def test_required_dimension__that_gates_changes_nothing() -> None:
    """Where it can fail the run, the demand is met."""
    assert (
        "pass" == decided(run([0.9] * N), Policy(rules={"correctness": Rule(required=True)})).status
    )


def test_required_dimension__a_regression_goes_first() -> None:
    """What did get worse is said, whatever else is lacking."""
    base = columns(BEFORE)
    policy = Policy(rules={"relevance": Rule(required=True)})
    found = verdict_of(run_of(columns([0.1] * N)), baseline_of(run_of(base)), policy)

    assert "regression" == found.status


def test_required_dimension__switched_off_by_its_own_rule() -> None:
    """Required and not gating contradict each other, and that is said."""
    policy = Policy(rules={"correctness": Rule(required=True, gating=False)})

    assert "its rule says `gating: false`" in decided(run([0.9] * N), policy).headline


def test_floor_of__a_policys_floor_is_for_fractions() -> None:
    """Where neither unit nor rule says what is right, nothing is."""
    policy = Policy(floor=0.6, rules={"named": Rule(floor=0.7)})
    metrics = [Metric(name="named"), Metric(name="plain"), Metric(name="seconds", unit="s")]

    assert [0.7, 0.6, None] == [floor_of(one, policy) for one in metrics]


@pytest.mark.parametrize(("answers", "named"), [(2, False), (3, True)])
def test_fallen_cases__always_right_is_three_answers(answers: int, *, named: bool) -> None:
    """Two right answers in the baseline may be luck."""
    baseline = baseline_of(run_of(columns([[0.9] * answers] * N)))

    assert named == bool(verdict_of(run([0.1] + [0.9] * (N - 1)), baseline).fallen)


@pytest.mark.parametrize(
    ("state", "judge", "said"),
    [
        ("stale", "other", "scored by another instrument"),
        ("unvalidated", "other", "correctness is required and cannot fail it"),
        ("stale", None, "correctness is required and cannot fail it"),
    ],
)
def test_required_dimension__whose_licence_went_with_the_judge(
    state: str, judge: str | None, said: str
) -> None:
    """That has words of its own; a licence that was poor, or stale for another reason, has not."""
    policy = Policy(rules={"correctness": Rule(required=True)})
    new = run([0.9] * N)
    if judge is not None:
        own = new.identities["correctness"].model_copy(update={"judge": judge})
        new = new.model_copy(update={"identities": {"correctness": own}})
    found = decided(new, policy, state)

    assert ("broken", True) == (found.status, said in found.headline)


def fallen_in(new: Run, policy: Policy | None = None) -> list[tuple[str, bool]]:
    """The cases that are named, and whether each fails the run."""
    return [(one.case_id, one.fails) for one in decided(new, policy).fallen]


def test_fallen_cases__of_a_row_that_regressed_only_those_that_fail() -> None:
    """Its table row says the rest; a required one is named and fails all the same."""
    assert [("case-01", True)] == fallen_in(run([0.1] * 8 + [0.9] * 16, ("case-01",)))


def test_fallen_cases__of_a_row_that_was_not_measured_none() -> None:
    """Too few scores, and nothing is said of single cases."""
    lost: list[float | None] = [0.1, *[0.9] * 12, *[None] * 11]
    cells = columns([[one] for one in lost])

    assert [] == fallen_in(run_of(cells))


def test_fallen_cases__required_ones_first_and_then_the_deepest_fall() -> None:
    """Where all are only named."""
    scores = [0.4, 0.3, 0.35, *[0.9] * 21]
    named = fallen_in(run(scores, ("case-00",)), Policy(fallen_cases="name", min_effect=0.2))

    assert [("case-00", False), ("case-01", False), ("case-02", False)] == named


def held_against(new: Run) -> Verdict:
    """The verdict against a baseline that knows case-23 as required, on a head."""
    old = run_of(columns(BEFORE))
    marked = old.plan.model_copy(update={"required": ("case-23",)})
    baseline = baseline_of(old.model_copy(update={"plan": marked}))
    assert ("case-23",) == baseline.required
    return decide_on_head(new, baseline, licences(new), Policy(), NOTHING)[1]


def test_required_case__deleted_with_its_tag_fails_the_run() -> None:
    """The baseline remembers that it was required, and the step says how it is dropped."""
    found = held_against(run([0.9] * (N - 1)))

    assert ("regression", 1) == (found.status, found.exit_code)
    assert "the run lacks the required case case-23" in found.headline
    assert "the baseline knows case-23 as required" in (found.next_step or "")
    assert "refresh the baseline to drop it" in (found.next_step or "")


def test_required_case__that_lost_its_tag_still_must_not_break() -> None:
    """The tag holds until the baseline is refreshed; a sample may leave such a case out."""
    ids = tuple(f"case-{i:02d}" for i in range(N))
    broken = held_against(run([0.9] * (N - 1) + [0.1]))
    sampled = held_against(run([0.9] * (N - 1), dataset=ids, total=N))

    assert "the required case case-23 was always right" in broken.headline
    assert "regression" != sampled.status


def test_required_case__whose_text_was_edited_is_named() -> None:
    """It is left out like any other, and listed as what it is."""
    new = run([0.9] * N)
    cells = tuple(
        replace(one, case_digest="another") if one.case_id in ("case-22", "case-23") else one
        for one in new.cells
    )
    coverage = held_against(new.model_copy(update={"cells": cells})).coverage

    assert ("case-22", "case-23") == coverage.changed
    assert ("case-23",) == coverage.changed_required
    assert [
        ("Text changed, left out", ("case-22",)),
        ("Text changed, left out although required until a refresh of the baseline", ("case-23",)),
    ] == list(not_compared(coverage))


def test_required_cases__each_once() -> None:
    """Those that the run's own dataset marks and the baseline knows are no two demands."""
    old = run([0.9] * N, ("case-00", "case-01"))

    assert ("case-01", "case-00") == required_cases(run([0.9] * N, ("case-01",)), baseline_of(old))


def test_not_asked__names_the_cases() -> None:
    """One, or several."""
    said = [not_asked(names) for names in (["a"], ["a", "b"])]

    assert [
        "No verdict: the run ended before the required case a.",
        "No verdict: the run ended before the required cases a and b.",
    ] == said


def test_lacking_dimensions__of_a_run_without_a_row() -> None:
    """Where nothing at all was measured, no single dimension is what lacks."""
    policy = Policy(rules={"relevance": Rule(required=True)})

    assert {} == lacking_dimensions([], run([0.9] * N), policy)


def test_required_dimension__whose_judge_changed_beside_one_that_did_not() -> None:
    """That another instrument scored it is said; that its licence is stale follows from that."""
    metrics = [Metric(name="correctness", judged=True), Metric(name="exact")]
    new = run_of(
        [cell("t", f"c{i:02d}", {"correctness": [0.9], "exact": [0.9]}) for i in range(N)], metrics
    )
    own = new.identities["correctness"].model_copy(update={"judge": "other"})
    changed = new.model_copy(update={"identities": {**new.identities, "correctness": own}})
    policy = Policy(rules={"correctness": Rule(required=True)})
    found = verdict_of(changed, baseline_of(new), policy, "stale")

    assert "broken" == found.status
    assert "correctness was scored by another instrument" in found.headline
