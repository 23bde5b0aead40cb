"""The table of statuses: which reason is named, and what is to be done first."""

from __future__ import annotations

from dataclasses import replace
from typing import Literal

import pytest

from gate.types import (
    Baseline,
    Cell,
    Confirm,
    Metric,
    Policy,
    Provenance,
    Rule,
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
BASELINE = baseline_of(BASE)
OLD = baseline_of(BASE, provenance=Provenance(created="2026-01-01T00:00:00Z"))


@pytest.mark.parametrize(
    ("report_only", "baseline", "state", "headline", "step"),
    [
        (True, BASELINE, "validated", "Nothing is enforced", "without --case"),
        (False, BASELINE, "stale", "Nothing is licensed to fail a run", "it is stale"),
        (False, OLD, "stale", "The baseline is 181 days old", "refresh the baseline"),
        (False, OLD, "validated", "The baseline is 181 days old", "refresh the baseline"),
        (True, OLD, "validated", "Nothing is enforced", "refresh the baseline"),
        (True, None, "stale", "Nothing is enforced", "gate baseline"),
    ],
)
def test_report__what_has_to_be_mended_first(
    *, report_only: bool, baseline: Baseline | None, state: str, headline: str, step: str
) -> None:
    """Of a run that was narrowed by hand: baseline, then licences, then the options."""
    policy = Policy(report_only=report_only)
    verdict = verdict_of(BASE, baseline, policy, state, narrowed=True)  # type: ignore[arg-type]  # a state's name

    assert verdict.headline.startswith(headline)
    assert step in (verdict.next_step or "")


def test_report__three_falls_are_named_and_the_rest_counted() -> None:
    """A headline is one sentence."""
    metrics = [Metric(name=name, judged=False) for name in ("a", "b", "c", "d")]

    def run(score: float) -> Run:
        scores = {one.name: [score] for one in metrics}
        return run_of([cell("t", f"c{i:02d}", scores) for i in range(N)], metrics)

    said = verdict_of(run(0.5), baseline_of(run(0.8)), Policy(report_only=True)).headline
    assert 3 == said.count("fell by 0.30")
    assert said.endswith("and 1 more.")


def test_report__a_baseline_as_old_as_is_allowed() -> None:
    """Ninety days are not more than ninety."""
    old = baseline_of(BASE, provenance=Provenance(created="2026-04-02T00:00:00Z"))

    assert ["pass", "report"] == [
        verdict_of(BASE, old, Policy(max_baseline_age_days=days)).status for days in (90, 89.99)
    ]


def test_report__another_judge_of_what_was_never_licensed() -> None:
    """Poor agreement is no licence that went with the judge: there was none."""
    other = BASE.identities["correctness"].model_copy(update={"judge": "claude-y [json_schema]"})
    run = run_of(columns([0.5] * N), identities={"correctness": other})

    assert "report" == verdict_of(run, BASELINE, Policy(), "unvalidated").status


def test_broken__the_emptiest_row_is_named() -> None:
    """Of two that were not measured the one with fewer scores; cases that went are said."""
    metrics = [CORRECTNESS, RELEVANCE]

    def lost(correctness: int, relevance: int) -> list[Cell]:
        return [
            cell(
                "t",
                f"c{i:02d}",
                {
                    "correctness": [None if i < correctness else 0.8],
                    "relevance": [None if i < relevance else 0.8],
                },
            )
            for i in range(N)
        ]

    base = baseline_of(run_of(lost(0, 0), metrics))
    for numbers in ((4, 9), (9, 4)):
        said = verdict_of(run_of(lost(*numbers), metrics), base).headline
        assert "only 15 of 24 cases have scores" in said
    gone = run_of(lost(0, 0)[:8], metrics, cases=[f"c{i:02d}" for i in range(8)], total=8)
    assert "16 cases changed or went" in verdict_of(gone, base).headline


def changed_and_lost(changed: int, lost: int, **more: object) -> str:
    """The headline of a run in which so many cases have another text, and so many lost a score."""
    cells = [
        *[replace(one, case_digest="new") for one in BASE.cells[:changed]],
        *columns([0.8] * N)[changed : N - lost],
        *[
            replace(one, scores={"correctness": (None,)}, failures={"correctness": ("judge",)})
            for one in BASE.cells[N - lost :]
        ],
    ]
    return verdict_of(run_of(cells, **more), BASELINE).headline


@pytest.mark.parametrize(("changed", "lost", "moved"), [(5, 4, True), (4, 4, False), (4, 5, False)])
def test_broken__the_larger_cause_is_named(changed: int, lost: int, *, moved: bool) -> None:
    """More cases that changed than lost scores: refresh; otherwise the judge is to blame."""
    said = changed_and_lost(changed, lost)

    assert moved == said.endswith(f"{changed} cases changed or went since the baseline.")
    assert moved != said.endswith("The judge failed, or its replies could not be read.")


def test_broken__a_run_that_stopped_names_what_stopped_it() -> None:
    """Whatever else changed."""
    assert changed_and_lost(9, 0, stopped="The ceiling of $2 was reached.").endswith("was reached.")


def test_regression__quotes_the_second_look_of_the_largest_drop() -> None:
    """Of two confirmed rows the one that fell most, which is the second."""

    def run(correctness: float, relevance: float, cases: int = N, **more: object) -> Run:
        scores = {"correctness": [correctness], "relevance": [relevance]}
        cells = [cell("t", f"c{i:02d}", scores) for i in range(cases)]
        return run_of(cells, [CORRECTNESS, RELEVANCE], **more)

    look = Confirm(
        suspects=(("t", "correctness"), ("t", "relevance")),
        case_ids=tuple(f"c{i:02d}" for i in range(12)),
        candidate=run(0.7, 0.4, 12).cells,
        base=run(0.8, 0.8, 12).cells,
    )
    said = verdict_of(run(0.7, 0.4, confirm=look), baseline_of(run(0.8, 0.8))).headline

    assert "candidate 0.40 and base 0.80 on 12 cases" in said


def test_pass__three_advisory_falls_are_named() -> None:
    """And the rest is counted."""
    names = [CORRECTNESS, *(Metric(name=name, better="higher") for name in ("a", "b", "c", "d"))]
    policy = Policy(rules={one.name: Rule(gating=False) for one in names[1:]})

    def run(score: float) -> Run:
        scores = {one.name: [0.8 if one is CORRECTNESS else score] for one in names}
        return run_of([cell("t", f"c{i:02d}", scores) for i in range(N)], names)

    said = verdict_of(run(0.5), baseline_of(run(0.8)), policy).headline
    assert "Without a licence, but look: a fell by 0.30" in said
    assert 3 == said.count("fell by 0.30")
    assert said.endswith("and 1 more.")


def test_broken__the_emptiest_row_by_its_share() -> None:
    """Twenty of forty is less than five of eight, though it is more cases."""

    def run(correctness: int, relevance: int) -> Run:
        cells = [
            cell(
                "t",
                f"c{i:02d}",
                {
                    "correctness": [0.8 if i < correctness else None],
                    "relevance": [0.8 if i < relevance else None],
                },
            )
            for i in range(40)
        ]
        return run_of(cells, [CORRECTNESS, RELEVANCE])

    said = verdict_of(run(20, 5), baseline_of(run(40, 8))).headline
    assert "only 20 of 40 cases have scores" in said


def test_broken__cases_without_an_answer_neither_changed_nor_went() -> None:
    """They are planned and in the baseline; that nobody asked them is not the dataset's doing."""
    names = [one.case_id for one in BASE.cells]
    said = verdict_of(run_of(columns([0.8] * 8), cases=names), BASELINE).headline

    assert "only 8 of 24 cases have scores" in said
    assert "changed or went" not in said


def test_too_early__weighs_only_what_was_measured() -> None:
    """Four cases that all fell can fail one test (1/16), whatever a second one lacks."""
    metrics = [CORRECTNESS, RELEVANCE]

    def run(correctness: float, relevance: float | None, cases: int) -> Run:
        scores: dict[str, list[float | None]] = {
            "correctness": [correctness],
            "relevance": [relevance],
        }
        return run_of([cell("t", f"c{i:02d}", scores) for i in range(cases)], metrics)

    whole, early = run(0.8, 0.8, N), run(0.2, None, 4)
    part = {"planned": N, "total": N, "dataset": whole.plan.case_ids}
    plan = early.plan.model_copy(update=part)
    said = verdict_of(early.model_copy(update={"plan": plan}), baseline_of(whole))

    assert ("regression", 1) == (said.status, said.exit_code)


@pytest.mark.parametrize(
    ("of", "named"),
    [
        (4, "part1/run.json part2/run.json part3/run.json part4/run.json -o"),
        (5, "gate merge part*/run.json -o"),
    ],
)
def test_report__up_to_four_parts_of_a_plan_are_named(of: int, named: str) -> None:
    """More of them would only make the line long."""
    part = BASE.model_copy(update={"plan": BASE.plan.model_copy(update={"shard": f"1/{of}"})})

    assert named in (verdict_of(part, BASELINE).next_step or "")


def test_regression__required_cases_of_the_plan_itself_are_not_put_back() -> None:
    """The baseline's memory is for those that the dataset no longer marks."""
    plan = BASE.plan.model_copy(update={"required": ("gone-1",)})
    run = BASE.model_copy(update={"plan": plan})
    step = verdict_of(run, BASELINE, required=("gone-1", "gone-2")).next_step

    assert "the baseline knows gone-2 as required" in (step or "")
    assert "gone-1" not in (step or "")


def test_regression__that_was_accepted_puts_nothing_back() -> None:
    """Who accepted it, accepted the lack."""
    said = verdict_of(BASE, BASELINE, required=("gone",), accepted_by="ada")

    assert ("regression", 0) == (said.status, said.exit_code)
    assert "put back" not in (said.next_step or "")


def test_regression__of_a_limit_and_of_another_targets_errors() -> None:
    """A limit is the way out only where it is all that failed the run."""

    def answers(target: str, state: Literal["ok", "error"], seconds: float) -> list[Cell]:
        made = columns([0.8 if state == "ok" else None] * N, target=target)
        return [
            replace(one, attempts=(replace(one.attempts[0], state=state, latency_s=seconds),))
            for one in made
        ]

    policy = Policy(limits={"p50_latency_s": 3.0})
    base = baseline_of(run_of([*answers("a", "ok", 2.0), *answers("b", "ok", 2.0)]))
    slow = run_of([*answers("a", "ok", 9.0), *answers("b", "ok", 2.0)])
    both = run_of([*answers("a", "ok", 9.0), *answers("b", "error", 2.0)])

    assert "make it faster" in (verdict_of(slow, base, policy).next_step or "")
    assert (verdict_of(both, base, policy).next_step or "").startswith("mend it; if the drop")


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        (("relevance",), "though the baseline has it: relevance."),
        (("relevance", "zeal"), "though the baseline has them: relevance and zeal."),
    ],
)
def test_pass__names_what_was_not_measured(lost: tuple[str, ...], said: str) -> None:
    """A configuration that lost a scorer must not look like one that never had it."""
    metrics = [CORRECTNESS, *(Metric(name=name, judged=True) for name in lost)]
    scores = {one.name: [0.8] for one in metrics}
    base = run_of([cell("t", one.case_id, scores) for one in BASE.cells], metrics)

    assert verdict_of(BASE, baseline_of(base)).headline.endswith(f"Not measured, {said}")
