"""Stored answers belong to a baseline by its runs and by digests."""

from __future__ import annotations

from gate.decision.baseline_answers import digests_of, fit, offsets_of
from gate.types import BaselineAnswers
from tests.unit.decision.decision_samples import baseline_of, cell, run_of

BASELINE = baseline_of(
    run_of([cell("t", "a", {"correctness": [0.5, None]}, states=["ok", "error"])])
)
HEAD = BaselineAnswers(runs=BASELINE.runs)


def test_digests_of__every_attempt() -> None:
    """Those that failed have none."""
    assert {("t", "a", 0): "t/a/0", ("t", "a", 1): None} == digests_of(BASELINE)


def test_fit__the_very_answers() -> None:
    """All of them, and no other in the place of one; nor those of other runs, or of no run."""
    own = digests_of(BASELINE)

    assert fit(HEAD, own, BASELINE)
    assert not fit(HEAD, {**own, ("t", "a", 0): "another"}, BASELINE)
    assert not fit(HEAD, {key: own[key] for key in list(own)[:1]}, BASELINE)
    assert not fit(BaselineAnswers(runs=("run-2",)), own, BASELINE)
    nameless = BASELINE.model_copy(update={"runs": ()})
    assert not fit(BaselineAnswers(), own, nameless)


def test_offsets_of__repeats_of_several_runs() -> None:
    """The second run's attempts follow the first's, case by case."""
    first, second = {("t", "a"): 2, ("t", "b"): 1}, {("t", "a"): 1, ("t", "c"): 1}

    assert [
        {("t", "a"): 0, ("t", "b"): 0},
        {("t", "a"): 2, ("t", "c"): 0},
    ] == offsets_of([first, second])
