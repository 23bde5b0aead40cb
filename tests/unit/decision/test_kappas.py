"""Kappa of a set of labels, as it decides."""

from __future__ import annotations

import pytest

from gate.decision.kappas import measure
from gate.decision.licence import agreement_of
from gate.stats.agreement import cohen_kappa
from gate.types import Policy
from tests.unit.decision.decision_samples import JUDGED_BY, labelled


@pytest.mark.parametrize(
    "table",
    [
        [[8, 0, 2], [0, 0, 0], [2, 0, 8]],  # (16/20 - 1/2) / (1 - 1/2)
        [[12, 0, 3], [0, 0, 0], [3, 0, 12]],  # (24/30 - 1/2) / (1 - 1/2)
    ],
)
def test_measure__a_kappa_of_just_the_bar_is_not_above_it(table: list[list[int]]) -> None:
    """Kappa is 0.6 by hand; in doubles it is a hair more, which is no licence."""
    assert (cohen_kappa(table).value or 0.0) > 0.6

    assert 0.6 == measure(labelled(table)).kappa.value
    assert "unvalidated" == agreement_of(labelled(table), Policy(), JUDGED_BY).state


def test_measure__every_number_that_decides_is_rounded() -> None:
    """To nine decimals: below is what one machine's library adds up otherwise than another's."""
    kappa = measure(labelled([[20, 3, 1], [2, 20, 2], [0, 4, 48]])).kappa

    numbers = (kappa.value, kappa.se, kappa.low, kappa.high, kappa.lower_one_sided)
    assert [None if one is None else round(one, 9) for one in numbers] == list(numbers)
    assert None not in numbers


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[0, 0, 2], [0, 0, 3], [0, 0, 9]], "the labels are fine, so mend the judge's prompt"),
        ([[0, 0, 2], [0, 0, 2], [0, 0, 9]], "people another 4 times only"),
        ([[0, 0, 1], [0, 0, 0], [0, 0, 1]], "label answers of all kinds, the bad ones first"),
    ],
)
def test_licence__a_judge_that_always_says_high(table: list[list[int]], words: str) -> None:
    """Five times that people say otherwise show that it sees nothing; four may be luck."""
    found = agreement_of(labelled(table), Policy(), JUDGED_BY)

    assert "undefined" == found.state
    assert words in found.because


def test_measure__what_cannot_be_told_stays_none() -> None:
    """Both say high, always: there is no kappa."""
    kappa = measure(labelled([[0, 0, 0], [0, 0, 0], [0, 0, 9]])).kappa

    assert (None, None) == (kappa.value, kappa.lower_one_sided)
