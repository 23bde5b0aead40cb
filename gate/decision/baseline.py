"""What a later run is compared with: per case and per repeat, never averages alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace

from gate.decision.baseline_file import baseline_lines, baseline_text, read_baseline
from gate.decision.identity import joined, same
from gate.decision.judge_noise import judging_of
from gate.errors import FileError
from gate.types import (
    Attempt,
    Baseline,
    Cell,
    Commits,
    Identity,
    Metric,
    Provenance,
    Run,
    TargetInfo,
)

__all__ = ["baseline_lines", "baseline_text", "joined_cell", "make_baseline", "read_baseline"]


def make_baseline(
    runs: Sequence[Run],
    created: str | None = None,
    accepted: Mapping[str, str] | None = None,
) -> Baseline:
    """Join runs into a baseline: several runs are several repeats of the same cases.

    The attempts of a case stand in the order of the runs. `created` gives the baseline its age;
    None takes the time of the oldest run, since answers age and files do not. `accepted` says of
    runs who accepted their regression. Raises FileError
    for no run, a run given twice or without any score, and for runs that differ in judge, prompt,
    scorer, the text of a case, a metric or the settings of a target.
    """
    if not runs:
        raise FileError("a baseline needs at least one run: `gate baseline RUN.json --write FILE`")
    for run in runs:
        _whole(run)
    if len({run.id for run in runs}) < len(runs):
        raise FileError("a run is given twice: repeats must be runs of their own")
    metrics = _metrics(runs)
    cells = _cells(runs)
    return Baseline(
        provenance=_provenance(runs, created),
        runs=tuple(run.id for run in runs),
        accepted=dict(accepted or {}),
        required=tuple(sorted({case for run in runs for case in run.plan.required})),
        clusters=_clusters(runs),
        targets=_targets(runs),
        metrics=metrics,
        identities={
            metric.name: joined(
                [
                    run.identities.get(metric.name, Identity())
                    for run in runs
                    if metric in run.metrics
                ],
                metric.name,
            )
            for metric in metrics
        },
        # Of single rulings it keeps how far they lay apart, and no more.
        cells=tuple(replace(one, members={}) if one.members else one for one in cells),
        judging=dict(judging_of(metrics, cells)),
    )


def _whole(run: Run) -> None:
    """Refuse a run from which nothing can be compared, and one that is not all of it."""
    if run.interrupted is not None:
        raise FileError(f"run {run.id} was interrupted: run it again, and it goes on")
    if run.plan.shard is not None:
        raise FileError(
            f"run {run.id} is part {run.plan.shard} of a plan: put the parts together with "
            "`gate merge`"
        )
    if run.broken is not None:
        raise FileError(f"run {run.id} is broken ({run.broken.message}): run it again")
    if not any(value is not None for c in run.cells for col in c.scores.values() for value in col):
        raise FileError(
            f"run {run.id} holds no score, and a baseline of it could compare nothing: give one "
            "that was judged"
        )


def _metrics(runs: Sequence[Run]) -> tuple[Metric, ...]:
    metrics: dict[str, Metric] = {}
    for run in runs:
        for metric in run.metrics:
            if metrics.setdefault(metric.name, metric) != metric:
                raise FileError(
                    f"{metric.name} has another direction or unit in run {run.id}: "
                    "give runs that were scored alike"
                )
    return tuple(metrics.values())


def _targets(runs: Sequence[Run]) -> tuple[TargetInfo, ...]:
    targets: dict[str, TargetInfo] = {}
    for run in runs:
        for info in run.targets:
            known = targets.get(info.name, info)
            if None not in (known.settings, info.settings) and known.settings != info.settings:
                raise FileError(
                    f"target {info.name} had other settings in run {run.id}: "
                    "repeats must be of one and the same system, make one baseline of each"
                )
            answered = tuple(sorted({*known.answered, *info.answered}))
            targets[info.name] = known.model_copy(update={"answered": answered})
    return tuple(targets.values())


def _clusters(runs: Sequence[Run]) -> dict[str, str]:
    """Give what cases share, as the last run has it that says so."""
    said = {case: name for run in runs for case, name in run.plan.clusters.items()}
    return dict(sorted(said.items()))


def _cells(runs: Sequence[Run]) -> tuple[Cell, ...]:
    """Put the columns of every (case, target) end to end."""
    parts: dict[tuple[str, str], list[Cell]] = defaultdict(list)
    for run in runs:
        for cell in run.cells:
            parts[cell.case_id, cell.target].append(cell)
    return tuple(joined_cell(cells) for _, cells in sorted(parts.items()))


def joined_cell(cells: Sequence[Cell]) -> Cell:
    """Put the attempts of one (case, target) end to end.

    Raises FileError where the text of the case differs.
    """
    first = cells[0]
    if len({cell.case_digest for cell in cells} - {None}) > 1:
        raise FileError(
            f"the text of case {first.case_id} differs between the runs: "
            "give runs of one and the same dataset"
        )
    attempts: list[Attempt] = []
    scores: dict[str, list[float | None]] = {}
    failures: dict[str, list[str | None]] = {}
    for cell in cells:
        before, now = len(attempts), len(cell.attempts)
        attempts += cell.attempts
        for name in cell.scores:
            scores.setdefault(name, [None] * before)
        for name in cell.failures:
            failures.setdefault(name, [None] * before)
        for name in scores:
            scores[name] += cell.scores.get(name, (None,) * now)
        for name in failures:
            failures[name] += cell.failures.get(name, (None,) * now)
    return replace(
        first,
        case_digest=same({cell.case_digest for cell in cells}),
        attempts=tuple(attempts),
        scores={name: tuple(values) for name, values in scores.items()},
        failures={name: tuple(kinds) for name, kinds in failures.items()},
        members=_members(cells),
    )


def _members(cells: Sequence[Cell]) -> dict[str, dict[str, tuple[float | None, ...]]]:
    """Put the rulings of a cell's parts end to end; a part without them has None."""
    names: dict[str, dict[str, None]] = {}
    for cell in cells:
        for name, columns in cell.members.items():
            names.setdefault(name, {}).update(dict.fromkeys(columns))
    return {
        name: {
            member: tuple(
                value
                for cell in cells
                for value in cell.members.get(name, {}).get(member, (None,) * len(cell.attempts))
            )
            for member in members
        }
        for name, members in names.items()
    }


def _provenance(runs: Sequence[Run], created: str | None) -> Provenance:
    """Keep what all runs share."""
    all_of = [run.provenance for run in runs]
    times = [one.created for one in all_of if one.created is not None]
    # One that was judged with its answers makes all of them so old.
    judged = [time for one in all_of if (time := one.judged or one.created) is not None]
    return Provenance(
        gate=same(one.gate for one in all_of),
        created=created or min(times, default=None),
        judged=min(judged, default=None) if any(one.judged for one in all_of) else None,
        commits=Commits(
            base=same(one.commits.base for one in all_of),
            head=same(one.commits.head for one in all_of),
            evaluated=same(one.commits.evaluated for one in all_of),
        ),
        world=same(one.world for one in all_of),
        prices=same(one.prices for one in all_of),
        imported=same(one.imported for one in all_of),
    )
