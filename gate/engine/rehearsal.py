"""A run with invented replies: every call that it would make, and none that is made.

Targets, scorers and judges are the real ones; only the doors are others. So an estimate cannot
drift from what a run sends. What it cannot see: repairs and retries, answers without a source
(their pages are then not asked about), replies that a journal already holds, and questions of a
scorer that depend on the judge's reply.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass

from pydantic import JsonValue

from gate.engine.case import CaseRunner
from gate.engine.estimate import RehearsedCall
from gate.models.assumptions import ASSUMED, Assumptions
from gate.models.catalogue import Catalogue
from gate.models.grounding import read_answer
from gate.models.invented import (
    PromptCache,
    claude_body,
    gemini_body,
    gemini_judge_body,
    invented_answer,
    invented_page,
)
from gate.models.judge_replies import hear
from gate.protocols import Scorer, Target
from gate.scorers.estimates import reply_tokens
from gate.types import (
    Answer,
    Call,
    Job,
    Metric,
    Page,
    Question,
    Reply,
    Score,
    TargetInfo,
    Trial,
)

MOST = 16
"""Answers that are rehearsed; the rest of a run is taken to be like them."""


@dataclass(frozen=True)
class Rehearsal:
    """What was seen."""

    calls: Sequence[RehearsedCall]
    """The calls."""
    rehearsed: int
    """Answers that they belong to."""
    failed: tuple[str, ...]
    """Scorers that could not be tried out, and why."""


class RehearsalDoor:
    """Answers every call with an invented reply, and remembers it. Nothing is sent."""

    def __init__(self, catalogue: Catalogue, assumed: Assumptions = ASSUMED) -> None:
        """Take the table of models and the assumptions."""
        self.calls: list[RehearsedCall] = []
        self.asking = ""
        self._catalogue = catalogue
        self._assumed = assumed
        self._cache = PromptCache()
        self._questions = 0

    async def call(
        self,
        call: Call,
        send: Callable[[], Awaitable[JsonValue]],  # noqa: ARG002 - nothing is sent
        price: Callable[[JsonValue], float | None],
    ) -> Reply:
        """Return an invented reply of the vendor's shape."""
        request = call.request if isinstance(call.request, dict) else {}
        card = self._catalogue.card(call.model)
        if call.kind == "judge":
            length = reply_tokens(self.asking, self._assumed.answer_characters)
            body = (
                gemini_judge_body(request, length, self._assumed)
                if call.vendor == "google"
                else claude_body(request, card, length, self._cache, self._assumed)
            )
            usage = hear(call.vendor, body).usage
        else:
            said = invented_answer(f"{call.case_id} {call.target} {call.attempt}", self._assumed)
            body = gemini_body(request, said, self._searches(), self._assumed)
            read = read_answer(body, model_asked=call.model, on=self._catalogue.on, card=card)
            usage = read.usage
        self.calls.append(
            RehearsedCall(
                kind=call.kind,
                vendor=call.vendor,
                model=call.model,
                target=call.target if call.kind == "answer" else None,
                usage=usage,
                usd=price(body),
            )
        )
        return Reply(body=body, latency_s=None)

    def _searches(self) -> int:
        """Return whole queries whose mean is the assumed one: one, two, one, two."""
        before = int(self._questions * self._assumed.searches)
        self._questions += 1
        return int(self._questions * self._assumed.searches) - before


class InventedPages:
    """Pages that nobody wrote; some of them cannot be read."""

    def __init__(self, assumed: Assumptions = ASSUMED) -> None:
        """Take the assumptions."""
        lengths = (assumed.long_page_characters, assumed.short_page_characters)
        self._texts = tuple(invented_page(length, assumed) for length in lengths)
        self._unread = assumed.unread
        self._asked = 0
        self._read = 0

    async def page(self, uri: str) -> Page:
        """Return a page of the assumed length, or one without text."""
        self._asked += 1
        if self._asked % self._unread == 0:
            return Page(uri=uri, status="not read")
        self._read += 1
        return Page(uri=uri, status="ok", text=self._texts[self._read % len(self._texts)])

    async def aclose(self) -> None:
        """Nothing is open."""


class UnpricedTarget:
    """In the place of a target that pays by itself: its answers are invented, its cost unknown."""

    def __init__(self, name: str, use: str, door: RehearsalDoor) -> None:
        """Take its name, its plug-in's, and the door that remembers its calls."""
        self._name = name
        self._use = use
        self._door = door

    @property
    def info(self) -> TargetInfo:
        """Name and plug-in."""
        return TargetInfo(name=self._name, use=self._use)

    async def answer(self, question: Question, attempt: int) -> Answer:
        """Return an invented answer."""
        self._door.calls.append(
            RehearsedCall(
                kind="answer",
                vendor=self._use,
                model=None,
                target=self._name,
                usage=None,
                usd=None,
            )
        )
        said = invented_answer(f"{question.id} {self._name} {attempt}", ASSUMED)
        return Answer(text=said.text, sources=said.sources, citations=said.citations)

    async def aclose(self) -> None:
        """Nothing is open."""


class _Named:
    """A scorer that tells the door who is asking."""

    def __init__(self, name: str, scorer: Scorer, door: RehearsalDoor) -> None:
        self.name = name
        self._scorer = scorer
        self._door = door

    @property
    def metrics(self) -> tuple[Metric, ...]:
        return self._scorer.metrics

    @property
    def reads_pages(self) -> bool:
        return self._scorer.reads_pages

    @property
    def prompt_digest(self) -> str | None:
        return self._scorer.prompt_digest

    @property
    def settings_digest(self) -> str:
        return self._scorer.settings_digest

    async def score(self, trial: Trial) -> Sequence[Score]:
        self._door.asking = self.name
        return await self._scorer.score(trial)


async def rehearse(
    jobs: Sequence[Job],
    targets: Mapping[str, Target],
    scorers: Sequence[tuple[str, Scorer]],
    door: RehearsalDoor,
    date: str,
) -> Rehearsal:
    """Try out the first jobs, one after the other; `scorers` come with their plug-ins' names.

    `jobs` are in the order of `make_jobs`; `targets` and `scorers` must be built with `door`.
    """
    named = [_Named(name, scorer, door) for name, scorer in scorers]
    runner = CaseRunner(targets, named, date=date, pages=InventedPages())
    # Whole cases: each target is asked as often as the others.
    tried = jobs[: max(1, MOST // max(1, len(targets))) * len(targets)]
    failed: dict[str, str] = {}
    for job in tried:
        result = await runner.run(job)
        for scorer in named:
            metrics = {metric.name for metric in scorer.metrics}
            for score in result.scores:
                if score.metric in metrics and score.failure and score.failure.kind == "error":
                    failed.setdefault(scorer.name, score.failure.message)
    return Rehearsal(
        calls=tuple(door.calls),
        rehearsed=len(tried),
        failed=tuple(
            f"scorer {name} could not be tried out on an invented answer ({message})"
            for name, message in failed.items()
        ),
    )
