"""The second track: always right in the baseline, always wrong now."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.hard_failures import HardFailures, hard_failures, mean_rate
from gate.types import Difference, Differences, Metric, Policy, Row, Verdict
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    run_of,
    verdict_of,
)

RIGHT, WRONG = 1.0, 0.3
CASES = 24


def judged(
    turned: int,
    repeats: tuple[int, int] = (3, 3),
    *,
    noisy: int = 4,
    policy: Policy | None = None,
    now: float = WRONG,
) -> Verdict:
    """A run in which so many cases turned; as many others vary too much for the mean test."""
    base, new = repeats
    before: list[Sequence[float]] = [[RIGHT] * base] * CASES
    after: list[Sequence[float]] = [
        *[[now] * new] * turned,
        *[[RIGHT] * new] * (CASES - turned),
    ]
    for place in range(CASES - noisy, CASES):
        # One answer was bad on one side, now on this one and now on that.
        side, count = (before, base) if place % 2 else (after, new)
        side[place] = [WRONG, *[RIGHT] * (count - 1)]
    return verdict_of(run_of(columns(after)), baseline_of(run_of(columns(before))), policy)


@pytest.mark.parametrize("repeats", [(3, 3), (5, 3)])
def test_hard_failures__turned_cases_are_a_regression(repeats: tuple[int, int]) -> None:
    """Two cases of 24: the mean test cannot tell, the track can, and says so in words."""
    verdict = judged(2, repeats)
    row = verdict.comparisons[0]

    assert "regression" == verdict.status
    assert "2 cases that were right in every baseline answer are now wrong in every one" == row.note
    assert row.p_adjusted is not None
    assert row.p_adjusted > 0.09
    assert ("case-00", "case-01") == row.worst_cases[:2]


@pytest.mark.parametrize("repeats", [(5, 1), (5, 2), (2, 3), (1, 1)])
def test_hard_failures__fewer_repeats_are_decided_as_before(repeats: tuple[int, int]) -> None:
    """With fewer than three repeats on a side there is no such track, and nothing is said of it."""
    assert judged(2, repeats).comparisons[0].note is None


def test_hard_failures__one_case_is_no_regression() -> None:
    """One case that turned is a mean drop below the smallest effect."""
    assert "regression" != judged(1).status


def test_hard_failures__small_drops_stay_below_the_smallest_effect() -> None:
    """With a larger `min_effect` the same cases fail nothing, and the row says that it fell."""
    verdict = judged(2, policy=Policy(min_effect=0.08))

    assert "regression" != verdict.status


def test_hard_failures__wavering_about_the_middle_turns_nothing() -> None:
    """From 0.6 to 0.4 is no case that was right and is wrong."""
    before = columns([[0.6] * 3] * 4 + [[RIGHT] * 3] * 20)
    after = columns([[0.4] * 3] * 4 + [[RIGHT] * 3] * 20)

    verdict = verdict_of(run_of(after), baseline_of(run_of(before)))

    assert verdict.comparisons[0].note is None


def test_hard_failures__a_lost_answer_does_not_end_the_track() -> None:
    """One case with two scores is left out; where many lack one, there is no track."""
    before = [[RIGHT] * 3] * CASES

    def status(lacking: int) -> str:
        after = [
            *[[WRONG] * 3] * 2,
            *[[RIGHT, WRONG, RIGHT]] * 2,
            *[[RIGHT, RIGHT, None]] * lacking,
            *[[RIGHT] * 3] * (CASES - 4 - lacking),
        ]
        base = [*before[:4], *before[4:-2], *[[WRONG, RIGHT, RIGHT]] * 2]
        return verdict_of(run_of(columns(after)), baseline_of(run_of(columns(base)))).status

    assert "regression" == status(1)
    assert "regression" != status(5)


def test_hard_failures__lower_is_better() -> None:
    """A rate that should be low, from 0 to 0.8 in two cases."""
    leaks = Metric(name="leaks", judged=False, better="lower")
    before = [[0.0] * 3] * CASES
    after = [*[[0.8] * 3] * 2, *before[2:-4], *[[0.7, 0.0, 0.0]] * 2, *before[-2:]]
    base = [*before[:-2], *[[0.7, 0.0, 0.0]] * 2]

    verdict = verdict_of(
        run_of(columns(after, metric="leaks"), (leaks,)),
        baseline_of(run_of(columns(base, metric="leaks"), (leaks,))),
    )

    assert "regression" == verdict.status
    assert "2 cases that were right" in (verdict.comparisons[0].note or "")


def test_hard_failures__scores_of_another_unit_have_no_middle() -> None:
    """Seconds are neither right nor wrong."""
    wait = Metric(name="wait", judged=False, better="lower", unit="s")
    policy = Policy(rules={"wait": {"min_effect": 0.01, "margin": 5.0}})
    cells = columns([[0.0] * 3] * CASES, metric="wait")
    slow = columns([[9.0] * 3] * 2 + [[0.0] * 3] * (CASES - 2), metric="wait")

    verdict = verdict_of(run_of(slow, (wait,)), baseline_of(run_of(cells, (wait,))), policy)

    assert verdict.comparisons[0].note is None


def test_hard_failures__the_family_shares_its_rate() -> None:
    """Two cases of one row among twenty: too many rows for so few cases."""
    names = [CORRECTNESS, RELEVANCE, *(Metric(name=f"m{i}", judged=True) for i in range(18))]

    def cells(turned: float) -> list[object]:
        return [
            cell(
                "t",
                f"case-{i:02d}",
                {
                    one.name: [turned if one is CORRECTNESS and i < 2 else RIGHT] * 3
                    for one in names
                },
            )
            for i in range(CASES)
        ]

    verdict = verdict_of(
        run_of(cells(WRONG), names),
        baseline_of(run_of(cells(RIGHT), names)),  # type: ignore[arg-type]  # a list of cells
    )

    assert "regression" != verdict.status


def test_hard_failures__one_case_in_words() -> None:
    """A single case, where the smallest effect and q let it fail, is told in the singular."""
    verdict = judged(1, (5, 5), noisy=4, policy=Policy(min_effect=0.01, q=0.2))

    assert "regression" == verdict.status
    assert "1 case that was right in every baseline answer is now wrong in every one" == (
        verdict.comparisons[0].note
    )


@pytest.mark.parametrize(
    ("second_track", "expected"),
    [(True, 0.07), (False, 0.10)],
)
def test_mean_rate__the_track_takes_its_share(expected: float, *, second_track: bool) -> None:
    """Where hard failures are tested the test of the mean has 0.07 of the 0.10, alone all."""
    assert expected == mean_rate(Policy(q=0.10), second_track=second_track)


def test_found__at_its_share_of_the_rate() -> None:
    """0.03 of the 0.10 is the track's: at most so much, and no more."""
    assert [True, False] == [HardFailures(p, ()).found(Policy(q=0.10)) for p in (0.03, 0.0301)]


def row_of(ready: int, others: int) -> Row:
    """A row of cases that turned, so many with three repeats and the others with one."""
    repeats = [3] * ready + [1] * others
    return Row(
        target="t",
        dimension="correctness",
        judged=True,
        direction_known=True,
        baseline=RIGHT,
        current=WRONG,
        delta=WRONG - RIGHT,
        signed=WRONG - RIGHT,
        p=0.5,
        n=len(repeats),
        differences=Differences.of(
            Difference(
                case_id=f"case-{place:02d}",
                category="c",
                baseline=RIGHT,
                current=WRONG,
                new=(WRONG,) * times,
                base=(RIGHT,) * times,
            )
            for place, times in enumerate(repeats)
        ),
    )


@pytest.mark.parametrize(
    ("ready", "others", "coverage", "tested"),
    [
        (18, 2, 0.90, True),
        (17, 3, 0.90, False),
        (2, 1, 0.666666667, True),
        (0, 3, 0.0, False),
    ],
)
def test_hard_failures__are_tested_where_enough_cases_have_the_repeats(
    ready: int, others: int, coverage: float, *, tested: bool
) -> None:
    """Just the share that is asked for is enough, to nine decimals; no case at all is not."""
    row = row_of(ready, others)

    found = hard_failures({0: row}, {}, Policy(coverage=coverage))

    assert tested is bool(found)


def test_hard_failures__of_a_row_that_is_not_tested_are_none() -> None:
    """Without a p-value, as where the better way is not known, nothing turned for the worse."""
    untested = row_of(20, 0).model_copy(update={"p": None})

    assert {} == hard_failures({0: untested}, {}, Policy())
    assert {1} == hard_failures({0: untested, 1: row_of(20, 0)}, {}, Policy()).keys()
