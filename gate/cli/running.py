"""From a plan to a run: walks its jobs, writes results as they come, and tells how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import JsonValue

from gate import __version__
from gate.cli.confirming import Look, SecondLook
from gate.cli.filing import withdraw
from gate.cli.opening import Opened, open_live, open_replay
from gate.cli.request import Request
from gate.cli.signals import Signals
from gate.decision.confirming import Suspicion
from gate.decision.words import counted, dollars
from gate.engine.admission import Admission
from gate.engine.assemble import assemble
from gate.engine.case import CaseRunner
from gate.engine.costs import total_cost
from gate.engine.gather import Gathering
from gate.engine.local import LocalExecutor
from gate.engine.walk import Ended, Walk, finished_part, key_of
from gate.errors import ConfigError, ModelError, before_any_call
from gate.protocols import Progress
from gate.types import Cost, Job, Plan, Provenance, Result, Run
from gate.wire.results_file import RESULTS, ResultsWriter
from gate.wiring import load_sdks, vendors_in_turn

_PATIENCE_S = 1.5
"""Seconds that connections get to close after a signal."""

_AFTER_FIRST_S = 0.1
"""Seconds that the first questions get to be sent."""


@dataclass(frozen=True)
class Made:
    """A run, just made."""

    run: Run
    """The run: scores, and no texts."""
    results: Path
    """The file of its results."""


@dataclass(frozen=True)
class Hands:
    """What a run is handed besides its request."""

    progress: Progress
    """Told what happens."""
    signals: Signals = field(default_factory=Signals)
    """What may end it early."""
    report: Callable[[Made], None] = lambda _: None
    """Writes down what came of it."""
    decided: Callable[[Made], bool] = lambda _: False
    """Whether what was asked until the end of a look decides the run."""
    suspect: Callable[[Made], Suspicion | None] = lambda _: None
    """Says what must be asked again before the run may fail."""
    made: tuple[str, ...] = ()
    """Names of what `report` writes into the folder, besides the files of every run."""


def make_run(request: Request, hands: Hands) -> Made:
    """Run the plan, live or from a journal, and report on it.

    A signal ends it early, with what is there. A run is finished only once it is reported on: one
    that is killed before is gone on with, and pays for nothing again. Raises CannotRun for what
    was found before or during the first calls, a journal that does not fit among it, and NoVerdict
    for one that breaks later, or lacks a call that a replay makes.
    """
    with ExitStack() as stack:
        replay = request.replay is not None
        with before_any_call():
            opened = (
                open_replay(request, stack) if replay else open_live(request, hands.progress, stack)
            )
        return _made(request, opened, hands)


def _made(request: Request, opened: Opened, hands: Hands) -> Made:
    journal, run_id = opened.journal, opened.start.run_id
    later: tuple[str, ...] = ()
    if request.replay is None:
        first, later = vendors_in_turn(
            request.targets, request.config.judge if request.scorers else None
        )
        load_sdks(first)
    # From here on a signal raises nothing: asyncio would print what is raised in its callbacks. The
    # walk is told of it; what comes after the walk is written whole.
    with hands.signals.held():
        try:
            made, end = asyncio.run(_walk(request, opened, hands, later))
        except (ConfigError, ModelError):
            # What no rerun can mend is not resumed: with another model the run is another one. A
            # full disk or a credential that ran out is mended, and then the run goes on.
            if journal is not None:
                journal.give_up_run(run_id)
            raise
        hands.report(made)
        if journal is not None and made.run.interrupted is None:
            journal.finish_run(run_id, end)
    return made


async def _walk(
    request: Request, opened: Opened, hands: Hands, later: Sequence[str]
) -> tuple[Made, dict[str, JsonValue]]:
    progress, signals = hands.progress, hands.signals
    if opened.look is not None and len(request.look_ends) >= opened.look:
        request = request.at_look(opened.look)
    live, purse, day = opened.live, opened.purse, opened.start.day
    timing = request.config.run
    runner = CaseRunner(
        live.targets,
        live.scorers,
        date=day.isoformat(),
        pages=live.pages,
        deadline_s=None if request.replay is not None else timing.case_timeout_s,
    )
    gathering = Gathering(live.scorers)
    likely, done = opened.start.estimated_usd, len(opened.done)
    likely = None if likely is None else likely / max(1, len(request.jobs))
    admission = Admission(
        purse.ceiling_usd,
        # A run that was stopped begins with what it did, and admits no other job before that is
        # counted. What else was begun before a kill is not known: it counts when it is reached.
        spent_usd=lambda: purse.spent_usd if done else purse.reached_usd,
        reserve_usd=lambda: purse.largest_reserve_usd,
        likely_usd=purse.spent_usd / done if done else likely,
        recorded=done,
    )
    path = request.out / RESULTS
    # Not before the journal is ours: another process may be writing its report here.
    withdraw(request.out, also=hands.made)
    writer = ResultsWriter(path)

    def taken(result: Result) -> None:
        writer.append(result)
        admission.done()
        progress.done(result, purse.spent_usd)

    order = [number for number in range(len(request.jobs)) if number not in opened.undone]
    order.sort(key=lambda number: number not in opened.done)
    progress.start(len(request.jobs), *_doing(request))
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    limit_s = None if request.replay is not None else timing.timeout_s
    walker = _Walker(
        request.jobs,
        runner,
        LocalExecutor(opened.at_once, admission),
        gathering,
        taken,
        stop,
        None if limit_s is None else loop.time() + limit_s,
    )

    def decides(at: Request) -> bool:
        early = _first_look(at, opened, gathering, "done")
        return request.replay is None and hands.decided(Made(early.run, path))

    ended: Ended = "signal"
    loading = asyncio.create_task(_load_meanwhile(later))
    try:
        with signals.told(_waking(loop, stop)):
            request, ended = await _in_looks(request, order, walker, decides)
            first = _first_look(request, opened, gathering, ended)
            second = SecondLook(request, opened, runner, progress, writer, stop, walker.left_s)
            second_look = await _look_again(second, first, Made(first.run, path), hands)
            ended = second_look.ended
    finally:
        loading.cancel()
        writer.close()
        progress.close()
        with suppress(TimeoutError):
            async with asyncio.timeout(_PATIENCE_S if ended == "signal" else None):
                await live.aclose()
                if opened.base is not None:
                    await opened.base.aclose()
    cost = opened.cost or _cost(request, opened)
    run = first.run.model_copy(
        update={
            "cost": cost if request.given is None else total_cost([request.given.cost, cost]),
            "confirm": second_look.confirm,
        }
    )
    if ended == "signal" and signals.received is not None:
        run = run.model_copy(update={"interrupted": signals.received.name})
    return Made(run, path), {
        **first.end,
        # A look that money or time ended is gone on with, as a run is.
        "stopped": first.stopped or second_look.stopped,
        "look": request.plan.look,
        "confirm": second_look.told,
        "cost": cost.model_dump(mode="json"),
    }


@dataclass(frozen=True)
class _Walker:
    """Walks jobs by their places, within the time of the run."""

    jobs: Sequence[Job]
    runner: CaseRunner
    executor: LocalExecutor
    gathering: Gathering
    taken: Callable[[Result], None]
    stop: asyncio.Event
    ends_at: float | None

    @property
    def left_s(self) -> float | None:
        """Seconds until the run's deadline; None for no such time."""
        now = asyncio.get_running_loop().time()
        return None if self.ends_at is None else max(0.0, self.ends_at - now)

    async def walked(self, places: Sequence[int]) -> Ended:
        """Do these jobs."""
        walk = Walk(
            jobs=[self.jobs[place] for place in places],
            work=self.runner.run,
            executor=self.executor,
            gathering=self.gathering,
            taken=self.taken,
            deadline_s=self.left_s,
        )
        return await walk.to_its_end(self.stop)


async def _in_looks(
    request: Request,
    order: Sequence[int],
    walker: _Walker,
    decides: Callable[[Request], bool],
) -> tuple[Request, Ended]:
    """Walk to the end, or to the first look that decides; return what was asked until then."""
    for look, end in enumerate(request.look_ends[:-1], start=1):
        ended = await walker.walked([place for place in order if place < end])
        order = [place for place in order if place >= end]
        at = request.at_look(look)
        if ended != "done" or len(walker.gathering.finished()) < len(at.jobs):
            return request, ended
        if decides(at):
            return at, ended
    return request, await walker.walked(order)


@dataclass(frozen=True)
class _First:
    """A run before its second look."""

    run: Run
    ended: Ended
    end: dict[str, JsonValue]
    stopped: str | None


def _first_look(request: Request, opened: Opened, gathering: Gathering, walked: Ended) -> _First:
    """Put the run together, or its finished part."""
    ended = opened.ended_early if opened.ended_early and walked == "done" else walked
    end = _end(request, gathering, ended)
    plan, stopped = request.plan, None
    if ended != "signal" and len(gathering.finished()) < len(request.jobs):
        plan, stopped = _cut(request, gathering, ended)
        stopped = opened.stopped or stopped
    return _First(_assembled(request, opened, gathering, plan, stopped), ended, end, stopped)


async def _look_again(second: SecondLook, first: _First, made: Made, hands: Hands) -> Look:
    """Ask again what would fail the run; an interrupted one is not looked at."""
    if first.ended == "signal" or not second.able:
        return Look(ended=first.ended)
    replay = second.request.replay is not None
    look = await second.of(first.run, None if replay else hands.suspect(made))
    return replace(look, ended=look.ended if look.ended == "signal" else first.ended)


async def _load_meanwhile(vendors: Sequence[str]) -> None:
    """Import what is not asked first, once the first questions are on their way.

    In a thread, beside their waiting: the loop goes on, and their latencies are hardly touched.
    """
    if vendors:
        await asyncio.sleep(_AFTER_FIRST_S)
        await asyncio.to_thread(load_sdks, vendors)


def _doing(request: Request) -> tuple[str, str]:
    """Say what is done, and to what."""
    if request.replay is not None:
        return "replaying", "answer"
    if request.phase == "judge":
        return "judging", "answer"
    return ("asking" if request.phase == "collect" else "asking and judging"), "question"


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


def _waking(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Callable[[], None]:
    """Return what a signal's handler may do: it runs between any two steps of the loop."""

    def wake() -> None:
        loop.call_soon_threadsafe(stop.set)

    return wake


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
            commits=start.commits,
            world=start.world if before is None else before.world or start.world,
            prices=start.day.isoformat(),
            journal=None if request.config.journal == "off" else start.run_id,
        ),
        plan=plan,
        targets=[target.info for target in live.targets.values()],
        cost=_cost(request, opened),
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


def _cost(request: Request, opened: Opened) -> Cost:
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
