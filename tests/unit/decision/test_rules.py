"""What one row says: the outcome, whether it gates, and the remarks beside it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.comparison import compare
from gate.decision.standing import gating_dimensions
from gate.decision.verdict import decide
from gate.types import Baseline, Commits, Finding, Metric, Policy, Rule, Run, TrustState
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    licence,
    run_of,
    verdict_of,
)


def finding(
    new: Run, base: Run | Baseline, policy: Policy | None = None, state: TrustState = "validated"
) -> Finding:
    """The only row of the table."""
    baseline = base if isinstance(base, Baseline) else baseline_of(base)
    (found,) = verdict_of(new, baseline, policy, state).comparisons
    return found


def moved(by: float, n: int = 24, of: int | None = None) -> tuple[Run, Run]:
    """A run in which the first `of` of n cases moved, and the run before."""
    fallen = n if of is None else of
    return (
        run_of(columns([0.8 + by] * fallen + [0.8] * (n - fallen))),
        run_of(columns([0.8] * n)),
    )


def test_row__clear_drop_is_a_regression() -> None:
    """All of 24 cases fell by 0.3: p = 2^-24 by chance, and far beyond the smallest effect."""
    found = finding(*moved(-0.3))

    assert (found.outcome, found.gating, found.advisory_because) == ("regression", True, None)
    assert (found.baseline, found.current, found.delta) == (0.8, 0.5, -0.3)
    assert (found.worse, found.better, found.n) == (24, 0, 24)
    assert found.p == found.p_adjusted == found.p_holm
    assert found.worst_cases == tuple(f"case-{i:02d}" for i in range(5))
    assert (found.settles, found.note) == (None, None)
    assert found.trust.state == "validated"
    assert (found.trust.kappa, found.trust.n) == (0.8, 96)


def test_row__worst_cases_worst_first() -> None:
    """Only cases that fell are named."""
    found = finding(run_of(columns([0.5, 0.9, 0.1, 0.8])), run_of(columns([0.8, 0.8, 0.8, 0.8])))
    assert found.worst_cases == ("case-02", "case-00")


def test_row__small_but_sure_drop_is_no_regression() -> None:
    """A drop below the smallest effect passes, however sure it is."""
    assert finding(*moved(-0.02)).outcome == "pass"


def test_row__drop_of_exactly_the_smallest_effect() -> None:
    """0.05 is a regression, in spite of floats: mean d <= -0.05."""
    assert finding(*moved(-0.05)).outcome == "regression"
    assert finding(*moved(-0.0499)).outcome == "pass"


def test_row__no_change_passes_from_13_cases_on() -> None:
    """Twelve unchanged cases do not rule out a drop of 0.10, thirteen do."""
    assert finding(*moved(0.0, 13)).outcome == "pass"
    found = finding(*moved(0.0, 12))

    assert found.outcome == "inconclusive"
    assert found.settles == "about 1 more case like these; more repeats would not help"


def test_row__inconclusive_says_what_would_settle_it() -> None:
    """Noisy cases: more cases, or more repeats."""
    d = [0.25, -0.25] * 12
    found = finding(run_of(columns([0.5 + x for x in d])), run_of(columns([0.5] * 24)))

    assert found.outcome == "inconclusive"
    assert (
        found.settles == "about 5 more cases like these, or about 2 times the repeats on both "
        "sides, which means a new baseline"
    )


def test_row__inconclusive_never_promises_less_than_a_plan_needs() -> None:
    """Nine cases of which some rose would do with fewer, or with repeats; no plan of them can."""
    found = finding(*moved(0.2, 9, 2))

    assert found.outcome == "inconclusive"
    assert found.settles == "about 4 more cases like these; more repeats would not help"


def test_row__inconclusive_near_the_margin() -> None:
    """A mean just above -margin cannot be settled by any number of cases in reach."""
    found = finding(*moved(-0.0999, 20), Policy(min_effect=0.2))
    assert found.settles == (
        "no number of cases or repeats in reach: the estimate is too near a drop of 0.10"
    )


def test_row__inconclusive_below_the_margin() -> None:
    """An estimate of a large drop that may be chance: cases that would show it."""
    found = finding(*moved(-0.8, 6, 1))

    assert found.outcome == "inconclusive"
    assert found.delta == pytest.approx(-0.1333, abs=1e-4)
    assert found.settles == "about 32 more cases, to show whether the drop of 0.13 is real"


def test_row__single_case() -> None:
    """One case has no spread; the least that could pass is said."""
    assert (
        finding(*moved(0.0, 1)).settles
        == "about 12 more cases like these; more repeats would not help"
    )


def test_rows__corrected_over_the_gating_rows() -> None:
    """Of two gating tests the smaller p doubles; the advisory one is not counted."""
    metrics = [CORRECTNESS, RELEVANCE, EXACT]
    cells, base = [], []
    for i in range(4):
        fell = {"correctness": [0.5], "relevance": [0.8], "exact": [0.5]}
        cells.append(cell("t", f"c{i}", fell))
        base.append(cell("t", f"c{i}", {name: [0.8] for name in fell}))
    policy = Policy(rules={"exact": Rule(gating=False)})
    correctness, relevance, exact = verdict_of(
        run_of(cells, metrics), baseline_of(run_of(base, metrics)), policy
    ).comparisons

    assert (correctness.p, correctness.p_adjusted, correctness.p_holm) == (1 / 16, 2 / 16, 2 / 16)
    assert correctness.outcome == "inconclusive"
    assert (relevance.p_adjusted, relevance.p_holm) == (1.0, 1.0)
    assert (exact.p, exact.p_adjusted, exact.p_holm, exact.gating) == (1 / 16, None, None, False)
    assert exact.outcome == "regression"
    assert exact.advisory_because == "its rule says `gating: false`"


def test_row__own_smallest_effect_and_margin() -> None:
    """A rule of its own goes before the policy."""
    strict = Policy(rules={"correctness": Rule(min_effect=0.02, margin=0.01)})
    assert finding(*moved(-0.03), strict).outcome == "regression"
    loose = Policy(rules={"correctness": Rule(min_effect=0.4, margin=0.5)})
    assert finding(*moved(-0.3), loose).outcome == "pass"
    assert finding(*moved(0.0), strict).outcome == "inconclusive"


@pytest.mark.parametrize("state", ["provisional", "unbound"])
def test_row__provisional_licence(state: TrustState) -> None:
    """It fails a run from a drop of 0.10 on, and the row says so."""
    large, small = finding(*moved(-0.1), None, state), finding(*moved(-0.07), None, state)

    assert (large.outcome, large.gating) == ("regression", True)
    assert large.note == (
        f"provisional licence, fails a run only from a drop of 0.10: it is {state}, because"
    )
    assert small.outcome == "inconclusive"
    assert small.note == (
        "fell by more than noise, but by less than its licence can fail; "
        f"provisional licence, fails a run only from a drop of 0.10: it is {state}, because"
    )
    assert finding(*moved(-0.07)).outcome == "regression"


def test_row__provisional_drop_that_still_passes() -> None:
    """A sure drop of 0.05 in 100 cases is no drop larger than 0.10, and the note tells of it."""
    found = finding(*moved(-0.05, 100), None, "provisional")
    assert found.outcome == "pass"
    assert found.note is not None
    assert found.note.startswith("fell by more than noise")


def test_row__not_measured_says_nothing_of_its_licence() -> None:
    """A weak licence had nothing to decide: only what is lacking is said."""
    new = run_of(columns([0.8] * 3 + [None] * 21))
    found = finding(new, moved(0.0)[1], None, "provisional")

    assert (found.outcome, found.gating) == ("unmeasured", True)
    assert found.note == "3 of 24 cases of the baseline could be compared, 90% are needed"


@pytest.mark.parametrize("state", ["unvalidated", "undefined", "stale", "unlabelled"])
def test_row__without_a_licence_it_is_advisory(state: TrustState) -> None:
    """It stands in the table with the reason, and cannot fail."""
    verdict = verdict_of(moved(-0.3)[0], baseline_of(moved(-0.3)[1]), None, state)
    (found,) = verdict.comparisons

    assert (found.gating, found.advisory_because) == (False, f"it is {state}, because")
    assert (found.outcome, found.p_adjusted) == ("regression", None)
    assert verdict.status == "report"


def test_row__judged_without_any_agreement_is_unlabelled() -> None:
    """A dimension that nobody spoke of has no licence; one without a judge needs none."""
    metrics = [CORRECTNESS, EXACT]
    run = run_of([cell("t", "a", {"correctness": [1.0], "exact": [1.0]})], metrics)
    comparison = compare(run, baseline_of(run), Policy())
    found = decide(
        run,
        comparison,
        [],
        Policy(),
        narrowed=False,
        seed="s",
        commits=Commits(),
        reproduce=[],
    ).comparisons

    assert [one.trust.state for one in found] == ["unlabelled", "not_needed"]
    assert [one.gating for one in found] == [False, True]


def test_row__unknown_direction_is_advisory() -> None:
    """Until `better:` is given."""
    metric = Metric(name="correctness", better="unknown")
    base = run_of(columns([0.8] * 20), [metric])
    found = finding(run_of(columns([0.2] * 20), [metric]), base)

    assert (found.gating, found.outcome, found.p) == (False, "inconclusive", None)
    assert found.advisory_because == (
        "whether higher or lower is better is not known: set `better:` in its rule"
    )
    assert (found.worst_cases, found.settles) == (
        (),
        "knowing whether higher or lower is better",
    )
    lower = Policy(rules={"correctness": Rule(better="lower")})
    assert finding(base, base, lower).gating


def test_row__other_units_need_a_rule_of_their_own() -> None:
    """The defaults of 0.05 and 0.10 mean nothing in seconds."""
    metric = Metric(name="seconds", better="lower", unit="s")
    base = run_of(columns([10.0] * 20, metric="seconds"), [metric])
    new = run_of(columns([12.0] * 20, metric="seconds"), [metric])

    assert finding(new, base).advisory_because == (
        "it is no score between 0 and 1: set `min_effect:` and `margin:` in its rule"
    )
    half = Policy(rules={"seconds": Rule(margin=3.0)})
    assert not finding(new, base, half).gating
    whole = Policy(rules={"seconds": Rule(margin=3.0, min_effect=1.0)})
    assert (finding(new, base, whole).outcome, finding(new, base, whole).gating) == (
        "regression",
        True,
    )
    assert finding(base, base, whole).outcome == "pass"


def test_row__dimension_without_a_baseline_is_advisory() -> None:
    """A new scorer does not break each run until the baseline is refreshed."""
    base = run_of(columns([1.0] * 20))
    cells = [replace(one, scores={**one.scores, "exact": (1.0,)}) for one in base.cells]
    verdict = verdict_of(run_of(cells, [CORRECTNESS, EXACT]), baseline_of(base))

    assert [one.gating for one in verdict.comparisons] == [True, False]
    assert verdict.comparisons[1].advisory_because == (
        "the baseline has nothing to compare it with: refresh the baseline"
    )
    assert verdict.status == "pass"


def test_row__unmeasured_below_the_coverage() -> None:
    """17 of 20 cases are too few, 18 are enough."""
    base = run_of(columns([0.8] * 20))
    lost = finding(run_of(columns([None] * 3 + [0.8] * 17)), base)

    assert (lost.outcome, lost.n) == ("unmeasured", 17)
    assert lost.note == "17 of 20 cases of the baseline could be compared, 90% are needed"
    assert (lost.p_adjusted, lost.settles) == (None, None)
    assert finding(run_of(columns([None] * 2 + [0.8] * 18)), base).outcome != "unmeasured"


def test_row__regression_only_if_unscored_cases_were_worst() -> None:
    """Two of 20 cases lost their score and three fell: at best inconclusive, and they are named."""
    base = run_of(columns([1.0] * 20))
    found = finding(run_of(columns([None] * 2 + [0.9] * 3 + [1.0] * 15)), base)

    assert found.outcome == "inconclusive"
    assert found.note == (
        "a regression if the 2 cases without a score now (case-00 and case-01) had the worst one"
    )
    assert found.settles == "scores of case-00 and case-01"


def test_row__unscored_case_that_changes_nothing() -> None:
    """One lost case of forty at its worst is not beyond chance."""
    base = run_of(columns([1.0] * 40))
    assert finding(run_of(columns([None] + [1.0] * 39)), base).outcome == "pass"


def test_row__incomparable() -> None:
    """Another judge: no number, and the note says what differs."""
    new, base = moved(-0.3)
    other = base.identities["correctness"].model_copy(update={"judge": "other"})
    found = finding(new.model_copy(update={"identities": {"correctness": other}}), base)

    assert (found.outcome, found.gating, found.delta) == ("incomparable", True, None)
    assert found.note == "not comparable with the baseline: other judge"


def test_row__missing_target() -> None:
    """It counts, whatever the licence."""
    base = run_of(columns([1.0] * 20) + columns([1.0], target="gone"))
    found = verdict_of(run_of(columns([1.0] * 20)), baseline_of(base)).comparisons[-1]

    assert (found.target, found.dimension, found.outcome, found.gating) == (
        "gone",
        "*",
        "missing",
        True,
    )


THRESHOLD = Policy(rule="threshold")


def test_threshold__is_strict_and_does_not_trip_over_floats() -> None:
    """A drop of exactly 0.05 passes, a little more fails; noise plays no part."""
    note = "judged by the plain threshold, which cannot tell noise from a drop"
    exact, more = finding(*moved(-0.05, 3), THRESHOLD), finding(*moved(-0.0501, 3), THRESHOLD)

    assert (exact.outcome, exact.note) == ("pass", note)
    assert (more.outcome, more.note) == ("regression", note)


def test_threshold__averages() -> None:
    """Only averages: regression or pass, and the note says what that cannot tell."""
    base = Baseline(averages={"t": {"correctness": 0.91541666666}})
    note = "only averages were compared, which cannot tell noise from a drop"

    def found(mean: float) -> Finding:
        return finding(run_of(columns([mean])), base)

    assert (found(0.86541666666).outcome, found(0.86541666666).note) == ("pass", note)
    assert (found(0.8654166).outcome, found(0.8654166).averages_only) == ("regression", True)
    assert {None} == {found(0.8).p, found(0.8).p_adjusted, found(0.8).low, found(0.8).settles}


def test_threshold__provisional_licence() -> None:
    """Here too a provisional licence fails only a drop of 0.10."""
    small = finding(*moved(-0.07, 3), THRESHOLD, "provisional")
    assert small.outcome == "inconclusive"
    assert small.settles == "a licence that is not provisional: label more answers"
    assert small.note is not None
    assert small.note.startswith("fell by more than the threshold, but by less")
    assert finding(*moved(-0.1, 3), THRESHOLD, "provisional").outcome == "regression"


def test_gating_dimensions__those_that_could_fail_a_run() -> None:
    """Rule, direction, licence and unit count; a dimension that nobody spoke of cannot."""
    metrics = [
        CORRECTNESS,
        RELEVANCE,
        EXACT,
        Metric(name="level", better="unknown"),
        Metric(name="seconds", better="lower", unit="s"),
        Metric(name="unheard"),
    ]
    agreements = [licence("correctness"), licence("relevance", "stale")]
    agreements += [licence(name, "not_needed") for name in ("exact", "level", "seconds")]

    assert gating_dimensions(metrics, agreements, Policy()) == ("correctness", "exact")
    rules = {
        "correctness": Rule(gating=False),
        "level": Rule(better="lower"),
        "seconds": Rule(min_effect=1.0, margin=2.0),
    }
    found = gating_dimensions(metrics, agreements, Policy(rules=rules))
    assert found == ("exact", "level", "seconds")


def test_row__p_at_the_rate_is_a_regression() -> None:
    """Adjusted p <= q, the rate itself included: four cases that fell have p = 1/16."""
    assert finding(*moved(-0.3, 4), Policy(q=1 / 16)).outcome == "regression"
    assert finding(*moved(-0.3, 4), Policy(q=1 / 17)).outcome == "inconclusive"
