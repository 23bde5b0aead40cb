"""Run and baseline laid side by side: which cases stand on both, and which do not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from gate.types import Attempt, Baseline, Cell, Coverage, Row, Run

Key = tuple[str, str]
"""Target and case id."""


@dataclass(frozen=True)
class TargetSides:
    """The cells of one target on both sides, in columns of equal length."""

    cases: list[str]
    """The planned cases and those that are gone from the dataset, sorted."""
    new: list[Cell | None]
    """The run's cell of each."""
    base: list[Cell | None]
    """The baseline's cell of each."""
    gone: list[bool]
    """Whether each is gone from the dataset."""
    changed: list[bool]
    """Whether each has another text than in the baseline."""
    categories: list[str]
    """The category of each in the baseline; empty where it is not there."""


@dataclass(frozen=True)
class Sides:
    """What every row and every operation is computed from."""

    run: Run
    """The new run."""
    baseline: Baseline
    """The baseline; an empty one where there is none."""
    planned: tuple[str, ...]
    """The run's cases, sorted."""
    sampled: bool
    """Whether the plan holds only a part of the dataset."""
    new: dict[Key, Cell]
    """The run's cells."""
    base: dict[Key, Cell]
    """The baseline's cells."""
    added: tuple[str, ...]
    """Cases of the plan that the baseline does not have."""
    removed: tuple[str, ...]
    """Cases of the baseline that are gone from the dataset, as far as the plan knows it."""
    not_sampled: int
    """Cases of the baseline outside of this sample."""
    share: float
    """Share of the baseline's cases in the dataset that this sample holds; 1 for the full set."""
    changed: frozenset[Key]
    """Cells whose case has another text than in the baseline."""
    unknown_text: bool
    """Whether the text of a compared case is unknown on one side."""
    strata: Mapping[str, str] = field(default_factory=dict)
    """Case -> its stratum, for the cases of a sample whose plan names them."""
    required: frozenset[str] = frozenset()
    """Cases that every run must hold."""
    laid_out: dict[str, TargetSides] = field(default_factory=dict)
    """Target -> its columns, as they are asked for."""

    def of(self, target: str) -> TargetSides:
        """Give the cells of a target in columns."""
        if target not in self.laid_out:
            gone = set(self.removed)
            cases = sorted({*self.planned, *gone})
            keys = [(target, case) for case in cases]
            base = [self.base.get(key) for key in keys]
            self.laid_out[target] = TargetSides(
                cases=cases,
                new=[self.new.get(key) for key in keys],
                base=base,
                gone=[case in gone for case in cases],
                changed=[key in self.changed for key in keys],
                categories=["" if cell is None else cell.category for cell in base],
            )
        return self.laid_out[target]

    def both(self, target: str) -> list[tuple[Cell, Cell]]:
        """Give the (new, baseline) cells of a target whose case is planned and unchanged."""
        side = self.of(target)
        columns = zip(side.new, side.base, side.gone, side.changed, strict=True)
        return [
            (new, base)
            for new, base, gone, changed in columns
            if new is not None and base is not None and not gone and not changed
        ]


def side_by_side(run: Run, baseline: Baseline | None) -> Sides:
    """Lay a run beside a baseline.

    A run without a plan (an imported one) is taken as the full set of its own cases.
    """
    base_side = baseline or Baseline()
    new = {(cell.target, cell.case_id): cell for cell in run.cells}
    base = {(cell.target, cell.case_id): cell for cell in base_side.cells}
    planned = set(run.plan.case_ids) or {case for _, case in new}
    known = {case for _, case in base}
    sampled = run.plan.total > len(planned)
    gone = known - planned
    # Without the dataset's ids a sample cannot tell what is gone from what it does not hold.
    outside = gone & set(run.plan.dataset or gone) if sampled else set()
    held = len(known & planned)
    changed: set[Key] = set()
    unknown_text = False
    for key, cell in new.items():
        if (before := base.get(key)) is not None:
            if cell.case_digest is None or before.case_digest is None:
                unknown_text = True
            elif cell.case_digest != before.case_digest:
                changed.add(key)
    return Sides(
        run=run,
        baseline=base_side,
        planned=tuple(sorted(planned)),
        sampled=sampled,
        new=new,
        base=base,
        added=tuple(sorted(planned - known)) if known else (),
        removed=tuple(sorted(gone - outside)),
        not_sampled=len(outside),
        share=held / (held + len(outside)) if outside else 1.0,
        changed=frozenset(changed),
        unknown_text=unknown_text,
        strata={case: one.name for one in run.plan.strata for case in one.case_ids},
        required=frozenset(run.plan.required),
    )


def scored(cell: Cell | None, metric: str) -> list[float]:
    """Give the values of a metric that the cell has, in the order of the attempts."""
    column = () if cell is None else cell.scores.get(metric, ())
    return [value for value in column if value is not None]


def undefined(cell: Cell, metric: str) -> bool:
    """Tell whether a case without a value of a metric has none although nothing failed.

    An answer that cites nothing has no citation precision: that is what the system did, and no
    measurement was lost. Where the reason is not known it is no such case.
    """
    return set(cell.failures.get(metric, ())) - {None} == {"undefined"}


def made(cell: Cell | None) -> Sequence[Attempt]:
    """Give the attempts that were really made: those that the budget stopped are left out."""
    attempts = () if cell is None else cell.attempts
    for attempt in attempts:
        if attempt.state == "budget":
            return [one for one in attempts if one.state != "budget"]
    return attempts


def coverage_of(sides: Sides, rows: tuple[Row, ...]) -> Coverage:
    """Count the cases that were compared, and name those that were not and why."""
    compared = set[str]().union(*(row.differences.case_ids for row in rows))
    targets = [info.name for info in sides.run.targets]
    answered = {
        key for key, cell in sides.new.items() if "ok" in [one.state for one in cell.attempts]
    }
    unscored: dict[str, int] = {}
    for metric in sides.run.metrics:
        missing = sum(
            value is None and attempt.state == "ok"
            for cell in sides.run.cells
            if None in (column := cell.scores.get(metric.name, ()))
            for value, attempt in zip(column, cell.attempts, strict=False)
        )
        if missing:
            unscored[metric.name] = missing
    part_of_it = sides.run.plan.shard is not None or sides.run.interrupted is not None
    asked = {case for _, case in sides.new} if part_of_it else set(sides.planned)
    changed = tuple(sorted({case for _, case in sides.changed}))
    required = {*sides.required, *sides.baseline.required}
    return Coverage(
        cases=len(sides.planned),
        compared=len(compared) if sides.base else max((row.n for row in rows), default=0),
        added=sides.added,
        removed=sides.removed,
        changed=changed,
        changed_required=tuple(case for case in changed if case in required),
        errored=tuple(
            case
            for case in sides.planned
            if case in asked and any((t, case) not in answered for t in targets)
        ),
        not_sampled=sides.not_sampled,
        unscored=unscored,
        not_measured=_not_measured(sides),
    )


def _not_measured(sides: Sides) -> tuple[str, ...]:
    here = {metric.name for metric in sides.run.metrics}
    return tuple(one.name for one in sides.baseline.metrics if one.name not in here)
