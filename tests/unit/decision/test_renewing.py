"""The calibration of a judge that changed."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from gate.decision.renewing import changed_sets, check_renewed, kappa_moves, renewed
from gate.errors import FileError
from gate.types import (
    Calibration,
    CalibrationItem,
    CalibrationSet,
    Identity,
    ItemLabel,
    Label,
    LabelSet,
    Policy,
)
from tests.unit.decision.decision_samples import JUDGED_BY, labelled

OTHER = JUDGED_BY.model_copy(update={"judge": "claude-y [json_schema]"})
NOW: Mapping[str, Identity] = {"correctness": OTHER, "relevance": JUDGED_BY}
TABLE = [[9, 1, 0], [1, 9, 1], [0, 1, 20]]
OLD = Calibration(
    created="then",
    sets=(labelled(TABLE), labelled(TABLE, dimension="relevance")),
)
FRESH = Calibration(
    created="now",
    sets=(labelled([[9, 0, 0], [0, 9, 0], [0, 0, 9]], identity=OTHER),),
)


def label_file(*sets: CalibrationSet) -> LabelSet:
    """The labels that these sets were made of."""
    return LabelSet(
        path="ada.yaml",
        labels=tuple(
            Label(case_id=one.case_id, answer=one.answer, scores={part.dimension: one.human})  # type: ignore[dict-item]  # ratings are of whole answers
            for part in sets
            for one in part.items
        ),
    )


def test_changed_sets__only_where_something_differs() -> None:
    """Nothing without a calibration."""
    assert {"correctness": ("judge",)} == changed_sets(OLD, NOW)
    assert {} == changed_sets(None, NOW)


def test_renewed__replaces_the_changed_set_alone() -> None:
    """Relevance has the same judge and keeps its labels."""
    others = (labelled([[9]], dimension=name) for name in ("relevance", "other"))
    more = FRESH.model_copy(update={"sets": (*FRESH.sets, *others)})
    found = renewed(OLD, more, NOW)

    assert found is not None
    assert "now" == found.created
    assert (FRESH.sets[0], OLD.sets[1]) == found.sets


def test_renewed__without_a_label_there_is_nothing_new() -> None:
    """What is there stays, and is stale."""
    none = FRESH.model_copy(update={"sets": (FRESH.sets[0].model_copy(update={"items": ()}),)})

    assert renewed(OLD, none, NOW) is None


def test_kappa_moves__before_and_now() -> None:
    """Kappa of both judges, or of the old one alone."""
    (move,) = kappa_moves(OLD, renewed(OLD, FRESH, NOW), NOW, Policy(), None)

    assert ("correctness", ("judge",)) == (move.dimension, move.parts)
    assert move.before.kappa == pytest.approx(0.8475, abs=0.0001)
    assert move.after is not None
    assert 1.0 == move.after.kappa
    for old in (None, OLD):
        assert [None] == [one.after for one in kappa_moves(OLD, old, NOW, Policy(), None)]
    assert () == kappa_moves(None, None, NOW, Policy(), None)


def test_check_renewed__what_the_labels_say() -> None:
    """Every rating of a person stands in a file."""
    found = renewed(OLD, FRESH, NOW)
    assert found is not None

    check_renewed(OLD, found, NOW, [label_file(*FRESH.sets)])
    with pytest.raises(FileError, match="that no labels file has"):
        check_renewed(OLD, found, NOW, [])


def test_check_renewed__labels_of_items() -> None:
    """They are known by their digests."""
    item = CalibrationItem(
        case_id="c", target="t", answer="a", item="i", human="supported", judge="partial"
    )
    part = CalibrationSet(dimension="correctness", counts="claims", identity=OTHER, items=(item,))
    found = Calibration(sets=(part, OLD.sets[1]))
    said = ItemLabel(kind="claims", item="i", label="supported")
    file = LabelSet(path="a", labels=(Label(case_id="c", answer="a", scores={}, items=(said,)),))

    check_renewed(OLD, found, NOW, [file])


@pytest.mark.parametrize(
    ("sets", "said"),
    [
        (OLD.sets[:1], "other dimensions"),
        ((OLD.sets[0], FRESH.sets[0].model_copy(update={"dimension": "relevance"})), "is the same"),
        ((labelled(TABLE, identity=Identity(judge="z")), OLD.sets[1]), "is the same"),
        ((OLD.sets[0], labelled([[9, 0, 0]], dimension="relevance")), "changes relevance, whose"),
    ],
)
def test_check_renewed__more_than_the_judge_changed(
    sets: tuple[CalibrationSet, ...], said: str
) -> None:
    """A licence is not made of nothing."""
    with pytest.raises(FileError, match=said):
        check_renewed(OLD, Calibration(sets=sets), NOW, [label_file(*FRESH.sets)])


def test_check_renewed__without_an_old_one() -> None:
    """A refresh renews; it makes none."""
    with pytest.raises(FileError, match="other dimensions"):
        check_renewed(None, FRESH, NOW, [])


def test_renewed__labels_of_a_judge_that_is_the_same_are_not_paired_anew() -> None:
    """Newly found ones of relevance are no reason to replace what licenses it."""
    more = (*FRESH.sets, labelled([[3, 0, 0], [0, 3, 0], [0, 0, 3]], dimension="relevance"))
    found = renewed(OLD, FRESH.model_copy(update={"sets": more}), NOW)

    assert found is not None
    assert OLD.sets[1] == found.sets[1]


def test_kappa_moves__the_old_labels_once_more_are_no_kappa_of_the_new_judge() -> None:
    """None of them belongs to what it has rated."""
    (move,) = kappa_moves(OLD, OLD, NOW, Policy(), None)

    assert move.after is None


def test_check_renewed__other_labels_of_a_judge_that_is_the_same() -> None:
    """Even of its own identity, and where the labels files know them."""
    other = labelled([[3, 0, 0], [0, 3, 0], [0, 0, 3]], dimension="relevance")
    found = Calibration(sets=(FRESH.sets[0], other))

    with pytest.raises(FileError, match="changes relevance, whose judge is the same"):
        check_renewed(OLD, found, NOW, [label_file(*found.sets)])
