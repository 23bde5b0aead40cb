"""Gemini as a judge: it fills in a form, as `form_filling` says, through Google's SDK."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pydantic import JsonValue

from gate.errors import CallError, CredentialsError, ModelError
from gate.models.card import ROAD_NAMES, ModelCard, Road
from gate.models.catalogue import Catalogue
from gate.models.connections import GoogleConnection
from gate.models.form_filling import Asking, FormFiller, Vendor
from gate.models.gemini import GeminiModel
from gate.models.gemini_judge_reply import hear, refuses_schema
from gate.models.gemini_judge_request import (
    GeminiJudgeOptions,
    check_options,
    first_form,
    judge_request,
    thinking_of,
)
from gate.models.grounding import named_model
from gate.models.json_body import child, mapping
from gate.models.judge_texts import TEMPLATES, ReplyForm
from gate.models.prices import cost_usd, worst_usd
from gate.protocols import Door
from gate.templates import template_digest
from gate.types import Call, F, Prompt, Ruling, canonical, digest

__all__ = ["GeminiJudge", "GeminiJudgeOptions"]

_BAD_REQUEST = 400


class GeminiJudge:
    """Asks Gemini, through the door; plain JSON text where it refuses the schema."""

    def __init__(
        self,
        options: GeminiJudgeOptions,
        connection: GoogleConnection | None,
        catalogue: Catalogue,
        door: Door,
    ) -> None:
        """Check the options against the table of models; nothing is sent.

        `connection` may be None where nothing is asked. Raises ConfigError for what the model would
        refuse and ModelError for a model that is retired on the catalogue's day.
        """
        self._options = options
        self._connection = connection
        self._catalogue = catalogue
        self._client = None if connection is None else GeminiModel(connection)
        self._card = self._answering()
        check_options(options, self._card)
        self._filler = FormFiller(
            Vendor(
                call=self._call,
                send=self._send,
                hear=hear,
                cost=self._cost,
                refuses_form=refuses_schema,
                form_refused=self._form_refused,
                unknown_model=self._unknown_model,
                limit="max_output_tokens",
            ),
            door,
            form=first_form(options, self._card),
            kept=options.form != "auto",
        )

    @property
    def model(self) -> str:
        """The model that is asked for."""
        return self._options.model

    @property
    def family(self) -> str:
        """Its vendor family; `loopback` for the stand-in."""
        if self._connection is not None and self._connection.stand_in:
            return "loopback"
        return "gemini" if self._card is None else self._card.family

    @property
    def settings_digest(self) -> str:
        """SHA-256 of the settings that shape its rulings, the texts around the reply included."""
        options = self._options
        return digest(
            [
                "gemini",
                options.model if self._card is None else self._card.id,
                thinking_of(options, self._card),
                options.max_output_tokens,
                options.temperature,
                template_digest(*TEMPLATES),
            ]
        )

    async def ask(
        self,
        prompt: Prompt,
        form: type[F],
        attempt: int = 0,
        *,
        case_id: str | None = None,
        target: str | None = None,
    ) -> Ruling[F]:
        """Fill in `form`; a blocked case, an unreadable reply or a failed call is a failure.

        Raises ModelError when the vendor does not know the model, CredentialsError when nothing
        can be signed.
        """
        return await self._filler.fill(Asking(prompt, form, attempt, case_id, target))

    async def aclose(self) -> None:
        """Close the connections to the vendor."""
        if self._client is not None:
            await self._client.aclose()

    def _answering(self) -> ModelCard | None:
        """The card of the model that will answer. Raises ModelError for a retired one."""
        catalogue, model = self._catalogue, self._options.model
        if self._connection is None:
            return catalogue.card(model)
        catalogue.check_alive(model, self._connection.road)
        return catalogue.answering(model, self._connection.road)

    def _call(
        self,
        asking: Asking[Any],
        schema: Mapping[str, JsonValue],
        form: ReplyForm,
        repair: str | None,
    ) -> Call:
        request = judge_request(
            self._options, self._card, asking.prompt, schema, form=form, repair=repair
        )
        return Call(
            kind="judge",
            vendor="google",
            model=self._options.model,
            request=request,
            attempt=asking.attempt,
            case_id=asking.case_id,
            target=asking.target,
            quotes_pages=bool(asking.prompt.shared),
            reserve_usd=worst_usd(
                self._card,
                self._catalogue.on,
                prompt=canonical(request),
                max_output_tokens=self._options.max_output_tokens,
                regional=self._regional,
            ),
        )

    async def _send(self, call: Call, kept: bool) -> JsonValue:  # noqa: FBT001 - a Vendor's shape
        """Ask once. A 400 about the schema is a body, which a replay must see again.

        One that may be about it is a body only while the form is not `kept`: later it is a failed
        call like others, which a rerun makes again.
        """
        if self._client is None:
            raise CredentialsError(
                "no connection to Gemini: set GOOGLE_CLOUD_PROJECT or GEMINI_API_KEY"
            )
        request = mapping(call.request)
        try:
            return await self._client.generate(self._options.model.rsplit("/", 1)[-1], request)
        except CallError as error:
            body: JsonValue = {"error": {"code": error.status, "message": str(error)}}
            structured = "responseJsonSchema" in child(request, "generationConfig")
            refuses = refuses_schema(body) if structured and error.status == _BAD_REQUEST else False
            if refuses or (refuses is None and not kept):
                return body
            raise

    @property
    def _regional(self) -> bool:
        return self._connection is not None and self._connection.regional

    def _cost(self, body: JsonValue) -> float | None:
        """The body's cost; a refused call costs nothing."""
        if refuses_schema(body) is not False:
            return 0.0
        named = named_model(body)
        card = None if named is None else self._catalogue.card(named)
        on = self._catalogue.on
        return cost_usd(card or self._card, hear(body).usage, on, regional=self._regional)

    def _form_refused(self) -> ModelError:
        return ModelError(
            f"{self.model} refuses the schema of a scorer's form, and one run keeps one reply "
            "form: set form: text for the judge, and start with a new --out"
        )

    def _unknown_model(self) -> ModelError:
        road: Road = "vertex" if self._connection is None else self._connection.road
        check = (
            "check that it is enabled in Model Garden for the project and offered in the location"
            if road == "vertex"
            else "check that the key's project may use it"
        )
        return ModelError(
            f"{ROAD_NAMES[road]} does not know {self.model} (404): check the spelling and whether "
            f"it was retired; {check}"
        )
