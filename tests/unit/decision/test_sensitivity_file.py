"""`evals/sensitivity.json`: written, read back, and checked."""

from __future__ import annotations

import json

import pytest

from gate.decision.sensitivity_file import check_sensitivity, sensitivity_text
from gate.errors import FileError
from gate.types import DamagedPair, Sensitivity, SensitivitySet
from tests.unit.decision.decision_samples import JUDGED_BY

PAIR = DamagedPair(
    case_id="a", target="t", answer="d", damage="fact_flipped", before=1.0, after=0.5
)


def made(*pairs: DamagedPair, times: int = 1) -> Sensitivity:
    """A file with these damaged answers."""
    one = SensitivitySet(dimension="correctness", identity=JUDGED_BY, pairs=pairs)
    return Sensitivity(created="now", sets=(one,) * times)


def test_sensitivity_text__reads_back_with_one_damage_a_line() -> None:
    """What is written is what was there."""
    whole = made(PAIR, PAIR.model_copy(update={"case_id": "b"}))
    text = sensitivity_text(whole)

    assert Sensitivity.model_validate(json.loads(text)) == whole
    assert 2 == sum(line.startswith('{"case_id"') for line in text.splitlines())
    check_sensitivity(whole, "s.json")


@pytest.mark.parametrize("score", [0.0, 1.0])
def test_check_sensitivity__takes_the_ends_of_the_scale(score: float) -> None:
    """A judge may give all or nothing, before as after."""
    check_sensitivity(made(PAIR.model_copy(update={"before": score, "after": score})), "s.json")


@pytest.mark.parametrize(
    ("wrong", "because"),
    [
        (made(PAIR, times=2), "has correctness twice"),
        (made(PAIR, PAIR), r"correctness of a is damaged twice in one way \(fact_flipped\)"),
        (made(PAIR.model_copy(update={"after": 1.5})), "correctness of a has a score outside"),
        (made(PAIR.model_copy(update={"before": -0.5})), "correctness of a has a score outside"),
        (made(PAIR.model_copy(update={"before": 1.5})), "correctness of a has a score outside"),
        (made(PAIR.model_copy(update={"after": -0.5})), "correctness of a has a score outside"),
    ],
)
def test_check_sensitivity__refuses(wrong: Sensitivity, because: str) -> None:
    """What cannot be of `gate sensitivity` is refused with what to do."""
    with pytest.raises(FileError, match=f"s.json: {because}.*gate sensitivity --write"):
        check_sensitivity(wrong, "s.json")
