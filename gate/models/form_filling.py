"""How a judge fills in a form, whoever it is: one reply form a run, one repair, one ruling."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple

from pydantic import JsonValue

from gate.errors import CallError, ModelError
from gate.models.json_form import form_schema, read_form
from gate.models.judge_texts import ReplyForm, repair_text
from gate.models.rulings import Heard, Told, ruling
from gate.protocols import Door
from gate.types import Call, F, Failure, Prompt, Ruling
from gate.wire.failures import failure_of

_NOT_FOUND = 404
_BAD_REQUEST = 400


class Asking(NamedTuple, Generic[F]):
    """One question to the judge."""

    prompt: Prompt
    """What is asked."""
    form: type[F]
    """What is to be filled in."""
    attempt: int
    """Repeat number."""
    case_id: str | None
    """The case, for the audit."""
    target: str | None
    """The system under test, for the audit."""


@dataclass(frozen=True)
class Vendor:
    """What differs from vendor to vendor."""

    call: Callable[[Asking[Any], Mapping[str, JsonValue], ReplyForm, str | None], Call]
    """The call that asks for a schema in a reply form, with the text of a repair or None."""
    send: Callable[[Call, bool], Awaitable[JsonValue]]
    """One try of a call; whether its reply form is kept by now. Raises CallError."""
    hear: Callable[[JsonValue], Heard]
    """What a body says."""
    cost: Callable[[JsonValue], float | None]
    """US dollars of a body; None when unknown."""
    refuses_form: Callable[[JsonValue], bool | None]
    """Whether a body refuses structured output; None where it may be that or something else."""
    form_refused: Callable[[], ModelError]
    """The error of a refused form that is kept, with what to do."""
    unknown_model: Callable[[], ModelError]
    """The error of a model that the vendor does not know, with what to do."""
    limit: str
    """The option that limits a reply's length."""


class FormFiller:
    """Asks one judge, through the door.

    The first call settles the reply form before any other goes out: structured output, or plain
    JSON text where that is refused. From then on the form is kept.
    """

    def __init__(self, vendor: Vendor, door: Door, *, form: ReplyForm, kept: bool) -> None:
        """Begin with `form`; `kept` says that it is never changed."""
        self._vendor = vendor
        self._door = door
        self._form = form
        self._kept = kept
        self._first = asyncio.Lock()
        self._begun = False

    async def fill(self, asking: Asking[F]) -> Ruling[F]:
        """Fill in the form; a refusal, an unreadable reply or a failed call is a failure.

        Raises ModelError when the vendor does not know the model, or refuses a form that is kept.
        """
        if not self._begun and asking.prompt.schema_in == "format":
            async with self._first:
                if not self._begun:
                    try:
                        return await self._rule(asking)
                    finally:
                        self._begun = True
        return await self._rule(asking)

    async def _rule(self, asking: Asking[F]) -> Ruling[F]:
        told: list[Told] = []
        repair: str | None = None
        try:
            for _ in range(2):
                told.append(await self._tell(asking, repair))
                heard = told[-1].heard
                if heard.failure is not None:
                    return ruling(told, self._form_for(asking.prompt), failure=heard.failure)
                try:
                    verdict = read_form(heard.text, asking.form)
                    return ruling(told, self._form_for(asking.prompt), verdict=verdict)
                except ValueError as error:
                    cut = f"{self._vendor.limit} cut it off"
                    problem = cut if heard.truncated else str(error)
                    repair = repair_text(heard.text, problem)
        except CallError as error:
            if error.status == _NOT_FOUND:
                raise self._vendor.unknown_model() from error
            failure = failure_of(error, "judge")
            return ruling(told, self._form_for(asking.prompt), failure=failure)
        message = f"the judge's reply could not be read, nor its repair: {problem}"
        failure = Failure(kind="judge", message=message)
        return ruling(told, self._form_for(asking.prompt), failure=failure)

    def _form_for(self, prompt: Prompt) -> ReplyForm:
        return self._form if prompt.schema_in == "format" else "text"

    async def _tell(self, asking: Asking[F], repair: str | None) -> Told:
        """Ask in the form of this run; a refusal changes it while none is kept yet.

        A prompt that shows its schema itself is asked in text form and settles nothing.
        """
        form = self._form_for(asking.prompt)
        call = self._vendor.call(asking, form_schema(asking.form), form, repair)

        async def send() -> JsonValue:
            return await self._vendor.send(call, self._keeps(form))

        reply = await self._door.call(call, send, self._vendor.cost)
        body = reply.body
        told = Told(self._vendor.hear(body), form, self._vendor.cost(body), reply.reused)
        if asking.prompt.schema_in != "format":
            return told
        refuses = self._vendor.refuses_form(body)
        if refuses is not False:
            if self._keeps(form):
                if refuses is None:
                    return told
                raise self._vendor.form_refused()
            self._form = "text"
        if form != self._form:
            return await self._in_text(asking, repair, form)
        self._kept = True
        return told

    def _keeps(self, form: ReplyForm) -> bool:
        return self._kept and form == self._form

    async def _in_text(self, asking: Asking[F], repair: str | None, before: ReplyForm) -> Told:
        """Ask once more; a request that is bad in text, too, was not refused for its form."""
        try:
            return await self._tell(asking, repair)
        except CallError as error:
            if error.status == _BAD_REQUEST and not self._kept:
                self._form = before
            raise
