"""The second look: what would fail a run is asked again first, of candidate and base. Pure.

A baseline was made on another day. What has become of the web, of search or of the judge since then
looks like the candidate's fault in a first look and hits both arms alike in the second, where luck
of the first look does not come back either. Both looks are needed for a regression; the second
decides on its fresh answers alone, since the cases were chosen for having fallen.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from gate.decision.outcomes import Said, min_effect_of
from gate.decision.rounding import RESULT_PLACES, result
from gate.decision.rows import row_of, sign_of
from gate.decision.sides import side_by_side
from gate.decision.standing import Standing
from gate.decision.words import amount, counted
from gate.stats.correction import benjamini_hochberg
from gate.stats.sampling import order_key
from gate.types import (
    Baseline,
    Comparison,
    Confirm,
    ConfirmFinding,
    Metric,
    Plan,
    Policy,
    Row,
    Run,
    Verdict,
)

Ends = tuple[str, float, float]
"""A case, its mean before and its mean now, signed so that higher is better."""

DRIFTED = "a new baseline, since the world is no longer the one that it was made in"
"""What settles a row in which the base fell as well."""


@dataclass(frozen=True)
class Suspicion:
    """What must be asked again before a run may fail."""

    rows: tuple[tuple[str, str], ...]
    """Target and dimension of the rows that would regress."""
    case_ids: tuple[str, ...]
    """The cases: those that fell in one of these rows, single ones that fail the run, and as many
    others, sorted."""
    fallen: int
    """How many of them fell."""

    @property
    def targets(self) -> tuple[str, ...]:
        """The targets in question, in the rows' order."""
        return tuple(dict.fromkeys(target for target, _ in self.rows))


def suspicion_of(
    run: Run, comparison: Comparison, verdict: Verdict, policy: Policy
) -> Suspicion | None:
    """Say what must be asked again; None where no row would regress, or another look is in vain.

    It is in vain where the run fails anyway (errors rose, a target is missing), where only averages
    are compared, and under the plain threshold, which looks once.
    """
    if not policy.confirm or policy.rule == "threshold" or verdict.status != "regression":
        return None
    if comparison.missing_targets or any(o.outcome == "regression" for o in verdict.operations):
        return None
    broke = [one for one in verdict.fallen if one.fails]
    failing = {
        (one.target, one.dimension, one.category)
        for one in verdict.comparisons
        if one.gating and one.outcome == "regression"
    }
    rows = [
        row
        for row in (*comparison.rows, *comparison.categories)
        if (row.target, row.dimension, row.category) in failing and _paired(row)
    ]
    wholes = {(row.target, row.dimension): row for row in comparison.rows}
    cases = [(row.dimension, _ends(row, wholes)) for row in rows]
    fallen = {case for dimension, ends in cases for case in _fallen(dimension, ends, policy)}
    fallen |= {one.case_id for one in broke}
    if not fallen:
        return None
    compared = {case for _, ends in cases for case, _, _ in ends}
    seed = f"{run.plan.seed} asked again"
    rest = sorted(compared - fallen, key=lambda case: order_key(seed, case))
    return Suspicion(
        rows=tuple(
            dict.fromkeys(
                [
                    *((row.target, row.dimension) for row in rows),
                    *((one.target, one.dimension) for one in broke),
                ]
            )
        ),
        case_ids=tuple(sorted([*fallen, *rest[: len(fallen)]])),
        fallen=len(fallen),
    )


def second_look(
    standings: Sequence[Standing],
    said: Sequence[Said],
    run: Run,
    policy: Policy,
    wholes: Sequence[Standing] = (),
) -> tuple[Said, ...]:
    """Say what each row says once candidate and base were asked again, in the rows' order.

    Rows that would not regress keep what they say, and so do all where nothing was asked again.
    `wholes` are the rows of all cases, where `standings` are of single categories.
    """
    confirm = run.confirm
    if confirm is None or not policy.confirm or policy.rule == "threshold":
        return tuple(said)
    places = [
        place
        for place, (one, first) in enumerate(zip(standings, said, strict=True))
        if one.gating
        and first.outcome == "regression"
        and (one.row.target, one.row.dimension) in confirm.suspects
    ]
    metrics = {metric.name: metric for metric in run.metrics}
    whole_rows = {(one.row.target, one.row.dimension): one.row for one in wholes}
    looks = [
        _Look(row, _ends(row, whole_rows), metrics[row.dimension], run, confirm, policy)
        for row in (standings[place].row for place in places)
    ]
    adjusted = iter(benjamini_hochberg([one.p for one in looks if one.p is not None]))
    found = list(said)
    for place, look in zip(places, looks, strict=True):
        p = None if look.p is None else next(adjusted)
        found[place] = look.said(said[place], p)
    return tuple(found)


def _paired(row: Row) -> bool:
    return row.p is not None and not row.averages_only


def _ends(row: Row, wholes: Mapping[tuple[str, str], Row]) -> list[Ends]:
    """Give the compared cases of a row: case, mean before and now.

    The row of a category holds only some of its cases, the row of all cases holds all of them.
    """
    if row.category is None:
        return list(row.differences.ends())
    cases = wholes[row.target, row.dimension].differences
    return [
        end
        for end, category in zip(cases.ends(), cases.categories, strict=True)
        if category == row.category
    ]


def _fallen(dimension: str, ends: Sequence[Ends], policy: Policy) -> list[str]:
    """Name the cases that fell by as much as a row must fall: smaller moves are noise in each."""
    least = min_effect_of(dimension, policy)
    moves = [(case, result(now - before)) for case, before, now in ends]
    return [case for case, move in moves if move < 0.0 and move <= -least]


class _Look:
    """One row, seen again."""

    def __init__(
        self,
        row: Row,
        ends: Sequence[Ends],
        metric: Metric,
        run: Run,
        confirm: Confirm,
        policy: Policy,
    ) -> None:
        """Compare the two arms by the rule of every row; `ends` are the row's cases."""
        self._ends, self._metric, self._policy, self._confirm = ends, metric, policy, confirm
        own = set(confirm.case_ids).intersection(case for case, _, _ in ends)
        self._asked = len(own)
        self._fresh = _fresh_row(run, confirm, own, row.target, metric, policy)
        enough = self._fresh.n and result(self._fresh.n / self._asked) >= policy.coverage
        self.p = self._fresh.p if enough else None
        """One-sided p of candidate below base; None where too little could be compared."""

    def said(self, first: Said, p: float | None) -> Said:
        """Say what the row says, given its adjusted p."""
        if p is None:
            stopped = self._confirm.stopped
            why = stopped or (
                f"only {self._fresh.n} of {counted(self._asked, 'case')} had scores on both sides"
            )
            text = f"not confirmed, and stands as it was: {why}"
            return replace(first, remark=text, confirm=self._finding("not asked", text, None))
        drop = result(-(self._fresh.signed or 0.0))
        least = min_effect_of(self._metric.name, self._policy)
        if p <= self._policy.confirm_q and drop >= least:
            text = f"confirmed: {self._numbers()}"
            return replace(first, remark=text, confirm=self._finding("confirmed", text, p))
        text, settled_by = self._why_not(least)
        return replace(
            first,
            outcome="inconclusive",
            doubt="unconfirmed",
            remark=text,
            settles=settled_by,
            confirm=self._finding("not confirmed", text, p),
        )

    def _why_not(self, least: float) -> tuple[str, str | None]:
        """Say why the second look did not find the drop, and what would settle it."""
        sign = sign_of(self._metric, self._policy) or 1.0
        before, base, now = self._before, self._fresh.baseline, self._fresh.current
        if base is not None and result(sign * (before - base)) >= least:
            return (
                "not confirmed: base fell as well (drift of web, search or judge); "
                f"{self._numbers()}, where the baseline has {self._amount(before)}"
            ), DRIFTED
        if now is not None and result(sign * (before - now)) < least:
            return (
                f"not confirmed: the candidate did not fall again; {self._numbers()}"
            ), "another run of this head: its answers are added to these"
        return (
            f"not confirmed: candidate and base are no further apart than noise; {self._numbers()}"
        ), "more cases (`--sample`), or more answers a case (`--repeats`)"

    @property
    def _before(self) -> float:
        """The baseline's mean on the cases that were compared again, in the metric's direction."""
        sign = sign_of(self._metric, self._policy) or 1.0
        again = set(self._fresh.differences.case_ids)
        known = [was for case, was, _ in self._ends if case in again]
        return round(sign * math.fsum(known) / len(known), RESULT_PLACES)

    def _numbers(self) -> str:
        return (
            f"asked again, candidate {self._amount(self._fresh.current)} and base "
            f"{self._amount(self._fresh.baseline)} on {counted(self._fresh.n, 'case')}"
        )

    def _amount(self, value: float | None) -> str:
        return amount(value or 0.0, self._metric.unit)

    def _finding(self, outcome: str, text: str, p: float | None) -> ConfirmFinding:
        fresh = self._fresh
        return ConfirmFinding.model_validate(
            {
                "outcome": outcome,
                "because": text,
                "n": fresh.n,
                "candidate": fresh.current,
                "base": fresh.baseline,
                "before": self._before if fresh.n else None,
                "p": p,
            }
        )


def _fresh_row(
    run: Run, confirm: Confirm, cases: set[str], target: str, metric: Metric, policy: Policy
) -> Row:
    """Compare the candidate's fresh answers with the base's as any run with any baseline.

    Cases that belong together do so here as well.
    """
    candidate = run.model_copy(
        update={
            "cells": tuple(cell for cell in confirm.candidate if cell.case_id in cases),
            "plan": Plan(
                seed=run.plan.seed,
                case_ids=tuple(sorted(cases)),
                total=len(cases),
                clusters={one: run.plan.clusters[one] for one in cases & run.plan.clusters.keys()},
            ),
        }
    )
    base = Baseline(
        targets=run.targets,
        metrics=run.metrics,
        identities=run.identities,
        cells=tuple(cell for cell in confirm.base if cell.case_id in cases),
    )
    return row_of(side_by_side(candidate, base), target, metric, policy)
