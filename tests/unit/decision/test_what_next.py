"""What a verdict asks of a person, in a sentence."""

from __future__ import annotations

import pytest

from gate.decision.what_next import (
    REFRESH,
    RENEW,
    after_incomparable,
    after_regression,
    make_baseline,
    renew,
    when_unclear,
)
from gate.types import ACCEPT_LABEL, ControlCheck, Finding, Policy, Provenance, Trust
from tests.unit.decision.decision_samples import baseline_of, columns, run_of, verdict_of

RUN = run_of(columns([0.8] * 24))


def unclear(dimension: str, settles: str | None) -> Finding:
    """A row that could not tell."""
    return Finding(
        target="t",
        dimension=dimension,
        gating=True,
        trust=Trust(state="validated"),
        outcome="inconclusive",
        settles=settles,
    )


def test_after_regression__on_a_head() -> None:
    """Mend it, or have it accepted; running again is no third way."""
    step = after_regression(accepted=False, on_head=True)

    assert step.startswith("mend it; if the drop is wanted, somebody who may write sets the pull ")
    assert f"`{ACCEPT_LABEL}`" in step
    assert step.endswith("; running again pools the attempts and erases nothing")


def test_after_regression__accepted() -> None:
    """The word holds for one head; the baseline is what other runs are held to."""
    assert "refresh the baseline" in after_regression(accepted=True, on_head=True)


@pytest.mark.parametrize(
    ("limits", "better"),
    [
        (["p50_latency_s"], "faster"),
        (["usd_per_1k"], "cheaper"),
        (["usd_per_1k", "p50_latency_s"], "faster and cheaper"),
    ],
)
def test_after_regression__of_a_limit_alone(limits: list[str], better: str) -> None:
    """A limit holds whatever the baseline was, so a new one is no way out."""
    raised = "raise the limit (`policy.limits` in gate.yaml)"
    assert f"make it {better}, or {raised}; a new baseline would not help" == (
        after_regression(accepted=False, on_head=False, limits=limits)
    )
    assert f"once it is merged, make it {better} or {raised}, or other runs fail on it too" == (
        after_regression(accepted=True, on_head=True, limits=limits)
    )


def test_when_unclear__rows_that_need_the_same_are_named_together() -> None:
    """Two ways are told, and that there are more."""
    rows = [unclear("a", "5 more"), unclear("b", "9 more"), unclear("c", "5 more")]

    assert "what would settle a and c: 5 more; b: 9 more" == when_unclear(rows, tolerated=False)
    assert "what would settle a and c: 5 more; b: 9 more; the table says it of the others" == (
        when_unclear([*rows, unclear("d", "1 more")], tolerated=False)
    )


def test_when_unclear__nothing_is_known() -> None:
    """Where it is tolerated that is still worth saying."""
    assert when_unclear([unclear("a", None)], tolerated=False) is None
    assert "nothing need be done, an unclear run is let through" == (
        when_unclear([unclear("a", None)], tolerated=True)
    )


@pytest.mark.parametrize(
    ("world", "command"),
    [(None, "`RUN_EVALS=1 gate run --repeats 5`"), ("island", "`gate run --offline --repeats 5`")],
)
def test_make_baseline__first_one(world: str | None, command: str) -> None:
    """Nothing is refreshed that is not there, and of the stand-in world nothing is paid."""
    provenance = RUN.provenance.model_copy(update={"world": world})
    verdict = verdict_of(RUN.model_copy(update={"provenance": provenance}), None)

    assert (
        "make a baseline of five answers a case: by the workflow `baseline`, or "
        f"{command} and then `gate baseline RUN.json --write baseline.json` of that run"
    ) == verdict.next_step
    (row,) = verdict.comparisons
    assert "there is no baseline yet: make one" == row.advisory_because


def test_make_baseline__of_this_very_run() -> None:
    """A run of enough answers a case is not made again."""
    plan = RUN.plan.model_copy(update={"repeats": 5})
    verdict = verdict_of(RUN.model_copy(update={"plan": plan}), None)

    expected = "make this run the baseline: `gate baseline RUN.json --write baseline.json`"
    assert expected == verdict.next_step


@pytest.mark.parametrize(("repeats", "enough"), [(2, False), (3, True)])
def test_make_baseline__of_three_answers_a_case(repeats: int, *, enough: bool) -> None:
    """As few as a refresh takes at least; of fewer, five are measured."""
    plan = RUN.plan.model_copy(update={"repeats": repeats})
    step = make_baseline(RUN.model_copy(update={"plan": plan}))

    assert enough == step.startswith("make this run the baseline")
    assert enough != step.startswith("make a baseline of five answers a case")


STORED = "evals/baseline-answers.jsonl"


def test_after_incomparable__without_stored_answers() -> None:
    """The baseline is refreshed; after drift so is all else that the judge measured."""
    assert REFRESH == after_incomparable(RUN, drift=False, stored=None)
    assert RENEW == renew(RUN, None)
    drifted = after_incomparable(RUN, drift=True, stored=None)
    for part in ("`gate kappa RUN.json... --", "gate controls RUN", "the workflow `baseline`"):
        assert part in drifted
    assert drifted.startswith("look at the control answers")


@pytest.mark.parametrize(
    ("world", "judge", "controls"),
    [
        (None, f"RUN_EVALS=1 gate judge {STORED} --out rejudged", "RUN_EVALS=1 gate controls"),
        (
            "steady+judge-stricter",
            f"gate judge {STORED} --out rejudged --offline=steady+judge-stricter",
            "gate controls rejudged --write evals/controls.json --offline=steady+judge-stricter",
        ),
    ],
)
def test_after_incomparable__with_stored_answers(
    world: str | None, judge: str, controls: str
) -> None:
    """Commands as they are typed in the run's own world: nothing is asked again."""
    run = RUN.model_copy(update={"provenance": Provenance(world=world)})
    drifted = after_incomparable(run, drift=True, stored=STORED)

    for step in (after_incomparable(run, drift=False, stored=STORED), renew(run, STORED), drifted):
        assert f"`{judge}`" in step
        assert f"`gate baseline rejudged --write baseline.json --answers {STORED}`" in step
    # The rejudging gives the run that all others are made of.
    places = [drifted.index(part) for part in (judge, "gate kappa rejudged --", controls)]
    assert sorted(places) == places


def test_after_incomparable__rulings_of_the_judge_before() -> None:
    """A run that the journal answered cannot renew anything."""
    step = after_incomparable(RUN, drift=True, stored=None, again=True)

    assert step.startswith("run again into a new folder first (`--out`)")
    assert "look at the control answers" in step


@pytest.mark.parametrize("stored", [None, STORED])
def test_renew__control_answers_of_another_judge(stored: str | None) -> None:
    """They are the old judge's, as the calibration is."""
    run = RUN.model_copy(update={"controls": ControlCheck(judge="claude-w")})
    step = renew(run, stored)

    for part in ("go back to the judge", "gate kappa", "gate controls"):
        assert part in step
    assert "gate controls" not in renew(RUN, stored)


def test_report_only__what_is_not_comparable_is_renewed_first() -> None:
    """Without report-only mode the run would end with exit 3: that is said first."""
    other = RUN.identities["correctness"].model_copy(update={"judge": "other"})
    run = RUN.model_copy(update={"identities": {"correctness": other}})
    verdict = verdict_of(run, baseline_of(RUN), Policy(report_only=True))

    assert ("report", 0) == (verdict.status, verdict.exit_code)
    assert verdict.headline.startswith("Nothing is enforced")
    assert f"before anything can fail: {REFRESH}" == verdict.next_step
