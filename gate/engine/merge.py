"""The parts of one plan, run apart -> the run of the whole. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from gate.decision.identity import joined
from gate.engine.costs import total_cost
from gate.engine.plan import Shard, new_run_id
from gate.engine.unread import unread_pages
from gate.errors import FileError
from gate.types import Cell, Identity, Plan, Provenance, Run, Stratum, TargetInfo

AGAIN = "run the parts of one plan with `--shard I/N`, all with the same configuration"
"""What to do where parts do not fit."""


def merge(runs: Sequence[Run]) -> Run:
    """Return the run of the whole plan, as one machine would have made it.

    Raises FileError for runs that are no parts of one plan, for a part that is missing, given twice
    or interrupted, and for parts that differ in judge, prompt, scorer, target, world or commit.
    """
    parts = _in_order(runs)
    first = parts[0]
    for part in parts:
        _check(part, first)
    whole = _plan(parts)
    cells = tuple(sorted(_cells(parts), key=lambda cell: (cell.target, cell.case_id)))
    broken = first.broken if all(part.broken is not None for part in parts) else None
    pages = Counter[str]()
    for part in parts:
        pages.update(part.pages)
    said = {text for part in parts for text in unread_pages(part.pages)}
    warnings = dict.fromkeys(text for part in parts for text in part.warnings if text not in said)
    stopped = [f"part {part.plan.shard}: {part.stopped}" for part in parts if part.stopped]
    run_id = new_run_id(_created(parts) or "merged", "".join(one.id for one in parts).encode())
    return Run(
        id=run_id,
        provenance=_provenance(parts, run_id),
        plan=whole,
        targets=_targets(parts),
        metrics=first.metrics,
        identities={metric.name: _identity(parts, metric.name) for metric in first.metrics},
        cells=cells,
        cost=total_cost([part.cost for part in parts]),
        judge_family=first.judge_family,
        judge_families=first.judge_families,
        warnings=(*warnings, *unread_pages(pages)),
        edits=tuple(dict.fromkeys(text for part in parts for text in part.edits)),
        pages=dict(sorted(pages.items())),
        stopped="; ".join(stopped) or None,
        broken=broken,
        controls=next((one.controls for one in parts if one.controls is not None), None),
    )


def _in_order(runs: Sequence[Run]) -> list[Run]:
    """Return the parts from the first to the last."""
    found: dict[int, Run] = {}
    of = 0
    for run in runs:
        if run.plan.shard is None:
            raise FileError(f"run {run.id} is no part of a plan: {AGAIN}")
        shard = Shard.parse(run.plan.shard)
        if of not in (0, shard.of):
            raise FileError(f"run {run.id} is one of {shard.of} parts, another of {of}: {AGAIN}")
        if shard.number in found:
            raise FileError(f"part {shard} is given twice: give each part once")
        if run.interrupted is not None:
            raise FileError(
                f"part {shard} was interrupted: run it again in its folder, where it goes on"
            )
        of = shard.of
        found[shard.number] = run
    missing = [f"{number}/{of}" for number in range(1, of + 1) if number not in found]
    if missing:
        raise FileError(f"the part {missing[0]} is missing: run it with `--shard {missing[0]}`")
    return [found[number] for number in sorted(found)]


def _check(part: Run, first: Run) -> None:
    """Refuse a part of another run."""
    pairs = {
        "the plan": (_common(part.plan), _common(first.plan)),
        "the dimensions": (part.metrics, first.metrics),
        "the targets": (
            [_settings(info) for info in part.targets],
            [_settings(info) for info in first.targets],
        ),
        "the family of the judge": (part.families, first.families),
        "the loopback world": (part.provenance.world, first.provenance.world),
        "the commits": (part.provenance.commits, first.provenance.commits),
    }
    for name, (here, there) in pairs.items():
        if here != there:
            raise FileError(
                f"parts {part.plan.shard} and {first.plan.shard} differ in {name}: {AGAIN}"
            )


def _common(plan: Plan) -> Plan:
    """Return what the plans of all parts share, also where one ended early."""
    return plan.model_copy(update={"shard": None, "case_ids": (), "planned": None, "strata": ()})


def _settings(info: TargetInfo) -> TargetInfo:
    return info.model_copy(update={"answered": ()})


def _plan(parts: Sequence[Run]) -> Plan:
    """Return the whole plan, or its finished part where a part ended early."""
    plan = parts[0].plan.model_copy(update={"shard": None})
    whole = [part.plan for part in parts if part.plan.planned is None]
    if len(whole) == len(parts):
        return plan
    finished = sorted({cell.case_id for part in parts for cell in part.cells})
    planned = len(whole[0].case_ids) if whole else sum(part.plan.planned or 0 for part in parts)
    strata = tuple(
        _joined(same) for same in zip(*(part.plan.strata for part in parts), strict=True)
    )
    return plan.model_copy(update={"strata": strata}).finished(tuple(finished), planned)


def _joined(strata: Sequence[Stratum]) -> Stratum:
    """Put the cases of one stratum together that the parts have of it."""
    cases = {case for one in strata for case in one.case_ids}
    return strata[0].model_copy(update={"case_ids": tuple(sorted(cases))})


def _cells(parts: Sequence[Run]) -> list[Cell]:
    owner: dict[tuple[str, str], str | None] = {}
    cells: list[Cell] = []
    for part in parts:
        for cell in part.cells:
            other = owner.setdefault((cell.target, cell.case_id), part.plan.shard)
            if other != part.plan.shard:
                raise FileError(
                    f"case {cell.case_id} of {cell.target} is in parts {other} and "
                    f"{part.plan.shard}: {AGAIN}"
                )
            cells.append(cell)
    return cells


def _identity(parts: Sequence[Run], dimension: str) -> Identity:
    """Return the identity that the parts share; a part where nothing was judged names no judge."""
    known = [part.identities.get(dimension, Identity()) for part in parts]
    joined(known, dimension)
    return Identity(
        judge=next((one.judge for one in known if one.judge), None),
        prompt=next((one.prompt for one in known if one.prompt), None),
        scorer=next((one.scorer for one in known if one.scorer), None),
    )


def _targets(parts: Sequence[Run]) -> tuple[TargetInfo, ...]:
    return tuple(
        infos[0].model_copy(
            update={"answered": tuple(sorted({name for info in infos for name in info.answered}))}
        )
        for infos in zip(*(part.targets for part in parts), strict=True)
    )


def _created(parts: Sequence[Run]) -> str | None:
    return min((part.provenance.created for part in parts if part.provenance.created), default=None)


def _provenance(parts: Sequence[Run], run_id: str) -> Provenance:
    first = parts[0].provenance
    prices = {part.provenance.prices for part in parts}
    return first.model_copy(
        update={
            "created": _created(parts),
            "judged": min((one.provenance.judged or "" for one in parts), default="") or None,
            "prices": first.prices if len(prices) == 1 else None,
            "journal": None if any(part.provenance.journal is None for part in parts) else run_id,
        }
    )
