"""After a drift all is renewed or none: what is older than it decides nothing."""

from __future__ import annotations

import pytest

from gate.decision.after_drift import (
    bound_to,
    drift_times,
    older_baseline,
    stale_after_drift,
    time_of,
    unmixed,
)
from gate.errors import FileError
from gate.types import (
    Calibration,
    ControlCheck,
    ControlReading,
    Controls,
    Cost,
    Metric,
    Policy,
    Provenance,
    Run,
    TrustState,
)
from tests.unit.decision.decision_samples import (
    CORRECTNESS,
    JUDGED_BY,
    RELEVANCE,
    baseline_of,
    cell,
    columns,
    licence,
    run_of,
    verdict_of,
)

POLICY = Policy()
BEFORE, DRIFT, AFTER = "2026-07-01T00:00:00Z", "2026-07-08T09:00:00+00:00", "2026-07-09T00:00:00Z"
FULL = run_of(columns([0.9, 0.8] * 15))


def fallen(**more: object) -> Run:
    """A run in which eight control answers fell, twice."""
    readings = tuple(
        ControlReading(
            case_id=f"c{number}",
            dimension="correctness",
            stored=(0.75, 0.75, 0.75),
            values=(0.5, 0.5),
            flipped=True,
        )
        for number in range(8)
    )
    check = ControlCheck(
        case_ids=tuple(one.case_id for one in readings), of=8, rounds=2, readings=readings
    )
    return run_of(
        columns([0.7] * 30), controls=check, provenance=Provenance(created=DRIFT)
    ).model_copy(update=more)


def bound(run: Run = FULL, **times: str) -> Run:
    """A run that knows of earlier drift, in which the judge holds."""
    return run.model_copy(update={"controls": ControlCheck(drifted=times)})


def file(drifted: dict[str, str], world: str | None = None) -> Controls:
    """A file of control answers."""
    return Controls(
        date="2026-07-01", world=world, identities={"correctness": JUDGED_BY}, drifted=drifted
    )


def test_unmixed__rulings_of_two_judges() -> None:
    """Drift and one call from the journal together; either alone is let through."""
    cached = Cost(cached_calls=1)
    with pytest.raises(FileError, match=r"run again into a new folder \(`--out`\)"):
        unmixed(fallen(cost=cached), POLICY)
    unmixed(fallen(), POLICY)
    unmixed(FULL.model_copy(update={"cost": cached}), POLICY)


def test_verdict__rulings_of_two_judges_run_again_first() -> None:
    """The next step of such a run renews nothing of it."""
    verdict = verdict_of(fallen(cost=Cost(cached_calls=48)), baseline_of(FULL))

    assert str(verdict.next_step).startswith("run again into a new folder first")


def test_drift_times__of_the_run_and_of_the_file_before() -> None:
    """The newest time of each dimension; another judge's and another world's are none of it."""
    names = {"correctness": JUDGED_BY}
    other = {"correctness": JUDGED_BY.model_copy(update={"judge": "claude-y"})}
    old, new = file({"correctness": BEFORE}), file({"correctness": AFTER})

    assert {"correctness": DRIFT} == drift_times(fallen(), POLICY, old, names, None)
    assert {"correctness": AFTER} == drift_times(fallen(), POLICY, new, names, None)
    assert {"correctness": BEFORE} == drift_times(FULL, POLICY, old, names, None)
    kept = bound(correctness=DRIFT, gone=DRIFT)
    assert {"correctness": DRIFT} == drift_times(kept, POLICY, None, names, None)
    for before, now in ((old, other), (file({"correctness": BEFORE}, "steady"), names)):
        assert {} == drift_times(FULL, POLICY, before, now, None)
    timeless = fallen(provenance=Provenance())
    assert {} == drift_times(timeless, POLICY, None, names, None)


def test_drift_times__of_answers_that_were_judged_anew() -> None:
    """When the judge ruled counts, not how old the answers are."""
    provenance = Provenance(created=BEFORE, judged=AFTER)
    times = drift_times(fallen(provenance=provenance), POLICY, None, FULL.identities, None)

    assert {"correctness": AFTER} == times
    rejudged = baseline_of(FULL.model_copy(update={"provenance": provenance}))
    assert (BEFORE, AFTER) == (rejudged.provenance.created, rejudged.provenance.judged)
    assert {} == older_baseline(bound(correctness=AFTER), rejudged)


def test_bound_to__the_same_judge() -> None:
    """That another judge drifted says nothing of this one."""
    other = JUDGED_BY.model_copy(update={"judge": "claude-y"})

    assert {"correctness": DRIFT} == bound_to(
        file({"correctness": DRIFT, "relevance": DRIFT}), {"correctness": JUDGED_BY}
    )
    assert {} == bound_to(file({"correctness": DRIFT}), {"correctness": other})


def two_dimensions(correctness: float) -> Run:
    """A run of two dimensions."""
    cells = [
        cell("t", f"case-{number:02d}", {"correctness": [correctness], "relevance": [0.8]})
        for number in range(30)
    ]
    return run_of(cells, [CORRECTNESS, RELEVANCE])


def test_verdict__a_baseline_from_before_the_drift() -> None:
    """Control answers that were renewed alone: no regression of the candidate."""
    low, high = bound(two_dimensions(0.5), correctness=DRIFT), two_dimensions(0.9)
    verdict = verdict_of(low, baseline_of(high))

    assert ("broken", 3) == (verdict.status, verdict.exit_code)
    words = "correctness: the judge drifted on 2026-07-08, the baseline is older: renew it"
    assert words in verdict.headline
    assert "refresh the baseline" in str(verdict.next_step)


@pytest.mark.parametrize("created", [AFTER, DRIFT, None])
def test_verdict__a_baseline_that_is_not_known_to_be_older(created: str | None) -> None:
    """It is compared."""
    low, high = bound(two_dimensions(0.5), correctness=DRIFT), two_dimensions(0.9)
    baseline = baseline_of(high, provenance=Provenance(created=created))

    assert "regression" == verdict_of(low, baseline).status


@pytest.mark.parametrize(
    ("created", "state", "now"),
    [
        (BEFORE, "validated", "stale"),
        (BEFORE, "unvalidated", "unvalidated"),
        (BEFORE, "not_needed", "not_needed"),
        (AFTER, "validated", "validated"),
        (None, "validated", "validated"),
    ],
)
def test_stale_after_drift__labels_from_before(
    created: str | None, state: TrustState, now: TrustState
) -> None:
    """The old judge's kappa licenses the drifted one no more; an unknown time binds nothing."""
    (found,) = stale_after_drift(
        [licence(state=state)], Calibration(created=created), bound(correctness=DRIFT)
    )

    assert now == found.state
    said = "the judge drifted on 2026-07-08, after the labels were compared with it"
    assert (now == "stale") == (said in found.because)


def test_stale_after_drift__what_is_computed_from_it() -> None:
    """A composed dimension goes with its parts; without a calibration or a check none goes."""
    whole = Metric(name="whole", judged=True, of=("correctness",))
    run = FULL.model_copy(update={"metrics": (CORRECTNESS, whole)})
    given = (licence(), licence("whole"))
    old = Calibration(created=BEFORE)

    late = bound(run, correctness=DRIFT)
    assert ["stale"] * 2 == [one.state for one in stale_after_drift(given, old, late)]
    assert given == stale_after_drift(given, None, late)
    assert given == stale_after_drift(given, old, run)


def test_time_of__no_time() -> None:
    """What is none binds nothing; a time without a zone is UTC."""
    assert time_of("yesterday") is None
    assert time_of("2026-07-01") == time_of("2026-07-01T00:00:00Z")


def test_verdict__baseline_and_labels_from_before_the_drift() -> None:
    """Both are renewed: there is no way back to the judge that it was."""
    run = bound(FULL, correctness=DRIFT)
    verdict = verdict_of(run, baseline_of(FULL), state="stale")
    stored = verdict_of(run, baseline_of(FULL), state="stale", stored="answers.jsonl")

    assert "broken" == verdict.status
    for one in (verdict, stored):
        assert str(one.next_step).startswith("renew both: the calibration")


def test_verdict__drift_again_with_labels_from_before() -> None:
    """What flipped now is said first."""
    verdict = verdict_of(fallen(), baseline_of(FULL), state="stale")

    assert "No verdict: the judge drifted, control answers flipped in correctness (8 of 8)" == (
        verdict.headline
    )
    assert str(verdict.next_step).startswith("look at the control answers")


def test_older_baseline__what_is_no_time_is_not_after_it() -> None:
    """A file by hand may say anything; new control answers keep it."""
    run = bound(correctness="yesterday")

    assert {} == older_baseline(run, baseline_of(FULL))
    assert {"correctness": "yesterday"} == drift_times(run, POLICY, None, FULL.identities, None)


def test_drift_times__by_the_names_of_the_dimensions() -> None:
    """A file does not change by itself."""
    names = dict.fromkeys(("relevance", "correctness"), JUDGED_BY)
    run = bound(relevance=DRIFT, correctness=DRIFT)

    assert ["correctness", "relevance"] == list(drift_times(run, POLICY, None, names, None))
