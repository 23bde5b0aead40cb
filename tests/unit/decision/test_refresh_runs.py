"""Which runs can become a baseline."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.baseline import make_baseline
from gate.decision.refresh_runs import (
    FEWEST,
    REPEATS,
    check_repeats,
    check_runs,
    check_scores,
    errors_of,
)
from gate.decision.what_next import ENOUGH
from gate.errors import FileError, NoVerdict
from gate.types import Failure, Plan, Provenance, Run
from tests.unit.decision.refresh_samples import CASES, measured, scores, whole

IDS = {f"case-{i:02d}": f"text of case-{i:02d}" for i in range(CASES)}


def check(*runs: Run, repeats: int = 5, offline: bool = False) -> int:
    """The repeats that are counted."""
    return check_runs(runs, repeats=repeats, offline=offline).repeats


def ended(run: Run, state: str) -> Run:
    """The run with one attempt that ended so."""
    first = run.cells[0]
    attempts = (replace(first.attempts[0], state=state), *first.attempts[1:])
    return run.model_copy(update={"cells": (replace(first, attempts=attempts), *run.cells[1:])})


def failed(run: Run, kind: str) -> Run:
    """The run with one score that was lost so."""
    first = run.cells[0]
    kinds = {"correctness": (kind, *[None] * (len(first.attempts) - 1))}
    return run.model_copy(update={"cells": (replace(first, failures=kinds), *run.cells[1:])})


def test_check_runs__a_whole_run_counts_all_its_repeats() -> None:
    """With what a baseline does not hold of it."""
    found = check_runs([whole(0.8, judge_family="claude")], repeats=5, offline=False)

    assert (5, "claude") == (found.repeats, found.judge_family)
    assert ("run-1", 1.5, 10) == (found.runs[0].id, found.runs[0].usd, found.runs[0].calls)


def test_check_runs__several_runs_are_several_repeats() -> None:
    """Named by hand."""
    assert 6 == check(whole(0.8, repeats=3), whole(0.8, identity="run-2", repeats=3))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"provenance": Provenance(world="steady")}, "--offline"),
        ({"provenance": Provenance(imported="evalbench")}, "imported"),
        ({"plan": Plan(shard="1/2")}, "gate merge"),
        ({"plan": Plan(narrowed=True)}, "narrowed by hand"),
        ({"plan": Plan(sample=3, case_ids=("a", "b", "c"), total=9)}, "sample (3 of 9 cases)"),
    ],
)
def test_check_runs__no_measurement_for_a_baseline(more: dict[str, object], said: str) -> None:
    """Exit 2, whatever it measured."""
    with pytest.raises(FileError) as caught:
        check(whole(0.8, **more))  # type: ignore[arg-type]  # keywords of `whole`

    assert said in str(caught.value)


def test_check_runs__two_worlds() -> None:
    """Real and invented scores are not mixed."""
    real, invented = whole(0.8), whole(0.8, provenance=Provenance(world="steady"))
    with pytest.raises(FileError, match="different worlds"):
        check(real, invented, offline=True)

    assert 5 == check(invented, offline=True)


@pytest.mark.parametrize("state", ["error", "timeout", "budget"])
def test_check_runs__an_answer_that_failed(state: str) -> None:
    """Exit 3: one is enough."""
    with pytest.raises(NoVerdict, match="run-1: 1 answer"):
        check(ended(whole(0.8), state))


@pytest.mark.parametrize("kind", ["error", "timeout", "judge", "budget"])
def test_check_runs__a_score_that_was_lost(kind: str) -> None:
    """The judge broke, not the system."""
    with pytest.raises(NoVerdict, match="1 score lost"):
        check(failed(whole(0.8), kind))


@pytest.mark.parametrize("state", ["empty", "blocked"])
def test_check_runs__what_the_system_did_is_no_error(state: str) -> None:
    """Nor are pages that cannot be read, or answers without anything to measure."""
    run = failed(failed(ended(whole(0.8), state), "pages"), "undefined")

    assert 5 == check(run)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"interrupted": "SIGTERM"}, "SIGTERM ended it"),
        ({"broken": Failure(kind="error", message="no network")}, "no network"),
        ({"stopped": "the ceiling was reached"}, "the ceiling was reached"),
    ],
)
def test_check_runs__a_run_that_came_to_no_end(more: dict[str, object], said: str) -> None:
    """It can be gone on with."""
    with pytest.raises(NoVerdict) as caught:
        check(whole(0.8, **more))  # type: ignore[arg-type]  # keywords of `whole`

    assert said in str(caught.value)


def test_check_runs__fewer_finished_than_planned() -> None:
    """The plan says so, or a cell that is not there."""
    run = whole(0.8)
    early = run.plan.model_copy(update={"planned": 40})
    with pytest.raises(NoVerdict, match="finished 24 of 40 planned cases"):
        check(run.model_copy(update={"plan": early}))
    with pytest.raises(NoVerdict, match="has not all of case-00 of t"):
        check(run.model_copy(update={"cells": run.cells[1:]}))
    with pytest.raises(NoVerdict, match="case-00 of t, case-01 of t, case-02 of t and 1 more"):
        check(run.model_copy(update={"cells": run.cells[4:]}))


def test_check_repeats__too_few() -> None:
    """A lucky single run is no baseline."""
    with pytest.raises(NoVerdict, match="1 repeat of each case and 5 are asked for"):
        check(whole(0.9, repeats=1))

    check_repeats(5, 5)


def test_check_scores__all_that_is_asked_for() -> None:
    """Every case with today's text, every target."""
    check_scores(scores(0.8), measured(), IDS, ["t"], "gate.yaml")


@pytest.mark.parametrize(
    ("cases", "targets", "said"),
    [
        ({**IDS, "new": "x"}, ["t"], "lacks new"),
        ({k: v for k, v in IDS.items() if k != "case-03"}, ["t"], "has case-03, unknown here"),
        ({**IDS, "case-03": "edited"}, ["t"], "case case-03 was measured with another text"),
        (IDS, ["t", "u"], "target u is not measured"),
        (IDS, ["u"], "target t is not in gate.yaml"),
    ],
)
def test_check_scores__a_part_left_out(
    cases: dict[str, str], targets: list[str], said: str
) -> None:
    """Neither a case nor a target goes because it went badly."""
    with pytest.raises(FileError) as caught:
        check_scores(scores(0.8), measured(), cases, targets, "gate.yaml")

    assert said in str(caught.value)


def test_check_scores__errors_and_missing_answers() -> None:
    """Also of a folder that somebody else made."""
    broken = make_baseline([failed(whole(0.8), "judge")])
    with pytest.raises(NoVerdict, match="with errors"):
        check_scores(broken, measured(), IDS, ["t"], "gate.yaml")
    with pytest.raises(NoVerdict, match="has 5 answers in the place of 6"):
        check_scores(scores(0.8), measured(repeats=6), IDS, ["t"], "gate.yaml")
    blank = scores(0.8)
    cells = tuple(replace(one, scores={"correctness": (None,) * 5}) for one in blank.cells)
    with pytest.raises(NoVerdict, match="holds no score"):
        check_scores(blank.model_copy(update={"cells": cells}), measured(), IDS, ["t"], "gate.yaml")


def test_check_runs__a_sample_of_all_cases_is_whole() -> None:
    """Whoever samples as many cases as there are has them all."""
    run = whole(0.8)
    plan = run.plan.model_copy(update={"sample": len(run.plan.case_ids)})

    assert 5 == check(run.model_copy(update={"plan": plan}))


def test_check_runs__what_is_known_is_of_each_run_and_the_first_judge() -> None:
    """When each was made; runs of one baseline have one judge."""
    runs = [whole(0.8, judge_family="claude"), whole(0.8, identity="run-2", judge_family=None)]
    found = check_runs(runs, repeats=5, offline=False)

    assert [run.provenance.created for run in runs] == [one.created for one in found.runs]
    assert None is not found.runs[0].created
    assert "claude" == found.judge_family


def test_check_runs__a_case_that_has_no_answer_at_all() -> None:
    """One of the planned is not there, where one answer a case was planned."""
    run = whole(0.8, repeats=1)
    short = run.model_copy(update={"cells": run.cells[1:]})

    with pytest.raises(NoVerdict, match="has not all of case-00 of t: measure"):
        check(short, repeats=1)


def test_check_scores__names_in_order() -> None:
    """Of several that are lacking, or not known, and of several targets."""
    more = {**IDS, **{f"x{i}": "y" for i in range(3)}}
    fewer = {case: text for case, text in IDS.items() if case > "case-02"}
    for cases, said in ((more, "lacks x0, x1 and x2"), (fewer, "has case-00, case-01 and case-02")):
        with pytest.raises(FileError, match=said):
            check_scores(scores(0.8), measured(), cases, ["t"], "gate.yaml")
    with pytest.raises(FileError, match="target a is not measured"):
        check_scores(scores(0.8), measured(), IDS, ["t", "z", "b", "a"], "gate.yaml")


def test_check_scores__one_score_is_enough_to_be_a_measure() -> None:
    """Undefined ones beside it are what the system did."""
    made = scores(0.8)
    cells = [replace(one, scores={"correctness": (None,) * 5}) for one in made.cells[1:]]
    part = made.model_copy(update={"cells": (made.cells[0], *cells)})

    check_scores(part, measured(), IDS, ["t"], "gate.yaml")


def test_errors_of__counts_only_what_failed() -> None:
    """A score that was there and one that failed: one."""
    run = failed(whole(0.8), "judge")

    assert ["1 score lost to the judge"] == errors_of(run.cells)


def test_check_runs__the_judges_of_a_panel_are_the_first_runs() -> None:
    """Runs of one baseline have one panel."""
    families = ("claude", "gemini")
    runs = [whole(0.8, judge_families=families), whole(0.8, identity="run-2", repeats=3)]

    assert families == check_runs(runs, repeats=5, offline=False).judge_families


def test_check_runs__a_part_that_is_not_called_a_sample() -> None:
    """What a dataset held besides is not asked for where no sample was drawn."""
    run = whole(0.8)
    plan = run.plan.model_copy(update={"total": len(run.plan.case_ids) + 1})

    assert 5 == check(run.model_copy(update={"plan": plan}))


def test_repeats__are_as_many_as_the_words_say() -> None:
    """The step after a narrowed run types them; the fewest are what a run is offered for."""
    with pytest.raises(FileError, match=f"gate run --repeats {REPEATS}`"):
        check(whole(0.8, plan=Plan(narrowed=True)))

    assert ENOUGH == FEWEST


def test_check_scores__cases_nobody_knows_in_order() -> None:
    """Whatever order they are stored in."""
    with pytest.raises(FileError, match="has case-00, case-01, case-02, case-03, case-04 and 19"):
        check_scores(scores(0.8), measured(), {}, ["t"], "gate.yaml")


def test_errors_of__in_words() -> None:
    """What answers were lost to, in one order whatever order they are in."""
    run = whole(0.8)
    lost = [ended(run, state).cells[0] for state in ("budget", "timeout", "error")]

    assert [
        "1 answer failed",
        "1 answer did not come in time",
        "1 answer not asked for want of budget",
    ] == errors_of(lost)
