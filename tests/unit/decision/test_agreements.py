"""The licence of every metric of a run, from the calibration that it has."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from gate.decision.calibration import agreements
from gate.types import Agreement, Calibration, CalibrationSet, Identity, Metric, Policy
from tests.unit.decision.decision_samples import CORRECTNESS, EXACT, JUDGED_BY, labelled

TABLES = {
    "alike": [[4, 0, 1], [0, 0, 0], [1, 0, 4]],
    "mixed": [[3, 0, 2], [0, 0, 0], [2, 0, 3]],
    "chance": [[2, 0, 2], [0, 0, 0], [2, 0, 2]],
    "turned": [[1, 0, 3], [0, 0, 0], [3, 0, 1]],
    "constant": [[5, 0, 0], [0, 0, 0], [0, 0, 0]],
}
"""Kappas of 0.6, 0.2, 0 and -0.5, and one without any variety; none is above the bar of 0.6."""
BOTH = Metric(name="both", judged=True, of=("one", "other"))


def given(
    metrics: Sequence[Metric], *sets: CalibrationSet, judge: Identity = JUDGED_BY
) -> tuple[Agreement, ...]:
    """The licences that these labels give."""
    known = {metric.name: judge for metric in metrics}
    return agreements(Calibration(sets=sets), metrics, known, Policy())


def composed(tables: Mapping[str, str], judge: Identity = JUDGED_BY) -> Agreement:
    """The licence of a metric that is computed from others with these tables."""
    parts = [Metric(name=name, judged=True) for name in BOTH.of]
    sets = [labelled(TABLES[tables[name]], dimension=name) for name in BOTH.of]
    return given([*parts, BOTH], *sets, judge=judge)[-1]


def test_agreements__what_no_judge_measured_needs_none() -> None:
    """And says why."""
    (one,) = given([EXACT])

    assert ("not_needed", "measured without a judge") == (one.state, one.because)


@pytest.mark.parametrize(
    ("one", "other", "weaker"),
    [
        ("alike", "mixed", "other"),
        ("mixed", "alike", "one"),
        ("mixed", "turned", "other"),
        ("chance", "turned", "other"),
        ("chance", "mixed", "one"),
        ("turned", "mixed", "one"),
    ],
)
def test_agreements__a_computed_metric_has_the_lowest_kappa_of_its_parts(
    one: str, other: str, weaker: str
) -> None:
    """Where the licences are the same otherwise: both are too low."""
    found = composed({"one": one, "other": other})

    assert ("both", "unvalidated") == (found.dimension, found.state)
    assert f"with the weaker licence of {weaker}: " in found.because


@pytest.mark.parametrize("known", ["alike", "turned"])
@pytest.mark.parametrize("places", [("one", "other"), ("other", "one")])
def test_agreements__a_part_without_a_kappa_is_the_weakest(
    known: str, places: tuple[str, str]
) -> None:
    """Labels for another judge license nothing; of two such sets, one has no variety either."""
    unknown, other = places
    found = composed(
        {unknown: "constant", other: known}, JUDGED_BY.model_copy(update={"judge": "claude-y"})
    )

    assert "stale" == found.state
    assert f"with the weaker licence of {unknown}: " in found.because


def test_agreements__labels_of_the_computed_metric_itself_go_first() -> None:
    """What its parts say is for want of these."""
    one = Metric(name="one", judged=True)
    found = given(
        [one, BOTH.model_copy(update={"of": ("one",)})],
        labelled(TABLES["turned"], dimension="one"),
        labelled(TABLES["mixed"], dimension="both"),
    )

    assert [-0.5, 0.2] == [licence.kappa for licence in found]


def test_agreements__labels_of_items_are_none_of_whole_answers() -> None:
    """It says what the labels are of, and what is wanted."""
    (found,) = given([CORRECTNESS], labelled(TABLES["alike"], counts="claims"))

    assert "unlabelled" == found.state
    assert (
        "the calibration has labels of claims for it, and it counts whole answers: "
        "label whole answers, then `gate kappa --write` again"
    ) == found.because
