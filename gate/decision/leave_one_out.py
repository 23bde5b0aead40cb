"""Would unchanged runs fail? Each repeat of a baseline, judged as a run against the others.

Nothing changed between the repeats of one system, so every failure here is a false alarm. With
five repeats each run meets a baseline of four, which is a little noisier than the real one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from gate.decision.comparison import compare
from gate.decision.verdict import decide
from gate.errors import FileError
from gate.types import (
    Agreement,
    Baseline,
    Cell,
    Commits,
    FallenCase,
    Finding,
    Plan,
    Policy,
    Run,
    Status,
)
from gate.types.word import Word

FEWEST = 2
"""Repeats without which there is nothing to hold one against."""


class LeftOut(Word):
    """What one repeat would have got as a run of its own."""

    repeat: int
    """Which repeat, from 1."""
    status: Status
    """What it would have got."""
    failed: tuple[str, ...] = ()
    """Rows that regressed, single categories of others, how targets worked worse and cases that
    broke, in words."""
    unclear: tuple[str, ...] = ()
    """Rows of all cases that can fail a run and were inconclusive; single categories, which make
    no run unclear, are left out."""


def repeats_of(baseline: Baseline) -> int:
    """Count the repeats that at least one case has."""
    return max((len(cell.attempts) for cell in baseline.cells), default=0)


def leave_one_out(
    baseline: Baseline, policy: Policy, agreements: Sequence[Agreement]
) -> tuple[LeftOut, ...]:
    """Judge each repeat of a baseline against the others, by the rules that pull requests meet.

    The baseline's age does not count, and `report_only` is left aside: what is asked is how noisy
    the repeats are. Raises FileError for fewer than two repeats.
    """
    count = repeats_of(baseline)
    if count < FEWEST:
        raise FileError(
            "has fewer than two repeats, so none can be held against the others: write it again "
            "with `gate baseline` of a run with --repeats 5"
        )
    rules = policy.model_copy(update={"report_only": False})
    return tuple(_left_out(baseline, place, rules, agreements) for place in range(count))


def _left_out(
    baseline: Baseline, place: int, policy: Policy, agreements: Sequence[Agreement]
) -> LeftOut:
    alone = [one for cell in baseline.cells if (one := _part(cell, place, alone=True))]
    others = [one for cell in baseline.cells if (one := _part(cell, place, alone=False))]
    cases = tuple(sorted({cell.case_id for cell in alone}))
    run = Run(
        id=f"repeat-{place + 1}",
        provenance=baseline.provenance,
        plan=Plan(
            case_ids=cases,
            total=len(cases),
            dataset=cases,
            required=baseline.required,
            clusters=baseline.clusters,
        ),
        targets=baseline.targets,
        metrics=baseline.metrics,
        identities=baseline.identities,
        cells=tuple(alone),
    )
    rest = baseline.model_copy(update={"cells": tuple(others)})
    verdict = decide(
        run,
        compare(run, rest, policy),
        agreements,
        policy,
        narrowed=False,
        seed=run.plan.seed,
        commits=Commits(),
        reproduce=(),
    )
    gating = [one for one in verdict.comparisons if one.gating]
    fell = [one for one in gating if one.outcome == "regression"]
    whole = {(one.target, one.dimension) for one in fell if one.category is None}
    worked = tuple(
        f"{one.target}: {one.because}" for one in verdict.operations if one.outcome == "regression"
    )
    return LeftOut(
        repeat=place + 1,
        status=verdict.status,
        failed=(
            *(_named(one) for one in fell if one.category is None),
            *(
                f"{_named(one)} in category {one.category}"
                for one in fell
                if one.category is not None and (one.target, one.dimension) not in whole
            ),
            *worked,
            *(f"{_named(one)} in case {one.case_id}" for one in verdict.fallen if one.fails),
        ),
        unclear=tuple(
            _named(one) for one in gating if one.outcome == "inconclusive" and one.category is None
        ),
    )


def _named(one: Finding | FallenCase) -> str:
    return f"{one.dimension} of {one.target}"


def _part(cell: Cell, place: int, *, alone: bool) -> Cell | None:
    """Keep one repeat of a cell, or all but that one; None where there is none."""
    kept = [number for number in range(len(cell.attempts)) if (number == place) is alone]
    if not kept:
        return None
    return replace(
        cell,
        attempts=tuple(cell.attempts[number] for number in kept),
        scores={
            name: tuple(column[number] for number in kept) for name, column in cell.scores.items()
        },
        failures={
            name: tuple(column[number] for number in kept) for name, column in cell.failures.items()
        },
        members={},
    )
