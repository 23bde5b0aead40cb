"""What would settle an unclear row, and what that costs."""

from __future__ import annotations

import math

import pytest

from gate.decision.planning import cases_to_pass, check_plan
from gate.decision.settling import UNPRICED, prices_of, settles
from gate.stats.paired import guarded_bound_of_moments
from gate.stats.power import cases_needed, settling_cases
from gate.types import Cost, Policy, Row
from tests.unit.decision.decision_samples import baseline_of, columns, run_of, verdict_of

D = [0.25, -0.25] * 12
NOISY = run_of(columns([0.5 + x for x in D]))
BEFORE = baseline_of(run_of(columns([0.5] * 24)))


def row(signed: float, sd: float, n: int, clusters: int | None = None) -> Row:
    """A row of n compared cases with this mean difference and spread."""
    return Row(
        target="t",
        dimension="correctness",
        judged=True,
        direction_known=True,
        baseline=0.8,
        current=0.8 + signed,
        delta=signed,
        signed=signed,
        sd=sd,
        n=n,
        expected=n,
        clusters=clusters,
    )


def test_settles__with_what_it_adds_to_a_run() -> None:
    """24 cases cost $2.40: five more cost $0.50, twice the repeats the run once more."""
    run = NOISY.model_copy(update={"cost": Cost(usd=2.4, calls=48)})

    assert (
        "about 5 more cases like these ($0.50 more a run), or about 2 times the repeats on both "
        "sides, which means a new baseline ($2.40 more a run)"
        == verdict_of(run, BEFORE).comparisons[0].settles
    )


def test_prices_of__calls_from_the_journal_are_reckoned_as_paid() -> None:
    """Half of the calls were free this time, and will not be the next."""
    run = NOISY.model_copy(update={"cost": Cost(usd=1.2, calls=24, cached_calls=24)})
    prices = prices_of(run)

    assert (prices.case, prices.run) == pytest.approx((0.1, 2.4))


@pytest.mark.parametrize(
    "cost",
    [
        Cost(),
        Cost(usd=None, calls=9),
        Cost(usd=0.0, cached_calls=9),
        Cost(usd=0.0, calls=9),
        Cost(usd=1.0, cached_calls=9),
    ],
)
def test_prices_of__unknown(cost: Cost) -> None:
    """Nothing is made up where a part is unknown, or nothing was paid."""
    assert UNPRICED == prices_of(NOISY.model_copy(update={"cost": cost}))
    paid = Cost(usd=1.0, calls=9)
    assert UNPRICED == prices_of(NOISY.model_copy(update={"cost": paid, "cells": ()}))


def test_settles__a_large_drop_that_may_be_chance_is_priced_too() -> None:
    """Cases that would show whether it is real."""
    new = run_of(columns([0.0] + [0.8] * 5), cost=Cost(usd=0.6, calls=6))
    found = verdict_of(new, baseline_of(run_of(columns([0.8] * 6)))).comparisons[0]

    assert "about 32 more cases ($3.20 more a run), to show whether the drop of 0.13 is real" == (
        found.settles
    )


def test_settles__at_the_policy_s_own_rate_of_false_passes() -> None:
    """A surer pass takes more cases: of unchanged ones 13 at 5%, 17 at 1%."""
    still = baseline_of(run_of(columns([0.5] * 6)))
    same = run_of(columns([0.5] * 6))
    usual, strict = (
        verdict_of(same, still, Policy(pass_level=level)).comparisons[0].settles
        for level in (0.05, 0.01)
    )

    assert (13, 17) == (cases_to_pass(0.10, 0.05), cases_to_pass(0.10, 0.01))
    assert (usual or "").startswith("about 7 more cases like these")
    assert (strict or "").startswith("about 11 more cases like these")
    assert (True, False) == tuple(
        check_plan(14, 1, Policy(pass_level=level)).can_pass for level in (0.05, 0.01)
    )


def test_settles__a_drop_of_the_margin_is_looked_into_and_not_waited_for() -> None:
    """(2.486 x 0.2 / 0.1)^2 = 24.7: 25 cases, 19 more than six. More would not make it a pass."""
    expected = "about 19 more cases, to show whether the drop of 0.10 is real"

    assert expected == settles(row(-0.1, 0.2, 6), 0.1, "fraction", effect=0.05)


def test_settles__a_drop_below_the_margin_that_may_fail() -> None:
    """(2.486 x 0.28 / 0.08)^2 = 75.7: 76 show that it is real; to rule out 0.10 takes 574."""
    expected = "about 28 more cases, to show whether the drop of 0.08 is real"

    assert expected == settles(row(-0.08, 0.28, 48), 0.1, "fraction", effect=0.05)
    assert settles(row(-0.08, 0.28, 48), 0.1, "fraction", effect=0.081).startswith(
        "about 526 more cases like these"
    )


def test_settles__a_drop_of_just_the_smallest_that_may_fail() -> None:
    """(2.486 x 0.05 / 0.05)^2 = 6.2: seven cases, one more than six."""
    said = settles(row(-0.05, 0.05, 6), 0.1, "fraction", effect=0.05)

    assert "about 1 more case, to show whether the drop of 0.05 is real" == said


def test_settles__a_drop_that_a_wide_margin_rules_out_sooner() -> None:
    """Of 0.05 and a margin of 0.20: fewer cases pass it than the 99 that show it."""
    said = settles(row(-0.05, 0.2, 6), 0.2, "fraction", effect=0.05)

    assert (99, 12) == (cases_needed(0.2, 0.05), settling_cases(-0.05, 0.2, 0.2, 100))
    assert said.startswith("about 6 more cases like these")


def test_settles__a_drop_that_neither_way_is_in_reach_of() -> None:
    """(2.486 x 0.9 / 0.01)^2 is above 50,000, and the margin is just as near."""
    said = settles(row(-0.01, 0.9, 24), 0.0105, "fraction", effect=0.005)

    assert said.startswith("no number of cases or repeats in reach")


def test_settles__a_drop_in_clusters_of_two_and_a_half_cases() -> None:
    """Spread 1 / sqrt(2.5) a cluster: (2.486 x 0.632 / 0.19)^2 = 68.5: 69 clusters, 173 cases."""
    expected = "about 163 more cases, to show whether the drop of 0.19 is real"

    assert expected == settles(row(-0.19, 1.0, 10, clusters=4), 0.1, "fraction", effect=0.05)


def test_settles__unchanged_cases_in_clusters_of_two_and_a_half() -> None:
    """Thirteen clusters pass: 32.5 cases, which is 33."""
    expected = "about 23 more cases like these; more repeats would not help"

    assert expected == settles(row(0.0, 0.0, 10, clusters=4), 0.1, "fraction", effect=0.05)


def test_settles__what_is_there_already_takes_one_more_at_least() -> None:
    """Nothing settles by itself: neither a sure drop nor cases that suffice by this count."""
    assert "about 1 more case, to show" in settles(row(-0.2, 0.0, 6), 0.1, "fraction", effect=0.05)
    assert settles(row(0.0, 0.0, 40), 0.1, "fraction", effect=0.05).startswith(
        "about 1 more case like these, or about 2 times the repeats"
    )


def test_settles__in_another_unit_as_in_its_margins() -> None:
    """A spread of 2.5 s at a margin of 1 s is one of 0.25 at 0.10: the guard is in margins."""
    expected = "about 5 more cases like these, or about 2 times the repeats"

    for signed, margin, unit in ((0.25, 0.1, "fraction"), (2.5, 1.0, "s")):
        assert settles(row(0.0, signed, 24), margin, unit, effect=0.05).startswith(expected)


def test_settles__a_surer_pass_of_cases_that_swing() -> None:
    """47 cases of spread 0.25 are the fewest whose bound at 99% is above the margin."""
    bounds = [guarded_bound_of_moments(0.0, 0.25, n, confidence=0.99) for n in (46, 47)]

    assert [False, True] == [bound > -0.1 for bound in bounds]
    assert settles(row(0.0, 0.25, 24), 0.1, "fraction", pass_level=0.01, effect=0.05).startswith(
        "about 23 more cases like these"
    )


def test_settles__cases_that_rose_where_no_plan_could_pass() -> None:
    """At a margin of 0.00001 no plan is promised a pass; the cases themselves tell enough."""
    bounds = [guarded_bound_of_moments(0.1, 0.1, n) for n in (17, 18)]

    assert cases_to_pass(0.00001, 0.05) is None
    assert [False, True] == [bound > -0.00001 for bound in bounds]
    assert settles(row(0.1, 0.1, 12), 0.00001, "fraction", effect=0.05).startswith(
        "about 6 more cases"
    )


def test_settles__repeats_help_as_many_cases_as_pass_unchanged() -> None:
    """Thirteen cases that swing a little: one case more, or twice the repeats."""
    expected = (
        "about 1 more case like these, or about 2 times the repeats on both sides, which means a "
        "new baseline"
    )

    assert expected == settles(row(0.0, 0.03, 13), 0.1, "fraction", effect=0.05)
    assert settles(row(0.0, 0.03, 12), 0.1, "fraction", effect=0.05).endswith(
        "more repeats would not help"
    )


@pytest.mark.parametrize(("sd", "times"), [(0.66, 10), (0.70, 11)])
def test_settles__ten_times_the_repeats_is_the_most_that_is_advised(sd: float, times: int) -> None:
    """Of 24 cases one spread is small enough at ten times the repeats, the other at eleven."""
    passes = [
        guarded_bound_of_moments(0.0, sd / math.sqrt(factor), 24) > -0.1
        for factor in (times - 1, times)
    ]
    said = settles(row(0.0, sd, 24), 0.1, "fraction", effect=0.05)

    assert [False, True] == passes
    assert (times == 10) == ("about 10 times the repeats" in said)
    assert (times == 11) == said.endswith("; more repeats would not help")


@pytest.mark.parametrize(("sd", "cases"), [(0.604871, 10_000), (0.604902, 10_001)])
def test_settles__ten_thousand_cases_are_the_most_that_is_advised(sd: float, cases: int) -> None:
    """One more than that is out of reach."""
    passes = [guarded_bound_of_moments(0.0, sd, n) > -0.01 for n in (cases - 1, cases)]
    said = settles(row(0.0, sd, 24), 0.01, "fraction", effect=0.05)

    assert [False, True] == passes
    assert (cases == 10_000) == said.startswith("about 9976 more cases like these")
    assert (cases == 10_001) == said.startswith("no number of cases or repeats in reach")
