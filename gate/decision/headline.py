"""The one sentence on top: what is claimed, in words, and never more than that."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from gate.decision.judged import Judged
from gate.decision.planning import cases_to_pass, check_plan
from gate.decision.rounding import result
from gate.decision.rows import FRACTION, margin_of
from gate.decision.words import amount, counted, few, listed, setting
from gate.types import Comparison, FallenCase, OperationFinding, Plan, Policy, Run

_MEASURED = frozenset({"regression", "pass", "inconclusive"})
"""Outcomes of rows that were compared."""


def over(attempts: int) -> str:
    """Say of how many attempts on one head numbers are; nothing of one that stands alone."""
    return f" over {attempts} attempts on this head" if attempts > 1 else ""


def passed(
    rows: Sequence[Judged],
    comparison: Comparison,
    policy: Policy,
    attempts: int = 1,
    plan: Plan | None = None,
) -> str:
    """Say which drop a pass rules out, and where; by the plain threshold, only what it saw.

    `attempts` on this head are in the numbers; `plan` as in `power`.
    """
    if _plain(rows, policy):
        return (
            f"Pass: no mean drop larger than {setting(policy.threshold)} in {_where(rows)}"
            f"{over(attempts)}; a plain threshold cannot tell noise from a drop."
        )
    parts = [
        f"no drop larger than {setting(margin)} in {_where(group)}"
        for margin, group in _by_margin(rows, policy).items()
    ]
    return f"Pass: {listed(parts)}{over(attempts)}.{power(rows, comparison, policy, plan)}"


def inconclusive(rows: Sequence[Judged], policy: Policy, attempts: int = 1) -> str:
    """Say what could not be told; `rows` are the inconclusive ones, of so many `attempts`."""
    doubts: Mapping[str, Callable[[Sequence[Judged]], str]] = {
        "noise": lambda unclear: _not_ruled_out(unclear, policy),
        "unscored": lambda lost: (
            f"{_where(lost)} would be one if the cases without a score had the worst one"
        ),
        "held": lambda held: (
            f"{_where(held)} fell, by less than a provisional licence can fail "
            f"({setting(policy.provisional_drop)})"
        ),
        "unconfirmed": lambda fallen: (
            f"{_where(fallen)} fell against the baseline, {second_look(fallen)}"
        ),
    }
    said = [
        say(found)
        for doubt, say in doubts.items()
        if (found := [row for row in rows if row.said.doubt == doubt])
    ]
    return f"No regression found{over(attempts)}; {'; '.join(said)}."


def regressions(
    rows: Sequence[Judged],
    operations: Sequence[OperationFinding],
    missing_targets: Sequence[str],
    missing_required: Sequence[str],
    run: Run,
    fallen: Sequence[FallenCase] = (),
    unanswered: Sequence[str] = (),
) -> list[str]:
    """Say what is gone, then how targets worked, then what got worse, the largest drop first.

    Single categories come after rows of all cases, and last single cases: only those of `fallen`
    that fail the run, each once.

    It is not the order of the table on purpose: a headline names the first three only, and what is
    gone, blank or without a source explains the drops.
    """
    units = {metric.name: metric.unit for metric in run.metrics}
    several = len(run.targets) > 1
    said = []
    if missing_targets:
        gone = "target" if len(missing_targets) == 1 else "targets"
        said.append(f"the run lacks the {gone} {few(missing_targets)} of the baseline")
    if missing_required:
        gone = "case" if len(missing_required) == 1 else "cases"
        said.append(f"the run lacks the required {gone} {few(missing_required)}")
    if unanswered:
        left = "case" if len(unanswered) == 1 else "cases"
        said.append(f"there is no answer to the required {left} {few(unanswered)}")
    said.extend(f"{one.because}{f' for {one.target}' if several else ''}" for one in operations)
    ordered = sorted(
        rows, key=lambda row: (row.finding.category is not None, row.standing.row.signed or 0.0)
    )
    said.extend(
        _fall(row, units.get(row.finding.dimension, FRACTION), named=several) for row in ordered
    )
    said.extend(_broke(fallen, named=several))
    return said


def _broke(fallen: Sequence[FallenCase], *, named: bool) -> list[str]:
    """Say which single cases fail the run, with all dimensions in which they fell."""
    broke: dict[tuple[str, str], list[FallenCase]] = defaultdict(list)
    for one in fallen:
        if one.fails:
            broke[one.target, one.case_id].append(one)
    return [
        f"{'the required case' if own[0].required else 'case'} {case}"
        f"{f' of {target}' if named else ''} was always right and is always wrong "
        f"({listed([one.dimension for one in own])})"
        for (target, case), own in broke.items()
    ]


def second_look(rows: Sequence[Judged]) -> str:
    """Say what asking candidate and base again said of these rows, by the first of them."""
    looks = [row.said.confirm.because for row in rows if row.said.confirm is not None]
    return looks[0] if looks else ""


def power(
    rows: Sequence[Judged],
    comparison: Comparison,
    policy: Policy,
    plan: Plan | None = None,
    *,
    failed: bool = False,
) -> str:
    """Say of a plan that could only fail, or only pass, or neither, that it is so; else nothing.

    It goes by the cases that were compared, and never denies what is seen: a run that `failed`
    could fail, and where a row passed, rows could pass. Of a `plan` that stopped at a look it
    speaks of that look alone.
    """
    outcomes = {row.said.outcome for row in rows}
    # Rows without a number of their own are the run's trouble, not the plan's.
    counts = [row.finding.n for row in rows if row.said.outcome in _MEASURED]
    if _plain(rows, policy) or not counts:
        return ""
    dimensions = [row.finding.dimension for row in rows]
    able = check_plan(counts, len(counts), policy, dimensions)
    fails = able.can_fail or failed
    passes = able.can_pass or "pass" in outcomes
    if fails and passes:
        return ""
    planned = comparison.coverage.cases
    said, at_look = f" A plan of {counted(planned, 'case')}", ""
    known = min(counts) if fails else max(counts)
    if plan is not None and plan.look is not None and plan.planned is not None:
        asked = f"{len(plan.case_ids)} of {counted(plan.planned, 'case')}"
        said, at_look = f" {asked} were asked so far: these", " at this look"
    elif known < planned:
        said += f", {known} of them compared,"
    if passes:
        return f"{said} can only pass, not fail."
    needed = cases_to_pass(min(margin_of(name, policy) for name in dimensions), policy.pass_level)
    takes = f": to pass{at_look}, each dimension needs {needed} compared cases" if needed else ""
    return f"{said} can {'only fail, not pass' if fails else 'neither fail nor pass'}{takes}."


def _not_ruled_out(rows: Sequence[Judged], policy: Policy) -> str:
    """Say which drop could not be ruled out, and whether noise or too few cases are to blame."""
    blamed: dict[str, list[Judged]] = {"too few cases": [], "too noisy": []}
    for row in rows:
        blamed["too few cases" if _too_few(row, policy) else "too noisy"].append(row)
    return listed(
        [
            f"{what} to rule out a drop of {setting(margin)} in {_where(group)}"
            for what, found in blamed.items()
            for margin, group in _by_margin(found, policy).items()
        ]
    )


def _too_few(row: Judged, policy: Policy) -> bool:
    """Tell whether noise is not to blame: there is none, or so few cases cannot pass anyway."""
    needed = cases_to_pass(margin_of(row.finding.dimension, policy), policy.pass_level)
    return not row.standing.row.sd or (needed is not None and row.finding.n < needed)


def _fall(row: Judged, unit: str, *, named: bool) -> str:
    """Say by how much one dimension fell: from, to, and how many answers got worse."""
    finding = row.finding
    delta, before, after = finding.delta or 0.0, finding.baseline or 0.0, finding.current or 0.0
    moved = "fell" if delta < 0.0 else "rose"
    whose = f" of {finding.target}" if named else ""
    if finding.category is not None:
        whose += f" in category {finding.category}"
    answers = f"{finding.worse} of {counted(finding.n, 'answer')} got worse"
    if result(delta) == 0.0:  # with `min_effect: 0` hard failures fail a row that others lift again
        mean = f"({amount(before, unit)} → {amount(after, unit)})"
        return f"{finding.dimension}{whose} kept its mean {mean}, but {answers}"
    worse = "" if finding.averages_only else f"; {answers}"
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
