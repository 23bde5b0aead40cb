"""Which control answers a run may judge again."""

from __future__ import annotations

import pytest

from gate.cli.control_plan import ControlPlan, plan_controls
from gate.config import load_config
from gate.types import Answer, Case, Control, Controls, Plan, Policy
from tests.fakes import case

CASES = (case("same"), case("edited"))


def planned(
    more: str = "",
    *,
    shard: str | None = None,
    world: str | None = None,
    narrowed: bool = False,
) -> ControlPlan | None:
    """The plan for three control answers: of a case that stayed, of an edited and of a gone one."""
    config = load_config(f"dataset: {{path: c.yaml}}\n{more}", "gate.yaml", {})
    controls = Controls(
        date="2026-07-01",
        world=world,
        answers=tuple(
            Control(case_id=name, case_digest=digest, target="t", answer=Answer(text="A."))
            for name, digest in (
                ("edited", "as it was"),
                ("gone", "as it was"),
                ("same", _digest(CASES[0])),
            )
        ),
    )
    return plan_controls(controls, config, Policy(), Plan(shard=shard, narrowed=narrowed), CASES)


def _digest(one: Case) -> str:
    return one.digest


def test_plan_controls__of_cases_as_they_are() -> None:
    """The others are passed over, and why is said."""
    plan = planned()

    assert plan is not None
    assert ["same"] == [one.case_id for one in plan.usable]
    assert {"edited", "gone"} == set(plan.skipped)
    assert (3, 1) == (plan.first, plan.likely(None))


@pytest.mark.parametrize(
    ("more", "shard"), [("run: {controls: 0}\n", None), ("", "2/3"), ("", "12/20")]
)
def test_plan_controls__none(more: str, shard: str | None) -> None:
    """Switched off, or another part of the plan asks."""
    assert None is planned(more, shard=shard)


def test_plan_controls__none_of_a_narrowed_run() -> None:
    """It decides nothing, so nothing is paid for them."""
    assert None is planned(narrowed=True)


def test_plan_controls__the_first_part_asks() -> None:
    """Once for all parts."""
    assert None is not planned(shard="1/3")


@pytest.mark.parametrize(("own", "run"), [("steady", None), (None, "steady")])
def test_hindrance__of_another_world(own: str | None, run: str | None) -> None:
    """What the stand-in judge said is nothing to a real one, nor the other way round."""
    plan = planned(world=own)

    assert plan is not None
    assert "`gate controls --write`" in str(plan.hindrance(run))
    assert 0 == plan.likely(run)
    assert None is plan.hindrance(own)
