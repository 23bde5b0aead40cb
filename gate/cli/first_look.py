"""A run before its second look: what was gathered, put together, or the finished part of it."""

from __future__ import annotations

from dataclasses import dataclass

from pydantic import JsonValue

from gate import __version__
from gate.cli.opening import Opened
from gate.cli.request import Request
from gate.decision.words import counted, dollars
from gate.engine.assemble import assemble
from gate.engine.gather import Gathering
from gate.engine.walk import Ended, finished_part, key_of
from gate.types import Cost, Plan, Provenance, Run

__all__ = ["FirstLook", "cost_of", "first_look"]


@dataclass(frozen=True)
class FirstLook:
    """A run before its second look."""

    run: Run
    """The run."""
    ended: Ended
    """How its walk ended."""
    end: dict[str, JsonValue]
    """What a replay and a run that goes on must know of the end."""
    stopped: str | None
    """Why it ended early, if it did."""


def first_look(request: Request, opened: Opened, gathering: Gathering, walked: Ended) -> FirstLook:
    """Put the run together, or its finished part."""
    ended = opened.ended_early if opened.ended_early and walked == "done" else walked
    end = _end(request, gathering, ended)
    plan, stopped = request.plan, None
    if ended != "signal" and len(gathering.finished()) < len(request.jobs):
        plan, stopped = _cut(request, gathering, ended)
        stopped = opened.stopped or stopped
    return FirstLook(_assembled(request, opened, gathering, plan, stopped), ended, end, stopped)


def _assembled(
    request: Request, opened: Opened, gathering: Gathering, plan: Plan, stopped: str | None
) -> Run:
    live, start, given = opened.live, opened.start, request.given
    families = live.families if live.scorers else ()
    before = None if given is None else given.provenance
    return assemble(
        gathering,
        run_id=start.run_id if given is None or given.id is None else given.id,
        provenance=Provenance(
            gate=__version__,
            created=start.started if before is None or not before.created else before.created,
            judged=start.started if before is not None and before.created else None,
            commits=start.commits,
            world=start.world if before is None else before.world or start.world,
            prices=start.day.isoformat(),
            journal=None if request.config.journal == "off" else start.run_id,
        ),
        plan=plan,
        targets=[target.info for target in live.targets.values()],
        cost=cost_of(request, opened),
        judge_family=families[0] if families else None,
        judge_families=families if len(live.judges) > 1 else (),
        stopped=stopped or (None if given is None else given.stopped),
        warnings=() if given is None else given.warnings,
        edits=() if request.candidate is None else request.candidate.edits,
    )


def _cut(request: Request, gathering: Gathering, ended: Ended) -> tuple[Plan, str]:
    """Leave the finished part of the plan alone, and say why there is no more of it."""
    part = finished_part(request.jobs, gathering.finished())
    gathering.drop_all_but({key_of(job) for job in part})
    planned = len(request.cases)
    cases = sorted({job.case.id for job in part})
    goes_on = request.config.journal == "full"
    if ended == "deadline":
        seconds = request.config.run.timeout_s
        # The configuration of a replay may have none.
        of = "" if seconds is None else f" of {seconds:g} s"
        because = f"the deadline{of} passed: "
        because += "the same command goes on from there, or " if goes_on else ""
        because += "raise run.timeout_s"
    else:
        because = f"the ceiling of {dollars(request.max_cost_usd or 0.0)} was reached: "
        because += (
            "the same command with a higher --max-cost goes on from there"
            if goes_on
            else "raise --max-cost"
        )
    done = (
        f"after {len(cases)} of {counted(planned, 'case')}"
        if len(cases) < planned
        else f"after {len(part)} of {counted(len(request.jobs), 'answer')}"
    )
    plan = request.plan
    if len(cases) < planned:
        plan = request.finished_plan(cases)
    return plan, f"{done}, {because}, or take a smaller --sample"


def cost_of(request: Request, opened: Opened) -> Cost:
    """Return what was spent until now."""
    totals = opened.purse.totals
    return Cost(
        usd=totals.usd,
        known_usd=totals.known_usd,
        assumed_usd=totals.assumed_usd,
        estimated_usd=opened.start.estimated_usd,
        ceiling_usd=request.max_cost_usd,
        calls=totals.calls,
        cached_calls=totals.cached_calls,
    )


def _end(request: Request, gathering: Gathering, ended: Ended) -> dict[str, JsonValue]:
    """Return what must be known of the end: which jobs were not done or not paid for, and why.

    A replay leaves out the undone ones; a run that goes on begins with those that were finished.
    """
    known, finished = gathering.known(), gathering.finished()
    undone: list[JsonValue] = []
    unpaid: list[JsonValue] = []
    for number, job in enumerate(request.jobs):
        if key_of(job) not in known:
            undone.append(number)
        elif key_of(job) not in finished:
            unpaid.append(number)
    return {"ended": ended, "undone": undone, "unpaid": unpaid}
