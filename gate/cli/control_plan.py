"""Which control answers a run may judge again, found before anything is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.config import Config
from gate.decision.controls import in_order
from gate.types import Case, Control, Controls, Plan, Policy

_FIRST_PART = "1/"


@dataclass(frozen=True)
class ControlPlan:
    """The control answers of a run."""

    controls: Controls
    """The file."""
    usable: tuple[Control, ...]
    """Those whose case is in the dataset as it was, in the order in which they are asked."""
    cases: dict[str, Case]
    """Their cases."""
    skipped: dict[str, str]
    """Case -> why its control answer is not judged."""
    first: int
    """How many are judged where nothing is amiss."""
    policy: Policy
    """The rules, which say what is a flip."""

    def likely(self, world: str | None) -> int:
        """Return how many a run of this world judges where nothing is amiss."""
        return 0 if self.hindrance(world) else min(self.first, len(self.usable))

    def hindrance(self, world: str | None) -> str | None:
        """Say why a run of this world judges none of them; None where nothing hinders it."""
        if (self.controls.world is None) == (world is None):
            return None
        whose = "the loopback world's" if world is None else "a real judge's"
        return f"they are {whose}: `gate controls --write` makes this configuration's own"


def plan_controls(
    controls: Controls | None, config: Config, policy: Policy, plan: Plan, cases: Sequence[Case]
) -> ControlPlan | None:
    """Say which control answers a run of this plan may judge; None where it judges none.

    Of the parts of a plan the first one does; a run that was narrowed by hand decides nothing, and
    need not know.
    """
    part = plan.shard is not None and not plan.shard.startswith(_FIRST_PART)
    if controls is None or not config.run.controls or plan.narrowed or part:
        return None
    known = {case.id: case for case in cases}
    usable, skipped = [], dict[str, str]()
    for one in controls.answers:
        case = known.get(one.case_id)
        if case is None:
            skipped[one.case_id] = "the dataset has no such case any more"
        elif case.digest != one.case_digest:
            skipped[one.case_id] = "the text of its case changed"
        else:
            usable.append(one)
    return ControlPlan(
        controls=controls,
        usable=in_order(usable, plan.seed),
        cases={one.case_id: known[one.case_id] for one in usable},
        skipped=skipped,
        first=config.run.controls,
        policy=policy,
    )
