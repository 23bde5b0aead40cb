"""Answers from a file: judge what was answered before, or elsewhere.

It cannot see how the answers came about; latency and cost are those that the file tells.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from gate.errors import ConfigError, FileError
from gate.kit import Kit
from gate.types import Answer, Failure, Question, Result, Source, TargetInfo, Word, digest
from gate.types.halves import whole_json


class StoredAnswer(Word):
    """One line of a hand-written answers file."""

    case_id: str
    """The case."""
    attempt: int = 0
    """Repeat number from 0."""
    target: str | None = None
    """System under test, where the file holds several."""
    answer: str
    """The answer's text; empty means that the target finished without text."""
    sources: tuple[Source, ...] = ()
    """Its sources."""
    model: str | None = None
    """The model that answered."""
    latency_s: float | None = None
    """Seconds."""
    cost_usd: float | None = None
    """US dollars."""


class RecordedTarget:
    """Replays stored answers: JSON Lines of `StoredAnswer`, or the `results.jsonl` of a run."""

    class Options(BaseModel):
        """Options of `use: recorded`."""

        model_config = ConfigDict(extra="forbid", frozen=True)

        file: str = Field(description="Answers, one JSON object a line.")
        """The file, relative to the configuration."""
        target: str | None = Field(
            default=None, description="Whose answers to take, where the file holds several."
        )
        """Name of the target in the file; needed when the file holds several."""
        model: str | None = Field(default=None, description="The model that answered.")
        """Model name to show where the file does not say."""

    candidate_owned: frozenset[str] = frozenset()
    """None: whoever could name the file could write the answers by hand."""

    def __init__(self, name: str, options: Options, kit: Kit) -> None:
        """Store; the file is read when it is first needed."""
        self._name = name
        self._options = options
        self._kit = kit

    @property
    def info(self) -> TargetInfo:
        """Name and a digest of the stored answers. Raises FileError and ConfigError."""
        stored = [[list(key), answer.digest] for key, answer in sorted(self._answers.items())]
        return TargetInfo(
            name=self._name,
            use="recorded",
            model=self._options.model,
            settings=digest(["recorded", stored]),
        )

    async def answer(self, question: Question, attempt: int) -> Answer:
        """Return the stored answer; a case that the file lacks is an error."""
        found = self._answers.get((question.id, attempt))
        if found is None:
            return Answer(
                failure=Failure(
                    kind="error",
                    message=f"{self._options.file} has no answer to this case, "
                    f"attempt {attempt}: add one",
                )
            )
        return found

    async def aclose(self) -> None:
        """Nothing is open."""

    @cached_property
    def _answers(self) -> Mapping[tuple[str, int], Answer]:
        rows = [
            (number, *self._read(line, number))
            for number, line in enumerate(
                # Only line feeds end a line: an answer may hold U+2028 and its kin.
                self._kit.read_text(self._options.file).split("\n"),
                start=1,
            )
            if line.strip()
        ]
        targets = {target for _, _, target, _ in rows if target is not None}
        wanted = self._options.target
        if wanted is None and len(targets) > 1:
            raise ConfigError(
                f"{self._options.file} holds answers of {', '.join(sorted(targets))}: "
                "say which with `target:`"
            )
        answers: dict[tuple[str, int], Answer] = {}
        for number, key, target, answer in rows:
            if wanted is not None and target not in (None, wanted):
                continue
            if key in answers:
                raise FileError(
                    f"a second answer to case {key[0]}, attempt {key[1]}: keep one",
                    self._options.file,
                    number,
                )
            answers[key] = answer
        if not answers:
            raise FileError(
                f"holds no answers of {wanted or 'any target'}: name another `target:` or `file:`",
                self._options.file,
            )
        return answers

    def _read(self, line: str, number: int) -> tuple[tuple[str, int], str | None, Answer]:
        try:
            data = whole_json(json.loads(line))
            if isinstance(data, dict) and "case_digest" in data:
                result = Result.model_validate(data)
                return (result.case_id, result.attempt), result.target, result.answer
            stored = StoredAnswer.model_validate(data)
        except (ValueError, ValidationError) as error:
            raise FileError(
                f"not an answer ({_said(error)}): a line is an object with case_id and answer, and "
                "sources are objects with uri, title and domain",
                self._options.file,
                number,
            ) from error
        return (stored.case_id, stored.attempt), stored.target, self._stored(stored)

    def _stored(self, stored: StoredAnswer) -> Answer:
        empty = not stored.answer.strip()
        return Answer(
            text=stored.answer,
            sources=stored.sources,
            model=stored.model or self._options.model,
            latency_s=stored.latency_s,
            cost_usd=stored.cost_usd,
            failure=Failure(kind="empty", message="the stored answer is empty") if empty else None,
        )


def _said(error: ValueError) -> str:
    """Name the first thing that does not fit."""
    if isinstance(error, ValidationError):
        first = error.errors()[0]
        return f"{'.'.join(str(part) for part in first['loc'])}: {first['msg']}"
    return str(error).splitlines()[0]
