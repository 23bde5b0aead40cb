"""Ways to pass without being as good as before, and what stops each (docs/verdict.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.attempts import attempt_of
from gate.decision.on_head import Head, decide_on_head
from gate.decision.refresh import refresh
from gate.errors import ConfigError
from gate.types import (
    AttemptState,
    Baseline,
    Cell,
    Commits,
    Metric,
    Plan,
    Policy,
    Provenance,
    Rule,
    Run,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    EXACT,
    baseline_of,
    cell,
    columns,
    licences,
    run_of,
    verdict_of,
)
from tests.unit.decision.refresh_samples import measured, past, scores

N = 48
HEAD = "a" * 40
BEFORE = [[0.9] * 5] * 40 + [[0.3, 0.5, 0.4, 0.6, 0.4]] * 8
"""Forty easy cases and eight hard ones, five answers each."""
CITED = Metric(name="citation_precision")


def baseline() -> Baseline:
    """What the pull request is held against."""
    return baseline_of(run_of(columns(BEFORE)))


def run(cells: Sequence[Cell], **plan: object) -> Run:
    """A run of the whole dataset of 48 cases."""
    ids = tuple(f"case-{i:02d}" for i in range(N))
    made = run_of(cells, (CORRECTNESS,), cases=ids)
    planned = Plan(case_ids=ids, total=N, dataset=ids).model_copy(update=plan)
    return made.model_copy(update={"plan": planned})


def failing(places: Sequence[int], state: str = "error") -> list[Cell]:
    """The system gives no answer to some cases, and is as ever in the others."""
    return [
        cell(
            "t",
            one.case_id,
            {"correctness": [None] if place in places else [0.9 if place < 40 else 0.44]},
            [state] if place in places else None,
        )
        for place, one in enumerate(columns([0.0] * N))
    ]


def test_running_again_until_green__attempts_are_pooled() -> None:
    """A lucky fourth attempt is judged together with the three before it."""

    def on_head(level: float) -> Run:
        made = run(columns([level] * 24 + [0.9] * 16 + [0.44] * 8))
        provenance = Provenance(created="2026-07-01T00:00:00Z", commits=Commits(head=HEAD))
        return made.model_copy(update={"provenance": provenance})

    state = AttemptState(head_sha=HEAD)
    statuses = []
    for number, level in enumerate([0.6, 0.62, 0.58, 0.9]):
        one = on_head(level)
        _, verdict = decide_on_head(one, baseline(), licences(one), Policy(), Head(earlier=state))
        past_one = attempt_of(one, verdict, run_id=number, run_attempt=1)
        state = AttemptState(head_sha=HEAD, attempts=(*state.attempts, past_one))
        statuses.append(verdict.status)

    assert ["regression"] * 4 == statuses
    assert 4 == verdict.attempts


def test_failing_the_hard_cases__no_verdict_without_nine_in_ten() -> None:
    """Eight hard cases that fail: without them the mean is better, and nobody hears of it."""
    verdict = verdict_of(run(failing(range(40, 48))), baseline())

    assert ("broken", 3) == (verdict.status, verdict.exit_code)
    assert tuple(f"case-{i:02d}" for i in range(40, 48)) == verdict.coverage.errored


def test_failing_the_hard_cases__empty_answers_fail_the_run() -> None:
    """An answer without a word is what the system did: their rise fails the run."""
    verdict = verdict_of(run(failing(range(40, 48), "empty")), baseline())

    assert ("regression", 1) == (verdict.status, verdict.exit_code)
    assert "empty answers rose from 0% to 17% (8 cases turned)" in verdict.headline


def test_failing_a_few_hard_cases__are_taken_at_their_worst() -> None:
    """Four of 48 are too few for a test of rates: with the worst score for each it had fallen."""
    verdict = verdict_of(
        run(failing(range(4))), baseline(), Policy(operations_q=0.001, min_effect=0.05)
    )
    row = verdict.comparisons[0]

    assert verdict.status in ("inconclusive", "regression")
    assert "pass" != row.outcome
    assert "had the worst one" in (row.note or "")


def test_no_longer_citing__ungrounded_answers_are_counted() -> None:
    """Without a citation there is no precision to measure; that there is no source is measured."""

    def cells(*, cites: bool, repeats: int) -> list[Cell]:
        scores = {"exact": [1.0] * repeats, CITED.name: [0.9 if cites else None] * repeats}
        return [
            replace(
                made := cell("t", f"case-{i:02d}", scores),
                attempts=tuple(replace(one, grounded=cites) for one in made.attempts),
                failures={} if cites else {CITED.name: ("undefined",) * repeats},
            )
            for i in range(24)
        ]

    both = (EXACT, CITED)
    before = baseline_of(run_of(cells(cites=True, repeats=5), both))
    verdict = verdict_of(run_of(cells(cites=False, repeats=1), both), before)

    assert "regression" == verdict.status
    assert "answers without a source rose from 0% to 100%" in verdict.headline


def test_no_longer_citing__in_some_answers_is_taken_at_its_worst() -> None:
    """A quarter of the answers stops to cite, with sources: each counts with a precision of 0."""

    def made(cites: int) -> Run:
        return run_of(
            [
                replace(
                    cell(
                        "t", f"case-{i:02d}", {"citation_precision": [0.9 if i < cites else None]}
                    ),
                    failures={} if i < cites else {"citation_precision": ("undefined",)},
                )
                for i in range(24)
            ],
            (CITED,),
        )

    (row,) = verdict_of(made(18), baseline_of(made(24))).comparisons

    assert ("inconclusive", 18) == (row.outcome, row.n)
    assert "a regression if the 6 cases without a score now" in (row.note or "")


def test_deleting_cases__too_few_are_left_to_compare() -> None:
    """Eight hard cases go from the dataset: 40 of 48 are below the 90% that a verdict takes."""
    kept = tuple(f"case-{i:02d}" for i in range(40))
    cells = columns([0.9] * 40)
    verdict = verdict_of(run(cells, case_ids=kept, total=40, dataset=kept), baseline())

    assert ("broken", 3) == (verdict.status, verdict.exit_code)
    assert tuple(f"case-{i:02d}" for i in range(40, 48)) == verdict.coverage.removed


def test_deleting_a_few_cases__the_others_are_held_to_their_own() -> None:
    """Four hard cases gone raise the mean of the run, and not that of any difference."""
    kept = tuple(f"case-{i:02d}" for i in range(44))
    cells = columns([0.7] * 24 + [0.9] * 16 + [0.44] * 4)
    verdict = verdict_of(run(cells, case_ids=kept, total=44, dataset=kept), baseline())

    assert "regression" == verdict.status
    assert 4 == len(verdict.coverage.removed)


def test_deleting_a_required_case__fails_the_run() -> None:
    """Whatever else is there."""
    cells = columns([0.9] * 40 + [0.44] * 7)
    verdict = verdict_of(run(cells), baseline(), required=("case-47",))

    assert "the run lacks the required case case-47" in verdict.headline


def test_adding_easy_cases__count_for_nothing_yet() -> None:
    """Twenty perfect new cases have nothing to be compared with."""
    worse = [0.7] * 24 + [0.9] * 16 + [0.44] * 8
    ids = tuple(f"case-{i:02d}" for i in range(N + 20))
    padded = run(columns(worse + [1.0] * 20), case_ids=ids, total=N + 20, dataset=ids)
    with_them, without = (verdict_of(one, baseline()) for one in (padded, run(columns(worse))))

    assert "regression" == with_them.status == without.status
    assert without.comparisons[0].delta == with_them.comparisons[0].delta
    assert 20 == len(with_them.coverage.added)


def test_many_small_drops__are_held_against_the_anchor() -> None:
    """Drops of 0.04, a refresh after each: the second one passes against the first, not in all."""
    first = scores(0.80)
    once = refresh(scores(0.76), measured(), past(first), Policy())

    assert (once.old and once.old.verdict.status, once.anchor) == ("pass", first)
    with pytest.raises(ConfigError, match=r"correctness is 0\.08 below the anchor"):
        refresh(scores(0.72), measured(), past(scores(0.76), first), Policy())


def test_a_drop_in_one_category__needs_a_reason_at_a_refresh() -> None:
    """What fails a pull request is no measure from then on without a word."""

    def by_category(broken: int, identity: str) -> Baseline:
        cells = [
            cell(
                "t",
                f"case-{i:02d}",
                {"correctness": [0.32 if i < broken else 0.9] * 5},
                category=f"c{i // 8}",
            )
            for i in range(N)
        ]
        return baseline_of(run(cells).model_copy(update={"id": identity}))

    with pytest.raises(ConfigError, match=r"correctness in category c0 is 0\.29 below the anchor"):
        refresh(by_category(4, "new"), measured(), past(by_category(0, "old")), Policy())


def test_no_longer_measuring__a_required_dimension_has_no_verdict() -> None:
    """The scorer that would fail is taken out of the configuration."""
    both = [cell("t", f"case-{i:02d}", {"correctness": [0.9], "exact": [1.0]}) for i in range(24)]
    less = [cell("t", f"case-{i:02d}", {"exact": [1.0]}) for i in range(24)]
    before = baseline_of(run_of(both, (CORRECTNESS, EXACT)))
    policy = Policy(rules={"correctness": Rule(required=True)})

    assert "pass" == verdict_of(run_of(less, (EXACT,)), before).status
    assert "broken" == verdict_of(run_of(less, (EXACT,)), before, policy).status
