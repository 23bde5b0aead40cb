"""Short facts beside the table, in our own words and numbers only: operations, cost, coverage."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from gate.decision.findings import RATES
from gate.decision.words import counted, listed
from gate.reports.numbers import percent, probability, seconds, usd
from gate.reports.summary_stats import TargetSummary
from gate.types import Coverage, FallenCase, Finding, OperationFinding, Policy, Report, Verdict

STAND_IN = (
    "Stand-in world: these numbers show the mechanism and say nothing of Gemini, Claude or people."
)
"""Stands wherever numbers of the loopback world are shown."""


def fate(one: FallenCase) -> str:
    """Say what becomes of a case that broke; nothing of one that is only named."""
    if one.fails:
        return "; fails the run"
    return "; asked again and not confirmed" if one.second_look else ""


def fallen_title(verdict: Verdict) -> str:
    """Say what the named cases are; those of a dimension that failed as a whole are not named."""
    whole = any(one.outcome == "regression" and one.category is None for one in verdict.comparisons)
    named = any(not one.fails for one in verdict.fallen)
    return f"{'Elsewhere: always' if whole and named else 'Always'} right before, always wrong now"


def shown_operations(report: Report) -> tuple[OperationFinding, ...]:
    """Return how the targets worked: of a part of a plan without the baseline's figures.

    Beside a part's own averages, which stand for themselves, they would look like a comparison.
    """
    found = report.verdict.operations
    if not partial(report):
        return found
    alone: dict[str, object] = {
        "baseline": {},
        "p": {},
        "outcome": "advisory",
        "because": None,
        "cases": {},
    }
    return tuple(one.model_copy(update=alone) for one in found)


def operation_facts(
    one: OperationFinding, summary: TargetSummary | None, report: Report
) -> Iterator[str]:
    """Say how a target worked, before and now.

    What is unknown or uneventful is left out, and so is a rate that rose: `operation_failure`
    gives both of its ends.
    """
    said = _risen(one, report.policy)
    if summary is not None:
        # Of a part of a plan: its other cases were not asked, and are no failures.
        asked = " asked were" if partial(report) else ""
        yield f"{summary.answered}/{summary.attempts}{asked} answered"
    for name, key, now in (
        ("errors", "error_rate", one.error_rate),
        ("empty", "empty_rate", one.empty_rate),
    ):
        before = one.baseline.get(key)
        if (now or before) and key not in said:
            yield f"{name} {_moved(percent, before, now)}"
    if one.grounded_rate is not None and "ungrounded_rate" not in said:
        yield f"grounded {_moved(percent, one.baseline.get('grounded_rate'), one.grounded_rate)}"
    if one.p50_latency_s is not None:
        yield f"p50 {_moved(seconds, one.baseline.get('p50_latency_s'), one.p50_latency_s)}"
    if one.usd_per_1k is not None:
        yield f"{_moved(usd, one.baseline.get('usd_per_1k'), one.usd_per_1k)} per 1k"


def operation_failure(one: OperationFinding, policy: Policy) -> str | None:
    """Say what regressed, with the p values of the rates that rose and of no others."""
    if one.outcome != "regression":
        return None
    because = one.because or "it worked worse than the baseline"
    risen = {RATES[rate]: probability(p) for rate, p in _risen(one, policy).items()}
    if not risen:
        return f"FAIL: {because}"
    alone = len(risen) == 1 and " and " not in because
    each = (f"p {p}" if alone else f"p of {name} {p}" for name, p in risen.items())
    return f"FAIL: {because}, {', '.join(each)}"


def not_compared(found: Coverage) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Name the groups of cases that were not compared, where there are any."""
    required = found.changed_required
    groups = (
        ("Added, not in the baseline", found.added),
        ("Removed from the dataset", found.removed),
        ("Text changed, left out", tuple(c for c in found.changed if c not in required)),
        ("Text changed, left out although required until a refresh of the baseline", required),
        ("Without an answer to score", found.errored),
    )
    return tuple((what, cases) for what, cases in groups if cases)


def nothing_measured(report: Report) -> bool:
    """Whether a broken run has no number of quality at all: then nothing was compared either."""
    verdict = report.verdict
    return verdict.status == "broken" and all(one.current is None for one in verdict.comparisons)


def never_ran(report: Report) -> bool:
    """Whether there is no run at all: what kept a command from beginning was an error."""
    run = report.run
    return not run.targets and not run.cells and not run.plan.case_ids


def partial(report: Report) -> bool:
    """Whether it is of a part of a plan: a shard, or what was done before an interruption."""
    return report.run.interrupted is not None or report.run.plan.shard is not None


def not_yet(report: Report) -> str | None:
    """Say once why rows of a part of a plan are not there: each would say "unmeasured"."""
    findings = [one for one in report.verdict.comparisons if one.category is None]
    blank = [one.dimension for one in findings if one.outcome == "unmeasured"]
    if not blank or not partial(report) or nothing_measured(report):
        return None
    run = report.run
    because = (
        f"{run.interrupted} interrupted the run, which has to come to its end first"
        if run.interrupted is not None
        else f"this is part {run.plan.shard} of the plan alone"
    )
    if len(blank) == len(findings):
        return f"{because}; the averages are its own"
    return f"{listed(list(dict.fromkeys(blank)))}, since {because}"


def told_above(report: Report) -> bool:
    """Whether the headline says already what broke a run."""
    failure = report.verdict.broken
    return failure is None or failure.message.rstrip(".") in report.verdict.headline


def warnings(report: Report) -> tuple[str, ...]:
    """Give what a reader must know, each once; the notice of the stand-in stands above.

    Where nothing was measured, nothing is said of a comparison.
    """
    of_comparison = () if report.comparison is None else report.comparison.warnings
    said = [*report.verdict.warnings, *report.run.warnings, *of_comparison]
    hidden = {
        *([STAND_IN] if report.stand_in else []),
        *(of_comparison if nothing_measured(report) else ()),
    }
    return tuple(one for one in dict.fromkeys(said) if one not in hidden)


def compared(report: Report) -> str | None:
    """Say how many cases were compared, where not all were and nothing above says so."""
    found, verdict = report.verdict.coverage, report.verdict
    if not found.cases or found.compared == found.cases or nothing_measured(report):
        return None
    if partial(report):
        return None
    said = f"{found.compared} of {counted(found.cases, 'case')}"
    above = [verdict.headline, *(one.note or "" for one in verdict.comparisons)]
    return None if any(said in one for one in above) else said


def not_measured(report: Report) -> str | None:
    """Name the baseline's dimensions that the run's scorer set leaves out, and the set."""
    left_out, sets = report.verdict.coverage.not_measured, report.run.plan.scorer_sets
    if not left_out or not sets:
        return None
    word = "scorer set" if len(sets) == 1 else "scorer sets"
    return f"{', '.join(left_out)} ({word} {listed(sets)})"


def spent(report: Report) -> str | None:
    """Say what the run cost; what only stand-ins answered was not paid. None without a run."""
    if never_ran(report):
        return None
    cost = report.verdict.cost
    amount = paid(cost.usd, cost.known_usd)
    if cost.assumed_usd:
        # An interruption leaves some; their worst price is far above what most of them cost.
        amount += (
            f", {usd(cost.assumed_usd)} of it for calls whose outcome is unknown, each counted at "
            "its worst price"
        )
    if report.stand_in:
        return f"Nothing was paid: at list prices this run would have cost {amount}"
    return f"This run {amount}"


def calls(report: Report) -> str | None:
    """Count the calls, and those that were answered by the journal."""
    cost = report.verdict.cost
    if cost.cached_calls:
        whole = counted(cost.calls + cost.cached_calls, "call")
        return f"{cost.cached_calls} of {whole} from the journal"
    if not cost.calls:
        return None
    return counted(cost.calls, "call" if report.stand_in else "paid call")


def paid(usd_total: float | None, known: float) -> str:
    """Say what a run cost; where a part is unknown, the known part is a lower bound."""
    return usd(usd_total) if usd_total is not None else f"at least {usd(known)}"


def any_compared(findings: tuple[Finding, ...]) -> bool:
    """Whether some row has a difference from the baseline."""
    return any(one.delta is not None for one in findings)


def _risen(one: OperationFinding, policy: Policy) -> dict[str, float]:
    """Return the rates that rose by more than chance, with their p values."""
    if one.outcome != "regression":
        return {}
    known = ((rate, one.p.get(rate)) for rate in RATES)
    return {rate: p for rate, p in known if p is not None and p <= policy.operations_q}


def _moved(show: Callable[[float | None], str], before: float | None, now: float | None) -> str:
    return show(now) if before is None else f"{show(before)} → {show(now)}"
