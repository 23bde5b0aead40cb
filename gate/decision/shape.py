"""What must hold in a file of ours beyond the types of its fields, whoever wrote or merged it."""

from __future__ import annotations

import re
import reprlib
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from itertools import chain
from typing import TypeVar

from pydantic import JsonValue

from gate.decision.categories import fits
from gate.decision.looks import SHARES
from gate.decision.rows import FRACTION
from gate.errors import FileError
from gate.types import SCHEMA, Baseline, Calibration, Cell, Metric, Plan, Run, TargetInfo

K = TypeVar("K", bound=Hashable)

OLDEST = max(1, SCHEMA - 1)
"""Oldest version of a file's shape that is read: the one before this one, where there is one."""

LARGEST = 1e15
"""No score, second or dollar is larger: beyond it a double has no decimals left, and sums spill."""

TOLERANCE = 1e-9
"""Scores are compared on nine decimals: a mean of ones may be 1.0000000000000002."""

_AT_ONCE = 500
"""Cells that are looked at together, and only one by one where not all are plainly right."""

TARGET_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 ._:/@+-]{0,99}")
"""What a target may be called, as in gate.yaml: names stand at the beginning of lines."""


_SHARD = re.compile(r"([1-9][0-9]{0,3})/([1-9][0-9]{0,3})", re.ASCII)
"""What a part of a plan is called: `I/N`."""


def this_schema(
    data: JsonValue, what: str, again: str, path: str | None = None
) -> dict[str, JsonValue]:
    """Give a file's JSON object under this gate's `schema`; refuse versions that are not read.

    `what` names the kind of file and `again` says how to write it anew. Raises FileError.
    """
    if not isinstance(data, dict):
        raise FileError(f"is no {what} of the gate: a JSON object is expected", path)
    version = data.get("schema")
    if isinstance(version, bool) or not isinstance(version, int) or version < OLDEST:
        raise FileError(
            f'is no {what} of this gate ("schema": {SCHEMA} is expected): {again}', path
        )
    if version > SCHEMA:
        raise FileError(
            f"was written by a newer gate (schema {version}, this one reads {SCHEMA}): update", path
        )
    return {**data, "schema": SCHEMA}


def check_run(run: Run, path: str | None = None) -> None:
    """Refuse a run whose parts contradict each other, or whose numbers cannot be.

    Raises FileError, naming target, case and dimension, or the key of the plan.
    """
    check_planned(run.plan, path)
    _check_cells(run.cells, run.metrics, run.targets, path)
    if run.confirm is not None:
        for arm in (run.confirm.candidate, run.confirm.base):
            _check_cells(arm, run.metrics, run.targets, path)
    listed = {info.name for info in run.targets}
    for name in listed:
        if not TARGET_NAME.fullmatch(name):
            raise FileError(
                f"the target name {name!r} cannot stand in tables and logs: use 1 to 100 letters, "
                "digits, blanks and . _ : / @ + -, a letter or digit first",
                path,
            )
    for cell in run.cells:
        if cell.target not in listed:
            raise FileError(
                f"case {cell.case_id} is of target {cell.target}, which `targets` does not list: "
                "make the run again",
                path,
            )


def check_planned(plan: Plan, path: str | None = None) -> None:
    """Refuse a plan whose looks, part or strata cannot be.

    Raises FileError, naming the key.
    """
    if plan.looks not in (1, len(SHARES)):
        raise FileError(
            f"has plan.looks {reprlib.repr(plan.looks)}: 1 or {len(SHARES)} looks are expected",
            path,
        )
    if plan.look is not None and not 1 <= plan.look <= plan.looks:
        raise FileError(
            f"has plan.look {reprlib.repr(plan.look)}: a look from 1 to {plan.looks} is expected, "
            "which is what plan.looks says",
            path,
        )
    part = None if plan.shard is None else _SHARD.fullmatch(plan.shard)
    if plan.shard is not None and (part is None or int(part[1]) > int(part[2])):
        raise FileError(
            f"has plan.shard {reprlib.repr(plan.shard)}: I/N, such as 1/4, with I from 1 to N is "
            "expected",
            path,
        )
    if plan.planned is not None and plan.planned < max(1, len(plan.case_ids)):
        raise FileError(
            f"has plan.planned {reprlib.repr(plan.planned)}: at least 1 is expected, and no fewer "
            "than there are plan.case_ids",
            path,
        )
    for one in plan.strata:
        if not max(1, len(one.case_ids)) <= one.total <= LARGEST:
            raise FileError(
                f"has total {reprlib.repr(one.total)} of stratum {one.name} in plan.strata: a "
                f"number from 1 to {LARGEST:g} is expected, and no fewer than its case_ids",
                path,
            )
    for case in _twice(case for one in plan.strata for case in one.case_ids):
        raise FileError(f"case {case} stands twice in plan.strata: keep one", path)


def check_baseline(baseline: Baseline, path: str | None = None) -> None:
    """Refuse a baseline whose parts contradict each other, or whose numbers cannot be.

    A merge of two files may leave such behind. Raises FileError, naming target, case and dimension.
    """
    _check_cells(baseline.cells, baseline.metrics, baseline.targets, path)
    units = {metric.name: metric.unit for metric in baseline.metrics}
    for target, averages in baseline.averages.items():
        for name, value in averages.items():
            _check_score(value, units.get(name, FRACTION), f"the average of {target}", name, path)


def check_calibration(calibration: Calibration, path: str | None = None) -> None:
    """Refuse what stands twice, and ratings that are not of the kind that their set says.

    Raises FileError.
    """
    again = "keep one, or write the file again with `gate kappa --write`"
    for name in _twice(one.dimension for one in calibration.sets):
        raise FileError(f"the labels of {name} stand twice: {again}", path)
    for one in calibration.sets:
        keys = (
            (item.case_id, None if item.answer else item.target, item.answer, item.item)
            for item in one.items
        )
        for case, target, answer, item in _twice(keys):
            whose = f"answer {answer}" if answer else f"target {target}"
            whose += f", item {item}" if item else ""
            raise FileError(
                f"the label of {one.dimension} for case {case}, {whose}, stands twice: {again}",
                path,
            )
        for label in one.items:
            if not fits(label, one):
                raise FileError(
                    f"the labels of {one.dimension} are of {one.counts or 'whole answers'}, and "
                    f"one of case {label.case_id} is not: {again}",
                    path,
                )


def _check_cells(
    cells: Sequence[Cell],
    metrics: Sequence[Metric],
    targets: Sequence[TargetInfo],
    path: str | None,
) -> None:
    for name in _twice(metric.name for metric in metrics):
        raise FileError(f"dimension {name} stands twice in `metrics`: keep one", path)
    for name in _twice(info.name for info in targets):
        raise FileError(f"target {name} stands twice in `targets`: keep one", path)
    for case, target in _twice((cell.case_id, cell.target) for cell in cells):
        raise FileError(f"case {case} of target {target} stands twice: keep one", path)
    units = {metric.name: metric.unit for metric in metrics}
    for start in range(0, len(cells), _AT_ONCE):
        some = cells[start : start + _AT_ONCE]
        if not _plainly_right(some, units):
            for cell in some:
                _check_cell(cell, units, path)


def _plainly_right(cells: Sequence[Cell], units: Mapping[str, str]) -> bool:
    """Tell of most cells that there is nothing to be refused; what is near an edge is not told."""
    columns = [column for cell in cells for column in cell.scores.values()]
    failures = [kinds for cell in cells for kinds in cell.failures.values()]
    attempts = [cell.attempts for cell in cells]
    if any(cell.members for cell in cells):
        return False
    if len({*map(len, columns), *map(len, failures), *map(len, attempts)}) > 1:
        return False
    if any(unit != FRACTION for unit in units.values()):
        names = [units.get(name, FRACTION) for cell in cells for name in cell.scores]
        pairs = list(zip(names, columns, strict=True))
        columns = [column for unit, column in pairs if unit == FRACTION]
        others = chain.from_iterable(column for unit, column in pairs if unit != FRACTION)
        if not _within(others, -LARGEST, LARGEST):
            return False
    made = list(chain.from_iterable(attempts))
    return (
        _within(chain.from_iterable(columns), 0.0, 1.0)
        and _within([attempt.latency_s for attempt in made], 0.0, LARGEST)
        and _within([attempt.cost_usd for attempt in made], 0.0, LARGEST)
    )


def _within(values: Iterable[float | None], least: float, most: float) -> bool:
    known = [value for value in values if value is not None]
    return not known or (least <= min(known) and max(known) <= most)


def _check_cell(cell: Cell, units: Mapping[str, str], path: str | None) -> None:
    whose = f"case {cell.case_id} of target {cell.target}"
    rulings = (column for columns in cell.members.values() for column in columns.values())
    lengths = {len(column) for column in (*cell.scores.values(), *cell.failures.values(), *rulings)}
    if lengths - {len(cell.attempts)}:
        raise FileError(
            f"{whose} has columns of different lengths (one value for each of its "
            f"{len(cell.attempts)} attempts is expected): make the file again",
            path,
        )
    for name, column in cell.scores.items():
        for value in column:
            if value is not None:
                _check_score(value, units.get(name, FRACTION), whose, name, path)
    for attempt in cell.attempts:
        for name, figure in (("latency_s", attempt.latency_s), ("cost_usd", attempt.cost_usd)):
            if figure is not None and not 0.0 <= figure <= LARGEST:
                raise FileError(
                    f"{whose} has {name} {figure:g}: a number from 0 to {LARGEST:g} is expected",
                    path,
                )


def _check_score(value: float, unit: str, whose: str, name: str, path: str | None) -> None:
    if unit == FRACTION:
        if not -TOLERANCE <= value <= 1.0 + TOLERANCE:
            raise FileError(
                f"{whose} has {name} {value:g}: a score between 0 and 1 is expected, or another "
                "`unit` of this dimension in `metrics`",
                path,
            )
    elif not abs(value) <= LARGEST:
        raise FileError(
            f"{whose} has {name} {value:g}: a number up to {LARGEST:g} is expected", path
        )


def _twice(keys: Iterable[K]) -> list[K]:
    return [key for key, count in Counter(keys).items() if count > 1]
