"""One case, end to end: asked, answered, scored.

What a target or a scorer raises without foresight is a failure of this case and not of the run;
this is the one place below the command line that catches broadly.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.errors import CallError, GateError
from gate.protocols import Scorer, Target
from gate.types import Answer, Failure, Job, Result, Score, Trial, canonical
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

    async def run(self, job: Job) -> Result:
        """Ask, then score. Only an answer without a failure is scored.

        Raises GateError for what no other case can escape, such as an unknown model.
        """
        answer = await self._answer(job)
        scores: list[Score] = []
        if answer.failure is None:
            trial = Trial(
                case=job.case,
                target=job.target,
                attempt=job.attempt,
                answer=answer,
                date=self.date,
            )
            for scorer in self.scorers:
                scores.extend(await _score(scorer, trial))
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

    async def _answer(self, job: Job) -> Answer:
        try:
            return await self.targets[job.target].answer(job.case.question, job.attempt)
        except CallError as error:
            return Answer(failure=failure_of(error))
        except GateError:
            raise
        except Exception as error:  # noqa: BLE001 - a plug-in's fault sinks its case only
            return Answer(failure=_unforeseen(error))


async def _score(scorer: Scorer, trial: Trial) -> Sequence[Score]:
    """Return one score for each of the scorer's metrics, whatever happens."""
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


def _unforeseen(error: Exception) -> Failure:
    return Failure(kind="error", message=f"unforeseen {type(error).__name__}: {error}")
