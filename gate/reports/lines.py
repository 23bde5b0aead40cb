"""The single lines of a page, as safe Markdown: what to look at, operations, cost, coverage."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import zip_longest
from shlex import quote

from gate.decision.words import counted
from gate.reports.detail import Detail
from gate.reports.facts import (
    any_compared,
    calls,
    compared,
    fallen_title,
    fate,
    never_ran,
    not_compared,
    not_measured,
    not_yet,
    operation_facts,
    operation_failure,
    shown_operations,
    spent,
    told_above,
    warnings,
)
from gate.reports.memory import memory_facts
from gate.reports.numbers import figure, movement, usd
from gate.reports.summary_stats import TargetSummary, summaries
from gate.reports.untrusted import sentence, span
from gate.types import Finding, OperationFinding, Report, Rule
from gate.types.report import UNNAMED

_SHORT = 7
_LOOK_FIRST = 5
_COMMAND = 300


def lead(report: Report, detail: Detail) -> tuple[str, ...]:
    """Say where to look first, the cause of a broken run, and the next step."""
    verdict = report.verdict
    said: list[str] = []
    if verdict.status == "broken":
        said.extend(_cause(report))
    first = _look_first(verdict.comparisons)
    if verdict.status == "regression" and first:
        trace = "" if report.run.provenance.journal is None else f" {_trace(report.folder)}"
        said.append(f"**Look first:** {names(first, _LOOK_FIRST)}.{trace}")
    said.extend(_fallen(report, detail))
    if report.comparison is not None and report.comparison.missing_targets:
        missing = names(report.comparison.missing_targets, detail.names)
        said.append(f"**Missing:** the baseline has {missing}, and this run does not.")
    if verdict.accepted_by is not None:
        said.append(f"Accepted for this head by {span(verdict.accepted_by, 100)}.")
    if verdict.next_step is not None:
        said.append(f"**Next step:** {sentence(verdict.next_step)}")
    return tuple(said)


def _trace(folder: str) -> str:
    """Say how to look into a case."""
    command = span(f"gate report {quote(folder)} --trace CASE", _COMMAND)
    return f"{command} shows each call behind a case."


def _fallen(report: Report, detail: Detail) -> Iterable[str]:
    """Name the cases that were always right and are always wrong: those that fail the run first."""
    found = report.verdict.fallen
    if not found:
        return
    of_case: dict[tuple[str, str], list[str]] = {}
    for one in found:
        moved = f"{sentence(one.dimension, 100)} {movement(one.baseline, one.current)}"
        whose = f" of {sentence(one.target, 100)}" if len(report.run.targets) > 1 else ""
        of_case.setdefault((fate(one), span(one.case_id, 100)), []).append(f"{moved}{whose}")
    parts = [
        f"{case} ({', '.join(dict.fromkeys(moves))}{what})"
        for (what, case), moves in of_case.items()
    ]
    left = len(parts) - detail.names
    more = f" and {left} more" if left > 0 else ""
    title = fallen_title(report.verdict)
    yield f"**{title}:** {', '.join(parts[: detail.names])}{more}"


def operations(report: Report, detail: Detail) -> tuple[str, ...]:
    """Say how each target worked: answers, grounding, latency, cost, and what regressed."""
    found = {one.target: one for one in summaries(report.run)}
    several = len(found) > 1 or len(report.verdict.operations) > 1
    judged = shown_operations(report) or tuple(_unjudged(one) for one in found.values())
    said = []
    for one in judged[: detail.rows]:
        facts = list(operation_facts(one, found.get(one.target), report))
        failure = operation_failure(one, report.policy)
        if failure is not None:
            cases = _turned(report, one, detail)
            facts.insert(0, " · ".join([f"❌ {sentence(failure)}", *cases]))
        elif one.because is not None:
            facts.append(sentence(one.because))
        text = " · ".join(facts)
        said.append(f"{span(one.target, 100)}: {text}" if several else text)
    return tuple(said)


def _turned(report: Report, one: OperationFinding, detail: Detail) -> Iterable[str]:
    """Name the cases that turned, but for those that stand among the ones without an answer."""
    below = set(report.verdict.coverage.errored)
    for rate, cases in one.cases.items():
        left = [case for case in cases if case not in below]
        if left:
            more = "" if len(left) == len(cases) else f", {len(cases) - len(left)} more below"
            yield f"{sentence(rate.replace('_', ' '), 60)}: {names(left, detail.names)}{more}"


def memory(report: Report, detail: Detail) -> tuple[str, ...]:
    """Name right answers that their pages do not bear out, a line for each target."""
    found = memory_facts(report, names, lambda target: span(target, 100), detail.names)
    return tuple(f"**{what}:** {said}" for what, said in found)[: detail.rows]


def money(report: Report) -> str | None:
    """Say what the run cost, and what the words of the table mean; nothing where none was made."""
    whole = spent(report)
    if whole is None:
        return None
    cost = report.verdict.cost
    more = [
        f"{name} {usd(amount)}"
        for name, amount in (("estimate", cost.estimated_usd), ("ceiling", cost.ceiling_usd))
        if amount is not None
    ]
    counts = calls(report)
    text = f"**{whole}**"
    if counts is not None:
        more.append(counts)
    if more:
        text += f" ({', '.join(more)})"
    return " · ".join([text, *_meanings(report)])


def coverage(report: Report, detail: Detail) -> tuple[str, ...]:
    """Say which cases were compared, and name the others where there are any."""
    found = report.verdict.coverage
    said = []
    later = not_yet(report)
    if later is not None:
        said.append(f"**Not compared with the baseline:** {sentence(later)}")
    share = compared(report)
    if share is not None:
        said.append(f"**Compared:** {share}")
    for what, cases in not_compared(found):
        said.append(f"**{what} ({len(cases)}):** {names(cases, detail.names)}")
    if found.not_sampled:
        said.append(f"**Not in this sample:** {counted(found.not_sampled, 'case')}")
    left_out = not_measured(report)
    if left_out is not None:
        said.append(f"**Not measured here:** {sentence(left_out)}")
    unscored = [(name, number) for name, number in found.unscored.items() if number]
    if unscored:
        listed = ", ".join(
            f"{sentence(name, 100)} {number}" for name, number in unscored[: detail.names]
        )
        said.append(f"**Answered and not scored:** {listed}")
    return tuple(said)


def notes(report: Report, detail: Detail) -> tuple[str, ...]:
    """Return what a reader must know, each once; the cause and the stand-in stand above."""
    said = list(warnings(report))
    if report.run.stopped is not None:
        said.append(f"stopped early: {report.run.stopped}")
    cause = None if report.verdict.broken is None else report.verdict.broken.message
    return capped([one for one in said if cause is None or cause not in one], detail.lines)


def identities(report: Report) -> str:
    """Name what was measured and by what: configuration, commits, baseline, judge, prompt, seed.

    Without a run it is empty, but for the commits that are known, and for the name of a
    configuration that has one: where there are several, each has a comment.
    """
    verdict, comparison = report.verdict, report.comparison
    parts = [] if report.name == UNNAMED else [f"configuration {span(report.name, 60)}"]
    parts += [
        f"{name} {span(commit[:_SHORT])}"
        for name, commit in (
            ("evaluated", verdict.commits.evaluated),
            ("head", verdict.commits.head),
            ("base", verdict.commits.base),
        )
        if commit is not None
    ]
    if comparison is not None and comparison.has_baseline and any_compared(verdict.comparisons):
        age = comparison.baseline_age_days
        days = "of unknown age" if age is None else f"{counted(round(age), 'day')} old"
        repeats = comparison.baseline_repeats
        what = "averages only" if comparison.averages_only else counted(repeats, "repeat")
        parts.append(f"baseline {days}, {what}")
    parts.extend(_judges(report))
    if not never_ran(report):
        parts.append(f"seed {span(verdict.seed, 60)}")
    if verdict.attempts > 1:
        parts.append(f"{verdict.attempts} attempts on this head, pooled")
    if report.run.provenance.imported is not None:
        parts.append(f"imported from {span(report.run.provenance.imported, 60)}")
    if not never_ran(report):
        parts.append(f"run {span(report.run.id, 60)}")
    return " · ".join(parts)


def names(cases: Sequence[str], most: int) -> str:
    """List names as code, and count those that are not listed."""
    listed = ", ".join(span(one, 100) for one in cases[:most])
    left = len(cases) - most
    return listed if left <= 0 else f"{listed} and {left} more"


def capped(said: Sequence[str], most: int) -> tuple[str, ...]:
    """Make the first sentences safe, and count those that are left out."""
    left = len(said) - most
    shown = [sentence(one) for one in said[:most]]
    return tuple(shown) if left <= 0 else (*shown, f"and {left} more")


def _look_first(findings: Sequence[Finding]) -> list[str]:
    """Name the cases that fell most: the worst of each fallen row, then the next of each."""
    fallen = [one for one in findings if one.gating and one.outcome == "regression"]
    ranks = zip_longest(*(one.worst_cases for one in fallen))
    return list(dict.fromkeys(case for rank in ranks for case in rank if case is not None))


def _cause(report: Report) -> Iterable[str]:
    """Give the one cause and what differs, unless the heading says it already."""
    failure = report.verdict.broken
    if failure is not None and not told_above(report):
        yield f"**Cause:** {sentence(failure.message, 1_000)}"
    headline = report.verdict.headline
    untold = [one for one in report.verdict.identity.differs if one not in headline]
    if untold:
        differs = "; ".join(sentence(one, 300) for one in untold[:10])
        yield f"**Differs from the baseline:** {differs}"


def _unjudged(summary: TargetSummary) -> OperationFinding:
    return OperationFinding(
        target=summary.target,
        p50_latency_s=summary.p50_latency_s,
        usd_per_1k=summary.usd_per_1k,
        error_rate=summary.error_rate,
        empty_rate=summary.empty_rate,
        grounded_rate=summary.grounded_rate,
    )


def _meanings(report: Report) -> Iterable[str]:
    """Explain the words of the table that stand in it."""
    gating = [one for one in report.verdict.comparisons if one.gating and one.category is None]
    outcomes = {one.outcome for one in gating}
    policy = report.policy
    if not gating:
        return
    if policy.rule == "threshold" or any(one.averages_only for one in gating):
        yield f'"FAIL" = a mean drop larger than {figure(policy.threshold)}'
        return
    dimensions = dict.fromkeys(one.dimension for one in gating)
    rules = {name: policy.rules.get(name, Rule()) for name in dimensions}
    least = _with_own(policy.min_effect, {name: one.min_effect for name, one in rules.items()})
    drop = _with_own(policy.margin, {name: one.margin for name, one in rules.items()})
    if "regression" in outcomes:
        yield f'"FAIL" = a drop of {least} or more that chance does not explain'
    if "pass" in outcomes:
        yield f'"ok" = no drop larger than {drop}'
    if "inconclusive" in outcomes:
        yield f'"unclear" = no regression found, and a drop of {drop} not ruled out'


def _with_own(value: float, own: Mapping[str, float | None]) -> str:
    """Give a number of the policy, and beside it those of dimensions that have one of their own."""
    said = [f"{sentence(name, 100)} {figure(one)}" for name, one in own.items() if one is not None]
    return figure(value) + (f" ({', '.join(said)})" if said else "")


def _judges(report: Report) -> Iterable[str]:
    """Name each judge with the beginning of its prompts' digests, once."""
    found: dict[str, dict[str, None]] = {}
    for metric in report.run.metrics:
        identity = report.run.identities.get(metric.name)
        if metric.judged:
            judge = None if identity is None else identity.judge
            prompts = found.setdefault(judge or "", {})
            if identity is not None and identity.prompt is not None:
                prompts[identity.prompt[:_SHORT]] = None
    for judge, digests in list(found.items())[:3]:
        shown = f"judge {span(judge, 100)}" if judge else "judge unknown"
        prompts_shown = ", ".join(span(one) for one in list(digests)[:4])
        yield f"{shown}, prompt {prompts_shown}" if digests else shown
