"""The rules of one row on numbers made by hand: each bound, and which family a row is of."""

from __future__ import annotations

from dataclasses import replace

import pytest

from gate.decision.outcomes import Said, categories_to_test, category_outcomes_of, outcomes_of
from gate.decision.standing import Cause, Standing
from gate.types import Difference, Differences, Policy, Row, TrustState
from tests.unit.decision.decision_samples import licence


def answers(repeats: int) -> Differences:
    """Cases with so many answers on both sides, all of them right."""
    return Differences.of(
        Difference(
            case_id=f"case-{i:02d}",
            category="c",
            baseline=0.8,
            current=0.8,
            new=(0.8,) * repeats,
            base=(0.8,) * repeats,
        )
        for i in range(24)
    )


CALM = Row(
    target="t",
    dimension="correctness",
    judged=True,
    direction_known=True,
    baseline=0.8,
    current=0.8,
    delta=0.0,
    signed=0.0,
    guarded=-0.05,
    p=1.0,
    n=24,
    expected=24,
    sd=0.1,
    differences=answers(1),
)
"""A row that passes."""


def row(state: TrustState = "validated", cause: Cause | None = None, **more: object) -> Standing:
    """A row with some other numbers, and what it may do."""
    return Standing(CALM.model_copy(update=more), licence(state=state), cause, cause and "because")


def said(policy: Policy | None = None, state: TrustState = "validated", **more: object) -> Said:
    """What a row says that is alone."""
    (found,) = outcomes_of([row(state, **more)], policy or Policy(), {})
    return found


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({}, ("pass", None)),
        ({"guarded": -0.1}, ("inconclusive", "noise")),
        ({"guarded": None}, ("inconclusive", "noise")),
        ({"signed": None}, ("inconclusive", "noise")),
        ({"signed": -0.05, "p": 0.1}, ("regression", None)),
        ({"signed": -0.049, "p": 0.01}, ("pass", None)),
        ({"signed": -0.2, "p": 0.101}, ("pass", None)),
        ({"worst_signed": -0.05, "worst_p": 0.1}, ("inconclusive", "unscored")),
        ({"worst_signed": -0.049, "worst_p": 0.1}, ("pass", None)),
        ({"worst_signed": -0.2, "worst_p": 0.101}, ("pass", None)),
        ({"n": 22}, ("pass", None)),
        ({"n": 21}, ("unmeasured", None)),
        ({"n": 21, "undefined": 1}, ("pass", None)),
        ({"n": 0}, ("unmeasured", None)),
    ],
)
def test_paired__every_bound(more: dict[str, object], expected: tuple[str, str | None]) -> None:
    """An effect of 0.05 and p at 0.1 are enough, a guarded bound at the margin is not."""
    found = said(**more)  # type: ignore[arg-type]  # numbers of a row

    assert expected == (found.outcome, found.doubt)


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"signed": -0.05}, ("pass", None)),
        ({"signed": -0.051}, ("regression", None)),
        ({"worst_signed": -0.2, "undefined": 1}, ("inconclusive", "unscored")),
        ({"worst_signed": -0.05, "undefined": 1}, ("pass", None)),
        ({"worst_signed": -0.2}, ("pass", None)),
        ({"undefined": 1}, ("pass", None)),
    ],
)
def test_threshold__every_bound(more: dict[str, object], expected: tuple[str, str | None]) -> None:
    """Strict: 0.05 passes; what an answer has nothing of is taken at its worst, what failed not."""
    found = said(Policy(rule="threshold"), **more)  # type: ignore[arg-type]  # numbers of a row

    assert expected == (found.outcome, found.doubt)


@pytest.mark.parametrize("rule", ["default", "threshold"])
@pytest.mark.parametrize(("drop", "outcome"), [(0.1, "regression"), (0.099, "inconclusive")])
def test_provisional__needs_a_tenth(rule: str, drop: float, outcome: str) -> None:
    """Less than that is held: neither a regression nor noise."""
    policy = Policy.model_validate({"rule": rule})
    found = said(policy, "provisional", signed=-drop, p=0.01, guarded=-0.2)

    assert (outcome, "held" if drop < 0.1 else None) == (found.outcome, found.doubt)
    assert drop == 0.1 or "less than its licence can fail" in (found.remark or "")


def test_hard_failures__need_more_than_chance_would_turn() -> None:
    """A row with the repeats for that track, and none that turned, falls by its mean or not."""
    repeats = answers(3)
    by_chance = said(signed=-0.1, p=0.5, guarded=-0.2, differences=repeats)
    fell = said(signed=-0.1, p=0.001, guarded=-0.2, differences=repeats)

    assert ("inconclusive", "noise") == (by_chance.outcome, by_chance.doubt)
    assert ("regression", None) == (fell.outcome, fell.remark)


def families(*rows: Standing, policy: Policy | None = None) -> list[float | None]:
    """The adjusted p of each row."""
    return [one.p for one in outcomes_of(rows, policy or Policy(), {})]


def test_families__advisory_rows_are_read_among_themselves() -> None:
    """Two and two: each p is doubled, none is multiplied by four."""
    gating, advisory = row(p=0.01), row(p=0.02, cause="licence")

    assert [0.02, 0.04, 1.0, 1.0] == families(gating, advisory, row(), row(cause="licence"))


@pytest.mark.parametrize(
    "other",
    [
        row(p=0.5, cause="watched"),
        row(p=0.5, cause="licence", n=3),
        row(p=0.5, cause="licence", incomparable=("judge",)),
        row(p=None, cause="licence"),
    ],
)
def test_families__rows_without_an_outcome_are_in_none(other: Standing) -> None:
    """Watched rows, and those that were not measured, weigh on nothing."""
    assert [0.02, None] == families(row(p=0.02, cause="licence"), other)


def test_category_outcomes_of__its_share_of_the_rate_and_a_larger_effect() -> None:
    """Of 0.10 categories have 0.03; of 24 cases six must fall by 0.05 times the root of four."""
    whole = row()
    policy = Policy(q=0.10, category_share=0.3)

    def outcome(drop: float, p: float) -> str:
        part = row(category="c", n=6, expected=6, signed=-drop, p=p, guarded=-0.5)
        (found,) = category_outcomes_of([part], [whole], policy, {})
        return found.outcome

    assert ["regression", "inconclusive"] == [outcome(0.1, p) for p in (0.03, 0.031)]
    assert "inconclusive" == outcome(0.099, 0.001)


def test_categories_to_test__of_rows_that_can_fail_and_were_measured() -> None:
    """One of each: advisory, unmeasured, and one that counts."""
    names = ("advisory", "unmeasured", "counts")
    wholes = [
        row(dimension=names[0], cause="licence"),
        row(dimension=names[1], n=3),
        row(dimension=names[2]),
    ]
    parts = [replace(one, row=one.row.model_copy(update={"category": "c"})) for one in wholes]

    found = categories_to_test(parts, wholes, Policy())

    assert ["counts"] == [one.row.dimension for one in found]


DUST_BELOW, DUST_ABOVE = 0.25 - 0.3, 0.85 - 0.9
"""Drops of 0.05 for people; the first is a little less in doubles, the second a little more."""


def test_dust__stands_on_either_side_of_a_twentieth() -> None:
    """Else the tests below would show nothing."""
    assert -DUST_BELOW < 0.05 < -DUST_ABOVE


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ({"signed": DUST_BELOW, "p": 0.01}, ("regression", None)),
        ({"worst_signed": DUST_BELOW, "worst_p": 0.01}, ("inconclusive", "unscored")),
    ],
)
def test_paired__float_dust_is_no_smaller_effect(
    more: dict[str, object], expected: tuple[str, str | None]
) -> None:
    """A drop of 0.05 is one of the smallest effect, however the difference was reckoned."""
    found = said(**more)  # type: ignore[arg-type]  # numbers of a row

    assert expected == (found.outcome, found.doubt)


@pytest.mark.parametrize("p", [0.01, None])
def test_threshold__float_dust_is_no_larger_drop(p: float | None) -> None:
    """0.05 passes, in a row of cases and in one of averages alone, and at its worst values."""
    policy = Policy(rule="threshold")
    fell = said(policy, signed=DUST_ABOVE, p=p)
    hidden = said(policy, p=p, worst_signed=DUST_ABOVE, undefined=1)

    assert ("pass", "pass") == (fell.outcome, hidden.outcome)


def test_coverage__a_share_is_met_at_nine_decimals() -> None:
    """Two thirds of the cases are the 0.666666667 of a policy."""
    policy = Policy(coverage=0.666666667)

    assert ("pass", "unmeasured") == tuple(said(policy, n=n).outcome for n in (16, 15))
