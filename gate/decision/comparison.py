"""Run against baseline, in numbers and before any rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime

from gate.decision.after_drift import older_baseline, time_of
from gate.decision.averages import average_row
from gate.decision.category_rows import category_rows
from gate.decision.controls import DRIFT, Drift, doubt, drifted
from gate.decision.identity import unknown
from gate.decision.memory import from_memory
from gate.decision.operations import operation_of
from gate.decision.rows import row_of
from gate.decision.sides import Sides, coverage_of, side_by_side
from gate.decision.words import counted, few, listed
from gate.types import Baseline, Comparison, Policy, Row, Run

ALL = "*"
"""The dimension of the one row of a target that the run does not have."""

ENOUGH_REPEATS = 3
"""Below so many baseline repeats, one lucky baseline fails many unchanged runs."""

DIFFERS = {"scorer": "scorer or setting of the judge"}
"""Part of an identity -> how it is called in a sentence, where its name would mislead."""

CLOCKS_DIFFER_DAYS = 1.0
"""A baseline dated after the run by more than this has no age; by less, two clocks differ."""

_SECONDS_A_DAY = 86_400.0


def compare(
    run: Run, baseline: Baseline | None, policy: Policy, now: datetime | None = None
) -> Comparison:
    """Compare a run with a baseline: every target of the run in every dimension.

    Targets stand in the run's order and dimensions in the scorers', then one row for each target
    that only the baseline has. The baseline's age is counted to the time at which the run was
    made, and to `now` where the run does not say. Without a baseline the rows hold the run's own
    means. It raises nothing of its own.
    """
    sides = side_by_side(run, baseline)
    averages_only = sides.baseline.averages_only
    of = average_row if averages_only else row_of
    rows = tuple(
        of(sides, info.name, metric, policy) for info in run.targets for metric in run.metrics
    )
    metrics = {metric.name: metric for metric in run.metrics}
    missing = _missing_targets(sides)
    has_baseline = bool(sides.baseline.cells) or averages_only
    coverage = coverage_of(sides, rows)
    age, ageless = _age(run, sides.baseline, now)
    fewest = (one.differences.fewest_repeats for one in rows)
    repeats = min((one for one in fewest if one is not None), default=0)
    with_baseline = [one for one in rows if one.expected]
    drifts = drifted(run, policy)
    differs = _differs(with_baseline, drifts, older_baseline(run, sides.baseline))
    return Comparison(
        rows=rows + tuple(_missing_row(target) for target in missing),
        categories=()
        if averages_only
        else tuple(
            one
            for row in rows
            for one in category_rows(
                row, metrics[row.dimension], policy, run.plan.clusters, run.plan.seed
            )
        ),
        operations=tuple(operation_of(sides, info.name) for info in run.targets),
        coverage=coverage,
        from_memory=from_memory(sides, policy),
        comparable=not with_baseline or not all(one.incomparable for one in with_baseline),
        differs=differs,
        missing_targets=missing,
        baseline_age_days=age,
        baseline_repeats=repeats,
        averages_only=averages_only,
        has_baseline=has_baseline,
        warnings=(
            *_warnings(sides, rows, repeats, coverage.not_measured),
            *_drift_warnings(run, rows, drifts, policy),
            *_age_warnings(age, ageless if has_baseline else "", policy),
        ),
    )


def _missing_targets(sides: Sides) -> tuple[str, ...]:
    """Name the baseline's targets that the run does not have."""
    here = {info.name for info in sides.run.targets}
    known = {target for target, _ in sides.base} | set(sides.baseline.averages)
    return tuple(sorted(known - here))


def _missing_row(target: str) -> Row:
    return Row(
        target=target,
        dimension=ALL,
        judged=False,
        direction_known=True,
        baseline=None,
        current=None,
        delta=None,
        signed=None,
        missing=True,
    )


def _differs(
    rows: Sequence[Row], drifts: Mapping[str, Drift], older: Mapping[str, str]
) -> tuple[str, ...]:
    """Say in words what differs, and in which dimensions."""
    if any(row.incomparable == (DRIFT,) for row in rows):
        names = dict.fromkeys(row.dimension for row in rows if row.incomparable == (DRIFT,))
        others = _differs([row for row in rows if row.incomparable != (DRIFT,)], drifts, older)
        flipped = [f"{name} ({drifts[name].flipped})" for name in names if name in drifts]
        now = [f"{DRIFT}, control answers flipped in {listed(flipped)}"] if flipped else []
        said: dict[str, list[str]] = {}
        for name in names:
            if name not in drifts:
                said.setdefault(older[name], []).append(name)
        return (*others, *now, *(f"{listed(some)}: {words}" for words, some in said.items()))
    parts: dict[tuple[str, ...], list[str]] = {}
    for row in rows:
        named = parts.setdefault(row.incomparable, []) if row.incomparable else [row.dimension]
        if row.dimension not in named:
            named.append(row.dimension)
    return tuple(
        f"{listed(dimensions)}: {listed([DIFFERS.get(one, one) for one in names])} "
        f"{'differs' if len(names) == 1 else 'differ'}"
        if names != ("cases",)
        else f"{listed(dimensions)}: an average over all cases says nothing of a sample"
        for names, dimensions in parts.items()
    )


def _age(run: Run, baseline: Baseline, now: datetime | None) -> tuple[float | None, str]:
    """Give the baseline's age in days, or None and why it is not known."""
    written = baseline.provenance.created
    made, then = time_of(run.provenance.created) or now, time_of(written)
    if then is None:
        return (
            None,
            "it does not say when it was made" if written is None else "`created` is no time",
        )
    if made is None:
        return None, "the run does not say when it was made"
    days = (made - then).total_seconds() / _SECONDS_A_DAY
    if days < -CLOCKS_DIFFER_DAYS:
        return None, "it is dated after the run"
    return max(0.0, days), ""


def _warnings(
    sides: Sides, rows: Sequence[Row], repeats: int, not_measured: Sequence[str]
) -> list[str]:
    run, baseline = sides.run, sides.baseline
    said: list[str] = []
    if baseline.averages_only:
        said.append(
            "The baseline has only averages: a plain threshold cannot tell noise from a drop. "
            "`gate baseline RUN.json --write baseline.json` makes one that can."
        )
    said.extend(_measured(sides))
    open_questions = [
        metric.name
        for metric in run.metrics
        if any(row.dimension == metric.name and row.n for row in rows)
        and unknown(
            baseline.identities.get(metric.name),
            run.identities.get(metric.name),
            judged=metric.judged,
        )
    ]
    if open_questions:
        said.append(
            f"Whether {listed(open_questions)} {'was' if len(open_questions) == 1 else 'were'} "
            "scored alike on both sides is not known: compared all the same."
        )
    if sides.unknown_text:
        said.append(
            "Whether the cases have the same text on both sides is not known: compared all the "
            "same."
        )
    if 0 < repeats < ENOUGH_REPEATS:
        said.append(
            f"The baseline has {counted(repeats, 'repeat')} of some cases: one lucky baseline "
            "fails runs that changed nothing. Give `gate baseline` five runs."
        )
    # What the owner left out of a scorer set is no surprise: a line of the report says it.
    if not_measured and not run.plan.scorer_sets:
        said.append(f"The baseline has {listed(not_measured)}, which this run did not measure.")
    limits = [f"{row.dimension} of {row.target}" for row in rows if row.p_method == "normal"]
    if limits:
        said.append(f"So many cases changed in {few(limits)} that p is the normal limit.")
    return said


def _measured(sides: Sides) -> list[str]:
    """Say of each target what it is that the baseline's was not: a reader must see what changed."""
    before = {info.name: info for info in sides.baseline.targets}
    said = []
    for now in sides.run.targets:
        then = before.get(now.name)
        if then is None:
            continue
        if None not in (now.model, then.model) and now.model != then.model:
            said.append(f"{now.name} is {now.model} here, and {then.model} in the baseline.")
        elif None not in (now.settings, then.settings) and now.settings != then.settings:
            said.append(f"{now.name} has other settings or another prompt than in the baseline.")
    return said


def _drift_warnings(
    run: Run, rows: Sequence[Row], drifts: Mapping[str, Drift], policy: Policy
) -> list[str]:
    """Warn of drift where no row says it: without a baseline, or with another judge's."""
    said = {row.dimension for row in rows if row.incomparable == (DRIFT,)}
    found = [
        f"{DRIFT.capitalize()} in {name}: {one.words}."
        for name, one in drifts.items()
        if name not in said
    ]
    suspected = doubt(run, policy)
    return found if suspected is None else [*found, suspected]


def _age_warnings(age: float | None, ageless: str, policy: Policy) -> list[str]:
    said = []
    if ageless:
        said.append(f"The baseline's age is not known ({ageless}): it decides however old it is.")
    if age is not None and age > policy.warn_baseline_age_days:
        said.append(
            f"The baseline is {age:.0f} days old; above {policy.max_baseline_age_days:g} "
            "days it decides nothing any more. Refresh it."
        )
    return said
