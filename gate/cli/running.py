"""From a plan to a run: walks its jobs, writes results as they come, and tells how it ended."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from pathlib import Path

from pydantic import JsonValue

from gate.cli.confirming import Look, SecondLook
from gate.cli.controlling import Checked, Controlling
from gate.cli.filing import withdraw
from gate.cli.first_look import FirstLook, cost_of, first_look
from gate.cli.opening import Opened, open_live, open_replay
from gate.cli.request import Request
from gate.cli.signals import Signals
from gate.decision.confirming import Suspicion
from gate.engine.admission import Admission
from gate.engine.afresh import fresh_rulings
from gate.engine.case import CaseRunner
from gate.engine.costs import total_cost
from gate.engine.gather import Gathering
from gate.engine.local import LocalExecutor
from gate.engine.walk import Ended, Walk
from gate.errors import ConfigError, ModelError, before_any_call
from gate.protocols import Pages, Progress
from gate.types import Job, Result, Run
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
    pages: Callable[[Pages], Pages] = lambda pages: pages
    """Stands before the door of cited pages."""
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
        pages=None if live.pages is None else hands.pages(live.pages),
        deadline_s=None if request.replay is not None else timing.case_timeout_s,
        rulings_from=fresh_rulings(opened.start.run_id) if request.afresh else 0,
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
        early = first_look(at, opened, gathering, "done")
        return request.replay is None and hands.decided(Made(early.run, path))

    ended: Ended = "signal"
    loading = asyncio.create_task(_load_meanwhile(later))
    try:
        with signals.told(_waking(loop, stop)):
            request, ended = await _in_looks(request, order, walker, decides)
            first = first_look(request, opened, gathering, ended)
            first, checked = await _with_controls(
                Controlling(request, opened, progress, stop, lambda: walker.left_s), first
            )
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
    cost = opened.cost or cost_of(request, opened)
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
        "stopped": first.stopped or checked.stopped or second_look.stopped,
        "look": request.plan.look,
        "confirm": second_look.told,
        "controls": checked.told,
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


async def _with_controls(controlling: Controlling, first: FirstLook) -> tuple[FirstLook, Checked]:
    """Judge the control answers again; those of an interrupted run are not."""
    if first.ended == "signal":
        return first, Checked()
    checked = await controlling.of(first.run)
    run = first.run.model_copy(update={"controls": checked.check})
    ended = "signal" if checked.ended == "signal" else first.ended
    return replace(first, run=run, ended=ended), checked


async def _look_again(second: SecondLook, first: FirstLook, made: Made, hands: Hands) -> Look:
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


def _waking(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> Callable[[], None]:
    """Return what a signal's handler may do: it runs between any two steps of the loop."""

    def wake() -> None:
        loop.call_soon_threadsafe(stop.set)

    return wake
