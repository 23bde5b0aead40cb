"""What a run would cost: sums, what is not known, and an earlier run's real costs."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.engine.estimate import (
    Estimate,
    RehearsedCall,
    add_up,
    refuse_above,
    refuse_unpriced,
    sentence,
    with_real_costs,
)
from gate.errors import CeilingError
from gate.types import Attempt, Cell, Cost, Identity, Metric, Run, TargetInfo, Usage

ANSWER = RehearsedCall(
    kind="answer",
    vendor="google",
    model="gemini-x",
    target="flash",
    usage=Usage(input_tokens=10, output_tokens=300, searches=2),
    usd=0.03,
)
JUDGE = RehearsedCall(
    kind="judge",
    vendor="anthropic",
    model="claude-x",
    target=None,
    usage=Usage(input_tokens=1000, output_tokens=200, cached_tokens=600, cache_write_tokens=0),
    usd=0.01,
)
UNPRICED = RehearsedCall(
    kind="judge", vendor="anthropic", model="claude-new", target=None, usage=None, usd=None
)
ELSEWHERE = RehearsedCall(
    kind="answer", vendor="own.py:Own", model=None, target="own", usage=None, usd=None
)


def added(*calls: RehearsedCall, rehearsed: int = 2, answers: int = 2) -> Estimate:
    """An estimate of these calls."""
    return add_up(
        "quick",
        "set",
        calls,
        scorers=["quality"],
        metrics=["correctness"],
        rehearsed=rehearsed,
        answers=answers,
    )


def run_of(*costs: float | None, usd: float | None, cached: int = 0) -> Run:
    """A run of one target whose answers cost this much, and all of it `usd`."""
    attempts = tuple(Attempt(state="ok", digest=f"{i}", cost_usd=x) for i, x in enumerate(costs))
    cell = Cell(
        target="flash",
        case_id="a",
        category="c",
        case_digest="d",
        scores={"correctness": (1.0,) * len(costs)},
        attempts=attempts,
    )
    return Run(
        id="r",
        targets=(TargetInfo(name="flash", use="gemini", model="gemini-x"),),
        metrics=(Metric(name="correctness", judged=True),),
        identities={"correctness": Identity(judge="claude-x-20251001 [json_schema]")},
        cells=(cell,),
        cost=Cost(usd=usd, cached_calls=cached),
    )


def test_add_up__calls_tokens_and_dollars_by_vendor() -> None:
    """Two answers, two judgements."""
    found = added(ANSWER, JUDGE, ANSWER, JUDGE)
    answers, judgements = found.parts

    assert (2, 2) == (found.answer_calls, found.judge_calls)
    assert pytest.approx(0.08) == found.usd
    assert {"google": pytest.approx(0.06), "anthropic": pytest.approx(0.02)} == found.vendors()
    assert (20, 600, 4) == (answers.input_tokens, answers.output_tokens, answers.searches)
    assert (2000, 400, 1200) == (
        judgements.input_tokens,
        judgements.output_tokens,
        judgements.cached_tokens,
    )
    assert None is judgements.searches
    assert () == found.unknown


def test_add_up__scales_what_was_rehearsed() -> None:
    """Two of 48 answers were counted."""
    found = added(ANSWER, JUDGE, ANSWER, JUDGE, answers=48)

    assert (48, 48, 48) == (found.answers, found.answer_calls, found.judge_calls)
    assert pytest.approx(48 * 0.04) == found.usd


def test_add_up__control_answers_are_judged_only() -> None:
    """Three more judgements and no more answers; the sentence says so."""
    found = add_up(
        "quick",
        "set",
        [ANSWER, JUDGE, ANSWER, JUDGE],
        scorers=["quality"],
        metrics=["correctness"],
        rehearsed=2,
        answers=48,
        controls=3,
    )

    assert (48, 51) == (found.answer_calls, found.judge_calls)
    assert pytest.approx(48 * 0.03 + 51 * 0.01) == found.usd
    assert "for 48 answers, 3 control answers and 51 judge calls" in sentence(found, None)


def test_add_up__nothing_is_asked() -> None:
    """A run without paid calls costs nothing, and that is known."""
    assert (0.0, {}) == (added().usd, added().vendors())


def test_unknown__is_said_and_never_zero() -> None:
    """A model without a price, a target that pays by itself, a scorer that broke."""
    found = add_up(
        "all",
        "all",
        [ANSWER, ELSEWHERE, JUDGE, UNPRICED],
        scorers=["quality", "own"],
        metrics=[],
        rehearsed=2,
        answers=2,
        failed=["scorer own could not be tried out"],
    )

    assert (None, pytest.approx(0.04)) == (found.usd, found.known_usd)
    assert (None, None) == (found.vendors()["anthropic"], found.vendors()["own.py:Own"])
    assert (
        "no list price of claude-new",
        "what answers of own cost is not known",
        "scorer own could not be tried out",
    ) == found.unknown


def test_real_costs__of_answers_and_of_judging() -> None:
    """Means of the earlier run: 0.02 an answer, and 0.05 for judging one."""
    found = with_real_costs(added(ANSWER, JUDGE, ANSWER, JUDGE), run_of(0.01, 0.03, usd=0.14))

    assert [pytest.approx(0.04), pytest.approx(0.10)] == [part.usd for part in found.parts]
    assert all(part.measured for part in found.parts)
    assert pytest.approx(0.14) == found.usd


@pytest.mark.parametrize(
    "run",
    [
        run_of(0.01, 0.03, usd=None),
        run_of(0.01, 0.03, usd=0.14, cached=1),
        run_of(0.01, None, usd=0.14),
        run_of(0.01, 0.03, usd=0.14).model_copy(update={"metrics": (Metric(name="other"),)}),
        run_of(0.01, 0.03, usd=0.14).model_copy(
            update={"identities": {"correctness": Identity(judge="claude-y [text]")}}
        ),
        run_of(0.01, 0.03, usd=0.14).model_copy(
            update={"identities": {"correctness": Identity(judge="claude-x [text] + b [text]")}}
        ),
    ],
    ids=["unknown", "journal", "an answer", "other metrics", "other judge", "two judges"],
)
def test_real_costs__judging_stays_assumed_where_the_run_does_not_tell(run: Run) -> None:
    """Only the whole bill of the same work says what a judgement costs."""
    answers, judgements = with_real_costs(added(ANSWER, JUDGE), run).parts

    assert answers.measured
    assert (0.01, False) == (judgements.usd, judgements.measured)


def test_real_costs__of_another_model_say_nothing() -> None:
    """The same name with another model behind it."""
    run = run_of(0.5, usd=1.0)
    other = (TargetInfo(name="flash", use="gemini", model="gemini-y"),)

    found = with_real_costs(added(ANSWER), run.model_copy(update={"targets": other}))

    assert [(0.03, False)] == [(part.usd, part.measured) for part in found.parts]


def test_real_costs__give_a_price_to_what_has_none_in_the_table() -> None:
    """Then nothing is unknown any more."""
    unpriced = RehearsedCall("answer", "google", "gemini-x", "flash", None, None)

    found = with_real_costs(added(unpriced, unpriced), run_of(0.25, usd=None))

    assert ((), pytest.approx(0.5)) == (found.unknown, found.usd)


@pytest.mark.parametrize(
    ("ceiling", "end"),
    [
        (None, "(scorers: quality (set quick)); no ceiling: --max-cost sets one"),
        (1.0, "; ceiling $1.00"),
    ],
)
def test_sentence__dollars_calls_and_ceiling(ceiling: float | None, end: str) -> None:
    """One line, with what follows from the ceiling."""
    said = sentence(added(ANSWER, JUDGE, ANSWER, JUDGE), ceiling)

    assert said.startswith("Estimate: about $0.08 for 2 answers and 2 judge calls ")
    assert end in said


def test_refuse_above__an_estimate_above_the_ceiling() -> None:
    """What is known of the cost is enough to refuse; at the ceiling a run may begin."""
    found = added(ANSWER, JUDGE, UNPRICED)

    refuse_above(found, None)
    refuse_above(found, found.known_usd)
    with pytest.raises(CeilingError, match=r"estimate of \$0\.04 is above the ceiling of \$0\.03"):
        refuse_above(found, 0.03)


def test_sentence__a_part_that_is_not_known() -> None:
    """A lower bound, and why."""
    said = sentence(added(ANSWER, UNPRICED), None)

    assert said.startswith("Estimate: at least $0.03 (no list price of claude-new) for")


def test_refuse_unpriced__a_ceiling_that_nothing_would_hold() -> None:
    """A call without a price is in no sum that could reach the ceiling."""
    found = added(ANSWER, UNPRICED)

    refuse_unpriced(found, None)
    refuse_unpriced(added(ANSWER, JUDGE), 1.0)
    with pytest.raises(CeilingError, match=r"no list price of claude-new is known, so the ceiling"):
        refuse_unpriced(found, 1.0)


def test_sentence__a_target_that_pays_by_itself() -> None:
    """No ceiling counts it, and none is refused: the judge's calls stay below it."""
    found = added(RehearsedCall("answer", "command", None, "mine", None, None), JUDGE)

    refuse_unpriced(found, 1.0)
    assert sentence(found, 1.0).endswith("$1.00, which does not count what answers of mine cost")


def test_real_costs__of_another_number_of_rulings_stay_assumed() -> None:
    """A run that asked its judge twice about each answer tells nothing of asking once."""
    run = run_of(0.01, 0.03, usd=0.14)
    members = {"correctness": {"claude-x#1": (1.0, 1.0), "claude-x#2": (1.0, 1.0)}}
    twice = run.model_copy(update={"cells": (replace(run.cells[0], members=members),)})
    estimate = added(ANSWER, JUDGE, ANSWER, JUDGE)

    asked_once = with_real_costs(estimate, twice)
    asked_twice = with_real_costs(estimate.model_copy(update={"rulings": 2}), twice)

    assert [True, False] == [part.measured for part in asked_once.parts]
    assert [True, True] == [part.measured for part in asked_twice.parts]
