"""One case, end to end: asked, answered, its pages read where a scorer wants them, scored.

What a target or a scorer raises without foresight is a failure of this case and not of the run;
this is the one place below the command line that catches broadly.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.errors import CallError, GateError
from gate.evidence import gather
from gate.protocols import Pages, Scorer, Target
from gate.types import Answer, Evidence, Failure, Job, Result, Score, Trial, canonical
from gate.wire.failures import failure_of


@dataclass(frozen=True)
class CaseRunner:
    """Knows the targets by name and the scorers in order."""

    targets: Mapping[str, Target]
    """Systems under test by name."""
    scorers: Sequence[Scorer]
    """Scorers in table order."""
    date: str
    """Day of the run (ISO 8601)."""
    pages: Pages | None = None
    """The door of cited pages; needed by scorers that read pages."""
    deadline_s: float | None = None
    """Seconds that one case may take, waiting and retries included; None for no such limit."""
    rulings_from: int = 0
    """Added to the attempt where a judge is asked: see `fresh_rulings`."""

    async def run(self, job: Job) -> Result:
        """Ask, then score. Only an answer without a failure is scored.

        Raises GateError for what no other case can escape, such as an unknown model.
        """
        loop = asyncio.get_running_loop()
        ends = None if self.deadline_s is None else loop.time() + self.deadline_s
        try:
            async with asyncio.timeout_at(ends):
                answer = await self._answer(job)
        except TimeoutError:
            answer = Answer(failure=self._too_late())
        scores: list[Score] = []
        if answer.failure is None:
            try:
                async with asyncio.timeout_at(ends):
                    evidence = await self._evidence(answer)
            except TimeoutError:
                evidence = self._too_late()
            missing = evidence if isinstance(evidence, Failure) else None
            trial = Trial(
                case=job.case,
                target=job.target,
                attempt=job.attempt + self.rulings_from,
                answer=answer,
                evidence=None if isinstance(evidence, Failure) else evidence,
                date=self.date,
            )
            for scorer in self.scorers:
                failure = missing if scorer.reads_pages else None
                try:
                    async with asyncio.timeout_at(ends):
                        scores.extend(await _score(scorer, trial, failure))
                except TimeoutError:
                    scores.extend(_without(scorer, self._too_late()))
        asked = job.case.question.input
        return Result(
            case_id=job.case.id,
            category=job.case.category,
            case_digest=job.case.digest,
            target=job.target,
            attempt=job.attempt,
            question=asked if isinstance(asked, str) else canonical(asked),
            answer=answer,
            answer_digest=answer.digest if answer.failure is None else None,
            scores=tuple(scores),
        )

    def _too_late(self) -> Failure:
        said = f"the case was not done after {self.deadline_s:g} s: see run.case_timeout_s"
        return Failure(kind="timeout", message=said)

    async def _answer(self, job: Job) -> Answer:
        try:
            return await self.targets[job.target].answer(job.case.question, job.attempt)
        except CallError as error:
            return Answer(failure=failure_of(error))
        except GateError:
            raise
        except Exception as error:  # noqa: BLE001 - a plug-in's fault sinks its case only
            return Answer(failure=_unforeseen(error))

    async def _evidence(self, answer: Answer) -> Evidence | Failure | None:
        """Return the pages behind an answer; None where no scorer reads any."""
        if not any(scorer.reads_pages for scorer in self.scorers):
            return None
        if self.pages is None:
            return Failure(kind="error", message="there is no door to fetch cited pages through")
        try:
            return await gather(answer, self.pages)
        except GateError:
            raise
        except Exception as error:  # noqa: BLE001 - a page's fault sinks its case only
            return _unforeseen(error)


async def _score(scorer: Scorer, trial: Trial, missing: Failure | None) -> Sequence[Score]:
    """Return one score for each of the scorer's metrics, whatever happens.

    `missing` is why the pages are missing that it would read.
    """
    if missing is not None:
        return _without(scorer, missing)
    try:
        scores = {score.metric: score for score in await scorer.score(trial)}
    except CallError as error:
        failure = failure_of(error)
        scores = {}
    except GateError:
        raise
    except Exception as error:  # noqa: BLE001 - a plug-in's fault sinks its case only
        failure = _unforeseen(error)
        scores = {}
    else:
        failure = Failure(kind="error", message="the scorer returned no such score")
    return [
        scores.get(metric.name) or Score(metric=metric.name, value=None, failure=failure)
        for metric in scorer.metrics
    ]


def _without(scorer: Scorer, failure: Failure) -> Sequence[Score]:
    return [Score(metric=metric.name, value=None, failure=failure) for metric in scorer.metrics]


def _unforeseen(error: Exception) -> Failure:
    return Failure(kind="error", message=f"unforeseen {type(error).__name__}: {error}")
