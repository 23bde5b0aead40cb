"""From a plan to a run: opens the journal, starts the loop, writes results as they come."""

from __future__ import annotations

import asyncio
import os
import random
import time
from collections.abc import Callable, Sequence
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime
from pathlib import Path

from pydantic import JsonValue

from gate import __version__
from gate.cli.estimating import Estimator, group_of
from gate.cli.offline import World
from gate.config import Config, Use
from gate.engine.assemble import assemble
from gate.engine.case import CaseRunner
from gate.engine.estimate import sentence
from gate.engine.local import LocalExecutor
from gate.engine.plan import make_jobs, new_run_id, run_identity
from gate.errors import CannotRun, GateError, JournalError
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.protocols import Door, Pages, Progress
from gate.types import Case, Commits, Cost, Plan, Provenance, Result, Run
from gate.wire.door import PaidDoor, ReplayDoor, carry_over
from gate.wire.files import LineFile, relative_reader
from gate.wire.journal import Journal
from gate.wire.limits import Limits
from gate.wire.page_door import ReplayPages
from gate.wire.purse import Purse
from gate.wire.retry import RetryPolicy
from gate.wiring import (
    Live,
    StandIn,
    build,
    check_terms,
    connect,
    fetching,
    load_sdks,
    vendors_of,
)

JOURNAL = "journal.sqlite"
"""Name of the journal in the folder of a run."""


@dataclass(frozen=True)
class Request:
    """What is to be run, all checked."""

    config: Config
    """The configuration."""
    root: Path
    """The tree that its paths start from."""
    out: Path
    """Folder for results and journal."""
    cases: Sequence[Case]
    """Cases in the order in which they are asked."""
    plan: Plan
    """The plan."""
    targets: Sequence[Use]
    """Targets to ask."""
    scorers: Sequence[Use]
    """Scorers to use."""
    max_cost_usd: float | None
    """Ceiling."""
    world: World | None
    """The loopback world, where it answers."""
    replay: Path | None
    """The journal to replay."""
    commits: Commits
    """What is measured, as far as it is known."""


@dataclass(frozen=True)
class Made:
    """A run, just made."""

    run: Run
    """The run."""
    results: Sequence[Result]
    """Its results, sorted by target, case and attempt."""


@dataclass(frozen=True)
class _Start:
    """What is the same when a run is resumed or replayed."""

    run_id: str
    started: str
    world: str | None
    estimated_usd: float | None = None

    @property
    def day(self) -> date:
        return datetime.fromisoformat(self.started).date()


def make_run(request: Request, progress: Progress) -> Made:
    """Run the plan, live or from a journal.

    Raises CannotRun for what was found before or during the first calls, NoVerdict for a journal
    that does not fit.
    """
    with ExitStack() as stack:
        if request.replay is not None:
            return _replay(request, request.replay, progress, stack)
        return _live(request, progress, stack)


def _replay(request: Request, path: Path, progress: Progress, stack: ExitStack) -> Made:
    tape = stack.enter_context(Journal.open_replay(path))
    meta = tape.run.meta
    started, world, usd = meta.get("started"), meta.get("world"), meta.get("estimated_usd")
    if not isinstance(started, str):
        raise JournalError(f"{path}: does not say when its run was made; make a new journal")
    start = _Start(
        run_id=tape.run.id,
        started=started,
        world=world if isinstance(world, str) else None,
        estimated_usd=usd if isinstance(usd, float) else None,
    )
    stand_in = StandIn() if start.world is not None else None
    connections = Connections()
    if stand_in is not None:
        connections = connect(request.config, vendors=_vendors(request), stand_in=stand_in)
    purse = Purse()
    carry_over(tape, purse)
    door = ReplayDoor(tape, purse)
    live = _build(request, start, door, connections, lambda: ReplayPages(tape))
    return asyncio.run(_walk(request, start, live, purse, LocalExecutor(1), progress))


def _live(request: Request, progress: Progress, stack: ExitStack) -> Made:
    config, world = request.config, request.world
    stand_in = None if world is None else StandIn(gemini=world.gemini, claude=world.claude)
    connections = connect(config, vendors=_vendors(request), stand_in=stand_in)
    now = datetime.now(UTC)
    start = _Start(
        run_id=new_run_id(now.isoformat(timespec="seconds"), os.urandom(8)),
        started=now.isoformat(timespec="seconds"),
        world=None if world is None else world.variant,
    )
    purse = Purse(request.max_cost_usd)
    journal: Journal | None = None
    limits = Limits(
        RetryPolicy(
            max_tries=config.run.retry.tries,
            base_s=config.run.retry.first_wait_s,
            cap_s=config.run.retry.longest_wait_s,
            asked_cap_s=config.run.retry.longest_asked_s,
            deadline_s=config.run.retry.deadline_s,
        ),
        config.run.concurrency.model_dump(),
        draw=random.Random(start.run_id).random,  # noqa: S311 - jitter is no secret
        clock=time.monotonic,
    )
    if config.journal != "off":
        journal = stack.enter_context(
            Journal(
                request.out / JOURNAL,
                now=lambda: datetime.now(UTC),
                secrets=_secrets(connections),
            )
        )
    door = PaidDoor(journal, limits, purse)

    def open_pages() -> Pages:
        return fetching(config, journal, None if world is None else world.hosts)

    live = _build(request, start, door, connections, open_pages)
    if world is None:
        check_terms(config, live, request.scorers)
        start = replace(start, estimated_usd=_estimated_usd(request, start.day, progress))
    if journal is not None:
        run_id = journal.begin_run(
            start.run_id, identity=_identity(request, live, start.world), meta=_meta(start)
        )
        if run_id != start.run_id:
            meta = journal.run_meta(run_id)
            start = replace(start, run_id=run_id, started=str(meta["started"]))
            progress.note(f"going on with the unfinished run {run_id}")
            live = _build(request, start, door, connections, open_pages)
        carry_over(journal, purse)
    at_once = sum(config.run.concurrency.model_dump().values())
    load_sdks(_vendors(request))
    try:
        made = asyncio.run(_walk(request, start, live, purse, LocalExecutor(at_once), progress))
    except CannotRun:
        # What no rerun can mend is not resumed: with another model the run is another one.
        if journal is not None:
            journal.finish_run(start.run_id)
        raise
    if journal is not None:
        journal.finish_run(start.run_id)
    return made


async def _walk(
    request: Request,
    start: _Start,
    live: Live,
    purse: Purse,
    executor: LocalExecutor,
    progress: Progress,
) -> Made:
    runner = CaseRunner(live.targets, live.scorers, date=start.day.isoformat(), pages=live.pages)
    jobs = make_jobs(request.cases, list(live.targets), request.plan.repeats)
    results: list[Result] = []
    progress.start(len(jobs))
    try:
        with LineFile(request.out / "results.jsonl", fresh=True) as lines:
            async with aclosing(executor.execute(jobs, runner.run)) as stream:
                async for result in stream:
                    results.append(result)
                    lines.append_line(result.model_dump_json(by_alias=True))
                    progress.done(result, purse.totals.usd)
    finally:
        progress.close()
        await live.aclose()
    results.sort(key=lambda result: (result.target, result.case_id, result.attempt))
    return Made(_assemble(request, start, live, purse, results), results)


def _assemble(
    request: Request, start: _Start, live: Live, purse: Purse, results: Sequence[Result]
) -> Run:
    totals = purse.totals
    judge = live.judges.get("default")
    infos = [target.info for target in live.targets.values()]
    failures = [
        failure
        for result in results
        for failure in (result.answer.failure, *(score.failure for score in result.scores))
    ]
    out_of_money = any(failure is not None and failure.kind == "budget" for failure in failures)
    return assemble(
        results,
        run_id=start.run_id,
        provenance=Provenance(
            gate=__version__,
            created=start.started,
            commits=request.commits,
            world=start.world,
            prices=start.day.isoformat(),
        ),
        plan=request.plan,
        targets=infos,
        scorers=list(live.scorers),
        cost=Cost(
            usd=totals.usd,
            known_usd=totals.known_usd,
            estimated_usd=start.estimated_usd,
            ceiling_usd=request.max_cost_usd,
            calls=totals.calls,
            cached_calls=totals.cached_calls,
        ),
        judge_family=None if judge is None else judge.family,
        stopped=(
            f"the ceiling of ${request.max_cost_usd:.2f} was reached: raise --max-cost, or take a "
            "smaller --sample"
            if out_of_money
            else None
        ),
    )


def _vendors(request: Request) -> tuple[str, ...]:
    return vendors_of(request.targets, request.config.judge)


def _build(
    request: Request,
    start: _Start,
    door: Door,
    connections: Connections,
    open_pages: Callable[[], Pages],
) -> Live:
    return build(
        request.config,
        targets=request.targets,
        scorers=request.scorers,
        root=request.root,
        read_text=relative_reader(request.root),
        door=door,
        connections=connections,
        catalogue=load_catalogue(start.day),
        run_id=start.run_id,
        open_pages=open_pages,
    )


def _identity(request: Request, live: Live, world: str | None) -> str:
    return run_identity(
        request.plan,
        {name: target.info.settings for name, target in live.targets.items()},
        [
            *(f"{scorer.prompt_digest} {scorer.settings_digest}" for scorer in live.scorers),
            *(case.digest for case in request.cases),
            world or "",
        ],
    )


def _meta(start: _Start) -> dict[str, JsonValue]:
    return {
        "started": start.started,
        "world": start.world,
        "estimated_usd": start.estimated_usd,
    }


def _estimated_usd(request: Request, day: date, progress: Progress) -> float | None:
    """Say what a paid run is likely to cost; US dollars, None where a part is not known."""
    estimator = Estimator(
        config=request.config,
        root=request.root,
        cases=request.cases,
        targets=request.targets,
        repeats=request.plan.repeats,
        on=day,
    )
    try:
        found = estimator.estimate(group_of(request.scorers, request.plan.scorer_sets))
    except GateError as error:
        # An estimate is a courtesy: what a plug-in makes of invented answers stops no run.
        progress.note(f"Estimate: none ({error})")
        return None
    progress.note(sentence(found, request.max_cost_usd))
    return found.usd


def _secrets(connections: Connections) -> tuple[str, ...]:
    """Credentials that must never reach the journal, should an error quote them."""
    found: list[str | None] = []
    for connection in (connections.google, connections.anthropic):
        if connection is not None and not connection.stand_in:
            found += [connection.api_key, connection.token]
    return tuple(one for one in found if one)
