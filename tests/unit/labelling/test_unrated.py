"""Which answers of stored runs to rate next."""

from __future__ import annotations

from gate.decision.calibration import calibrate
from gate.labelling.unrated import next_to_rate
from gate.types import Label, LabelSet
from tests.unit.decision.decision_samples import cell, run_of

RUN = run_of(
    [cell("t", f"case-{n}", {"correctness": [0.9 if n else 0.1]}) for n in range(6)]
    + [cell("u", "case-9", {"correctness": [None]}), cell("t", "gone", {}, states=["error"])]
)


def test_next_to_rate__not_what_is_rated() -> None:
    """Rated answers and failures are left out; the odd one comes first."""
    label = Label(case_id="case-1", scores={"correctness": "high"}, answer="t/case-1/0")
    sets = calibrate([RUN], [LabelSet(path="l.yaml", labels=(label,))]).calibration.sets
    everything = next_to_rate([RUN], sets, 20)

    assert {f"case-{n}" for n in (0, 2, 3, 4, 5, 9)} == {case for case, _ in everything}
    assert "case-0" in {case for case, _ in next_to_rate([RUN], sets, 2)}
    assert ("case-9", "u/case-9/0") in everything


def test_next_to_rate__one_target() -> None:
    """Answers of other systems are passed over."""
    assert (("case-9", "u/case-9/0"),) == next_to_rate([RUN], (), 20, "u")


def test_next_to_rate__all_rated() -> None:
    """Then there is none."""
    run = run_of([cell("t", "a", {"correctness": [0.9]})])
    label = Label(case_id="a", scores={"correctness": "high"}, answer="t/a/0")
    sets = calibrate([run], [LabelSet(path="l.yaml", labels=(label,))]).calibration.sets

    assert () == next_to_rate([run], sets, 20)
