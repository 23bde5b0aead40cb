"""Required cases without a score, and the second look at one that broke."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.leave_one_out import leave_one_out
from gate.types import Confirm, Policy, Run, Verdict
from tests.unit.decision.decision_samples import (
    baseline_of,
    cell,
    columns,
    licence,
    run_of,
    verdict_of,
)

N = 24
BASELINE = baseline_of(run_of(columns([[0.9] * 5] * N)))


def requiring(run: Run, *cases: str) -> Run:
    """The same run, whose dataset requires these cases."""
    return run.model_copy(update={"plan": run.plan.model_copy(update={"required": cases})})


def ended(
    states: Sequence[str], scores: Sequence[float | None], failures: Sequence[str | None] = ()
) -> Verdict:
    """The verdict where the required first case ended so, and nothing else changed."""
    kinds = {"correctness": tuple(failures)} if failures else {}
    first = replace(cell("t", "case-00", {"correctness": scores}, states), failures=kinds)
    run = run_of([first, *columns([0.9] * N)[1:]])
    return verdict_of(requiring(run, "case-00"), BASELINE)


@pytest.mark.parametrize("states", [["empty"], ["blocked"], ["empty", "error"]])
def test_required__without_an_answer_fails_the_run(states: list[str]) -> None:
    """What the system left open is as bad as a wrong answer."""
    found = ended(states, [None] * len(states))

    assert ("regression", 1) == (found.status, found.exit_code)
    assert found.headline.startswith("Regression: there is no answer to the required case case-00.")


@pytest.mark.parametrize(
    ("states", "failures"),
    [
        (["error"], ()),
        (["timeout", "error"], ()),
        (["ok"], ["judge"]),
        (["ok", "ok"], ["judge"] * 2),
    ],
)
def test_required__lost_by_the_machine_is_no_verdict(
    states: list[str], failures: list[str]
) -> None:
    """Of a failed call, or a judge that did not rule, nothing is known."""
    found = ended(states, [None] * len(states), failures)

    assert ("broken", 3) == (found.status, found.exit_code)
    assert "No verdict: the required case case-00 could not be scored." in found.headline


@pytest.mark.parametrize(
    ("states", "scores"),
    [(["ok"], [None]), (["empty", "ok"], [None, 0.9]), (["error", "ok"], [None, 0.9])],
)
def test_required__an_undefined_score_or_one_answer_of_several_will_do(
    states: list[str], scores: list[float | None]
) -> None:
    """An answer without claims has nothing to score, and one scored answer is an answer."""
    assert "pass" == ended(states, scores).status


def test_required__several_without_an_answer_and_one_lost() -> None:
    """What failed the run is said; what is not known comes second."""
    silent = [cell("t", f"case-0{i}", {"correctness": [None]}, ["empty"]) for i in (0, 1)]
    lost = cell("t", "case-02", {"correctness": [None]}, ["error"])
    run = run_of([*silent, lost, *columns([0.9] * N * 2)[3:]])
    before = baseline_of(run_of(columns([[0.9] * 5] * N * 2)))

    found = verdict_of(requiring(run, "case-00", "case-01", "case-02"), before)

    assert "there is no answer to the required cases case-00 and case-01" in found.headline


def test_required__two_that_were_lost() -> None:
    """Both are named; others that are not required are no reason."""
    lost = [cell("t", f"case-0{i}", {"correctness": [None]}, ["error"]) for i in range(3)]
    run = run_of([*lost, *columns([0.9] * N * 2)[3:]])
    before = baseline_of(run_of(columns([[0.9] * 5] * N * 2)))

    found = verdict_of(requiring(run, "case-01", "case-02"), before)

    assert "the required cases case-01 and case-02 could not be scored" in found.headline


def test_required__lost_where_nothing_can_fail_the_run() -> None:
    """A dimension without a licence decides nothing about it either."""
    first = cell("t", "case-00", {"correctness": [None]}, ["empty"])
    run = requiring(run_of([first, *columns([0.9] * N)[1:]]), "case-00")

    assert "report" == verdict_of(run, BASELINE, state="unvalidated").status


BROKE = requiring(run_of(columns([0.1] + [0.9] * (N - 1))), "case-00")


def looked(candidate: Sequence[float | None], base: Sequence[float | None]) -> Verdict:
    """The verdict once the case that broke was asked again, of both arms."""
    arms = [(cell("t", "case-00", {"correctness": values}),) for values in (candidate, base)]
    look = Confirm(
        suspects=(("t", "correctness"),), case_ids=("case-00",), candidate=arms[0], base=arms[1]
    )
    return verdict_of(BROKE.model_copy(update={"confirm": look}), BASELINE)


@pytest.mark.parametrize(
    ("candidate", "base", "status", "word"),
    [
        ([0.1], [0.9], "regression", "confirmed"),
        ([0.1, 0.49], [0.5, 0.9], "regression", "confirmed"),
        ([0.1, 0.5], [0.9, 0.9], "inconclusive", "not confirmed"),  # right once: luck
        ([0.1], [0.9, 0.49], "inconclusive", "not confirmed"),  # the base was wrong, too
        ([0.1], [0.1], "inconclusive", "not confirmed"),  # the world moved
        ([None], [0.9], "regression", None),  # nothing to go by
        ([0.1], [None], "regression", None),
    ],
)
def test_second_look__at_a_required_case(
    candidate: list[float | None], base: list[float | None], status: str, word: str | None
) -> None:
    """It fails the run if the candidate is always wrong again and the base always right."""
    found = looked(candidate, base)

    (fallen,) = found.fallen
    assert (status, word, status == "regression") == (
        found.status,
        fallen.second_look,
        fallen.fails,
    )


def test_second_look__of_a_case_that_was_not_asked_again() -> None:
    """It stands, also beside one that was not confirmed, and stands first."""
    run = requiring(run_of(columns([0.1, 0.2] + [0.9] * (N - 2))), "case-00", "case-01")
    look = Confirm(
        suspects=(("t", "correctness"),),
        case_ids=("case-00",),
        candidate=tuple(columns([0.9])),
        base=tuple(columns([0.9])),
    )
    decided = [
        verdict_of(run.model_copy(update={"confirm": look}), BASELINE, Policy(confirm=confirm))
        for confirm in (True, False)
    ]

    names = [[(one.case_id, one.fails) for one in found.fallen] for found in decided]
    assert [("case-01", True), ("case-00", False)] == names[0]
    assert [("case-00", True), ("case-01", True)] == sorted(names[1])


def test_second_look__cases_of_a_row_that_did_not_fall_again_are_not_named() -> None:
    """Twelve were always right and wrong at the first look; asked again they were right."""
    again = tuple(columns([0.9] * 18))
    look = Confirm(
        suspects=(("t", "correctness"),),
        case_ids=tuple(one.case_id for one in again),
        candidate=again,
        base=again,
    )
    run = run_of(columns([0.1] * 12 + [0.9] * 12))

    before, after = (
        verdict_of(one, BASELINE) for one in (run, run.model_copy(update={"confirm": look}))
    )

    assert ("regression", "inconclusive") == (before.status, after.status)
    assert () == after.fallen


def test_leave_one_out__knows_required_cases() -> None:
    """A case that was wrong in one of five repeats would have failed that run."""
    flaky = baseline_of(run_of(columns([[0.9, 0.1, 0.9, 0.9, 0.9], *[[0.9] * 5] * (N - 1)])))
    marked = flaky.model_copy(update={"required": ("case-00",)})

    found = leave_one_out(marked, Policy(), [licence()])

    assert [(), ("correctness of t in case case-00",), (), (), ()] == [one.failed for one in found]
