"""A regression, and how the targets worked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.types import (
    Baseline,
    Commits,
    Metric,
    Policy,
    Run,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    run_of,
    verdict_of,
)

N = 24


BASE = run_of(columns([0.8] * N))


SAME = BASE


FALLEN = run_of(columns([0.5] * N))


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
    assert verdict.headline.startswith("Regression, accepted by maria: correctness fell")
    assert verdict_of(SAME, BASELINE, accepted_by="maria").accepted_by is None
    assert (verdict.next_step or "").startswith("once it is merged, refresh the baseline, or")


@pytest.mark.parametrize(
    ("head", "says", "silent"),
    [
        (None, "mend it; if the drop is wanted, refresh the baseline: ", "label"),
        (
            "a" * 40,
            "(`kappagate: accept` unless the workflow names another); running again",
            "base",
        ),
    ],
)
def test_regression__says_what_to_do(head: str | None, says: str, silent: str) -> None:
    """A label accepts a drop where there is a head to set it for; elsewhere a new baseline does."""
    step = verdict_of(FALLEN, BASELINE, commits=Commits(head=head)).next_step or ""

    assert says in step
    assert silent not in step


def test_regression__plan_that_could_not_have_passed() -> None:
    """Six cases can fail and cannot pass; the headline says so."""
    base, new = run_of(columns([0.8] * 6)), run_of(columns([0.5] * 6))
    assert verdict_of(new, baseline_of(base)).headline.endswith(
        "got worse). A plan of 6 cases can only fail, not pass: to pass, each dimension needs 13 "
        "compared cases."
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


def test_regression__one_target_behaved_worse_where_the_other_broke() -> None:
    """Nothing could be compared: the empty answers of one are a regression all the same."""

    def both(first: str, second: str) -> Run:
        of = [ended(*[state, "ok"] * 12).cells for state in (first, second)]
        return run_of([*of[0], *(replace(one, target="u") for one in of[1])])

    verdict = verdict_of(both("empty", "error"), baseline_of(both("ok", "ok")))

    assert "regression" == verdict.status
    assert ["unmeasured", "unmeasured"] == [one.outcome for one in verdict.comparisons]


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
            attempt = replace(one.attempts[0], grounded=flag)
            cells.append(replace(one, attempts=(attempt,)))
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
    other = [replace(one, target="u") for one in ended(*["error"] * 9, *["ok"] * 15).cells]
    base = [*ended(*["ok"] * N).cells]
    base += [replace(one, target="u") for one in base]
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


def test_regression__a_run_that_failed_could_fail() -> None:
    """Three cases can neither fail nor pass by a drop, and this run failed all the same."""
    base = run_of(columns([0.8] * 3) + columns([0.8], target="gone"))
    verdict = verdict_of(run_of(columns([0.8] * 3)), baseline_of(base))

    assert "lacks the target gone" in verdict.headline
    assert "can only fail, not pass: to pass" in verdict.headline


def test_regression__missing_targets_alone() -> None:
    """The run's only target is new, and the baseline's are gone."""
    base = run_of(columns([0.8], target="a") + columns([0.8], target="b"))
    assert verdict_of(SAME, baseline_of(base)).headline == (
        "Regression: the run lacks the targets a and b of the baseline."
    )
