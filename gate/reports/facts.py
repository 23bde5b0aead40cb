"""Short facts beside the table, in our own words and numbers only: operations and coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gate.reports.numbers import percent, probability, seconds, usd
from gate.reports.summary_stats import TargetSummary
from gate.types import Coverage, OperationFinding


def operation_facts(one: OperationFinding, summary: TargetSummary | None) -> Iterator[str]:
    """Say how a target worked, before and now; what is unknown or uneventful is left out."""
    if summary is not None:
        yield f"{summary.answered}/{summary.attempts} answered"
    for name, key, now in (
        ("errors", "error_rate", one.error_rate),
        ("empty", "empty_rate", one.empty_rate),
    ):
        before = one.baseline.get(key)
        if now or before:
            yield f"{name} {_moved(percent, before, now)}"
    if one.grounded_rate is not None:
        yield f"grounded {_moved(percent, one.baseline.get('grounded_rate'), one.grounded_rate)}"
    if one.p50_latency_s is not None:
        yield f"p50 {_moved(seconds, one.baseline.get('p50_latency_s'), one.p50_latency_s)}"
    if one.usd_per_1k is not None:
        yield f"{_moved(usd, one.baseline.get('usd_per_1k'), one.usd_per_1k)} per 1k"
    if one.outcome == "regression":
        for key, p in one.p.items():
            if p is not None:
                yield f"{key.removesuffix('_rate')} p {probability(p)}"


def not_compared(found: Coverage) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Name the groups of cases that were not compared, where there are any."""
    groups = (
        ("Added, not in the baseline", found.added),
        ("Removed from the dataset", found.removed),
        ("Text changed, left out", found.changed),
        ("Without an answer to score", found.errored),
    )
    return tuple((what, cases) for what, cases in groups if cases)


def paid(usd_total: float | None, known: float) -> str:
    """Say what a run cost; where a part is unknown, the known part is a lower bound."""
    return usd(usd_total) if usd_total is not None else f"at least {usd(known)}"


def _moved(show: Callable[[float | None], str], before: float | None, now: float | None) -> str:
    return show(now) if before is None else f"{show(before)} → {show(now)}"
