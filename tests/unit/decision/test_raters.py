"""Several people: their agreement with each other, and the judge beside them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from gate.decision.raters import spread_of
from gate.stats.agreement import krippendorff_alpha_of_ratings
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


@pytest.mark.parametrize(
    ("answers", "wrong", "within"), [(100, 2, True), (40, 1, True), (100, 4, False)]
)
def test_spread__a_judge_at_most_a_twentieth_below_people(
    answers: int, wrong: int, *, within: bool
) -> None:
    """People agree wholly on as many low as high; of n answers k wrong are kappa 1 - 2k/n."""
    half = answers // 2
    low: list[tuple[dict[str, Bucket], Bucket]] = [
        ({"ann": "low", "bob": "low"}, "high" if number < wrong else "low")
        for number in range(half)
    ]
    high: list[tuple[dict[str, Bucket], Bucket]] = [({"ann": "high", "bob": "high"}, "high")] * half
    found = spread_of(rated([*low, *high]))
    assert found is not None

    assert 1.0 == found.pairwise
    assert found.judge == pytest.approx(1 - 2 * wrong / answers)
    assert within == found.within


def test_spread__two_steps_apart_are_further_than_one() -> None:
    """Thirds of the scale have an order; what supports a claim, item by item, has none."""
    rows: list[tuple[dict[str, Bucket], Bucket]] = [
        ({"ann": "low", "bob": "high"}, "low"),
        ({"ann": "low", "bob": "low"}, "low"),
        ({"ann": "med", "bob": "med"}, "low"),
        ({"ann": "high", "bob": "high"}, "low"),
    ]
    ratings = [[one["ann"], one["bob"]] for one, _ in rows]
    found = spread_of(rated(rows))
    assert found is not None

    ordered, named = (
        krippendorff_alpha_of_ratings(ratings, ("low", "med", "high"), metric)
        for metric in ("ordinal", "nominal")
    )
    assert ordered != named
    assert ordered == found.alpha


def test_spread__items_are_of_no_order() -> None:
    """`partial` is no middle of `supported` and `unsupported`: any difference is one."""
    said = [
        ("supported", "unsupported"),
        ("supported",) * 2,
        ("partial",) * 2,
        ("unsupported",) * 2,
    ]
    items = tuple(
        CalibrationItem.model_validate(
            {
                "case_id": "c",
                "target": "t",
                "answer": "d",
                "item": str(number),
                "human": ann,
                "judge": "supported",
                "ratings": {"ann": ann, "bob": bob},
            }
        )
        for number, (ann, bob) in enumerate(said)
    )
    found = spread_of(
        CalibrationSet(dimension="faithfulness", counts="claims", identity=JUDGED_BY, items=items)
    )
    assert found is not None

    words = ("supported", "partial", "unsupported", "unverifiable")
    assert found.alpha == pytest.approx(krippendorff_alpha_of_ratings(said, words, "nominal"))
