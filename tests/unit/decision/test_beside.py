"""What stands beside the kappa that licenses."""

from __future__ import annotations

import pytest

from gate.decision.beside import beside, more_labels
from gate.decision.calibration import agreement_of
from gate.types import Beside, CalibrationItem, CalibrationSet, Policy, Support
from tests.unit.decision.decision_samples import JUDGED_BY, labelled


def found(part: CalibrationSet) -> Beside:
    """The figures of a set."""
    return beside(part, agreement_of(part, Policy(), JUDGED_BY), Policy())


def test_beside__the_reference_table() -> None:
    """System 1's correctness: alpha by ranks, and the bootstrap interval of the reference."""
    one = found(labelled([[2, 0, 0], [0, 0, 0], [1, 1, 20]]))

    assert (0.0, 1.0) == (one.bootstrap_low, one.bootstrap_high)
    assert one.alpha == pytest.approx(0.6568, abs=1e-4)
    assert 41 == one.more_labels
    assert one.spread is None
    assert (0, None) == (one.tuning_n, one.tuning_kappa)


def test_beside__an_agreement_that_hangs_on_the_edges() -> None:
    """Scores of 0.65, med by a hair: cut a little lower they are high, and people said med."""
    part = labelled([[4, 0, 0], [0, 4, 0], [0, 0, 4]])
    items = [
        item.model_copy(update={"judge": 0.65}) if item.human == "med" else item
        for item in part.items
    ]
    one = found(part.model_copy(update={"items": tuple(items)}))

    assert one.edges_higher == 1.0
    assert one.edges_lower == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("score", "lower", "higher"), [(0.63, 0.5, 1.0), (0.6, 1.0, 1.0), (0.37, 1.0, 0.5)]
)
def test_beside__edges_move_by_a_twentieth(score: float, lower: float, higher: float) -> None:
    """From 2/3 to 0.617, so that 0.63 is high and 0.6 is not; from 1/3 to 0.383: 0.37 is low.

    Of three thirds that were rated alike two are left then: kappa is (2/3 - 1/3) / (1 - 1/3).
    """
    part = labelled([[4, 0, 0], [0, 4, 0], [0, 0, 4]])
    items = [
        item.model_copy(update={"judge": score}) if item.human == "med" else item
        for item in part.items
    ]
    one = found(part.model_copy(update={"items": tuple(items)}))

    assert pytest.approx(lower) == one.edges_lower
    assert pytest.approx(higher) == one.edges_higher


def test_beside__items_have_no_edges() -> None:
    """Words of items have no order: nominal alpha, and no bucket to move."""
    items = tuple(
        CalibrationItem(
            case_id=str(number), target="t", answer="d", item=str(number), human=human, judge=judge
        )
        for number, (human, judge) in enumerate(
            [("supported", "supported")] * 5
            + [("unsupported", "unsupported")] * 4
            + [("unsupported", "supported")]
        )
    )
    one = found(CalibrationSet(dimension="f", counts="claims", identity=JUDGED_BY, items=items))

    assert (None, None) == (one.edges_lower, one.edges_higher)
    assert one.alpha == pytest.approx(0.808, abs=0.001)


def test_beside__labels_for_tuning() -> None:
    """Their kappa is shown by itself."""
    part = labelled([[2, 0, 0], [0, 0, 0], [1, 1, 20]])
    tuning = labelled([[3, 0, 0], [0, 3, 0], [0, 0, 3]]).items
    one = found(part.model_copy(update={"tuning": tuning}))

    assert (9, 1.0) == (one.tuning_n, one.tuning_kappa)


@pytest.mark.parametrize(
    ("kappa", "bound", "n", "expected"),
    [
        (0.630769, 0.251123, 24, 41),
        (0.7, 0.5, 50, 0),
        (0.7, 0.4, 50, 2),
        (0.4, 0.1, 50, None),
        (None, None, 50, None),
        (0.7, None, 50, None),
        (None, 0.2, 50, None),
    ],
)
def test_more_labels__by_the_standard_error(
    kappa: float | None, bound: float | None, n: int, expected: int | None
) -> None:
    """24 (0.3796 / 0.2308)^2 - 24 = 41; nothing where no number of labels would do."""
    assert expected == more_labels(kappa, bound, n, 0.4)


def test_beside__the_order_of_labels_does_not_matter() -> None:
    """Each case counts once, the first one, too."""
    part = labelled([[1, 0, 0], [0, 0, 0], [2, 1, 6]])
    turned = part.model_copy(update={"items": part.items[::-1]})

    assert found(part).alpha == found(turned).alpha


def test_beside__how_far_people_agree() -> None:
    """Where two rated the same answers."""
    part = labelled([[2, 0, 0], [0, 0, 0], [0, 0, 2]])
    items = [
        item.model_copy(update={"ratings": {"ann": item.human, "bob": item.human}})
        for item in part.items
    ]
    spread = found(part.model_copy(update={"items": tuple(items)})).spread

    assert spread is not None
    assert (4, 1.0) == (spread.n, spread.pairwise)


def test_beside__words_of_items_differ_alike() -> None:
    """Six items, one of which differs: 1 - 11 x 2 / (144 - 25 - 16 - 9) = 72/94.

    Of twelve words five are `supported`, four `partial` and three `unsupported`. That `supported`
    and `unsupported` lie furthest apart is of no account.
    """
    pairs: list[tuple[Support, Support]] = [
        ("supported", "supported"),
        ("supported", "supported"),
        ("partial", "partial"),
        ("partial", "partial"),
        ("unsupported", "unsupported"),
        ("unsupported", "supported"),
    ]
    items = tuple(
        CalibrationItem(
            case_id=str(number), target="t", answer="d", item=str(number), human=human, judge=judge
        )
        for number, (human, judge) in enumerate(pairs)
    )
    part = CalibrationSet(dimension="f", counts="claims", identity=JUDGED_BY, items=items)

    assert pytest.approx(72 / 94) == found(part).alpha
