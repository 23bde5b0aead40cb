"""What would settle an unclear row, and what that costs."""

from __future__ import annotations

import math

import pytest

from gate.decision.planning import cases_to_pass, check_plan
from gate.decision.settling import UNPRICED, prices_of, settles
from gate.stats.paired import PSEUDO_CASE, guarded_bound_of_moments
from gate.types import Cost, Policy, Row, Run
from tests.unit.decision.decision_samples import baseline_of, columns, run_of, verdict_of

D = [0.25, -0.25] * 12
NOISY = run_of(columns([0.5 + x for x in D]))
BEFORE = baseline_of(run_of(columns([0.5] * 24)))


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


@pytest.mark.parametrize("cost", [Cost(), Cost(usd=None, calls=9), Cost(usd=0.0, cached_calls=9)])
def test_prices_of__unknown(cost: Cost) -> None:
    """Nothing is made up where a part is unknown, or nothing was paid."""
    assert UNPRICED == prices_of(NOISY.model_copy(update={"cost": cost}))


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


def row(mean: float, sd: float, n: int, clusters: int | None = None) -> Row:
    """A row of so many cases with this mean and spread."""
    return Row(
        target="t",
        dimension="correctness",
        judged=True,
        direction_known=True,
        baseline=None,
        current=None,
        delta=None,
        signed=mean,
        n=n,
        sd=sd,
        clusters=clusters,
    )


@pytest.mark.parametrize(
    ("run", "cost"),
    [(NOISY, Cost(usd=1.0, calls=0)), (run_of(columns([])), Cost(usd=1.0, calls=4))],
)
def test_prices_of__nothing_to_divide_by(run: Run, cost: Cost) -> None:
    """A sum without a call or without a case has no price a case."""
    assert UNPRICED == prices_of(run.model_copy(update={"cost": cost}))


def test_settles__a_drop_of_the_margin_itself_is_asked_whether_it_is_real() -> None:
    """More cases cannot pass it: only whether it is real is open."""
    assert settles(row(-0.1, 0.3, 12), 0.1, "fraction").endswith(
        "to show whether the drop of 0.10 is real"
    )


def test_settles__at_least_one_more_case() -> None:
    """Two cases would show a drop of 0.2 at a spread of 0.1, thirteen calm ones pass: 24 do not."""
    assert settles(row(-0.2, 0.1, 24), 0.1, "fraction").startswith("about 1 more case,")
    assert settles(row(0.0, 0.0, 24), 0.1, "fraction").startswith("about 1 more case like these")


def test_settles__a_real_drop_in_clusters_of_one_and_a_half() -> None:
    """(2.486 x 0.35 / sqrt(1.5) / 0.2)^2 = 12.6, so 13 clusters, 19.5 cases: 20 in all."""
    found = settles(row(-0.2, 0.35, 9, clusters=6), 0.1, "fraction")

    assert found.startswith("about 11 more cases, to show")


def test_settles__a_pass_in_clusters_of_one_and_a_half() -> None:
    """Thirteen units without any change pass, 19.5 cases: 20 in all."""
    found = settles(row(0.0, 0.0, 9, clusters=6), 0.1, "fraction")

    assert found.startswith("about 11 more cases like these")


def test_settles__another_unit_counts_in_margins() -> None:
    """Twenty times the margin, mean and spread are the same question."""
    shares = settles(row(-0.03, 0.2, 24), 0.1, "fraction")
    seconds = settles(row(-0.6, 4.0, 24), 2.0, "s")

    assert shares == seconds


def test_settles__noisy_cases_at_the_rate_of_false_passes_that_is_asked_for() -> None:
    """The first number of cases whose guarded bound at 99% lies above the margin."""
    least = next(
        n for n in range(1, 200) if guarded_bound_of_moments(0.0, 0.3, n, PSEUDO_CASE, 0.99) > -0.1
    )

    assert settles(row(0.0, 0.3, 24), 0.1, "fraction", pass_level=0.01).startswith(
        f"about {least - 24} more cases like these"
    )


def test_settles__cases_that_rose_at_a_margin_that_no_plan_can_rule_out() -> None:
    """A plan would need over 100,000 cases; what rose by 0.1 in each case needs a few."""
    margin = 1e-5
    least = next(
        n for n in range(1, 100) if guarded_bound_of_moments(0.1, 0.0, n, PSEUDO_CASE) > -margin
    )

    assert cases_to_pass(margin, 0.05) is None
    assert settles(row(0.1, 0.0, 2), margin, "fraction").startswith(f"about {least - 2} more case")


def test_settles__repeats_help_from_as_many_cases_on_as_a_plan_needs() -> None:
    """No repeats make twelve cases pass; thirteen are enough."""
    thirteen, twelve = (settles(row(0.03, 0.2, n), 0.1, "fraction") for n in (13, 12))

    assert "times the repeats" in thirteen
    assert twelve.endswith("; more repeats would not help")


def bound_at(times: float, sd: float) -> float:
    """The guarded bound of 24 cases without a drop, at so many times the repeats."""
    return guarded_bound_of_moments(0.0, sd / math.sqrt(times), 24, PSEUDO_CASE)


@pytest.mark.parametrize(("times", "offered"), [(2, 3), (3, 4), (8, 9), (9, 10), (10, None)])
def test_settles__repeats_beyond_what_meets_the_margin_and_ten_times_at_most(
    times: int, offered: int | None
) -> None:
    """A bound at the margin itself is no pass, so it takes once more; eleven are no advice."""
    found = settles(row(0.0, 0.5, 24), -bound_at(times, 0.5), "fraction")
    said = "more repeats would not help" if offered is None else f"about {offered} times the rep"

    assert said in found


def test_settles__repeats_are_doubled_at_least() -> None:
    """A row that would pass as it is cannot be measured once again at one times its repeats."""
    assert "about 2 times the repeats" in settles(row(0.0, 0.0, 24), 0.1, "fraction")


@pytest.mark.parametrize(
    ("fails", "said"),
    [(9_999, "about 9976 more cases like these"), (10_000, "no number of cases or repeats in")],
)
def test_settles__ten_thousand_cases_are_the_last_advice(fails: int, said: str) -> None:
    """The margin is what that many just do not rule out, so that one case more would."""
    margin = -guarded_bound_of_moments(0.0, 1.0, fails, PSEUDO_CASE)

    assert settles(row(0.0, 1.0, 24), margin, "fraction").startswith(said)
