"""`evals/calibration.json` as text."""

from __future__ import annotations

import json

from gate.decision.calibration_file import calibration_text
from gate.types import Calibration
from tests.unit.decision.decision_samples import labelled


def test_calibration_text__reads_back_with_one_label_a_line() -> None:
    """What is written is what was there, and a label is a line."""
    made = Calibration(created="2026-07-01T00:00:00Z", sets=(labelled([[1, 0, 0], [0, 1, 0]]),) * 2)
    text = calibration_text(made)

    assert Calibration.model_validate(json.loads(text)) == made
    assert sum(line.startswith('{"case_id"') for line in text.splitlines()) == 4
