"""Each repeat of a baseline, judged as a run against the others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.leave_one_out import LeftOut, leave_one_out, repeats_of
from gate.errors import FileError
from gate.types import Baseline, Policy
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    licence,
    run_of,
)

CASES = 20
LICENCES = [licence("correctness"), licence("relevance")]


def test_leave_one_out__steady_repeats_all_pass() -> None:
    """Five equal repeats: each would have passed."""
    baseline = baseline_of(run_of(columns([[1.0] * 5] * CASES)))

    found = leave_one_out(baseline, Policy(), LICENCES)

    assert tuple(LeftOut(repeat=n, status="pass") for n in range(1, 6)) == found


def test_leave_one_out__the_odd_repeat_fails() -> None:
    """One repeat is much worse in one dimension: it fails, and says where."""
    cells = [
        cell("t", f"case-{i:02d}", {"correctness": [1.0, 1.0, 0.2, 1.0], "relevance": [1.0] * 4})
        for i in range(CASES)
    ]

    found = leave_one_out(baseline_of(run_of(cells, (CORRECTNESS, RELEVANCE))), Policy(), LICENCES)

    assert ["pass", "pass", "regression", "pass"] == [one.status for one in found]
    assert ("correctness of t",) == found[2].failed


def test_leave_one_out__cases_that_belong_together_fall_as_one() -> None:
    """Four cases fell in the third repeat: four coins fail it (1/16), one of one page does not."""
    fell = [[1.0, 1.0, 0.2, 1.0, 1.0]] * 4
    alone = baseline_of(run_of(columns(fell + [[1.0] * 5] * 16)))
    paged = alone.model_copy(update={"clusters": {f"case-{i:02d}": "page" for i in range(4)}})

    third = [leave_one_out(one, Policy(), LICENCES)[2].status for one in (alone, paged)]

    assert ["regression", "inconclusive"] == third


def test_leave_one_out__empty_answers_count_as_work_done_worse() -> None:
    """A repeat with empty answers is told by how the target worked."""
    cells = [
        cell(
            "t",
            f"case-{i:02d}",
            {"correctness": [1.0, 1.0, None if i % 2 else 1.0]},
            ["ok", "ok", "empty" if i % 2 else "ok"],
        )
        for i in range(CASES)
    ]

    found = leave_one_out(baseline_of(run_of(cells)), Policy(), LICENCES)

    assert "regression" == found[2].status
    assert found[2].failed[0].startswith("t: empty answers rose from 0% to 50%")


def test_leave_one_out__few_cases_are_inconclusive() -> None:
    """Ten cases cannot pass, and say which row could not tell."""
    baseline = baseline_of(run_of(columns([[1.0, 1.0]] * 10)))

    found = leave_one_out(baseline, Policy(report_only=True), LICENCES)

    assert ["inconclusive", "inconclusive"] == [one.status for one in found]
    assert ("correctness of t",) == found[0].unclear


def test_leave_one_out__cases_with_fewer_repeats() -> None:
    """A case takes part in as many repeats as it has."""
    baseline = baseline_of(run_of(columns([*[[1.0] * 3] * CASES, [1.0]])))

    assert 3 == repeats_of(baseline)
    assert ["pass"] * 3 == [one.status for one in leave_one_out(baseline, Policy(), LICENCES)]


@pytest.mark.parametrize(
    "baseline",
    [
        Baseline(averages={"t": {"correctness": 0.9}}),
        baseline_of(run_of(columns([1.0] * CASES))),
    ],
)
def test_leave_one_out__needs_two_repeats(baseline: Baseline) -> None:
    """Averages, or a single repeat, cannot be held against anything."""
    with pytest.raises(FileError, match="fewer than two repeats"):
        leave_one_out(baseline, Policy(), LICENCES)


def test_leave_one_out__each_repeat_keeps_its_own_failures() -> None:
    """What a repeat has nothing of is no lost score, in this repeat as in a run."""
    cells = [
        cell(
            "t",
            f"case-{i:02d}",
            {"correctness": [1.0, 1.0, None if i < 4 else 1.0]},
            failures={"correctness": (None, None, "undefined" if i < 4 else None)},
        )
        for i in range(CASES)
    ]
    lost = [replace(one, failures={}) for one in cells]

    undefined, unknown = (
        leave_one_out(baseline_of(run_of(some)), Policy(), LICENCES)[2].status
        for some in (cells, lost)
    )
    assert ("inconclusive", "broken") == (undefined, unknown)


def test_leave_one_out__rows_are_counted_once() -> None:
    """Single categories that cannot tell make no run unclear, and are not counted for it."""
    cells = [
        replace(one, category=f"c{place % 2}")
        for place, one in enumerate(columns([[1.0, 0.7, 0.9]] * 16 + [[0.2, 0.9, 0.5]] * 4))
    ]

    found = leave_one_out(baseline_of(run_of(cells)), Policy(), LICENCES)

    unclear = [one.unclear for one in found]
    assert ("correctness of t",) in unclear
    assert {1} == {len(one) for one in unclear if one}


def test_leave_one_out__a_category_that_fell_is_named() -> None:
    """What fails a repeat is said: the category where the others are as ever, and a case."""
    cells = [
        replace(one, category="c0" if place < 10 else "c1")
        for place, one in enumerate(columns([[1.0, 1.0, 0.75, 1.0]] * 10 + [[1.0] * 4] * 90))
    ]
    broken = columns([[1.0] * 3 + [0.0], *[[1.0] * 4] * 30])

    found = leave_one_out(baseline_of(run_of(cells)), Policy(), LICENCES)
    single = leave_one_out(baseline_of(run_of(broken)), Policy(fallen_cases="all"), LICENCES)

    assert ("correctness of t in category c0",) == found[2].failed
    assert ("correctness of t in case case-00",) == single[3].failed


def test_leave_one_out__names_what_fails_alone() -> None:
    """Neither a row that may not fail a run, nor a case that is only named."""
    cells = [
        cell("t", f"case-{i:02d}", {"correctness": [1.0] * 4, "relevance": [1.0, 1.0, 0.2, 1.0]})
        for i in range(CASES)
    ]
    baseline = baseline_of(run_of(cells, (CORRECTNESS, RELEVANCE)))
    broken = baseline_of(run_of(columns([[1.0] * 3 + [0.0], *[[1.0] * 4] * 30])))

    advisory = leave_one_out(baseline, Policy(), [LICENCES[0], licence("relevance", "unvalidated")])
    named = leave_one_out(broken, Policy(fallen_cases="name"), LICENCES)

    assert [("pass", (), ())] * 4 == [(one.status, one.failed, one.unclear) for one in advisory]
    assert [()] * 4 == [one.failed for one in named]


def test_leave_one_out__a_category_is_not_named_beside_its_whole_dimension() -> None:
    """Where all cases fell, each of their categories did."""
    cells = [
        replace(one, category=f"c{place % 2}")
        for place, one in enumerate(columns([[1.0, 1.0, 0.2, 1.0]] * CASES))
    ]

    found = leave_one_out(baseline_of(run_of(cells)), Policy(), LICENCES)

    assert ("correctness of t",) == found[2].failed


def test_leave_one_out__what_another_repeat_lost_is_not_this_ones() -> None:
    """One has no value since there is nothing to measure, the next since the judge failed."""
    cells = [
        cell(
            "t",
            f"case-{i:02d}",
            {"correctness": [1.0, None if i < 4 else 1.0, None if i < 4 else 1.0]},
            failures={"correctness": (None, *(["undefined", "error"] if i < 4 else [None] * 2))},
        )
        for i in range(CASES)
    ]

    found = leave_one_out(baseline_of(run_of(cells)), Policy(), LICENCES)

    assert ["pass", "inconclusive", "broken"] == [one.status for one in found]


def test_repeats_of__a_baseline_without_cases_has_none() -> None:
    """It holds averages alone."""
    assert 0 == repeats_of(Baseline(averages={"t": {"correctness": 0.9}}))
