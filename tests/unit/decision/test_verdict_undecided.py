"""Numbers without a verdict, and broken runs: one cause, one next step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.types import (
    Attempt,
    Baseline,
    Cell,
    Commits,
    Failure,
    Plan,
    Policy,
    Provenance,
    Rule,
    Run,
    Verdict,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    JUDGED_BY,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    licence,
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


@pytest.mark.parametrize(
    ("policy", "baseline", "state", "narrowed", "headline", "step"),
    [
        (
            Policy(report_only=True),
            BASELINE,
            "validated",
            False,
            "Nothing is enforced (report-only mode)",
            "`--report-only` (the action's input `report-only`) where it was given, or set `rep",
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
        (
            Policy(report_only=True),
            None,
            "stale",
            True,
            "Nothing is enforced (report-only mode)",
            "gate baseline",
        ),
        (Policy(), None, "unlabelled", False, "No baseline yet", "gate baseline"),
        (
            Policy(report_only=True),
            BASELINE,
            "stale",
            False,
            "Nothing is enforced (report-only mode)",
            "it is stale",
        ),
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
        fell = run is FALLEN and baseline is not None
        said = "no verdict, but correctness fell by 0.30" if fell else "numbers without a verdict."
        assert verdict.headline.startswith(f"{headline}: {said}")
        assert verdict.next_step is not None
        assert step in verdict.next_step
        assert len(verdict.comparisons) == 1


def test_report__narrowed_plan() -> None:
    """The plan knows it too."""
    run = run_of(columns([0.5] * N), plan=Plan(narrowed=True))
    assert verdict_of(run, BASELINE).headline == (
        "Narrowed by hand: no verdict, but correctness fell by 0.30 (0.80 → 0.50; 24 of 24 answers "
        "got worse)."
    )


def test_report__nothing_fell_and_nothing_more_is_said() -> None:
    """A quiet report stays short."""
    verdict = verdict_of(SAME, BASELINE, Policy(report_only=True))

    assert verdict.headline.endswith(": numbers without a verdict.")


def test_report__new_target_only() -> None:
    """A licensed dimension of a target that the baseline does not know."""
    base = run_of(columns([0.8] * N, metric="exact"), [EXACT])
    verdict = verdict_of(SAME, baseline_of(base))

    assert (verdict.status, verdict.headline) == (
        "report",
        "No baseline for these rows: numbers without a verdict.",
    )
    assert (verdict.next_step or "").startswith("refresh the baseline: ")


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
    cells = [replace(one, case_digest="new") for one in BASE.cells[:12]]
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


def test_broken__another_judge_does_not_switch_the_gate_off() -> None:
    """A changed judge makes licence and baseline worthless together: no verdict, never a green 0.

    In report-only mode the numbers are shown all the same.
    """
    other = BASE.identities["correctness"].model_copy(update={"judge": "claude-y [json_schema]"})
    run = run_of(columns([0.5] * N), identities={"correctness": other})

    verdict = verdict_of(run, BASELINE, Policy(), "stale")

    assert (verdict.status, verdict.exit_code) == ("broken", 3)
    assert "another instrument than the baseline. correctness: judge differs" in verdict.headline
    assert "calibration" in (verdict.next_step or "")
    report = verdict_of(run, BASELINE, Policy(report_only=True), "stale")
    assert "report" == report.status
    assert f"before anything can fail: {verdict.next_step}" == report.next_step


def test_broken__another_judge_of_one_dimension() -> None:
    """Half of what gated was scored by another judge: no pass; a regression of the rest stands."""
    metrics = [CORRECTNESS, RELEVANCE]

    def run(relevance: float, **more: object) -> Run:
        scores = {"correctness": [0.8], "relevance": [relevance]}
        return run_of([cell("t", f"c{i:02d}", scores) for i in range(N)], metrics, **more)

    base = baseline_of(run(0.8))
    other = JUDGED_BY.model_copy(update={"judge": "claude-y [json_schema]"})
    changed = {"correctness": other, "relevance": JUDGED_BY}
    licences = [licence("correctness", "stale"), licence("relevance")]

    def decided(relevance: float, policy: Policy) -> Verdict:
        now = run(relevance, identities=changed)
        return decide(
            now,
            compare(now, base, policy),
            licences,
            policy,
            narrowed=False,
            seed="s",
            commits=Commits(),
            reproduce=(),
        )

    verdict = decided(0.8, Policy())
    assert ("broken", 3) == (verdict.status, verdict.exit_code)
    assert verdict.headline.startswith(
        "No verdict: correctness was scored by another instrument than the baseline. correctness: "
        "judge differs"
    )
    assert "regression" == decided(0.5, Policy()).status
    without = Policy(rules={"correctness": Rule(gating=False)})
    assert "pass" == decided(0.8, without).status


def test_report__what_is_lacking_is_said_once_for_all_targets() -> None:
    """Two targets, two dimensions, one reason; a missing target lacks no licence."""
    run = two_targets(0.8)
    base = baseline_of(two_targets(0.8, "tuv"))

    assert "correctness and relevance: it is stale, because" == (
        verdict_of(run, base, Policy(), "stale").next_step
    )
    assert (
        "label answers (correctness, relevance) in evals/labels, then "
        "`gate kappa RUN.json --write evals/calibration.json`"
    ) == verdict_of(run, base, Policy(), "unlabelled").next_step
