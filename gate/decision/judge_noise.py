"""How much of a score's noise is the judge's: what decides between judge repeats and more answers.

Only rulings of the same judge on the same answer tell it. That two judges of a panel differ is no
noise: both sides of a comparison have the same panel.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence

from gate.decision.identity import differing
from gate.decision.panel import judges_of, rulings
from gate.decision.rounding import result
from gate.decision.words import counted
from gate.stats.variance_parts import variance_parts, within_groups
from gate.types import Baseline, Cell, JudgeNoise, Metric, NoiseFinding, Run

SMALL = 0.25
"""Judge's share of the noise below which more judge repeats would hardly help."""

LARGE = 0.5
"""Judge's share from which they help most."""

_SEVERAL = 2


def judge_noise(cells: Sequence[Cell], dimension: str) -> JudgeNoise | None:
    """Say how far rulings on one answer lie apart; None where none was ruled on twice.

    A score is the mean over J judges of K rulings each, so of its variance sum_j s_j^2 / (J^2 K)
    comes from ruling anew, with s_j^2 the mean square between the rulings of judge j on one answer.
    """
    judges = judges_of(cells, dimension)
    groups: dict[str, list[list[float]]] = defaultdict(list)
    for cell in cells:
        for said in rulings(cell, dimension):
            if set(said) == set(judges):
                for judge, values in said.items():
                    groups[judge].append(values)
    found = [within_groups(groups[judge]) for judge in judges]
    known = [one.variance for one in found if one is not None]
    if not known or len(known) < len(judges):
        return None
    first = groups[judges[0]]
    times = min(len(values) for values in first)
    return JudgeNoise(
        variance=result(sum(known) / (len(judges) ** 2 * times)),
        rulings=times,
        n=len(first),
    )


def noise_of(run: Run, baseline: Baseline | None = None) -> tuple[NoiseFinding, ...]:
    """Split the noise of every judged dimension of a run, in the metrics' order.

    What the run does not tell (a pull request asks for one answer a case) is taken from the
    baseline's repeats where the same judge gave them. Dimensions that were ruled on once are left
    out.
    """
    if not any(cell.members for cell in run.cells):
        return ()
    found = []
    for metric in run.metrics:
        if metric.judged and (own := judge_noise(run.cells, metric.name)) is not None:
            cells = [*run.cells]
            if baseline is not None and metric.name in baseline.identities:
                now = run.identities.get(metric.name)
                if not differing(baseline.identities[metric.name], now):
                    cells += baseline.cells
            # Attempts of the run and of the baseline are of two versions: each is its own group.
            found.append(_finding(metric.name, own, cells))
    return tuple(found)


def noise_of_baseline(baseline: Baseline) -> tuple[NoiseFinding, ...]:
    """Split the noise of a baseline's dimensions, of those that were ruled on several times."""
    return tuple(
        _finding(metric.name, baseline.judging[metric.name], baseline.cells)
        for metric in baseline.metrics
        if metric.name in baseline.judging
    )


def judging_of(metrics: Iterable[Metric], cells: Sequence[Cell]) -> Mapping[str, JudgeNoise]:
    """Give what a baseline keeps of its rulings: how far they lay apart, by dimension."""
    if not any(cell.members for cell in cells):
        return {}
    found = {one.name: judge_noise(cells, one.name) for one in metrics if one.judged}
    return {name: noise for name, noise in found.items() if noise is not None}


def _finding(dimension: str, own: JudgeNoise, cells: Sequence[Cell]) -> NoiseFinding:
    columns = [cell.scores.get(dimension, ()) for cell in cells]
    groups = [[value for value in column if value is not None] for column in columns]
    groups = [values for values in groups if len(values) >= _SEVERAL]
    whole = within_groups(groups)
    parts = variance_parts(own.variance, None if whole is None else whole.variance)
    return NoiseFinding(
        dimension=dimension,
        judge=result(parts.judge),
        answer=None if parts.answer is None else result(parts.answer),
        share=None if parts.share is None else result(parts.share),
        rulings=own.rulings,
        n=own.n,
        cases=len(groups),
    )


def noise_words(one: NoiseFinding) -> str:
    """Say it in a sentence, and what follows for the number of repeats."""
    on = f"{counted(one.n, 'answer')} ruled on {one.rulings} times"
    if one.answer is None:
        return (
            f"the judge's part of one score's variance is {one.judge:.4f} ({on}); the answers' is "
            "not known, since no case has two answers: set `run.repeats`"
        )
    if one.share is None:
        return f"one score has no noise ({on}): one ruling on one answer is enough"
    if one.share < SMALL:
        advice = "more judge repeats would hardly help, more answers a case would"
    elif one.share < LARGE:
        advice = "more answers a case help most, more judge repeats a little"
    else:
        advice = "more judge repeats help most (`run.judge_repeats`)"
    judge = round(100 * one.share)
    return (
        f"of the noise of one score {judge}% is the judge's and {100 - judge}% the answers' "
        f"({on}, {counted(one.cases, 'case')} with several answers): {advice}"
    )
