"""`evals/calibration.json` as text."""

from __future__ import annotations

import json

from gate.decision.calibration_file import calibration_text
from gate.types import Calibration, CalibrationItem, CalibrationSet
from tests.unit.decision.decision_samples import JUDGED_BY, labelled


def test_calibration_text__reads_back_with_one_label_a_line() -> None:
    """What is written is what was there, and a label is a line."""
    made = Calibration(created="2026-07-01T00:00:00Z", sets=(labelled([[1, 0, 0], [0, 1, 0]]),) * 2)
    text = calibration_text(made)

    assert Calibration.model_validate(json.loads(text)) == made
    assert sum(line.startswith('{"case_id"') for line in text.splitlines()) == 4


def test_calibration_text__several_people_prompts_and_tuning() -> None:
    """What few files have is written where there is any of it, and read back."""
    part = labelled(
        [[1, 0, 0], [0, 1, 0]], models=("llm",), tried=("a", "b"), drafted_by=("ann", "llm")
    )
    rated = part.items[0].model_copy(update={"ratings": {"ann": "low", "llm": "high"}})
    part = part.model_copy(update={"items": (rated,), "tuning": part.items[1:]})
    made = Calibration(created=None, sets=(part,))
    text = calibration_text(made)

    assert Calibration.model_validate(json.loads(text)) == made
    assert "ratings" not in text.splitlines()[-3]


def test_calibration_text__a_label_has_only_the_keys_that_it_needs() -> None:
    """One of a whole answer names no item, one of one person no raters; others keep both."""
    plain = labelled([[1, 0, 0], [0, 0, 0], [0, 0, 0]]).items[0]
    whole = {"case_id", "target", "answer", "human", "judge"}
    for more in ({}, {"item": "d"}, {"ratings": {"ann": "low"}}):
        item = plain.model_copy(update=more)
        made = Calibration(sets=(labelled([[1]], items=(item,)),))
        (one,) = json.loads(calibration_text(made))["sets"][0]["items"]

        assert whole | set(more) == set(one)


def test_calibration_text__who_made_the_labels_and_of_what() -> None:
    """Items that are counted, a family that drafted, and whoever approved."""
    item = CalibrationItem(
        case_id="a", target="t", answer="d", item="i", human="supported", judge="partial"
    )
    part = CalibrationSet(
        dimension="faithfulness",
        counts="claims",
        identity=JUDGED_BY,
        drafted_by_families=("claude",),
        approved_by=("ann",),
        items=(item,),
    )

    assert (part,) == Calibration.model_validate(
        json.loads(calibration_text(Calibration(sets=(part,))))
    ).sets
