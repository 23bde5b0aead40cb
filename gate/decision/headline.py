"""The one sentence on top: what is claimed, in words, and never more than that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from gate.decision.judged import Judged
from gate.decision.planning import check_plan
from gate.decision.rounding import result
from gate.decision.rows import FRACTION, margin_of
from gate.decision.words import amount, counted, few, listed, setting
from gate.types import Comparison, OperationFinding, Policy, Run


def passed(rows: Sequence[Judged], comparison: Comparison, policy: Policy) -> str:
    """Say which drop a pass rules out, and where; by the plain threshold, only what it saw."""
    if _plain(rows, policy):
        return (
            f"No mean drop larger than {setting(policy.threshold)} in {_where(rows)}; a plain "
            "threshold cannot tell noise from a drop."
        )
    parts = [
        f"no drop larger than {setting(margin)} in {_where(group)}"
        for margin, group in _by_margin(rows, policy).items()
    ]
    return f"{_upper(listed(parts))}.{power(rows, comparison, policy)}"


def inconclusive(rows: Sequence[Judged], policy: Policy) -> str:
    """Say what could not be told; `rows` are the inconclusive ones."""
    doubts: Mapping[str, Callable[[Sequence[Judged]], str]] = {
        "noise": lambda noisy: listed(
            [
                f"too noisy to rule out a drop of {setting(margin)} in {_where(group)}"
                for margin, group in _by_margin(noisy, policy).items()
            ]
        ),
        "unscored": lambda lost: (
            f"{_where(lost)} would be one if the cases without a score had the worst one"
        ),
        "held": lambda held: (
            f"{_where(held)} fell, by less than a provisional licence can fail "
            f"({setting(policy.provisional_drop)})"
        ),
    }
    said = [
        say(found)
        for doubt, say in doubts.items()
        if (found := [row for row in rows if row.said.doubt == doubt])
    ]
    return f"No regression found; {'; '.join(said)}."


def regressions(
    rows: Sequence[Judged],
    operations: Sequence[OperationFinding],
    missing_targets: Sequence[str],
    missing_required: Sequence[str],
    run: Run,
) -> list[str]:
    """Say what got worse, the largest drop first, then how targets worked, then what is gone."""
    units = {metric.name: metric.unit for metric in run.metrics}
    several = len(run.targets) > 1
    ordered = sorted(rows, key=lambda row: row.standing.row.signed or 0.0)
    said = [
        _fall(row, units.get(row.finding.dimension, FRACTION), named=several) for row in ordered
    ]
    said.extend(f"{one.because}{f' for {one.target}' if several else ''}" for one in operations)
    if missing_targets:
        gone = "target" if len(missing_targets) == 1 else "targets"
        said.append(f"the run lacks the {gone} {few(missing_targets)} of the baseline")
    if missing_required:
        gone = "case" if len(missing_required) == 1 else "cases"
        said.append(f"the run lacks the required {gone} {few(missing_required)}")
    return said


def power(rows: Sequence[Judged], comparison: Comparison, policy: Policy) -> str:
    """Say of a plan that could only fail, or only pass, that it could; else nothing."""
    if _plain(rows, policy) or not rows:
        return ""
    able = check_plan(
        comparison.coverage.cases, len(rows), policy, [row.finding.dimension for row in rows]
    )
    plan = counted(comparison.coverage.cases, "case")
    if able.can_fail and not able.can_pass:
        return f" A plan of {plan} can only fail, not pass."
    if able.can_pass and not able.can_fail:
        return f" A plan of {plan} can only pass, not fail."
    if not able.can_fail:
        return f" A plan of {plan} can neither fail nor pass."
    return ""


def _fall(row: Judged, unit: str, *, named: bool) -> str:
    """Say by how much one dimension fell: from, to, and how many answers got worse."""
    finding = row.finding
    delta, before, after = finding.delta or 0.0, finding.baseline or 0.0, finding.current or 0.0
    moved = "fell" if delta < 0.0 else "rose"
    whose = f" of {finding.target}" if named else ""
    worse = (
        ""
        if finding.averages_only
        else f"; {finding.worse} of {counted(finding.n, 'answer')} got worse"
    )
    return (
        f"{finding.dimension}{whose} {moved} by {amount(abs(result(delta)), unit)} "
        f"({amount(before, unit)} → {amount(after, unit)}{worse})"
    )


def _plain(rows: Sequence[Judged], policy: Policy) -> bool:
    return policy.rule == "threshold" or any(row.finding.averages_only for row in rows)


def _by_margin(rows: Sequence[Judged], policy: Policy) -> dict[float, list[Judged]]:
    groups: dict[float, list[Judged]] = defaultdict(list)
    for row in rows:
        groups[margin_of(row.finding.dimension, policy)].append(row)
    return dict(sorted(groups.items()))


def _where(rows: Sequence[Judged]) -> str:
    """Name dimensions, and targets where there are several."""
    by_target: dict[str, list[str]] = defaultdict(list)
    for row in rows:
        by_target[row.finding.target].append(row.finding.dimension)
    same = len({tuple(names) for names in by_target.values()}) == 1
    if same:
        dimensions = listed(next(iter(by_target.values())))
        return dimensions if len(by_target) == 1 else f"{dimensions}, for {few(list(by_target))}"
    return "; ".join(f"{listed(names)} of {target}" for target, names in by_target.items())


def _upper(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]
