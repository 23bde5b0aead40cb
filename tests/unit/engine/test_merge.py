"""Parts of a plan put together: what must be alike, and what is added up."""

from __future__ import annotations

from typing import Any

import pytest

from gate.engine.merge import merge
from gate.errors import FileError
from gate.types import (
    Attempt,
    Cell,
    Cost,
    Failure,
    Identity,
    Metric,
    Plan,
    Provenance,
    Run,
    TargetInfo,
)

CASES = ("a", "b", "c", "d")


def part(number: int, of: int = 2, **change: Any) -> Run:
    """One part, whose cases are every `of`-th."""
    cells = tuple(
        Cell(
            target="t",
            case_id=case,
            scores={"m": (0.5,)},
            attempts=(Attempt(state="ok", model=f"m{number}"),),
        )
        for case in CASES[number - 1 :: of]
    )
    run = Run(
        id=f"run{number}",
        provenance=Provenance(created=f"2026-11-30T10:00:0{number}+00:00", world="steady"),
        plan=Plan(case_ids=CASES, total=4, shard=f"{number}/{of}"),
        targets=(TargetInfo(name="t", use="gemini", answered=(f"m{number}",)),),
        metrics=(Metric(name="m"),),
        identities={"m": Identity(judge="j", prompt="p", scorer="s")},
        cells=cells,
        cost=Cost(usd=1.0, known_usd=1.0, calls=2),
        pages={"ok": 3, "timeout": number},
    )
    return run.model_copy(update=change)


def test_merge__adds_up() -> None:
    """Cells in their order, costs and pages together, the first start."""
    run = merge([part(2), part(1)])

    assert CASES == tuple(cell.case_id for cell in run.cells) == run.plan.case_ids
    assert (2.0, 4) == (run.cost.usd, run.cost.calls)
    assert {"ok": 6, "timeout": 3} == run.pages
    assert ("m1", "m2") == run.targets[0].answered
    assert ("2026-11-30T10:00:01+00:00", None) == (run.provenance.created, run.plan.shard)
    assert run.warnings[0].startswith("3 of 9 cited pages could not be read (timeout 3): ")
    assert run.id == merge([part(1), part(2)]).id != part(1).id


def test_merge__a_part_that_judged_nothing_names_no_judge() -> None:
    """The judge of the others stands."""
    silent = {"m": Identity(judge=None, prompt="p", scorer="s")}

    assert "j" == merge([part(1, identities=silent), part(2)]).identities["m"].judge


def test_merge__a_part_that_ended_early() -> None:
    """The finished cases are the plan, and how many were planned is kept."""
    short = part(2)
    plan = short.plan.model_copy(update={"case_ids": ("b",), "planned": 2})
    stopped = short.model_copy(
        update={"plan": plan, "cells": short.cells[:1], "stopped": "after 1 of 2 cases"}
    )

    run = merge([part(1), stopped])

    assert (("a", "b", "c"), 4) == (run.plan.case_ids, run.plan.planned)
    assert "part 2/2: after 1 of 2 cases" == run.stopped


def test_merge__all_parts_broken() -> None:
    """One sound part is a measured run."""
    broken = Failure(kind="judge", message="down")

    assert broken == merge([part(1, broken=broken), part(2, broken=broken)]).broken
    assert merge([part(1, broken=broken), part(2)]).broken is None


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"judge_family": "other"}, "differ in the family of the judge"),
        ({"judge_families": ("x", "y")}, "differ in the family of the judge"),
        ({"metrics": (Metric(name="n"),)}, "differ in the dimensions"),
        ({"provenance": Provenance(world="wrong")}, "differ in the loopback world"),
        ({"plan": Plan(seed="x", case_ids=CASES, total=4, shard="2/2")}, "differ in the plan"),
        ({"targets": (TargetInfo(name="t", use="gemini", settings="1"),)}, "differ in the targets"),
        ({"interrupted": "SIGTERM"}, "part 2/2 was interrupted"),
        ({"cells": part(1).cells}, "case a of t is in parts 1/2 and 2/2"),
        ({"plan": Plan(shard="2/3")}, "is one of 3 parts, another of 2"),
        ({"identities": {"m": Identity(judge="k")}}, "their judge differs"),
    ],
)
def test_merge__what_does_not_fit(change: dict[str, Any], says: str) -> None:
    """Refused, naming the part."""
    with pytest.raises(FileError, match=says):
        merge([part(1), part(2, **change)])
