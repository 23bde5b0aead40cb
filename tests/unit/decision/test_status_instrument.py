"""Rows that another instrument scored: drift or another judge, and what is to be done first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.decision.what_next import REFRESH
from gate.types import (
    Baseline,
    Commits,
    ControlCheck,
    ControlReading,
    Metric,
    Policy,
    Provenance,
    Run,
    TrustState,
    Verdict,
)
from tests.unit.decision.decision_samples import baseline_of, cell, licence, run_of, verdict_of

N = 24


def judged_run(*names: str, drifted: Sequence[str] = (), other: Sequence[str] = ()) -> Run:
    """A run of these judged dimensions, unchanged; some drifted, some are of another judge."""
    metrics = [Metric(name=name, judged=True) for name in names]
    made = run_of(
        [cell("t", f"c{i:02d}", {name: [0.8] for name in names}) for i in range(N)], metrics
    )
    readings = tuple(
        ControlReading(
            case_id=f"control-{number}",
            dimension=name,
            stored=(0.75, 0.75, 0.75),
            values=(0.5, 0.5),
            flipped=True,
        )
        for name in drifted
        for number in range(8)
    )
    controls = tuple(dict.fromkeys(one.case_id for one in readings))
    anew = {name: made.identities[name].model_copy(update={"judge": "claude-y"}) for name in other}
    return made.model_copy(
        update={
            "controls": ControlCheck(case_ids=controls, of=8, rounds=2, readings=readings),
            "identities": {**made.identities, **anew},
        }
    )


BOTH = ("correctness", "relevance")
OF_BOTH = baseline_of(judged_run(*BOTH))


def decided(
    run: Run, states: Mapping[str, TrustState], baseline: Baseline, policy: Policy
) -> Verdict:
    """The verdict by these licences."""
    return decide(
        run,
        compare(run, baseline, policy),
        [licence(name, state) for name, state in states.items()],
        policy,
        narrowed=False,
        seed="gate-v1",
        commits=Commits(),
        reproduce=(),
    )


def test_broken__by_drift_alone() -> None:
    """What flipped is the whole headline, and the control answers are to be looked at."""
    said = verdict_of(judged_run("correctness", drifted=["correctness"]), OF_BOTH)

    assert ("broken", 3) == (said.status, said.exit_code)
    assert "No verdict: the judge drifted, control answers flipped in correctness (8 of 8)" == (
        said.headline
    )
    assert "look at the control answers" in (said.next_step or "")


def test_broken__by_drift_that_took_the_licence_too() -> None:
    """A stale licence of the judge that drifted: the same words, and no verdict either."""
    run = judged_run("correctness", drifted=["correctness"])
    said = verdict_of(run, OF_BOTH, state="stale")

    assert ("broken", 3) == (said.status, said.exit_code)
    assert said.headline.startswith("No verdict: the judge drifted, control answers flipped in")


@pytest.mark.parametrize("state", ["validated", "stale"])
def test_broken__by_drift_in_one_dimension_and_another_judge_in_the_other(
    state: TrustState,
) -> None:
    """Drift is not all of it: the headline names what differs, whoever is licensed still."""
    run = judged_run(*BOTH, drifted=["correctness"], other=["relevance"])
    said = verdict_of(run, OF_BOTH, state=state)

    assert ("broken", 3) == (said.status, said.exit_code)
    assert "relevance" in said.headline
    assert not said.headline.startswith("No verdict: the judge drifted")


def test_broken__another_judge_is_no_drift_though_controls_flipped() -> None:
    """Another judge is expected to rule otherwise: the baseline is refreshed."""
    run = judged_run("correctness", drifted=["correctness"], other=["correctness"])
    said = verdict_of(run, OF_BOTH)

    assert (3, REFRESH) == (said.exit_code, said.next_step)
    assert "flipped" not in said.headline


def test_broken__four_drifted_dimensions_are_named() -> None:
    """And the fifth is counted."""
    names = ("a", "b", "c", "d", "e")
    run = judged_run(*names, drifted=names)
    said = verdict_of(run, baseline_of(judged_run(*names))).headline

    assert said.endswith("a (8 of 8), b (8 of 8), c (8 of 8), d (8 of 8) and 1 more")


def test_broken__a_run_of_another_instrument_is_said_of_the_whole_run() -> None:
    """Where it took all that could fail, no single dimension is named."""
    said = verdict_of(judged_run(*BOTH, other=BOTH), OF_BOTH, state="stale")

    assert said.headline.startswith("No verdict: the run was scored by another instrument")


def test_report_only__drift_in_one_of_the_dimensions_is_to_be_looked_at() -> None:
    """Whatever keeps the others from being compared."""
    run = judged_run(*BOTH, drifted=["correctness"], other=["relevance"])
    step = verdict_of(run, OF_BOTH, Policy(report_only=True)).next_step

    assert (step or "").startswith("before anything can fail: look at the control answers")


def test_report_only__what_is_not_comparable_is_renewed_before_what_is_old() -> None:
    """A refresh of the baseline alone would leave the labels stale."""
    old = OF_BOTH.model_copy(update={"provenance": Provenance(created="2026-01-01T00:00:00Z")})
    step = verdict_of(
        judged_run(*BOTH, other=BOTH), old, Policy(report_only=True), "stale"
    ).next_step

    assert (step or "").startswith("before anything can fail: go back to the judge")


def test_report_only__what_the_baseline_lacks_comes_before_what_is_not_comparable() -> None:
    """A licensed dimension that is new wants a baseline first; another's judge is renewed after."""
    run = judged_run(*BOTH, other=["relevance"])
    lacks = baseline_of(judged_run("relevance"))
    states: dict[str, TrustState] = {"correctness": "validated", "relevance": "stale"}

    assert REFRESH == decided(run, states, lacks, Policy(report_only=True)).next_step
