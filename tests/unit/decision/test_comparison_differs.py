"""What is not comparable, in words: another instrument, a judge that drifted, or both."""

from __future__ import annotations

import pytest

from gate.decision.comparison import compare
from gate.types import ControlCheck, ControlReading, Identity, Metric, Policy
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    JUDGED_BY,
    RELEVANCE,
    baseline_of,
    cell,
    run_of,
)

STYLE = Metric(name="style", judged=True)
METRICS = (CORRECTNESS, RELEVANCE, STYLE)
CELLS = [cell("t", "a", {metric.name: [1.0] for metric in METRICS})]
BEFORE = run_of(CELLS, METRICS)


def drift(**later: str) -> ControlCheck:
    """Eight control answers whose correctness fell, twice; and drift that others found before."""
    readings = tuple(
        ControlReading(
            case_id=f"c{number}",
            dimension="correctness",
            stored=(0.75,) * 3,
            values=(0.5, 0.5),
            flipped=True,
        )
        for number in range(8)
    )
    ids = tuple(one.case_id for one in readings)
    return ControlCheck(case_ids=ids, of=8, rounds=2, readings=readings, drifted=later)


def test_differs__each_cause_by_itself() -> None:
    """Another prompt, drift in this run, and a baseline that is older than drift found before."""
    other = JUDGED_BY.model_copy(update={"prompt": "p2"})
    now = BEFORE.model_copy(
        update={
            "controls": drift(style="2026-07-08T09:00:00Z"),
            "identities": {**BEFORE.identities, "relevance": other},
        }
    )

    found = compare(now, baseline_of(BEFORE), Policy())

    assert (
        "relevance: prompt differs",
        "judge drift, control answers flipped in correctness (8 of 8)",
        "style: the judge drifted on 2026-07-08, the baseline is older: renew it",
    ) == found.differs
    assert not found.comparable


def test_differs__a_baseline_that_is_older_than_drift_has_no_control_answers_to_name() -> None:
    """Those of this run held."""
    held = ControlCheck(drifted={"style": "2026-07-08T09:00:00Z"})

    found = compare(BEFORE.model_copy(update={"controls": held}), baseline_of(BEFORE), Policy())

    said = "style: the judge drifted on 2026-07-08, the baseline is older: renew it"
    assert ((said,), True) == (found.differs, found.comparable)


def test_drift_warnings__where_a_row_says_it_there_is_none() -> None:
    """Without a baseline no row does."""
    now = BEFORE.model_copy(update={"controls": drift()})
    with_one, without = (
        [one for one in compare(now, baseline, Policy()).warnings if "drift" in one]
        for baseline in (baseline_of(BEFORE), None)
    )

    said = "8 of 8 control answers flipped, 0.25 lower on average"
    assert ([], [f"Judge drift in correctness: {said}."]) == (with_one, without)


def test_comparable__a_new_dimension_makes_nothing_comparable() -> None:
    """What the baseline lacks is not compared either: the one dimension that it has differs."""
    old = run_of([cell("t", "a", {"correctness": [1.0]})])
    other = {**BEFORE.identities, "correctness": Identity(judge="x", prompt="p1", scorer="s1")}

    found = compare(BEFORE.model_copy(update={"identities": other}), baseline_of(old), Policy())

    assert (("correctness: judge differs",), False) == (found.differs, found.comparable)


@pytest.mark.parametrize(
    ("names", "said"),
    [
        (("style",), "Whether style was scored alike"),
        (("relevance", "style"), "Whether relevance and style were scored alike"),
    ],
)
def test_unknown__one_or_several(names: tuple[str, ...], said: str) -> None:
    """Of dimensions whose judge nobody knows."""
    known = {name: one for name, one in BEFORE.identities.items() if name not in names}

    found = compare(BEFORE.model_copy(update={"identities": known}), baseline_of(BEFORE), Policy())

    assert [True] == [one.startswith(said) for one in found.warnings if "scored alike" in one]
