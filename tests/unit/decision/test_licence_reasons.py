"""What a licence says of its reasons, and what follows where little is known."""

from __future__ import annotations

from typing import get_args

import pytest

from gate.decision.calibration import agreements
from gate.decision.licence import BEST_FIRST, MAY_GATE, agreement_of
from gate.types import (
    Calibration,
    CalibrationItem,
    CalibrationSet,
    Identity,
    Metric,
    Policy,
    Support,
    TrustState,
)
from tests.unit.decision.decision_samples import CORRECTNESS, EXACT, JUDGED_BY, labelled

MANY = [[10, 1, 0], [1, 12, 2], [0, 2, 40]]
FEW = [[2, 0, 0], [0, 0, 0], [1, 1, 20]]


def of_claims(*pairs: tuple[Support, Support]) -> CalibrationSet:
    """Labels of claims, each a person's word and the judge's."""
    items = tuple(
        CalibrationItem(
            case_id=f"case-{number}",
            target="t",
            answer=f"digest-{number}",
            item=f"item-{number}",
            human=human,
            judge=judge,
        )
        for number, (human, judge) in enumerate(pairs)
    )
    return CalibrationSet(
        dimension="faithfulness", counts="claims", identity=JUDGED_BY, items=items
    )


def test_reason__names_what_people_and_the_judge_differ_on() -> None:
    """Answers, or the claims that were labelled."""
    apart: list[tuple[Support, Support]] = [
        ("supported", "unsupported"),
        ("unsupported", "supported"),
    ]

    answers = agreement_of(labelled([[0, 0, 4], [0, 0, 0], [4, 0, 0]]), Policy(), JUDGED_BY)
    claims = agreement_of(of_claims(*apart * 4), Policy(), JUDGED_BY)

    assert "look at the answers on which judge and people differ" in answers.because
    assert "look at the claims on which judge and people differ" in claims.because


def test_reason__rare_ratings_are_those_that_people_did_not_give_in_the_fullest_pair() -> None:
    """Four times people said high and the judge med: low and med are what people give rarely."""
    table = [[3, 0, 0], [0, 3, 0], [0, 4, 3]]

    found = agreement_of(labelled(table), Policy(min_kappa=0.5), JUDGED_BY)

    assert "more answers, low or med ones first" in found.because


@pytest.mark.parametrize("order", [1, -1])
def test_reason__of_two_fullest_pairs_one_is_chosen_whatever_the_order(order: int) -> None:
    """By name, so that the same labels always give the same words: high stands before low."""
    given = labelled([[2, 0, 0], [0, 1, 0], [0, 0, 2]])

    found = agreement_of(
        given.model_copy(update={"items": given.items[::order]}), Policy(), JUDGED_BY
    )

    assert "label at least 2 more low or med answers" in found.because


def test_licence__of_no_judge_that_anyone_names_is_weak() -> None:
    """Only `licence: point` asks for a bare kappa of such files."""
    found = agreement_of(labelled(MANY, identity=Identity()), Policy(), None)

    assert "unbound" == found.state


def test_licence__weighted_kappas_of_a_small_table() -> None:
    """Disagreement seen over disagreement by chance, each pair by its distance of at most 1.

    Seen are (high, low) and (high, med) once each. By chance, in 24ths of 24: (low, med) 2,
    (low, high) 40, (high, low) 66, (high, med) 22; steps of one count 1/2, or 1/4 squared.
    """
    found = agreement_of(labelled(FEW), Policy(), JUDGED_BY)

    assert found.linear == pytest.approx(1 - 24 * (1 + 1 / 2) / (40 + 66 + (2 + 22) / 2))
    assert found.quadratic == pytest.approx(1 - 24 * (1 + 1 / 4) / (40 + 66 + (2 + 22) / 4))


def test_reason__families_of_the_drafters_are_named_in_order() -> None:
    """Whatever the file says first."""
    families = ("llama", "claude", "gemini")
    drafted = labelled(MANY, drafted_by_families=families)

    found = agreement_of(drafted, Policy(), JUDGED_BY, "llama+claude+gemini")

    assert "labels were drafted by claude, gemini and llama, the judge" in found.because


def test_best_first__every_licence_has_its_place() -> None:
    """Those with which a dimension may fail a run stand before those with which it may not."""
    assert sorted(get_args(TrustState)) == sorted(BEST_FIRST)
    assert MAY_GATE == set(BEST_FIRST[: len(MAY_GATE)])


@pytest.mark.parametrize(
    ("part", "identity", "bound", "state"),
    [
        (EXACT, JUDGED_BY, True, "not_needed"),
        (CORRECTNESS, JUDGED_BY, True, "validated"),
        (CORRECTNESS, JUDGED_BY, False, "unbound"),
        (CORRECTNESS, Identity(judge="another"), True, "stale"),
    ],
)
def test_best_first__what_is_computed_from_a_dimension_has_its_licence(
    part: Metric, identity: Identity, *, bound: bool, state: TrustState
) -> None:
    """Every licence has its rank, so that the weakest of several can be told."""
    half = Metric(name="half", judged=True, of=(part.name,))
    calibration = Calibration(sets=(labelled(MANY, bound=bound),))

    found = agreements(calibration, [part, half], {part.name: identity}, Policy())

    assert [state, state] == [one.state for one in found]
