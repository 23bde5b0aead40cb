"""Several people: their agreement with each other, and the judge beside them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.raters import spread_of
from gate.types import Bucket, CalibrationItem, CalibrationSet
from tests.unit.decision.decision_samples import JUDGED_BY

SCORES: dict[Bucket, float] = {"low": 0.1, "med": 0.5, "high": 0.9}
BOTH: tuple[Bucket, Bucket] = ("low", "high")


def rated(
    rows: Sequence[tuple[dict[str, Bucket], Bucket]], models: Sequence[str] = ()
) -> CalibrationSet:
    """One answer a row: who rated how, and what the judge said."""
    items = tuple(
        CalibrationItem.model_validate(
            {
                "case_id": str(number),
                "target": "t",
                "answer": "d",
                "human": min(ratings.values()),
                "judge": SCORES[judge],
                "ratings": ratings if len(ratings) > 1 else {},
            }
        )
        for number, (ratings, judge) in enumerate(rows)
    )
    return CalibrationSet(
        dimension="correctness", identity=JUDGED_BY, items=items, models=tuple(models)
    )


def test_spread__judge_among_people() -> None:
    """Ann and Bob differ on one of four; the judge takes Ann's side, and is within."""
    rows: list[tuple[dict[str, Bucket], Bucket]] = [
        ({"ann": "low", "bob": "low"}, "low"),
        ({"ann": "low", "bob": "high"}, "low"),
        ({"ann": "high", "bob": "high"}, "high"),
        ({"ann": "high", "bob": "high"}, "high"),
        ({"ann": "high"}, "low"),
    ]
    found = spread_of(rated(rows))
    assert found is not None

    assert (4, 1) == (found.n, found.settled)
    assert ["ann", "bob"] == [one.rater for one in found.people]
    assert [4, 4] == [one.n for one in found.people]
    assert [1.0, 0.5] == [one.kappa for one in found.people]
    assert (0.5, 0.75, True) == (found.pairwise, found.judge, found.within)
    assert found.alpha == pytest.approx(1 - 7 * 2 / (2 * 3 * 5))


def test_spread__a_judge_outside() -> None:
    """People agree wholly, and the judge with neither."""
    rows: list[tuple[dict[str, Bucket], Bucket]] = [
        ({"ann": "low", "bob": "low"}, "high"),
        ({"ann": "high", "bob": "high"}, "low"),
    ] * 3
    found = spread_of(rated(rows))
    assert found is not None

    assert (1.0, -1.0, False) == (found.pairwise, found.judge, found.within)


def test_spread__a_model_is_no_person() -> None:
    """A draft of a model beside one person's rating shows no human spread."""
    rows: list[tuple[dict[str, Bucket], Bucket]] = [({"ann": "low", "llm": "low"}, "low")]

    assert spread_of(rated(rows, ["llm"])) is None
    assert spread_of(rated([({"ann": "low"}, "low")])) is None


def test_spread__what_cannot_be_told() -> None:
    """Three people of whom no two saw the same but once, all high: no kappa, so no judgement."""
    rows: list[tuple[dict[str, Bucket], Bucket]] = [
        ({"ann": "high", "bob": "high"}, "high"),
        ({"bob": "high", "eve": "high"}, "high"),
    ]
    found = spread_of(rated(rows))
    assert found is not None

    assert (None, None, None, None) == (found.alpha, found.pairwise, found.judge, found.within)


def test_spread__people_without_variety_among_themselves() -> None:
    """Ann varies beside the judge, but not where Bob or Eve rated as well: no bar to hold it to."""
    rows: list[tuple[dict[str, Bucket], Bucket]] = [
        ({"ann": "high", "bob": "high"}, "high"),
        ({"ann": "low", "eve": "low"}, "low"),
    ]
    found = spread_of(rated(rows))
    assert found is not None

    assert (None, 1.0, None) == (found.pairwise, found.judge, found.within)


def test_spread__thirds_of_a_scale_are_in_order() -> None:
    """By hand: 2, 1 and 3 labels lie at ranks 1, 2.5 and 4.5; alpha = 1 - 5 x 8 / 180."""
    rows: list[tuple[dict[str, Bucket], Bucket]] = [
        ({"ann": "low", "bob": "low"}, "low"),
        ({"ann": "med", "bob": "high"}, "med"),
        ({"ann": "high", "bob": "high"}, "high"),
    ]
    found = spread_of(rated(rows))
    assert found is not None

    assert found.alpha == pytest.approx(7 / 9)


def test_spread__support_of_claims_has_no_order() -> None:
    """By hand: one of three pairs differs, two ways round; alpha = 1 - 5 x 2 / (36 - 4 - 1 - 9)."""
    pairs = [("supported", "supported"), ("partial", "unsupported"), ("unsupported",) * 2]
    items = tuple(
        CalibrationItem.model_validate(
            {
                "case_id": str(number),
                "target": "t",
                "answer": "d",
                "item": f"claim-{number}",
                "human": ann,
                "judge": ann,
                "ratings": {"ann": ann, "bob": bob},
            }
        )
        for number, (ann, bob) in enumerate(pairs)
    )
    found = spread_of(
        CalibrationSet(dimension="correctness", counts="claims", identity=JUDGED_BY, items=items)
    )
    assert found is not None

    assert found.alpha == pytest.approx(12 / 22)


@pytest.mark.parametrize(("missed", "kappa", "within"), [(2, 0.95, True), (3, 0.925, False)])
def test_spread__judge_at_most_a_twentieth_below_people(
    missed: int, kappa: float, *, within: bool
) -> None:
    """People agree wholly; each of eighty answers that the judge misses takes 1/40 of its kappa."""
    low, high = (dict[str, Bucket](ann=said, bob=said) for said in BOTH)
    rows: list[tuple[dict[str, Bucket], Bucket]] = [(low, "low") for _ in range(40 - missed)]
    rows += [(low, "high") for _ in range(missed)]
    rows += [(high, "high") for _ in range(40)]
    found = spread_of(rated(rows))
    assert found is not None

    assert (1.0, kappa, within) == (found.pairwise, found.judge, found.within)
