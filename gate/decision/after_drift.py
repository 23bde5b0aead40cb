"""After a drift all is renewed that the old judge measured, or none of it: what is older is told.

`gate controls --write` of a run in which drift was found notes its time. From then on a baseline
or a calibration that is older is of the judge that it was. It cannot see which judge a file is of
that was written later from an older run.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from gate.decision.controls import drifted
from gate.decision.identity import differing
from gate.decision.licence import MAY_GATE
from gate.decision.words import listed
from gate.errors import FileError
from gate.types import Agreement, Baseline, Calibration, Controls, Identity, Policy, Provenance, Run

__all__ = [
    "bound_to",
    "drift_times",
    "mixed",
    "older_baseline",
    "ruled_at",
    "stale_after_drift",
    "time_of",
    "unmixed",
]


def time_of(text: str | None) -> datetime | None:
    """Read an ISO 8601 time, UTC where it names no zone; None for what is none."""
    try:
        time = datetime.fromisoformat(text or "")
    except ValueError:
        return None
    return time if time.tzinfo else time.replace(tzinfo=UTC)


def ruled_at(provenance: Provenance) -> str | None:
    """Say when the judge ruled: answers that are judged anew keep their own, older time."""
    return provenance.judged or provenance.created


def mixed(run: Run, policy: Policy) -> bool:
    """Whether its rulings may be of two judges: drift was found, and the journal gave some."""
    return run.cost.cached_calls > 0 and bool(drifted(run, policy))


def unmixed(run: Run, policy: Policy) -> None:
    """Refuse a run whose rulings may be of two judges. Raises FileError."""
    if mixed(run, policy):
        raise FileError(
            f"the judge drifted in {listed(list(drifted(run, policy)))}, and run {run.id} holds "
            "rulings from the journal, of the judge that it was: run again into a new folder "
            "(`--out`) and name that run"
        )


def drift_times(
    run: Run,
    policy: Policy,
    before: Controls | None,
    identities: Mapping[str, Identity],
    world: str | None,
) -> dict[str, str]:
    """Return what new control answers say of drift: dimension -> when it was seen, newest first.

    Those of the file that they replace, and of the run's own, are kept where the judge is the same;
    `identities` and `world` are the new file's.
    """
    times: dict[str, str] = {}
    if before is not None and before.world == world:
        times = _of_this_judge(before, identities)
    earlier = {} if run.controls is None else run.controls.drifted
    now = ruled_at(run.provenance)
    seen = {} if now is None else dict.fromkeys(drifted(run, policy), now)
    for found in (earlier, seen):
        for name, time in found.items():
            if name in identities and _older(times.get(name), time, unknown=True):
                times[name] = time
    return dict(sorted(times.items()))


def bound_to(controls: Controls, identities: Mapping[str, Identity]) -> dict[str, str]:
    """Return the times of drift that a run of these identities is bound to: its own judge's."""
    return _of_this_judge(controls, identities)


def _of_this_judge(controls: Controls, identities: Mapping[str, Identity]) -> dict[str, str]:
    return {
        name: time
        for name, time in controls.drifted.items()
        if name in identities
        and "judge" not in differing(controls.identities.get(name), identities[name])
    }


def older_baseline(run: Run, baseline: Baseline) -> dict[str, str]:
    """Return the dimensions in which the judge drifted after the baseline -> that, in words."""
    written = ruled_at(baseline.provenance)
    return {
        name: f"the judge drifted on {_day(time)}, the baseline is older: renew it"
        for name, time in _times(run).items()
        if _older(written, time)
    }


def stale_after_drift(
    agreements: Sequence[Agreement], calibration: Calibration | None, run: Run
) -> tuple[Agreement, ...]:
    """Take the licence of dimensions whose labels were compared with the judge before it drifted.

    Also of those that are computed from them. All others stay as they are.
    """
    written = None if calibration is None else calibration.created
    times = {name: time for name, time in _times(run).items() if _older(written, time)}
    of = {metric.name: metric.of for metric in run.metrics}
    return tuple(
        _stale(one, times, (one.dimension, *of.get(one.dimension, ()))) for one in agreements
    )


def _stale(one: Agreement, times: Mapping[str, str], names: Sequence[str]) -> Agreement:
    time = next((times[name] for name in names if name in times), None)
    if time is None or one.state not in MAY_GATE or one.state == "not_needed":
        return one
    because = (
        f"the judge drifted on {_day(time)}, after the labels were compared with it: "
        "run `gate kappa --write` again on answers that the present judge has scored"
    )
    return one.model_copy(update={"state": "stale", "because": because})


def _times(run: Run) -> Mapping[str, str]:
    return {} if run.controls is None else run.controls.drifted


def _older(one: str | None, other: str, *, unknown: bool = False) -> bool:
    """Whether `one` is before `other`; where a time is not known, `unknown`."""
    first, second = time_of(one), time_of(other)
    return unknown if first is None or second is None else first < second


def _day(time: str) -> str:
    return time[: len("2026-07-01")]
