"""Fakes for unit tests: small, honest stand-ins for what is handed in."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence

from pydantic import JsonValue

from gate.types import (
    Answer,
    Call,
    Case,
    F,
    Failure,
    Job,
    Metric,
    Prompt,
    Question,
    Reply,
    Result,
    Ruling,
    Score,
    TargetInfo,
    Trial,
)


def case(case_id: str, category: str = "factual", **more: object) -> Case:
    """A case with the question "What is <id>?"."""
    question = Question(id=case_id, input=f"What is {case_id}?")
    return Case.model_validate({"question": question, "category": category, **more})


def answered(job: Job) -> Result:
    """The result of a job: an answer without scores."""
    return Result(
        case_id=job.case.id,
        category="x",
        case_digest="0",
        target=job.target,
        attempt=job.attempt,
        question="",
        answer=Answer(text="a"),
    )


class FakeTarget:
    """Answers from a mapping; a value that is an exception is raised."""

    def __init__(self, answers: Mapping[str, Answer | Exception], name: str = "fake") -> None:
        self.answers = answers
        self.asked: list[tuple[Question, int]] = []
        self._name = name

    @property
    def info(self) -> TargetInfo:
        """A fixed card."""
        return TargetInfo(name=self._name, use="fake", settings="0" * 64)

    async def answer(self, question: Question, attempt: int) -> Answer:
        """Look the answer up."""
        self.asked.append((question, attempt))
        found = self.answers[question.id]
        if isinstance(found, Exception):
            raise found
        return found

    async def aclose(self) -> None:
        """Nothing is open."""


class FakeScorer:
    """Gives what a function says for each metric."""

    def __init__(
        self, score: Callable[[Trial], Sequence[Score]], names: Sequence[str] = ("quality",)
    ) -> None:
        self._score = score
        self.metrics = tuple(Metric(name=name, judged=True) for name in names)
        self.reads_pages = False
        self.prompt_digest = "p" * 64
        self.settings_digest = "s" * 64
        self.trials: list[Trial] = []

    async def score(self, trial: Trial) -> Sequence[Score]:
        """Ask the function."""
        self.trials.append(trial)
        return self._score(trial)


class FakeJudge:
    """Fills in a form with fixed values, or gives a fixed failure."""

    model = "fake-judge"
    family = "fake"
    settings_digest = "j" * 64

    def __init__(
        self, verdict: Mapping[str, object] | None, failure: Failure | None = None
    ) -> None:
        self.verdict = verdict
        self.failure = failure
        self.prompts: list[Prompt] = []

    async def ask(
        self,
        prompt: Prompt,
        form: type[F],
        attempt: int = 0,
        *,
        case_id: str | None = None,
        target: str | None = None,
    ) -> Ruling[F]:
        """Remember the prompt and rule."""
        self.prompts.append(prompt)
        return Ruling(
            verdict=None if self.verdict is None else form.model_validate(self.verdict),
            failure=self.failure,
            model=self.model,
            form="json_schema",
            cost_usd=0.01,
            calls=1,
        )

    async def aclose(self) -> None:
        """Nothing is open."""


class OpenDoor:
    """A door without journal, limits and retries: every call is sent."""

    def __init__(self) -> None:
        self.calls: list[Call] = []

    async def call(
        self,
        call: Call,
        send: Callable[[], Awaitable[JsonValue]],
        price: Callable[[JsonValue], float | None],
    ) -> Reply:
        """Send it."""
        self.calls.append(call)
        return Reply(body=await send(), latency_s=0.1)
