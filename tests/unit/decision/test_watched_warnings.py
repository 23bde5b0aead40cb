"""Warnings of watched rows: when they are given, and what they name."""

from __future__ import annotations

from typing import Literal

import pytest

from gate.decision.findings import finding_of
from gate.decision.judged import Judged
from gate.decision.outcomes import Said
from gate.decision.standing import Cause, Standing
from gate.decision.watched import warnings_of
from gate.types import Outcome, Policy, Row
from tests.unit.decision.decision_samples import licence

N = 24

READ = (
    ": read faithfulness and citations with that in mind, since shorter and vaguer answers have "
    "less to get wrong."
)


def judged(
    dimension: str,
    before: float | None,
    now: float | None,
    *,
    target: str = "t",
    p: float = 0.01,
    outcome: Outcome = "inconclusive",
    cause: Cause | None = "watched",
    better: Literal["higher", "lower"] = "higher",
) -> Judged:
    """A row with these two means."""
    delta = None if before is None or now is None else round(now - before, 9)
    numbers = Row(
        target=target,
        dimension=dimension,
        judged=False,
        direction_known=True,
        baseline=before,
        current=now,
        delta=delta,
        signed=-delta if delta is not None and better == "lower" else delta,
        p=p,
        n=N,
        expected=N,
    )
    standing = Standing(numbers, licence(dimension), cause, None)
    said = Said(outcome)
    return Judged(standing, said, finding_of(standing, said, Policy()))


def said_of(*rows: Judged, q: float = 0.10) -> list[str]:
    """The warnings of these rows, of one target's answers."""
    return warnings_of(rows, Policy(q=q), named=False)


def test_warnings_of__names_the_direction_of_a_fall_however_small() -> None:
    """From 0.9 to 0.5 of what more is better of: it fell, and 0.4 is enough to say so."""
    assert [
        "zeal fell by more than chance: 0.9 → 0.5 (p 0.01). It is watched, and fails no run."
    ] == (said_of(judged("zeal", 0.9, 0.5)))


def test_warnings_of__names_the_direction_of_a_rise_however_small() -> None:
    """From 0.5 to 0.9 of what less is better of: it rose."""
    (said,) = said_of(judged("hops", 0.5, 0.9, better="lower"))

    assert said.startswith("hops rose by more than chance: 0.5 → 0.9 (p 0.01)")


def test_warnings_of__only_what_is_watched() -> None:
    """A row that can fail the run, or lacks a licence, has an outcome of its own."""
    assert [] == said_of(judged("zeal", 0.9, 0.5, cause=None))
    assert [] == said_of(judged("zeal", 0.9, 0.5, cause="licence"))


def test_warnings_of__a_tenth_of_its_size_where_the_baseline_is_below_zero() -> None:
    """From -10 a fall to -10.9 is little, and one to -11 is not; both are said with a decimal."""
    assert [] == said_of(judged("gain", -10.0, -10.9))
    assert (
        "gain fell by more than chance: -10.0 → -11.0 (p 0.01)"
        in (said_of(judged("gain", -10.0, -11.0))[0])
    )


def test_warnings_of__nothing_where_nothing_moved() -> None:
    """A tenth of zero is zero, and no fall is none of it."""
    assert [] == said_of(judged("gain", 0.0, 0.0))


def test_warnings_of__a_tenth_to_the_last_digit() -> None:
    """From 3.0 to 2.7 is a tenth, though a tenth of 3.0 is a hair more in floats."""
    assert 1 == len(said_of(judged("gain", 3.0, 2.7)))


def test_warnings_of__chance_may_be_just_as_large_as_the_policy_allows() -> None:
    """At most q: q itself is let through."""
    assert [1, 0] == [len(said_of(judged("gain", 3.0, 2.0, p=p), q=0.0625)) for p in (0.0625, 0.07)]


@pytest.mark.parametrize(
    ("p", "said"),
    [
        (0.0001, "(p 0.0001)"),
        (0.00016, "(p 0.0002)"),
        (0.00007, "(p under 0.0001)"),
    ],
)
def test_warnings_of__p_is_said_from_four_decimals_on(p: float, said: str) -> None:
    """Below them it is only said to be below."""
    assert said in said_of(judged("gain", 3.0, 2.0, p=p))[0]


def test_warnings_of__one_is_said_with_a_decimal() -> None:
    """Two digits are for what is below it."""
    assert "1.2 → 1.0 (p" in said_of(judged("gain", 1.2, 1.0))[0]


@pytest.mark.parametrize("outcome", ["regression", "pass", "inconclusive"])
def test_warnings_of__what_rose_is_named_whatever_it_says(outcome: Outcome) -> None:
    """A share may rise in a row that fell by its lost cases, and in one that cannot tell."""
    share = judged("faithfulness", 0.5, 0.75, outcome=outcome, cause=None)

    assert "while faithfulness (0.50 → 0.75) rose" in said_of(judged("claims", 4.0, 2.0), share)[0]


@pytest.mark.parametrize(
    "other",
    [
        judged("faithfulness", 0.5, 0.75, target="u", cause=None),
        judged("correctness", 0.5, 0.75, cause=None),
        judged("faithfulness", 0.5, 0.75, outcome="unmeasured", cause=None),
        judged("faithfulness", 0.5, 0.75, outcome="incomparable", cause=None),
        judged("faithfulness", None, 0.75, cause=None),
        judged("faithfulness", 0.5, None, cause=None),
        judged("faithfulness", 0.75, 0.5, cause=None),
        judged("faithfulness", 0.751, 0.752, cause=None),
    ],
)
def test_warnings_of__what_did_not_rise_with_fewer_claims(other: Judged) -> None:
    """Another target's, no share of the pages, not measured or compared, not known, or no rise."""
    assert [f"Answers make fewer claims: 4.0 → 2.0 an answer (p 0.01){READ}"] == (
        said_of(judged("claims", 4.0, 2.0), other)
    )
