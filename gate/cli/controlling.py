"""The control answers of a run: a few stored answers judged again, all of them on suspicion.

They are judged after the run's own answers and before its second look: where the judge itself
drifted there is nothing to ask candidate and base about.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from pydantic import JsonValue

from gate.cli.control_plan import ControlPlan
from gate.cli.opening import Opened
from gate.cli.request import Request
from gate.decision.controls import (
    any_flipped,
    comparable_dimensions,
    reading_of,
    suspects,
)
from gate.decision.identity import differing
from gate.decision.words import counted, dollars, listed
from gate.engine.afresh import fresh_rulings
from gate.engine.case import CaseRunner
from gate.engine.local import LocalExecutor
from gate.engine.walk import Ended, Walk
from gate.errors import ConfigError, CredentialsError, ModelError
from gate.protocols import Progress, Scorer
from gate.targets.given import GivenTarget
from gate.types import CONTROL, Control, ControlCheck, ControlReading, Job, Result, Run, TargetInfo
from gate.wire.page_door import KnownPages

__all__ = ["Checked", "Controlling"]


@dataclass(frozen=True)
class Checked:
    """What came of the control answers."""

    check: ControlCheck | None = None
    """What the judge said; None where there are none to judge."""
    ended: Ended = "done"
    """How the judging ended."""
    cut: bool = False
    """Whether money or time ended it."""

    @property
    def stopped(self) -> str | None:
        """Why it ended early, where the same command can go on with it."""
        return None if self.check is None or not self.cut else self.check.stopped

    @property
    def told(self) -> dict[str, JsonValue] | None:
        """What a replay takes over."""
        return None if self.check is None else self.check.model_dump(mode="json")


@dataclass
class _Scores:
    """Scores by case and dimension, one for each round, and whether money ended it."""

    values: dict[tuple[str, str], list[float | None]] = field(default_factory=dict)
    unpaid: bool = False

    def add(self, result: Result) -> None:
        """Take one control answer's scores."""
        for score in result.scores:
            number = score.value
            kept = None if number is None or isinstance(number, str) else float(number)
            self.values.setdefault((result.case_id, score.metric), []).append(kept)
            self.unpaid |= score.failure is not None and score.failure.kind == "budget"


@dataclass(frozen=True)
class Controlling:
    """Judges the control answers of one run again."""

    request: Request
    """What is run."""
    opened: Opened
    """What it is made with."""
    progress: Progress
    """Told what happens."""
    stop: asyncio.Event
    """Set by a signal."""
    left_s: Callable[[], float | None]
    """Tells the seconds that are left of the run's time; None for no limit."""

    async def of(self, run: Run) -> Checked:
        """Judge again what has to be; a replay says what the recorded run was told."""
        if self.request.replay is not None:
            return Checked(_of_dimensions(self.opened.controls, run))
        plan = self.request.controls
        judged = [one.name for one in run.metrics if one.judged]
        if plan is None or not judged or run.broken is not None:
            return Checked()
        why = plan.hindrance(run.provenance.world)
        if why is not None or run.stopped is not None:
            return Checked(ControlCheck(stopped=why or "the run ended early"))
        names, skipped = comparable_dimensions(plan.controls, run.identities, judged)
        check = ControlCheck(of=len(plan.usable), skipped={**plan.skipped, **skipped})
        if not names or not plan.usable:
            return Checked(check.model_copy(update={"of": 0}))
        return await _Judging(self, plan, run, names, check).done()


class _Judging:
    """The rounds of one run."""

    def __init__(
        self,
        by: Controlling,
        plan: ControlPlan,
        run: Run,
        names: Sequence[str],
        check: ControlCheck,
    ) -> None:
        self._by, self._plan, self._names, self._check = by, plan, names, check
        self._scores = _Scores()
        self._cut = False
        self._scorers: list[Scorer] = [
            scorer
            for scorer in by.opened.live.scorers
            if any(metric.name in names for metric in scorer.metrics)
        ]
        self._asked: list[Control] = []
        self._ended: Ended = "done"
        self._stopped: str | None = None
        self._renamed = next(
            (
                stored.judge
                for name in names
                if (stored := plan.controls.identities.get(name)) is not None
                and "judge" in differing(stored, run.identities.get(name))
            ),
            None,
        )

    async def done(self) -> Checked:
        """Judge the first few, then the others and all once more where there is reason to."""
        usable, note = self._plan.usable, self._by.progress.note
        first = len(usable) if self._renamed else min(self._plan.first, len(usable))
        rest = usable[first:]
        if self._renamed:
            note(f"the judge has another name than {self._renamed}: {self._all()} judged again")
        if await self._judge(usable[:first], 0) and any_flipped(self._readings()) and rest:
            note(f"a control answer flipped: {self._all()} judged again")
            await self._judge(rest, 0)
        rounds = 1
        doubtful = suspects(self._told(rounds), self._plan.policy)
        if doubtful and self._stopped is None and self._ended == "done":
            note(f"{listed(doubtful)} may have drifted: {self._all()} judged once more")
            rounds += await self._judge(usable, 1)
        if self._ended == "signal":
            return Checked(None, "signal")
        return Checked(self._told(rounds), cut=self._cut)

    def _all(self) -> str:
        return f"all {counted(len(self._plan.usable), 'control answer')} are"

    async def _judge(self, controls: Sequence[Control], place: int) -> bool:
        """Judge these; whether all of them were."""
        before = {key: list(values) for key, values in self._scores.values.items()}
        jobs = [
            Job(case=self._plan.cases[one.case_id], target=CONTROL, attempt=0) for one in controls
        ]
        runners = {one.case_id: self._runner(one, place) for one in controls}
        walk = Walk(
            jobs=jobs,
            work=lambda job: runners[job.case.id].run(job),
            executor=LocalExecutor(self._by.opened.at_once),
            gathering=self._scores,
            taken=lambda _: None,
            deadline_s=self._by.left_s(),
        )
        try:
            self._ended = await walk.to_its_end(self._by.stop)
        except (ConfigError, CredentialsError, ModelError) as error:
            self._stopped = str(error)
        self._cut = self._ended == "deadline" or self._scores.unpaid
        if self._ended == "deadline":
            self._stopped = "the run's deadline passed meanwhile: raise run.timeout_s"
        elif self._scores.unpaid:
            ceiling = dollars(self._by.request.max_cost_usd or 0.0)
            self._stopped = f"the ceiling of {ceiling} was reached meanwhile: raise --max-cost"
        if self._stopped is not None or self._ended == "signal":
            # Which of them were judged was left to chance.
            self._scores.values = before
            return False
        if place == 0:
            self._asked += controls
        return True

    def _runner(self, control: Control, place: int) -> CaseRunner:
        info = TargetInfo(name=CONTROL, use="recorded")
        sources = [source.uri for source in control.answer.sources]
        pages = dict(zip(sources, control.pages, strict=False))
        timing = self._by.request.config.run
        return CaseRunner(
            {CONTROL: GivenTarget(info, {(control.case_id, 0): control.answer})},
            self._scorers,
            date=self._plan.controls.date,
            pages=KnownPages(pages),
            deadline_s=timing.case_timeout_s,
            rulings_from=fresh_rulings(self._by.opened.start.run_id) + place,
        )

    def _readings(self) -> tuple[ControlReading, ...]:
        found = [
            reading_of(one, name, self._scores.values[one.case_id, name], self._plan.policy)
            for name in self._names
            for one in sorted(self._asked, key=lambda one: one.case_id)
        ]
        return tuple(one for one in found if one is not None)

    def _told(self, rounds: int) -> ControlCheck:
        return self._check.model_copy(
            update={
                "case_ids": tuple(one.case_id for one in self._asked),
                "rounds": rounds if self._asked else 0,
                "readings": self._readings(),
                "judge": self._renamed,
                "stopped": self._stopped,
            }
        )


def _of_dimensions(check: ControlCheck | None, run: Run) -> ControlCheck | None:
    """Leave out what the replay does not measure."""
    if check is None:
        return None
    measured = {one.name for one in run.metrics}
    kept = tuple(one for one in check.readings if one.dimension in measured)
    return check.model_copy(update={"readings": kept})
