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
