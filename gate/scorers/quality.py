"""Relevance, correctness and source quality, in one question to the judge.

The judge sees the sources' titles and domains, not their pages: whether the claims stand in the
cited pages is a question for other scorers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from gate.protocols import Judge
from gate.templates import fence, render, template_digest
from gate.types import Case, Failure, Metric, Prompt, Ruling, Score, Trial, canonical, digest

SYSTEM = "scorers/prompts/quality.system.md.j2"
OWN = "scorers/prompts/quality.own.md.j2"

Level = Literal[0, 1, 2, 3, 4]
"""Anchored levels; a score is the level divided by 4."""

TOP = 4
"""The highest level."""


class Ratings(BaseModel):
    """The form that the judge fills in, justification first."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    justification: str = Field(description="Two or three sentences that the ratings rest on.")
    """Why."""
    relevance: Level = Field(description="0 to 4")
    """Does the answer address the question, without padding?"""
    correctness: Level = Field(description="0 to 4")
    """Does it meet the expectations?"""
    source_quality: Level = Field(description="0 to 4")
    """Do its sources carry it?"""


METRICS = tuple(
    Metric(name=name, better="higher", unit="fraction", judged=True)
    for name in ("relevance", "correctness", "source_quality")
)


class QualityScorer:
    """Asks one judge about all three dimensions."""

    class Options(BaseModel):
        """Options of `use: quality`."""

        model_config = ConfigDict(extra="forbid", frozen=True)

        judge: str = "default"
        """Name of the judge."""

    def __init__(self, options: Options, judges: Mapping[str, Judge]) -> None:
        """Keep the judge that the options name. Raises KeyError when there is none."""
        self._judge = judges[options.judge]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Relevance, correctness and source quality, in [0, 1], higher is better."""
        return METRICS

    @property
    def reads_pages(self) -> bool:
        """It reads no pages."""
        return False

    @property
    def prompt_digest(self) -> str:
        """SHA-256 of both templates and of the form."""
        return _prompt_digest()

    @property
    def settings_digest(self) -> str:
        """SHA-256 of the scorer's name and of the judge's settings."""
        return digest(["quality", 1, self._judge.settings_digest])

    async def score(self, trial: Trial) -> Sequence[Score]:
        """Ask once; a judge that fails gives three scores without a value."""
        ruling = await self._judge.ask(
            self._prompt(trial),
            Ratings,
            trial.attempt,
            case_id=trial.case.id,
            target=trial.target,
        )
        return _scores(ruling)

    def _prompt(self, trial: Trial) -> Prompt:
        case, answer = trial.case, trial.answer
        asked = case.question.input
        parts = {
            "question": asked if isinstance(asked, str) else canonical(asked),
            "category": case.category,
            "assertions": "\n".join(f"- {text}" for text in case.assertions),
            "domains": "\n".join(case.domains),
            "notes": case.notes,
            "answer": answer.text,
            "sources": "\n".join(
                f"[{number}] {source.title} | {source.domain} | {source.uri}"
                for number, source in enumerate(answer.sources, start=1)
            )
            or "(none)",
        }
        fenced = {name: fence(name, text, case.id) for name, text in parts.items()}
        return Prompt(
            system=render(SYSTEM),
            own=render(OWN, date=trial.date if _changes_with_time(case) else None, **fenced),
            digest=self.prompt_digest,
        )


@cache
def _prompt_digest() -> str:
    return digest([template_digest(SYSTEM, OWN), Ratings.model_json_schema()])


def _changes_with_time(case: Case) -> bool:
    """Only such cases name the day, so that other rulings are reused from day to day."""
    return case.category == "temporal" or "run date" in case.notes


def _scores(ruling: Ruling[Ratings]) -> tuple[Score, ...]:
    verdict = ruling.verdict
    failure = ruling.failure or (
        None if verdict else Failure(kind="judge", message="the judge gave no verdict")
    )
    scores = []
    for position, metric in enumerate(METRICS):
        first = position == 0
        scores.append(
            Score(
                metric=metric.name,
                value=None if verdict is None else getattr(verdict, metric.name) / TOP,
                reason="" if verdict is None else verdict.justification,
                usage=ruling.usage if first else None,
                cost_usd=ruling.cost_usd if first else None,
                calls=ruling.calls if first else 0,
                cached=ruling.cached,
                judge=ruling.model,
                form=ruling.form,
                failure=failure,
            )
        )
    return tuple(scores)
