"""Answers that were collected before: what `gate judge` has in the place of a system."""

from __future__ import annotations

from collections.abc import Mapping

from gate.types import Answer, Failure, Question, TargetInfo


class GivenTarget:
    """Hands out the answers of one target; nothing is asked and nothing is paid."""

    def __init__(self, info: TargetInfo, answers: Mapping[tuple[str, int], Answer]) -> None:
        """Take what is known of the target, and its answers by case and attempt."""
        self._info = info
        self._answers = answers

    @property
    def info(self) -> TargetInfo:
        """What was known of the target when it was asked."""
        return self._info

    async def answer(self, question: Question, attempt: int) -> Answer:
        """Return the collected answer; a case that was not answered is an error."""
        found = self._answers.get((question.id, attempt))
        if found is None:
            message = "the collection has no answer to this case: collect it again"
            return Answer(failure=Failure(kind="error", message=message))
        return found

    async def aclose(self) -> None:
        """Nothing is open."""
