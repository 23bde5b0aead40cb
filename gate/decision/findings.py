"""The table of the verdict: one finding for each row, and one for how each target worked."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.decision.controls import DRIFT
from gate.decision.outcomes import Said
from gate.decision.rounding import RESULT_PLACES, result
from gate.decision.standing import Standing
from gate.decision.words import counted, listed, percent, setting
from gate.stats.falls import fell_most
from gate.types import (
    Finding,
    Operation,
    OperationFinding,
    Outcome,
    Policy,
    Row,
    Trust,
)

MOST_WORST = 5
"""Cases that a row names as the ones to look at first."""

_LIMITED: Mapping[str, tuple[str, str]] = {
    "p50_latency_s": ("median latency of {:g} s", "{:g} s"),
    "usd_per_1k": ("cost of ${:g} for 1,000 answers", "${:g}"),
}
"""Key of `policy.limits` -> how the figure and the limit are said."""

RATES: Mapping[str, str] = {
    "error_rate": "errors",
    "empty_rate": "empty answers",
    "ungrounded_rate": "answers without a source",
}
"""The three rates that may turn a run -> how a sentence calls them."""

_MEASURED: frozenset[Outcome] = frozenset({"regression", "pass", "inconclusive"})


def finding_of(one: Standing, said: Said, policy: Policy) -> Finding:
    """Put together what the table shows of a row; adjusted p-values only where it gates."""
    row, agreement = one.row, one.agreement
    return Finding(
        target=row.target,
        dimension=row.dimension,
        category=row.category,
        gating=one.gating,
        advisory_because=one.because,
        trust=Trust(
            state=agreement.state,
            kappa=agreement.kappa,
            low=agreement.low,
            high=agreement.high,
            lower_one_sided=agreement.lower_one_sided,
            n=agreement.n,
        ),
        baseline=row.baseline,
        current=row.current,
        delta=row.delta,
        low=row.low,
        high=row.high,
        p=row.p,
        p_adjusted=said.p if one.gating else None,
        p_holm=said.p_holm if one.gating else None,
        q=said.q if one.gating else None,
        n=row.n,
        clusters=row.clusters,
        weighted=row.weighted,
        worse=row.worse,
        better=row.better,
        smallest_visible_drop=row.smallest_visible_drop,
        outcome=said.outcome,
        averages_only=row.averages_only,
        settles=said.settles,
        note=_note(one, said, policy),
        worst_cases=_worst_cases(row),
        confirm=said.confirm,
        watched=one.cause == "watched",
    )


def _worst_cases(row: Row) -> tuple[str, ...]:
    """Name the cases that fell most, worst first."""
    if not row.direction_known:
        return ()
    return fell_most(row.differences, MOST_WORST, RESULT_PLACES)


def _note(one: Standing, said: Said, policy: Policy) -> str | None:
    """Say what a reader must know of this row."""
    row = one.row
    notes = [said.remark] if said.remark else []
    if one.gating and one.weak and said.outcome in _MEASURED:
        notes.append(
            f"provisional licence, fails a run only from a drop of "
            f"{setting(policy.provisional_drop)}: {one.agreement.because}"
        )
    if said.outcome in _MEASURED and row.clusters:
        notes.append(f"{counted(row.n, 'case')} count as {counted(row.clusters, 'cluster')}")
    if said.outcome in _MEASURED and row.averages_only:
        notes.append("only averages were compared, which cannot tell noise from a drop")
    elif said.outcome in _MEASURED and policy.rule == "threshold" and one.cause != "watched":
        notes.append("judged by the plain threshold, which cannot tell noise from a drop")
    if said.outcome == "unmeasured" and row.expected:
        notes.append(
            f"{row.n} of {counted(row.expected, 'case')} of the baseline could be compared, "
            f"{100 * policy.coverage:.0f}% are needed"
        )
    if said.outcome == "incomparable":
        what = (
            "the judge drifted"
            if DRIFT in row.incomparable
            else f"other {listed(row.incomparable)}"
        )
        notes.append(f"not comparable with the baseline: {what}")
    return "; ".join(notes) or None


def operation_finding_of(operation: Operation, policy: Policy) -> OperationFinding:
    """Say whether a target works worse: a rate rose by more than chance, or a limit is passed.

    Latency and cost decide nothing unless a limit is set.
    """
    said = [*_rises(operation, policy), *_limits(operation, policy)]
    tested = any(p is not None for p in operation.p_holm.values())
    limited = any(_figure(operation, name) is not None for name in policy.limits)
    return OperationFinding(
        target=operation.target,
        p50_latency_s=operation.p50_latency_s,
        usd_per_1k=operation.usd_per_1k,
        error_rate=operation.error_rate,
        empty_rate=operation.empty_rate,
        grounded_rate=operation.grounded_rate,
        baseline=operation.baseline,
        p=operation.p_holm,
        outcome="regression" if said else "ok" if tested or limited else "advisory",
        because=listed(said) or None,
        cases=operation.cases,
    )


def risen(operation: Operation, policy: Policy) -> Sequence[str]:
    """Name the rates of `RATES` that rose by more than chance."""
    return [
        rate
        for rate in RATES
        if (p := operation.p_holm.get(rate)) is not None and p <= policy.operations_q
    ]


def rise_of(operation: Operation, rate: str) -> float:
    """Say by how much a rate of `RATES` rose, as a share; a baseline without it counts as 0."""
    return (_figure(operation, rate) or 0.0) - (_before(operation, rate) or 0.0)


def _rises(operation: Operation, policy: Policy) -> Sequence[str]:
    return [
        f"{RATES[rate]} rose from {_percent(_before(operation, rate))} to "
        f"{_percent(_figure(operation, rate))} "
        f"({counted(len(operation.cases.get(rate, ())), 'case')} turned)"
        for rate in risen(operation, policy)
    ]


def limits_passed(operation: Operation, policy: Policy) -> Sequence[str]:
    """Name the keys of `policy.limits` above which a target is, latency first."""
    return [
        name
        for name in _LIMITED
        if name in policy.limits
        and (value := _figure(operation, name)) is not None
        and result(value) > policy.limits[name]
    ]


def limits_unknown(operation: Operation, policy: Policy) -> Sequence[str]:
    """Name the keys of `policy.limits` that the run has no figure for, latency first."""
    return [name for name in _LIMITED if name in policy.limits and _figure(operation, name) is None]


def _limits(operation: Operation, policy: Policy) -> Sequence[str]:
    said = []
    for name in limits_passed(operation, policy):
        is_now, at_most = _LIMITED[name]
        most = policy.limits[name]
        shown = _above(_figure(operation, name) or 0.0, most)
        said.append(f"{is_now.format(shown)} is above the limit of {at_most.format(most)}")
    return said


def _above(value: float, limit: float) -> float:
    """Round to two digits, or to as many as show that the value is above the limit."""
    rounded = (float(f"{value:.{digits}g}") for digits in (2, 3, 4))
    return next((one for one in rounded if one > limit), value)


def _figure(operation: Operation, name: str) -> float | None:
    figures = {
        "p50_latency_s": operation.p50_latency_s,
        "usd_per_1k": operation.usd_per_1k,
        "error_rate": operation.error_rate,
        "empty_rate": operation.empty_rate,
        "ungrounded_rate": _complement(operation.grounded_rate),
    }
    return figures.get(name)


def _before(operation: Operation, rate: str) -> float | None:
    if rate == "ungrounded_rate":
        return _complement(operation.baseline.get("grounded_rate"))
    return operation.baseline.get(rate)


def _complement(share: float | None) -> float | None:
    return None if share is None else 1.0 - share


def _percent(share: float | None) -> str:
    return "an unknown share" if share is None else percent(share)
