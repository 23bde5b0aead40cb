"""Two parts of the noise of one score."""

from __future__ import annotations

import random
import statistics

import pytest

from gate.stats.variance_parts import Parts, Within, variance_parts, within_groups


@pytest.mark.parametrize("groups", [[], [[1.0]], [[1.0], [], [0.0]]])
def test_within_groups__needs_two_values_in_one_group(groups: list[list[float]]) -> None:
    """Values that stand alone say nothing of how far values lie apart."""
    assert within_groups(groups) is None


def test_within_groups__differences_between_groups_do_not_count() -> None:
    """(0.02 + 0.02) / 2: each group lies about its own mean, however far these are apart."""
    found = within_groups([[0.0, 0.2], [0.8, 1.0], [0.5]])

    assert found == Within(pytest.approx(0.02), 2)


def test_within_groups__one_group_has_the_sample_variance() -> None:
    """Divisor n - 1."""
    values = [0.1, 0.4, 0.9, 0.2]

    assert within_groups([values]) == Within(pytest.approx(statistics.variance(values)), 3)


@pytest.mark.parametrize(
    ("judge", "whole", "parts"),
    [
        (0.01, 0.05, Parts(0.01, pytest.approx(0.04), pytest.approx(0.2))),
        (0.05, 0.01, Parts(0.05, 0.0, 1.0)),
        (0.0, 0.02, Parts(0.0, 0.02, 0.0)),
        (0.0, 0.0, Parts(0.0, 0.0, None)),
        (0.01, None, Parts(0.01, None, None)),
    ],
)
def test_variance_parts__splits_the_whole(judge: float, whole: float | None, parts: Parts) -> None:
    """The answers have the rest, never less than nothing; no noise has no shares."""
    assert parts == variance_parts(judge, whole)


@pytest.mark.parametrize(("judge_sd", "answer_sd"), [(0.1, 0.2), (0.2, 0.05), (0.15, 0.0)])
def test_variance_parts__are_right_on_average(judge_sd: float, answer_sd: float) -> None:
    """Simulated: 40 cases, 5 answers a case, 3 rulings an answer, 60 times.

    A score is the mean of its rulings. Both parts are found without bias, within four standard
    errors of the simulation, before the answers' part is cut at 0.
    """
    draw, rulings = random.Random(7), 3
    judges, answers = [], []
    for _ in range(60):
        ruled: list[list[float]] = []
        scored: list[list[float]] = []
        for _ in range(40):
            level, cases = draw.uniform(0.0, 1.0), []
            for _ in range(5):
                answer = level + draw.gauss(0.0, answer_sd)
                said = [answer + draw.gauss(0.0, judge_sd) for _ in range(rulings)]
                ruled.append(said)
                cases.append(statistics.fmean(said))
            scored.append(cases)
        one, whole = within_groups(ruled), within_groups(scored)
        assert one is not None
        assert whole is not None
        judges.append(one.variance / rulings)
        answers.append(whole.variance - judges[-1])
    for found, true in ((judges, judge_sd**2 / rulings), (answers, answer_sd**2)):
        error = statistics.stdev(found) / len(found) ** 0.5
        assert abs(statistics.fmean(found) - true) < 4 * error
