"""Which runs can become a baseline: whole ones, all of their repeats, without an error.

Repeats are counted as they were planned, so that none can be left out because it went badly. It
cannot see runs that it is not given: who makes more and names the best of them is not found out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from gate.decision.words import counted, few, listed
from gate.errors import FileError, NoVerdict
from gate.types import Baseline, Cell, Measured, MeasuredRun, Run

REPEATS = 5
"""Answers a case that a baseline is made of."""

FEWEST = 3
"""With fewer, luck alone makes baselines that fail unchanged runs, however many are asked for."""

_BROKEN_STATES: Mapping[str, str] = {
    "error": "failed",
    "timeout": "did not come in time",
    "budget": "not asked for want of budget",
}
"""How an attempt ends that was lost to the machine, in words."""

_BROKEN_SCORES: Mapping[str, str] = {
    "error": "a failed call",
    "timeout": "a deadline",
    "judge": "the judge",
    "budget": "the budget",
}
"""Kinds of failure of a score that the machine is to blame for, in words."""

_WHOLE = "make it again with `gate run --repeats 5` and nothing that narrows it"


def check_runs(runs: Sequence[Run], *, repeats: int, offline: bool) -> Measured:
    """Return what is known of runs that can become a baseline.

    `repeats` answers a case are asked for; `offline` says that runs of the loopback world are
    wanted. Raises FileError (exit 2) for runs that are none for a baseline whatever they measured,
    and NoVerdict (exit 3) for those that were to be one and have errors or too few answers.
    """
    for run in runs:
        _check_kind(run, offline=offline)
    if len({run.provenance.world for run in runs}) > 1:
        raise FileError("the runs are of different worlds: give runs of one and the same")
    lost = [f"run {run.id}: {what}" for run in runs for what in errors_of(run.cells)]
    if lost:
        raise NoVerdict(
            f"no baseline is made of runs with errors ({few(lost, 3)}): mend the cause, then "
            "measure anew, all repeats of it"
        )
    for run in runs:
        _check_finished(run)
    measured = Measured(
        runs=tuple(
            MeasuredRun(
                id=run.id,
                created=run.provenance.created,
                repeats=run.plan.repeats,
                usd=run.cost.usd,
                calls=run.cost.calls,
            )
            for run in runs
        ),
        judge_family=runs[0].judge_family if runs else None,
        judge_families=runs[0].judge_families if runs else (),
    )
    check_repeats(measured.repeats, repeats)
    return measured


def check_repeats(found: int, wanted: int) -> None:
    """Refuse too few answers a case. Raises NoVerdict."""
    if found < wanted:
        raise NoVerdict(
            f"{counted(found, 'repeat')} of each case and {wanted} are asked for: a baseline of "
            "few is a lucky or an unlucky one, and later runs pay for it. Measure "
            f"`--repeats {wanted}` in one dispatch; repeats of another day are not added"
        )


def check_scores(
    baseline: Baseline,
    measured: Measured,
    cases: Mapping[str, str],
    targets: Iterable[str],
    path: str,
) -> None:
    """Refuse a baseline that is not all that the configuration `path` asks for.

    `cases` are id -> digest of its cases, `targets` its targets: neither can be left out because
    it went badly. Raises FileError, and NoVerdict for errors and missing answers.
    """
    _check_cases(baseline, cases, sorted(targets), path)
    said = errors_of(baseline.cells)
    if said:
        raise NoVerdict(
            f"no baseline is made of answers with errors ({few(said, 3)}): mend the cause, then "
            "measure anew"
        )
    for cell in baseline.cells:
        if len(cell.attempts) != measured.repeats:
            raise NoVerdict(
                f"case {cell.case_id} of {cell.target} has {counted(len(cell.attempts), 'answer')} "
                f"in the place of {measured.repeats}: measure anew, all repeats"
            )
    if not any(v is not None for c in baseline.cells for col in c.scores.values() for v in col):
        raise NoVerdict(
            "the baseline holds no score and could compare nothing: look why nothing was "
            "scored, then measure anew"
        )


def _check_cases(
    baseline: Baseline, cases: Mapping[str, str], names: Sequence[str], path: str
) -> None:
    found: dict[str, set[str]] = {}
    for cell in baseline.cells:
        found.setdefault(cell.target, set()).add(cell.case_id)
        if cell.case_id in cases and cell.case_digest != cases[cell.case_id]:
            raise FileError(
                f"case {cell.case_id} was measured with another text than {path} names now: "
                "measure what is on the default branch"
            )
    for target in sorted({*names, *found}):
        if target not in names or target not in found:
            where = "is not measured" if target in names else f"is not in {path}"
            raise FileError(
                f"target {target} {where}: a refresh measures the targets of the configuration, "
                "all of them"
            )
        missing, unknown = sorted({*cases} - found[target]), sorted(found[target] - {*cases})
        if missing or unknown:
            what = f"lacks {few(missing)}" if missing else f"has {few(unknown)}, unknown here"
            raise FileError(
                f"the measurement of {target} {what}: a refresh measures the cases that {path} "
                "names, all of them"
            )


def errors_of(cells: Iterable[Cell]) -> list[str]:
    """Say what was lost to the machine: `2 answers failed`, `1 score lost to the judge`."""
    ended: Counter[str] = Counter()
    kinds: Counter[str] = Counter()
    for cell in cells:
        ended.update(one.state for one in cell.attempts)
        kinds.update(kind for column in cell.failures.values() for kind in column if kind)
    return [
        f"{counted(ended[state], 'answer')} {words}"
        for state, words in _BROKEN_STATES.items()
        if ended[state]
    ] + [
        f"{counted(kinds[kind], 'score')} lost to {words}"
        for kind, words in _BROKEN_SCORES.items()
        if kinds[kind]
    ]


def _check_kind(run: Run, *, offline: bool) -> None:
    plan = run.plan
    if run.provenance.imported is not None:
        raise FileError(
            f"run {run.id} was imported ({run.provenance.imported}): nobody knows its plan; "
            "`gate baseline` makes a baseline of it all the same"
        )
    if run.provenance.world is not None and not offline:
        raise FileError(
            f"run {run.id} is of the loopback world ({run.provenance.world}), whose numbers say "
            "nothing of your system: say --offline if that is what you want"
        )
    if plan.shard is not None:
        raise FileError(
            f"run {run.id} is part {plan.shard} of a plan: put the parts together with `gate merge`"
        )
    if plan.narrowed:
        raise FileError(f"run {run.id} was narrowed by hand: {_WHOLE}")
    if plan.sample is not None and len(plan.case_ids) < plan.total:
        raise FileError(
            f"run {run.id} is a sample ({len(plan.case_ids)} of {counted(plan.total, 'case')}): "
            f"{_WHOLE}"
        )


def _check_finished(run: Run) -> None:
    """Raise NoVerdict for a run of which a part of the plan is not there."""
    if run.interrupted is not None or run.broken is not None:
        why = run.broken.message if run.broken is not None else f"{run.interrupted} ended it"
        raise NoVerdict(f"run {run.id} came to no end ({why}): run it again, and it goes on")
    if run.stopped is not None or run.plan.planned is not None:
        raise NoVerdict(
            f"run {run.id} finished {len(run.plan.case_ids)} of "
            f"{counted(run.plan.planned or run.plan.total, 'planned case')} "
            f"({run.stopped or 'it ended early'}): raise the ceiling or the deadline, and run it "
            "again"
        )
    here = {(cell.target, cell.case_id): len(cell.attempts) for cell in run.cells}
    short = [
        f"{case} of {info.name}"
        for info in run.targets
        for case in run.plan.case_ids
        if here.get((info.name, case), 0) != run.plan.repeats
    ]
    if short:
        raise NoVerdict(
            f"run {run.id} plans {counted(run.plan.repeats, 'repeat')} and has not all of "
            f"{listed(short) if len(short) == 1 else few(short, 3)}: measure anew, all repeats"
        )
