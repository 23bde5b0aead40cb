"""What is worse than the anchor, and what cannot be held against it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from gate.decision.anchoring import Fall, Unreached, falls_of, unreached
from gate.decision.comparison import compare
from gate.types import Attempt, Cell, Identity, Policy, Run, TrustState
from tests.unit.decision.decision_samples import baseline_of, columns, run_of, verdict_of

GOOD = [[0.9] * 5] * 24
"""Five answers to each of 24 cases."""
FAILED = (Attempt(state="error"),) * 5
"""Five answers that did not come."""
LOW = [[0.3] * 5]
"""A case that fell by 0.6."""


def falls(
    cells: Sequence[Cell],
    before: Sequence[Cell],
    policy: Policy | None = None,
    state: TrustState = "validated",
) -> list[Fall]:
    """What is worse than an anchor made of other cells."""
    run, anchor, rules = run_of(cells), baseline_of(run_of(before)), policy or Policy()
    return falls_of(compare(run, anchor, rules), verdict_of(run, anchor, rules, state), rules)


def missed(run: Run, before: Run, state: TrustState = "validated") -> list[Unreached]:
    """What of an anchor made of another run cannot be compared."""
    anchor = baseline_of(before)
    return unreached(compare(run, anchor, Policy()), verdict_of(run, anchor, None, state))


def test_falls__a_proven_drop_of_just_the_smallest_effect() -> None:
    """All 24 cases fall by 0.05: proven, so it is named though it is not beyond 0.05."""
    (fall,) = falls(columns([[0.85] * 5] * 24), columns(GOOD))

    assert Fall("t", "correctness", 0.05, fall.words) == fall
    assert "correctness is 0.05 below the anchor (0.90 → 0.85)" == fall.words


def test_falls__an_unproven_drop_counts_beyond_the_smallest_effect() -> None:
    """Two cases of 24 by 0.6 are 0.05, which does not; by 0.72 they are 0.06, which does."""
    before = columns([0.9] * 24)

    assert [] == falls(columns([0.3] * 2 + [0.9] * 22), before)
    assert [0.06] == [fall.drop for fall in falls(columns([0.18] * 2 + [0.9] * 22), before)]


def test_falls__nothing_is_named_where_nothing_fell() -> None:
    """The same scores, and better ones."""
    assert [] == falls(columns(GOOD), columns(GOOD))
    assert [] == falls(columns([[1.0] * 5] * 24), columns(GOOD))


def test_falls__a_pass_may_hide_one() -> None:
    """With a margin of 0.5 the drop of 0.06 is a pass, and an anchor sees it all the same."""
    wide = Policy(margin=0.5)
    cells, before = columns([0.18] * 2 + [0.9] * 22), columns([0.9] * 24)
    verdict = verdict_of(run_of(cells), baseline_of(run_of(before)), wide)

    assert ["pass"] == [one.outcome for one in verdict.comparisons]
    assert [0.06] == [fall.drop for fall in falls(cells, before, wide)]


def test_falls__a_rate_of_failures_has_nine_decimals() -> None:
    """Eight of 24 cases fail every time, where none did: a third more."""
    failed = [replace(one, scores={}, attempts=FAILED) for one in columns(GOOD)[:8]]
    found = falls([*failed, *columns(GOOD)[8:]], columns(GOOD))

    assert [("error_rate", 0.333333333)] == [(one.name, one.drop) for one in found]
    assert "errors are 33% more than in the anchor" == found[0].words


def test_falls__too_few_cases_in_common_name_nothing() -> None:
    """Twenty of 24 cases have no score: the four that fell far are no measure of the rest."""
    lost = columns([*[[None] * 5] * 20, *LOW * 4])

    assert [] == falls(lost, columns(GOOD))


def test_falls__without_a_licence_nothing_is_named() -> None:
    """A judge that agrees with nobody accuses nobody."""
    assert [] == falls(columns(LOW * 24), columns(GOOD), state="unvalidated")


def by_category(first: float, *, target: str = "t") -> list[Cell]:
    """Six categories of eight cases; the first one scores as said, the others 0.9."""
    cells = columns([[first] * 5] * 8 + [[0.9] * 5] * 40, target=target)
    return [replace(one, category=f"c{place // 8}") for place, one in enumerate(cells)]


def test_falls__a_category_is_named_by_the_gates_own_test() -> None:
    """One of six falls by 0.18, which is 0.03 over all: only the category is named."""
    (fall,) = falls(by_category(0.72), by_category(0.9))

    assert ("t", "correctness [c0]", 0.18) == (fall.target, fall.name, fall.drop)
    assert "correctness in category c0 is 0.18 below the anchor (0.90 → 0.72)" == fall.words


def test_falls__a_category_of_one_target_of_several() -> None:
    """Where there are two targets, the fallen one is named."""
    both = [*by_category(0.9), *by_category(0.72, target="u")]
    before = [*by_category(0.9), *by_category(0.9, target="u")]

    (fall,) = falls(both, before)

    assert ("u", "correctness [c0]") == (fall.target, fall.name)
    assert fall.words.startswith("correctness of u in category c0 is 0.18 below the anchor")


@pytest.mark.parametrize(
    ("drop", "accepted", "beyond"),
    [(0.40, 0.35, False), (0.41, 0.35, True), (0.15, 0.10, False), (0.10, 0.40, False)],
)
def test_beyond__a_reason_covers_the_smallest_effect_more(
    drop: float, accepted: float, *, beyond: bool
) -> None:
    """0.40 - 0.35 is a little above 0.05 in doubles, and 0.05 for people."""
    fall = Fall("t", "correctness", drop, "it fell")

    assert beyond is fall.beyond({("t", "correctness"): accepted}, Policy())


def test_beyond__a_reason_for_another_target_covers_nothing() -> None:
    """What was accepted of u says nothing of t."""
    fall = Fall("t", "correctness", 0.2, "it fell")

    assert fall.beyond({("u", "correctness"): 0.5}, Policy())


def test_unreached__says_which_dimensions_and_why() -> None:
    """A target that is gone has none to name."""
    assert "a and b: why" == Unreached(("a", "b"), "why", ends=True).words
    assert "why" == Unreached((), "why", ends=True).words


def test_unreached__a_target_that_is_gone_ends_the_anchor() -> None:
    """From now on there is nothing to compare with it."""
    before = run_of([*columns(GOOD), *columns(GOOD, target="u")])

    assert [Unreached((), "target u of the anchor is gone", ends=True)] == missed(
        run_of(columns(GOOD)), before
    )


@pytest.mark.parametrize(
    ("targets", "names"),
    [(("t",), ("correctness",)), (("t", "u"), ("correctness of t", "correctness of u"))],
)
def test_unreached__targets_are_named_where_there_are_several(
    targets: tuple[str, ...], names: tuple[str, ...]
) -> None:
    """Another judge is one reason for all of them."""
    before = run_of([one for target in targets for one in columns(GOOD, target=target)])
    other = {"correctness": Identity(judge="claude-y", prompt="p1", scorer="s1")}

    (found,) = missed(before.model_copy(update={"identities": other}), before)

    assert (names, True) == (found.names, found.ends)
    assert "not to be held against the anchor (another judge)" == found.because


@pytest.mark.parametrize(
    ("lost", "edited", "why", "ends"),
    [
        (6, 6, "6 cases without a score", False),
        (6, 7, "11 of its 24 cases in common", True),
        (12, 0, "12 cases without a score", False),
    ],
)
def test_unreached__the_larger_loss_is_the_reason(
    lost: int, edited: int, why: str, *, ends: bool
) -> None:
    """Lost answers may come back, edited cases do not; on equal terms the answers are blamed."""
    cells = columns([*[[None] * 5] * lost, *GOOD[lost:]])
    cells[-edited or len(cells) :] = [
        replace(one, case_digest="edited") for one in cells[-edited or len(cells) :]
    ]

    (found,) = missed(run_of(cells), run_of(columns(GOOD)))

    assert (f"not to be held against the anchor ({why})", ends) == (found.because, found.ends)


def test_unreached__what_decides_nothing_is_not_missed() -> None:
    """Without a licence a dimension that lost its cases fails no run now, and none later."""
    run = run_of(columns([*[[None] * 5] * 12, *GOOD[12:]]))

    assert [] == missed(run, run_of(columns(GOOD)), "unvalidated")
