"""Candidate and base asked the same questions at the same time, told apart by their attempts."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from gate.engine.case import CaseRunner
from gate.engine.gather import Gathering
from gate.protocols import Scorer
from gate.types import Case, Cell, Job, Result


@dataclass(frozen=True)
class Arms:
    """Asks both arms. Attempts go on where the run's own end, so that no call is one of these."""

    candidate: CaseRunner
    """Asks the candidate's targets."""
    base: CaseRunner
    """Asks the base's own."""
    first: int
    """Number of the first attempt: how many answers a case the run itself asked."""
    repeats: int = 1
    """Answers a case and arm."""

    def jobs(self, cases: Sequence[Case], targets: Sequence[str]) -> tuple[Job, ...]:
        """Return the jobs, the arms side by side: what changes meanwhile must hit both."""
        return tuple(
            Job(case=case, target=target, attempt=self.first + arm * self.repeats + repeat)
            for repeat in range(self.repeats)
            for case in cases
            for target in targets
            for arm in (0, 1)
        )

    def of_base(self, attempt: int) -> bool:
        """Whether an attempt is one of the base's."""
        return attempt >= self.first + self.repeats

    async def run(self, job: Job) -> Result:
        """Ask the arm whose attempt it is, then score. Raises GateError as `CaseRunner` does."""
        return await (self.base if self.of_base(job.attempt) else self.candidate).run(job)


class ArmsGathered:
    """Takes the results of both arms."""

    def __init__(self, arms: Arms, scorers: Sequence[Scorer]) -> None:
        """Take the scorers, in the order of the table."""
        self._arms = arms
        self._gathered = (Gathering(scorers), Gathering(scorers))

    def add(self, result: Result) -> None:
        """Take one result."""
        self._gathered[self._arms.of_base(result.attempt)].add(result)

    @property
    def finished(self) -> int:
        """How many jobs ended, those left out that money stopped."""
        return sum(len(one.finished()) for one in self._gathered)

    def cells(self) -> tuple[tuple[Cell, ...], tuple[Cell, ...]]:
        """Return the candidate's cells and the base's."""
        candidate, base = self._gathered
        return tuple(candidate.cells()), tuple(base.cells())
