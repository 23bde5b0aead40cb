"""The run's status, its headline, its exit code and its next step."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gate.types import (
    Attempt,
    Baseline,
    Cell,
    Commits,
    Failure,
    Metric,
    Plan,
    Policy,
    Provenance,
    Rule,
    Run,
    TargetInfo,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    noisy,
    run_of,
    verdict_of,
)

N = 24
BASE = run_of(columns([0.8] * N))
SAME = BASE
FALLEN = run_of(columns([0.5] * N))
NOISY = run_of(columns([0.3, 1.0, 1.0] * (N // 3)))
BASELINE = baseline_of(BASE)


def ended(*states: str) -> Run:
    """A run whose cases ended like this; only the ok ones have a score."""
    return run_of(
        [
            cell("t", f"case-{i:02d}", {"correctness": [0.8 if state == "ok" else None]}, [state])
            for i, state in enumerate(states)
        ]
    )


def two_targets(new: float, names: Sequence[str] = "tu") -> Run:
    """Two dimensions of each target, of which the first target's correctness is `new`."""
    return run_of(
        [
            cell(
                name,
                f"c{i:02d}",
                {"correctness": [new if name == "t" else 0.8], "relevance": [0.8]},
            )
            for name in names
            for i in range(N)
        ],
        [CORRECTNESS, RELEVANCE],
    )


def test_pass__says_which_drop_is_ruled_out() -> None:
    """In words, and no more than what was shown."""
    verdict = verdict_of(SAME, BASELINE)

    assert (verdict.status, verdict.exit_code) == ("pass", 0)
    assert verdict.headline == "No drop larger than 0.10 in correctness."
    assert (verdict.next_step, verdict.broken, verdict.accepted_by) == (None, None, None)


def test_pass__names_targets_where_there_are_several() -> None:
    """Dimensions that all targets share are named once."""
    same = two_targets(0.8)
    assert verdict_of(same, baseline_of(same)).headline == (
        "No drop larger than 0.10 in correctness and relevance, for t and u."
    )


def test_pass__margins_of_their_own() -> None:
    """Each margin is claimed for its own dimensions only."""
    policy = Policy(rules={"relevance": Rule(margin=0.2)})
    same = two_targets(0.8, "t")
    assert verdict_of(same, baseline_of(same), policy).headline == (
        "No drop larger than 0.10 in correctness and no drop larger than 0.20 in relevance."
    )


def test_pass__plain_threshold_claims_what_it_saw() -> None:
    """It cannot rule anything out, and says so."""
    policy = Policy(rule="threshold")
    assert verdict_of(SAME, BASELINE, policy).headline == (
        "No mean drop larger than 0.05 in correctness; a plain threshold cannot tell noise from a "
        "drop."
    )


def test_pass__plan_that_could_not_have_failed() -> None:
    """13 cases and a rate so low that no drop could be seen."""
    run = run_of(columns([0.8] * 13))
    verdict = verdict_of(run, baseline_of(run), Policy(q=1e-6))

    assert verdict.status == "pass"
    assert verdict.headline.endswith("This plan of 13 cases could pass and could not have failed.")


def test_regression__headline_names_what_fell() -> None:
    """The dimension, by how much, from where to where, and how many answers got worse."""
    verdict = verdict_of(FALLEN, BASELINE)

    assert (verdict.status, verdict.exit_code) == ("regression", 1)
    assert verdict.headline == (
        "Regression: correctness fell by 0.30 (0.80 → 0.50; 24 of 24 answers got worse)."
    )


def test_regression__names_the_target_where_there_are_several() -> None:
    """The largest drop comes first."""
    assert verdict_of(two_targets(0.5), baseline_of(two_targets(0.8))).headline == (
        "Regression: correctness of t fell by 0.30 (0.80 → 0.50; 24 of 24 answers got worse)."
    )


def test_regression__largest_drop_first_and_the_rest_counted() -> None:
    """Three are named."""
    metrics = [Metric(name=name) for name in "abcd"]
    new = [
        cell("t", f"c{i:02d}", {"a": [0.6], "b": [0.4], "c": [0.5], "d": [0.7]}) for i in range(N)
    ]
    base = [cell("t", f"c{i:02d}", {name: [0.8] for name in "abcd"}) for i in range(N)]
    headline = verdict_of(run_of(new, metrics), baseline_of(run_of(base, metrics))).headline

    assert headline.startswith("Regression: b fell by 0.40 (0.80 → 0.40; ")
    assert headline.endswith(
        "c fell by 0.30 (0.80 → 0.50; 24 of 24 answers got worse), a fell by "
        "0.20 (0.80 → 0.60; 24 of 24 answers got worse) and 1 more."
    )


def test_regression__lower_is_better_rose() -> None:
    """A rise of mistakes is a regression that says `rose`."""
    metric = Metric(name="mistakes", better="lower")
    base = run_of(columns([0.1] * N, metric="mistakes"), [metric])
    new = run_of(columns([0.4] * N, metric="mistakes"), [metric])
    assert (
        "mistakes rose by 0.30 (0.10 → 0.40; 24 of 24"
        in verdict_of(new, baseline_of(base)).headline
    )


def test_regression__averages_count_no_answers() -> None:
    """Averages do not say how many answers got worse."""
    verdict = verdict_of(FALLEN, Baseline(averages={"t": {"correctness": 0.8}}))

    assert (verdict.status, verdict.exit_code) == ("regression", 1)
    assert verdict.headline == "Regression: correctness fell by 0.30 (0.80 → 0.50)."


def test_regression__accepted_for_this_head() -> None:
    """It stays a regression and no longer fails; only a regression can be accepted."""
    verdict = verdict_of(FALLEN, BASELINE, accepted_by="maria")

    assert (verdict.status, verdict.exit_code, verdict.accepted_by) == ("regression", 0, "maria")
    assert verdict.headline.startswith("Accepted regression: correctness fell")
    assert verdict_of(SAME, BASELINE, accepted_by="maria").accepted_by is None


def test_regression__plan_that_could_not_have_passed() -> None:
    """Six cases can fail and cannot pass; the headline says so."""
    base, new = run_of(columns([0.8] * 6)), run_of(columns([0.5] * 6))
    assert verdict_of(new, baseline_of(base)).headline.endswith(
        "got worse). This plan of 6 cases could fail and could not have passed."
    )


def test_regression__empty_answers_rose() -> None:
    """Half of the answers are empty: the operation regressed, and no quality is called worse."""
    verdict = verdict_of(ended(*["empty", "ok"] * 12), baseline_of(ended(*["ok"] * N)))

    assert (verdict.status, verdict.exit_code) == ("regression", 1)
    assert verdict.headline == "Regression: empty answers rose from 0% to 50% (12 cases turned)."
    assert [one.outcome for one in verdict.comparisons] == ["unmeasured"]
    (operation,) = verdict.operations
    assert operation.outcome == "regression"
    assert operation.because == "empty answers rose from 0% to 50% (12 cases turned)"
    assert operation.p["empty_rate"] == pytest.approx(3 / 2**12)
    assert len(operation.cases["empty_rate"]) == 12


def test_regression__few_empty_answers_leave_the_quality_measured() -> None:
    """Nine of 100: the rate regressed, the row is still measured."""
    new = ended(*["empty"] * 9, *["ok"] * 91)
    verdict = verdict_of(new, baseline_of(ended(*["ok"] * 100)))

    assert verdict.status == "regression"
    assert verdict.headline.startswith(
        "Regression: empty answers rose from 0% to 9% (9 cases turned)."
    )
    assert [one.outcome for one in verdict.comparisons] == ["inconclusive"]


def test_regression__answers_lost_their_sources() -> None:
    """Ungrounded answers are told from a share of grounded ones."""

    def grounded(*flags: bool) -> Run:
        cells = []
        for one, flag in zip(ended(*["ok"] * N).cells, flags, strict=True):
            attempt = one.attempts[0].model_copy(update={"grounded": flag})
            cells.append(one.model_copy(update={"attempts": (attempt,)}))
        return run_of(cells)

    verdict = verdict_of(grounded(*[False] * 12, *[True] * 12), baseline_of(grounded(*[True] * N)))
    assert verdict.headline == (
        "Regression: answers without a source rose from 0% to 50% (12 cases turned)."
    )


def test_regression__limit_of_latency_and_cost() -> None:
    """Without a limit they decide nothing."""
    policy = Policy(limits={"p50_latency_s": 1.5, "usd_per_1k": 0.5})
    verdict = verdict_of(SAME, BASELINE, policy)

    assert verdict.status == "regression"
    assert verdict.headline == (
        "Regression: median latency of 2 s is above the limit of 1.5 s and cost of $1 for 1,000 "
        "answers is above the limit of $0.5."
    )
    roomy = Policy(limits={"p50_latency_s": 2.0, "usd_per_1k": 1.0, "other": 0.0})
    assert verdict_of(SAME, BASELINE, roomy).operations[0].outcome == "ok"


def test_operations__without_a_baseline_of_cases_are_advisory() -> None:
    """Nothing can be tested, so nothing is said to be fine; with a limit there is."""
    averages = Baseline(averages={"t": {"correctness": 0.8}})
    assert verdict_of(SAME, averages).operations[0].outcome == "advisory"
    limited = Policy(limits={"p50_latency_s": 9.0})
    assert verdict_of(SAME, averages, limited).operations[0].outcome == "ok"


def test_regression__operation_of_one_of_several_targets() -> None:
    """The target is named."""
    cells = [*ended(*["empty"] * 2, *["ok"] * 22).cells]
    other = [
        one.model_copy(update={"target": "u"}) for one in ended(*["error"] * 9, *["ok"] * 15).cells
    ]
    base = [*ended(*["ok"] * N).cells]
    base += [one.model_copy(update={"target": "u"}) for one in base]
    verdict = verdict_of(run_of(cells + other), baseline_of(run_of(base)))
    assert verdict.headline == "Regression: errors rose from 0% to 38% (9 cases turned) for u."


def test_regression__missing_target_and_required_case() -> None:
    """What must be there and is not fails the run."""
    base = run_of(columns([0.8] * N) + columns([0.8], target="gone"))
    verdict = verdict_of(SAME, baseline_of(base), required=["case-00", "moon", "sun"])

    assert verdict.exit_code == 1
    assert verdict.headline == (
        "Regression: the run lacks the target gone of the baseline and the run lacks the required "
        "cases moon and sun."
    )
    assert verdict_of(SAME, BASELINE, required=["moon"]).headline == (
        "Regression: the run lacks the required case moon."
    )


def test_regression__missing_targets_alone() -> None:
    """The run's only target is new, and the baseline's are gone."""
    base = run_of(columns([0.8], target="a") + columns([0.8], target="b"))
    assert verdict_of(SAME, baseline_of(base)).headline == (
        "Regression: the run lacks the targets a and b of the baseline."
    )


def test_inconclusive__wording_and_exit_code() -> None:
    """Neutral: no warning, exit 0 unless the policy says otherwise."""
    verdict = verdict_of(NOISY, BASELINE)

    assert (verdict.status, verdict.exit_code) == ("inconclusive", 0)
    assert verdict.headline == (
        "No regression found; too noisy to rule out a drop of 0.10 in correctness."
    )
    assert verdict.warnings == BASELINE_WARNING
    assert verdict.comparisons[0].settles is not None
    assert verdict_of(NOISY, BASELINE, Policy(on_inconclusive="fail")).exit_code == 3


ONE_REPEAT = (
    "The baseline has 1 repeat of some cases: one lucky baseline fails runs that changed nothing. "
    "Give `gate baseline` five runs."
)
BASELINE_WARNING = (ONE_REPEAT,)


def test_inconclusive__warns_when_the_estimate_itself_is_low() -> None:
    """An estimate below -0.05 that may be chance is more than neutral."""
    verdict = verdict_of(run_of(columns([0.0, 0.0] + [0.8] * 22)), BASELINE)

    assert verdict.status == "inconclusive"
    assert verdict.warnings[-1] == "correctness of t got worse by 0.07; it may be real."


def test_inconclusive__different_doubts_are_told_apart() -> None:
    """Noise, cases without a score, and a drop too small for a provisional licence."""
    metrics = [Metric(name=name) for name in ("noise", "lost", "held")]
    policy = Policy(rules={"noise": Rule(margin=0.2)})

    def run(noise: Sequence[float], lost: Sequence[float | None], held: float) -> Run:
        return run_of(
            [
                cell("t", f"c{i:02d}", {"noise": [a], "lost": [b], "held": [held]})
                for i, (a, b) in enumerate(zip(noise, lost, strict=True))
            ],
            [*metrics[:2], metrics[2].model_copy(update={"judged": True})],
        )

    base = run([0.5] * 20, [1.0] * 20, 0.8)
    new = run([0.0, 1.0] * 10, [None] * 2 + [0.9] * 4 + [1.0] * 14, 0.73)
    verdict = verdict_of(new, baseline_of(base), policy, "provisional")

    assert verdict.headline == (
        "No regression found; too noisy to rule out a drop of 0.20 in noise; lost would be one if "
        "the cases without a score had the worst one; held fell, by less than a provisional "
        "licence can fail (0.10)."
    )


def test_inconclusive__rows_of_several_targets() -> None:
    """Different dimensions of different targets are named one by one."""
    base, new = two_targets(0.8), two_targets(0.8)
    cells = []
    for i, one in enumerate(new.cells):
        metric = "correctness" if one.target == "t" else "relevance"
        value = 1.0 if i % 2 else 0.5
        cells.append(one.model_copy(update={"scores": {**one.scores, metric: (value,)}}))
    assert verdict_of(
        new.model_copy(update={"cells": tuple(cells)}), baseline_of(base)
    ).headline == (
        "No regression found; too noisy to rule out a drop of 0.10 in correctness of t; relevance "
        "of u."
    )


def test_inconclusive__plan_that_could_only_fail() -> None:
    """Eight cases: no wonder."""
    run = run_of(columns([0.8] * 8))
    assert verdict_of(run, baseline_of(run)).headline == (
        "No regression found; too noisy to rule out a drop of 0.10 in correctness. This plan of 8 "
        "cases could fail and could not have passed."
    )


def test_inconclusive__plan_that_could_do_neither() -> None:
    """Three cases of an imported run."""
    run = run_of(columns([0.8] * 3))
    assert verdict_of(run, baseline_of(run)).headline.endswith(
        "This plan of 3 cases could neither fail nor pass."
    )


@pytest.mark.parametrize(
    ("policy", "baseline", "state", "narrowed", "headline", "step"),
    [
        (
            Policy(report_only=True),
            BASELINE,
            "validated",
            False,
            "Report only",
            "report_only: false",
        ),
        (Policy(), None, "validated", False, "No baseline yet", "gate baseline"),
        (
            Policy(),
            baseline_of(BASE, provenance=Provenance(created="2026-01-01T00:00:00Z")),
            "validated",
            False,
            "The baseline is 181 days old, 90 at most",
            "refresh the baseline",
        ),
        (
            Policy(),
            BASELINE,
            "stale",
            False,
            "Nothing is licensed to fail a run",
            "correctness: it is stale, because",
        ),
        (Policy(), BASELINE, "validated", True, "Narrowed by hand", "without --case"),
        (Policy(report_only=True), None, "stale", True, "Report only", "gate baseline"),
        (Policy(), None, "unlabelled", False, "No baseline yet", "gate baseline"),
        (Policy(report_only=True), BASELINE, "stale", False, "Report only", "it is stale"),
    ],
)
def test_report__numbers_without_a_verdict(
    policy: Policy,
    baseline: Baseline | None,
    state: str,
    narrowed: bool,  # noqa: FBT001 - a column of the table
    headline: str,
    step: str,
) -> None:
    """The first reason is the headline; the next step is what has to be done first."""
    for run in (FALLEN, NOISY):
        verdict = verdict_of(run, baseline, policy, state, narrowed=narrowed)  # type: ignore[arg-type]

        assert (verdict.status, verdict.exit_code) == ("report", 0)
        assert verdict.headline == f"{headline}: numbers without a verdict."
        assert verdict.next_step is not None
        assert step in verdict.next_step
        assert len(verdict.comparisons) == 1


def test_report__narrowed_plan() -> None:
    """The plan knows it too."""
    run = run_of(columns([0.5] * N), plan=Plan(narrowed=True))
    assert verdict_of(run, BASELINE).headline == "Narrowed by hand: numbers without a verdict."


def test_report__new_target_only() -> None:
    """A licensed dimension of a target that the baseline does not know."""
    base = run_of(columns([0.8] * N, metric="exact"), [EXACT])
    verdict = verdict_of(SAME, baseline_of(base))

    assert (verdict.status, verdict.headline) == (
        "report",
        "No baseline for these rows: numbers without a verdict.",
    )


def test_report__run_without_scorers() -> None:
    """A run with scores and no metric, as a strange file may be, licenses nothing."""
    verdict = verdict_of(run_of(columns([0.8]), []), BASELINE)
    assert (verdict.status, verdict.next_step) == ("report", "configure scorers")


def test_broken__nothing_scored() -> None:
    """All failed: exit 3, one cause, no number of quality, in report-only mode too."""
    for policy in (Policy(), Policy(report_only=True)):
        verdict = verdict_of(ended(*["error"] * 23, "timeout"), BASELINE, policy)

        assert (verdict.status, verdict.exit_code) == ("broken", 3)
        assert verdict.headline == "No verdict: nothing could be scored. it was error"
        assert verdict.broken == Failure(kind="error", message="it was error")
        assert verdict.comparisons == ()
        assert verdict.next_step is not None
        assert verdict.operations[0].error_rate == 1.0


def test_broken__all_answers_empty() -> None:
    """No score at all is broken, not a regression, and no quality of 0."""
    verdict = verdict_of(ended(*["empty"] * N), BASELINE)
    assert (verdict.status, verdict.exit_code, verdict.comparisons) == ("broken", 3, ())


def test_broken__the_runs_own_cause() -> None:
    """The cause that the run names goes before all others."""
    cause = Failure(kind="error", message="the model is not enabled", status=404)
    verdict = verdict_of(
        ended(*["error"] * N).model_copy(update={"broken": cause}), None, Policy(report_only=True)
    )
    assert verdict.broken == cause
    assert verdict.headline == "No verdict: nothing could be scored. the model is not enabled"


@pytest.mark.parametrize(
    ("cells", "kind", "message"),
    [
        ([], "error", "The run holds no answers."),
        (
            [Cell(target="t", case_id="a", attempts=(Attempt(state="empty"),))],
            "empty",
            "The answers were empty.",
        ),
        (
            [cell("t", "a", {"correctness": [None]}, failures={"correctness": ("judge",)})],
            "judge",
            "The judge failed, or its replies could not be read.",
        ),
        ([cell("t", "a", {"correctness": [None]})], "error", "The answers were not scored."),
    ],
)
def test_broken__cause_where_nobody_names_one(cells: list[Cell], kind: str, message: str) -> None:
    """What most attempts say, a judge's failures counted once for each answer."""
    verdict = verdict_of(run_of(cells, targets=["t"]), BASELINE)
    assert verdict.broken is not None
    assert (kind, message) == (verdict.broken.kind, verdict.broken.message)


def test_broken__not_comparable() -> None:
    """Another judge: said aloud, with what to do, and never a delta."""
    other = BASE.identities["correctness"].model_copy(update={"judge": "other"})
    verdict = verdict_of(FALLEN.model_copy(update={"identities": {"correctness": other}}), BASELINE)

    assert (verdict.status, verdict.exit_code) == ("broken", 3)
    assert verdict.headline == (
        "No verdict: nothing that can fail the run could be compared. correctness: judge differs"
    )
    assert (verdict.identity.comparable, verdict.identity.differs) == (
        False,
        ("correctness: judge differs",),
    )
    assert verdict.next_step is not None
    assert verdict.next_step.startswith("refresh the baseline")


def test_broken__one_row_not_comparable() -> None:
    """The other dimension is compared; the run as a whole cannot pass."""
    base = two_targets(0.8, "t")
    other = base.identities["relevance"].model_copy(update={"prompt": "other"})
    new = base.model_copy(update={"identities": {**base.identities, "relevance": other}})
    verdict = verdict_of(new, baseline_of(base))

    assert (verdict.status, verdict.identity.comparable) == ("broken", True)
    assert verdict.headline == (
        "No verdict: relevance could not be compared. relevance: prompt differs"
    )


def test_broken__errors_leave_nothing_to_decide() -> None:
    """Half of the calls failed: the machine is broken, and the answers are not called bad."""
    verdict = verdict_of(ended(*["error", "ok"] * 12), baseline_of(ended(*["ok"] * N)))

    assert (verdict.status, verdict.exit_code) == ("broken", 3)
    assert verdict.headline == (
        "No verdict: nothing that can fail the run could be compared, only 12 of 24 cases have "
        "scores on both sides (90% are needed). it was error"
    )
    assert verdict.broken == Failure(kind="error", message="it was error")
    assert verdict.next_step == "mend the cause and run again"


def test_broken__stopped_too_early() -> None:
    """The budget is the cause."""
    run = ended(*["ok"] * 10, *["budget"] * 14)
    verdict = verdict_of(
        run.model_copy(update={"stopped": "The ceiling of $2 was reached."}), BASELINE
    )

    assert verdict.status == "broken"
    assert verdict.headline.endswith("The ceiling of $2 was reached.")
    assert verdict.broken == Failure(kind="budget", message="The ceiling of $2 was reached.")


def test_broken__dataset_changed() -> None:
    """Most cases have another text: refresh the baseline."""
    cells = [one.model_copy(update={"case_digest": "new"}) for one in BASE.cells[:12]]
    verdict = verdict_of(run_of([*cells, *BASE.cells[12:]]), BASELINE)

    assert verdict.headline.endswith(
        "(90% are needed). 12 cases changed or went since the baseline."
    )
    assert (verdict.broken, verdict.status) == (None, "broken")
    assert verdict.next_step is not None
    assert verdict.next_step.startswith("refresh the baseline")


def test_broken__one_dimension_unmeasured_after_no_regression() -> None:
    """A regression elsewhere would go first; without one the run is broken."""
    metrics = [CORRECTNESS, RELEVANCE]

    def run(correctness: float) -> Run:
        return run_of(
            [
                cell(
                    "t",
                    f"c{i:02d}",
                    {"correctness": [correctness], "relevance": [0.8 if i > 5 else None]},
                    failures={} if i > 5 else {"relevance": ("judge",)},
                )
                for i in range(N)
            ],
            metrics,
        )

    base = baseline_of(two_targets(0.8, "t"))
    assert verdict_of(run(0.5), base).status == "regression"
    verdict = verdict_of(run(0.8), base)
    assert verdict.status == "broken"
    assert verdict.headline == (
        "No verdict: relevance could not be compared, only 18 of 24 cases have scores on both "
        "sides (90% are needed). The judge failed, or its replies could not be read."
    )


def test_verdict__carries_what_it_was_given() -> None:
    """Seed, commits, lines to type, edits, attempts and cost stand in the file."""
    commits = Commits(base="b", head="h", evaluated="e")
    verdict = verdict_of(
        run_of(columns([0.8] * N), warnings=("one", "one")),
        BASELINE,
        seed="week-31",
        commits=commits,
        reproduce=["a", "b"],
        edits=["baseline.json"],
        attempts=2,
    )

    assert (verdict.seed, verdict.commits, verdict.attempts) == ("week-31", commits, 2)
    assert (verdict.reproduce, verdict.edits) == (("a", "b"), ("baseline.json",))
    assert verdict.warnings == ("one", *BASELINE_WARNING)
    assert verdict.cost == SAME.cost


def test_verdict__judge_of_the_targets_family_is_warned_of() -> None:
    """Judges prefer their own; without a judged metric there is nothing to prefer."""
    infos = (TargetInfo(name="t", use="x", family="claude"),)
    run = run_of(columns([0.8] * N), targets=["t"], judge_family="claude")
    run = run.model_copy(update={"targets": infos})
    assert verdict_of(run, BASELINE).warnings[-1] == (
        "The judge is of the same family (claude) as t: judges prefer their own."
    )
    unjudged = run.model_copy(
        update={"metrics": (CORRECTNESS.model_copy(update={"judged": False}),)}
    )
    assert verdict_of(unjudged, BASELINE).warnings == BASELINE_WARNING


KINDS: dict[str, list[float | None]] = {
    "same": [*[0.8] * N],
    "fallen": [*[0.5] * N],
    "noisy": [*[0.3, 1.0, 1.0] * (N // 3)],
    "lost": [None, None, None, *[0.8] * (N - 3)],
}


@settings(max_examples=60, deadline=None)
@given(
    kinds=st.lists(st.sampled_from(sorted(KINDS)), min_size=1, max_size=3),
    report_only=st.booleans(),
)
def test_verdict__statuses_go_in_their_order(kinds: list[str], *, report_only: bool) -> None:
    """report, nothing measured, regression, something unmeasured, inconclusive, pass."""
    metrics = [Metric(name=f"m{i}") for i in range(len(kinds))]

    def run(columns_of: Sequence[Sequence[float | None]]) -> Run:
        return run_of(
            [
                cell("t", f"c{i:02d}", {f"m{j}": [one[i]] for j, one in enumerate(columns_of)})
                for i in range(N)
            ],
            metrics,
        )

    verdict = verdict_of(
        run([KINDS[kind] for kind in kinds]),
        baseline_of(run([KINDS["same"]] * len(kinds))),
        Policy(report_only=report_only),
    )
    expected = (
        "report"
        if report_only
        else "broken"
        if set(kinds) == {"lost"}
        else "regression"
        if "fallen" in kinds
        else "broken"
        if "lost" in kinds
        else "inconclusive"
        if "noisy" in kinds
        else "pass"
    )
    assert expected == verdict.status


def test_verdict__simulated_runs() -> None:
    """Of 100 runs without a change few fail; a drop of 0.20 in 48 cases is nearly always seen.

    The rule's own false alarm rate is below 6%; 11 of 100 would happen less than once in 50 at 6%.
    """

    def regressed(seed: int, drop: float) -> bool:
        base, new = noisy(seed, 48, drop)
        verdict = verdict_of(run_of(columns(new)), baseline_of(run_of(columns(base))))
        return verdict.status == "regression"

    assert sum(regressed(seed, 0.0) for seed in range(100)) <= 10
    assert sum(regressed(seed, 0.2) for seed in range(1_000, 1_030)) >= 27
