"""What a run needs open: its journal, the doors of paid calls and of pages, what it is built of."""

from __future__ import annotations

import os
import random
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Literal

from gate.cli.estimating import Estimator, group_of
from gate.cli.recorded import (
    Start,
    commits_of,
    confirm_of,
    controls_of,
    cost_of,
    look_of,
    meta_of,
    places_of,
    start_of,
    stopped_of,
)
from gate.cli.request import Request
from gate.cli.reusing import reuse
from gate.config import Config
from gate.engine.estimate import Estimate, refuse_above, refuse_unpriced, sentence
from gate.engine.plan import new_run_id, run_identity
from gate.errors import CeilingError, GateError, JournalError
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.protocols import Door, Pages, Progress, Target
from gate.targets.given import GivenTarget
from gate.types import CONTROL, Answer, Answers, Confirm, ControlCheck, Cost, digest
from gate.wire.door import PaidDoor, ReplayDoor, carry_over
from gate.wire.files import relative_reader
from gate.wire.journal import Journal
from gate.wire.journal_file import JOURNAL
from gate.wire.journal_identity import write_identity
from gate.wire.journal_replay import Replay
from gate.wire.limits import Limits
from gate.wire.page_door import ReplayPages
from gate.wire.purse import Purse
from gate.wire.retry import RetryPolicy
from gate.wiring import Live, StandIn, build, check_terms, connect, fetching, vendors_of

NO_BASE = "there is no base to ask: name both trees with --base-path and --candidate-path"
"""Why a second look was not made where its targets are not there."""


@dataclass(frozen=True)
class Opened:
    """A run that can begin."""

    start: Start
    """When and as what it was started."""
    live: Live
    """What it is made with."""
    purse: Purse
    """What it costs."""
    journal: Journal | None
    """Where its calls are kept; None in a replay, or where none is kept."""
    at_once: int
    """Jobs that may go on at once."""
    undone: frozenset[int] = frozenset()
    """Jobs of the plan, by their place, that a recorded run ended without."""
    done: frozenset[int] = frozenset()
    """Jobs of the plan, by their place, that a run which goes on had done when it was stopped."""
    ended_early: Literal["deadline"] | None = None
    """What ended a recorded run, where it was no want of money."""
    stopped: str | None = None
    """Why a recorded run ended early, as its end told."""
    cost: Cost | None = None
    """What a recorded run cost, as its end told; None in a journal of an earlier gate."""
    base: Live | None = None
    """The base's own targets, to be asked beside the candidate's; None where there are none."""
    resumed: bool = False
    """Whether an earlier process began it."""
    baseless: str = NO_BASE
    """Why there are none."""
    look: int | None = None
    """The look that a recorded run stopped at."""
    confirm: Confirm | None = None
    """The second look of a recorded run, without its answers; None where it made none."""
    controls: ControlCheck | None = None
    """The control answers of a recorded run; None where it judged none."""


def open_replay(request: Request, stack: ExitStack) -> Opened:
    """Open a recorded run. Raises JournalError for a journal that does not fit."""
    assert request.replay is not None
    tape = stack.enter_context(Journal.open_replay(request.replay))
    if tape.run.state == "unfinished":
        raise JournalError(
            f"{tape.path}: run {tape.run.id} was interrupted and cannot be replayed: finish it "
            "with the command that began it, which goes on from there"
        )
    start = start_of(tape)
    stand_in = StandIn() if start.world is not None else None
    connections = Connections()
    if stand_in is not None:
        connections = connect(request.config, vendors=_vendors(request), stand_in=stand_in)
    purse = Purse()
    carry_over(tape, purse)
    controls = controls_of(tape)
    _count_controls(tape, controls, purse)
    doors = _Doors(ReplayDoor(tape, purse), lambda: ReplayPages(tape))
    live = _build(request, start, doors, connections)
    base, baseless = _build_base(request, start, doors, connections)
    # Of other scorers or cases the recorded cost is not the cost.
    same = tape.run.identity == write_identity(_identity(request, live, base, start.world))
    return Opened(
        start,
        live,
        purse,
        None,
        at_once=1,
        undone=places_of(tape.run.meta, "undone"),
        ended_early="deadline" if tape.run.meta.get("ended") == "deadline" else None,
        stopped=stopped_of(tape) if same else None,
        cost=cost_of(tape) if same else None,
        base=base,
        baseless=baseless,
        look=look_of(tape),
        confirm=confirm_of(tape),
        controls=controls,
    )


def _count_controls(tape: Replay, controls: ControlCheck | None, purse: Purse) -> None:
    """Count what a recorded run paid for its control answers, which a replay does not ask."""
    for case in () if controls is None else controls.case_ids:
        for entry in tape.audit(case):
            own = entry.run_id == tape.run.id and entry.target == CONTROL
            if own and entry.settled and entry.problem is None:
                purse.recall(entry.usd, lost=entry.lost, reserve_usd=entry.reserve_usd)


def open_live(request: Request, progress: Progress, stack: ExitStack) -> Opened:
    """Open a run of real calls, or go on with the unfinished one of the folder.

    Raises CannotRun for what can be found before a paid call, CeilingError among it, and
    JournalError for a journal that does not fit.
    """
    config, world = request.config, request.world
    stand_in = None if world is None else StandIn(gemini=world.gemini, claude=world.claude)
    connections = connect(config, vendors=_vendors(request), stand_in=stand_in)
    started = datetime.now(UTC).isoformat(timespec="seconds")
    new_id = new_run_id(started, os.urandom(8))
    start = Start(
        run_id=new_id,
        started=started,
        world=None if world is None else world.variant,
        commits=request.commits,
    )
    concurrency = config.run.concurrency.model_dump()
    purse = Purse(request.max_cost_usd)
    hosts = None if world is None else world.hosts

    def doors(journal: Journal | None) -> _Doors:
        door = PaidDoor(journal, _limits(config, concurrency, start.run_id), purse)
        return _Doors(door, cache(lambda: fetching(config, journal, hosts)))

    # All that may be refused comes before the journal: a refused run leaves no trace in it.
    live = _build(request, start, doors(None), connections)
    base, baseless = _build_base(request, start, doors(None), connections)
    if world is None:
        check_terms(config, live, request.scorers)
    estimate = _estimate(request, start, progress)
    if estimate is not None:
        refuse_unpriced(estimate, request.max_cost_usd)
        refuse_above(estimate, request.max_cost_usd)
        start = replace(start, estimated_usd=estimate.usd)
    journal: Journal | None = None
    done: frozenset[int] = frozenset()
    if config.journal != "off":
        journal = stack.enter_context(
            Journal(
                request.out / JOURNAL,
                now=lambda: datetime.now(UTC),
                secrets=_secrets(connections),
                mode=config.journal,
                keep_days=config.keep_days,
            )
        )
        reuse(request.reuse, journal, progress)
        start = _begun(journal, start, _identity(request, live, base, start.world), progress)
        meta = journal.run_meta(start.run_id)
        if "undone" in meta:
            missing = places_of(meta, "undone") | places_of(meta, "unpaid")
            done = frozenset(range(len(request.jobs))) - missing
        live = _build(request, start, doors(journal), connections)
        base, baseless = _build_base(request, start, doors(journal), connections)
        carry_over(journal, purse)
    return Opened(
        start,
        live,
        purse,
        journal,
        at_once=sum(concurrency.values()),
        done=done,
        base=base,
        baseless=baseless,
        resumed=start.run_id != new_id,
    )


def _begun(
    journal: Journal, start: Start, identity: Mapping[str, str], progress: Progress
) -> Start:
    """Begin a run in the journal, or go on with the unfinished one; return as what it began."""
    run_id = journal.begin_run(start.run_id, identity=identity, meta=meta_of(start))
    if run_id == start.run_id:
        return start
    meta = journal.run_meta(run_id)
    progress.note(
        f"going on with the run {run_id}, which was stopped at its ceiling or its deadline; what "
        "it spent counts"
        if "stopped" in meta
        else f"going on with the unfinished run {run_id}"
    )
    return replace(
        start,
        run_id=run_id,
        started=str(meta["started"]),
        commits=commits_of(meta.get("commits")),
    )


@dataclass(frozen=True)
class _Doors:
    paid: Door
    open_pages: Callable[[], Pages]


def _limits(config: Config, concurrency: dict[str, int], salt: str) -> Limits:
    retry = config.run.retry
    policy = RetryPolicy(
        max_tries=retry.tries,
        base_s=retry.first_wait_s,
        cap_s=retry.longest_wait_s,
        asked_cap_s=retry.longest_asked_s,
        deadline_s=retry.deadline_s,
    )
    draw = random.Random(salt).random  # noqa: S311 - jitter is no secret
    return Limits(policy, concurrency, draw=draw, clock=time.monotonic)


def _vendors(request: Request) -> tuple[str, ...]:
    judge = None if request.phase == "collect" else request.config.judge
    return vendors_of(request.targets, judge)


def _build(request: Request, start: Start, doors: _Doors, connections: Connections) -> Live:
    live = build(
        request.config,
        targets=request.targets,
        scorers=request.scorers,
        root=request.root,
        read_text=relative_reader(request.root),
        door=doors.paid,
        connections=connections,
        catalogue=load_catalogue(start.day),
        run_id=start.run_id,
        open_pages=doors.open_pages,
        read_owned=request.read_owned,
    )
    if request.given is None:
        return live
    return replace(live, targets=given_targets(request.given))


def _build_base(
    request: Request, start: Start, doors: _Doors, connections: Connections
) -> tuple[Live | None, str]:
    """Build the base's own targets, or say why there are none.

    What is wrong with them is often what the candidate mends: it is no reason to refuse a run.
    """
    if request.candidate is None or not request.base_targets:
        return None, NO_BASE
    try:
        base = build(
            request.candidate.base_config,
            targets=request.base_targets,
            scorers=(),
            root=request.root,
            read_text=relative_reader(request.root),
            door=doors.paid,
            connections=connections,
            catalogue=load_catalogue(start.day),
            run_id=start.run_id,
            open_pages=doors.open_pages,
        )
    except GateError as error:
        return None, f"the base cannot be asked: {error}"
    return base, ""


def given_targets(answers: Answers) -> dict[str, Target]:
    """Return the targets of a collection, in its order, each with its answers."""
    by_target: dict[str, dict[tuple[str, int], Answer]] = defaultdict(dict)
    for one in answers.answers:
        by_target[one.target][one.case_id, one.attempt] = one.answer
    return {info.name: GivenTarget(info, by_target[info.name]) for info in answers.targets}


def _identity(
    request: Request, live: Live, base: Live | None, world: str | None
) -> Mapping[str, str]:
    parts = run_identity(
        request.plan,
        request.cases,
        {name: target.info.settings for name, target in live.targets.items()},
        {
            ", ".join(metric.name for metric in scorer.metrics): (
                f"{scorer.prompt_digest} {scorer.settings_digest}"
            )
            for scorer in live.scorers
        },
        world,
    )
    if base is not None:
        own = [[name, target.info.settings] for name, target in base.targets.items()]
        parts = {**parts, "the base's own targets": digest(own)}
    if request.given is None:
        return {**parts, "what is done": request.phase}
    answers = [
        [one.target, one.case_id, one.attempt, one.answer.digest] for one in request.given.answers
    ]
    return {**parts, "what is done": request.phase, "the answers that are judged": digest(answers)}


def _estimate(request: Request, start: Start, progress: Progress) -> Estimate | None:
    """Say what a paid run is likely to cost; None where it cannot be said, or need not be."""
    if start.world is not None and request.max_cost_usd is None:
        return None
    jobs = len(request.jobs) or 1
    estimator = Estimator(
        config=request.config,
        root=request.root,
        cases=request.cases,
        targets=request.targets,
        repeats=max(1, jobs // max(1, len(request.cases) * len(request.target_names))),
        on=start.day,
        read_owned=request.read_owned,
        given=() if request.given is None else request.given.targets,
        controls=0 if request.controls is None else request.controls.likely(start.world),
    )
    try:
        found = estimator.estimate(group_of(request.scorers, request.plan.scorer_sets))
    except CeilingError:
        raise
    except GateError as error:
        # An estimate is a courtesy: what a plug-in makes of invented answers stops no run.
        progress.note(f"Estimate: none ({error})")
        return None
    progress.note(sentence(found, request.max_cost_usd))
    return found


def _secrets(connections: Connections) -> tuple[str, ...]:
    """Credentials that must never reach the journal, should an error quote them."""
    found: list[str | None] = []
    for connection in (connections.google, connections.anthropic):
        if connection is not None and not connection.stand_in:
            found += [connection.api_key, connection.token]
    return tuple(one for one in found if one)
