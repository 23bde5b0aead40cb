"""What would settle an unclear row, and what that costs."""

from __future__ import annotations

import pytest

from gate.decision.planning import cases_to_pass, check_plan
from gate.decision.settling import UNPRICED, prices_of
from gate.types import Cost, Policy
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
