"""The second look of a run: what would fail it is asked again, of candidate and base, now."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, replace

from pydantic import JsonValue

from gate.cli.opening import NO_BASE, Opened
from gate.cli.request import Request
from gate.decision.confirming import Suspicion
from gate.decision.words import counted, dollars, listed
from gate.engine.arms import Arms, ArmsGathered
from gate.engine.case import CaseRunner
from gate.engine.local import LocalExecutor
from gate.engine.walk import Ended, Walk
from gate.errors import ConfigError, CredentialsError, ModelError
from gate.protocols import Progress
from gate.types import Confirm, Result, Run
from gate.wire.results_file import ResultsWriter

__all__ = ["Look", "SecondLook"]


@dataclass(frozen=True)
class Look:
    """What came of a second look."""

    confirm: Confirm | None = None
    """Both arms, or why they were not asked; None where nothing had to be."""
    ended: Ended = "done"
    """How the asking ended."""

    @property
    def stopped(self) -> str | None:
        """Why it was not made, where it should have been."""
        return None if self.confirm is None else self.confirm.stopped

    @property
    def told(self) -> dict[str, JsonValue] | None:
        """What a replay must know of it: everything but the answers, which the journal holds."""
        if self.confirm is None:
            return None
        return self.confirm.model_dump(mode="json", exclude={"candidate", "base"})


@dataclass(frozen=True)
class SecondLook:
    """Makes the second look of one run."""

    request: Request
    """What is run."""
    opened: Opened
    """What it is made with."""
    runner: CaseRunner
    """Asks the candidate's targets."""
    progress: Progress
    """Told what happens."""
    writer: ResultsWriter
    """Takes the results, after those of the run itself."""
    stop: asyncio.Event
    """Set by a signal."""
    deadline_s: float | None
    """Seconds that are left of the run's time; None for no limit."""

    @property
    def able(self) -> bool:
        """Whether there may be such a look at all: a base to ask and a rule that asks it."""
        return bool(self.request.base_targets) or self.opened.confirm is not None

    async def of(self, run: Run, suspicion: Suspicion | None) -> Look:
        """Ask again what is suspected of a run that was just made.

        A replay asks what the recorded run asked, whatever is suspected now.
        """
        wanted = self._recorded() if self.request.replay else self._wanted(run, suspicion)
        if wanted is None or wanted.stopped is not None:
            return Look(wanted)
        return await self._asked(wanted)

    def _recorded(self) -> Confirm | None:
        """Return what the recorded run asked again, as far as it is replayed."""
        told = self.opened.confirm
        if told is None or told.stopped is not None:
            return told
        here = {case.id for case in self.request.cases}
        suspects = tuple(one for one in told.suspects if one[0] in self.request.target_names)
        cases = tuple(one for one in told.case_ids if one in here)
        if not cases or not suspects:
            return None
        stopped = self.opened.baseless if self.opened.base is None else None
        return told.model_copy(update={"case_ids": cases, "suspects": suspects, "stopped": stopped})

    def _wanted(self, run: Run, suspicion: Suspicion | None) -> Confirm | None:
        """Return what is to be asked again, or why it cannot be."""
        if suspicion is None:
            return None
        wanted = Confirm(
            suspects=suspicion.rows,
            case_ids=suspicion.case_ids,
            fallen=suspicion.fallen,
            repeats=self.request.plan.repeats,
        )
        return wanted.model_copy(update={"stopped": self._hindrance(run, wanted)})

    def _hindrance(self, run: Run, wanted: Confirm) -> str | None:
        """Say what keeps the look from being made; None where nothing does."""
        if self.opened.base is None:
            return self.opened.baseless or NO_BASE
        if run.stopped is not None:
            return "the run ended early"
        purse = self.opened.purse
        # What a run that goes on had spent on its second look cannot be told from the rest.
        if purse.ceiling_usd is None or self.opened.resumed:
            return None
        answers = 2 * wanted.repeats * len(wanted.case_ids) * len(_targets(wanted))
        likely = purse.spent_usd / max(1, len(self.request.jobs)) * answers
        left = max(0.0, purse.ceiling_usd - purse.spent_usd)
        if likely <= left:
            return None
        return (
            f"{counted(answers, 'more answer')} would cost about {dollars(likely)}, and "
            f"{dollars(left)} of the ceiling are left: raise --max-cost"
        )

    async def _asked(self, wanted: Confirm) -> Look:
        """Ask both arms. What fails in it alone leaves the first look standing."""
        live, base = self.opened.live, self.opened.base
        assert base is not None
        arms = Arms(
            candidate=self.runner,
            base=replace(self.runner, targets=base.targets),
            first=self.request.plan.repeats,
            repeats=wanted.repeats,
        )
        cases = [case for case in self.request.cases if case.id in set(wanted.case_ids)]
        jobs = arms.jobs(cases, _targets(wanted))
        gathered = ArmsGathered(arms, live.scorers)

        def taken(result: Result) -> None:
            self.writer.append(result)
            self.progress.done(result, self.opened.purse.spent_usd)

        self.progress.close()
        names = list(dict.fromkeys(dimension for _, dimension in wanted.suspects))
        self.progress.note(
            f"{listed(names)} would regress: {counted(len(cases), 'case')} asked again, of "
            "candidate and base"
        )
        self.progress.start(len(jobs), "asking again", "question")
        walk = Walk(
            jobs=jobs,
            work=arms.run,
            executor=LocalExecutor(self.opened.at_once),
            gathering=gathered,
            taken=taken,
            deadline_s=self.deadline_s,
        )
        try:
            ended = await walk.to_its_end(self.stop)
        except (ConfigError, CredentialsError, ModelError) as error:
            return Look(wanted.model_copy(update={"stopped": str(error)}))
        if ended == "signal":
            return Look(None, ended)
        if gathered.finished < len(jobs):
            return Look(wanted.model_copy(update={"stopped": self._why_not_all(ended)}))
        candidate, own = gathered.cells()
        return Look(wanted.model_copy(update={"candidate": candidate, "base": own}))

    def _why_not_all(self, ended: Ended) -> str:
        if ended == "deadline":
            return "the run's deadline passed meanwhile: raise run.timeout_s"
        ceiling = dollars(self.request.max_cost_usd or 0.0)
        return f"the ceiling of {ceiling} was reached meanwhile: raise --max-cost"


def _targets(wanted: Confirm) -> tuple[str, ...]:
    return tuple(dict.fromkeys(target for target, _ in wanted.suspects))
