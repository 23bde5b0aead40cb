"""Claude through Anthropic's SDK, and Claude as a judge. The only importer of `anthropic`.

`ClaudeModel` makes one try of one call; request and reply are plain JSON in the shape of the wire
(`/v1/messages`), so that a journal can keep them and read them again without the SDK.
`ClaudeJudge` fills in a form; how, `form_filling` says.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import httpx2
from pydantic import JsonValue

from gate.errors import CallError, CredentialsError, ModelError
from gate.models.calls import deadline_error, network_error, shorten, status_error, unreadable_error
from gate.models.card import ROAD_NAMES
from gate.models.catalogue import Catalogue
from gate.models.claude_reply import hear, refuses_structured_output
from gate.models.claude_request import (
    ClaudeOptions,
    check_options,
    effort_of,
    first_form,
    judge_request,
)
from gate.models.connections import AnthropicConnection
from gate.models.form_filling import Asking, FormFiller, Vendor
from gate.models.gemini import signing_in
from gate.models.json_body import child, mapping, text_of
from gate.models.judge_texts import TEMPLATES, ReplyForm
from gate.models.prices import cost_usd, worst_usd
from gate.models.vendor_network import client_arguments
from gate.protocols import Door
from gate.templates import template_digest
from gate.types import Call, F, Prompt, Ruling, canonical, digest

if TYPE_CHECKING:
    from anthropic import APIStatusError, AsyncAnthropic, AsyncAnthropicVertex

__all__ = ["ClaudeJudge", "ClaudeModel", "ClaudeOptions"]

_WHO = "Claude"
_NOT_FOUND = 404


class ClaudeModel:
    """A client of one connection, made when it is first used and closed with `aclose`."""

    def __init__(self, connection: AnthropicConnection) -> None:
        """Take the connection; nothing is opened yet."""
        self._connection = connection
        self._client: AsyncAnthropic | AsyncAnthropicVertex | None = None
        self._loaded = False

    async def create(self, model: str, request: Mapping[str, JsonValue]) -> JsonValue:
        """Send a `messages` body once and return the reply's body.

        A 400 by which an organisation's policy refuses structured output is returned as a body,
        too: it is a fact about the project that a replay must see again, not a failed call.
        Raises CallError when the call failed, CredentialsError when it cannot be signed.
        """
        if not self._loaded:
            # In a thread: it takes a second, in which answers of other vendors arrive.
            await asyncio.to_thread(load_sdk)
            self._loaded = True
        # Imported here: the SDK costs half a second that `gate --help` need not pay.
        import anthropic  # noqa: PLC0415 - lazy, see above

        timeout_s = self._connection.timeout_s
        try:
            with signing_in():
                async with asyncio.timeout(timeout_s):
                    return await self._send(model, request)
        except (TimeoutError, anthropic.APITimeoutError, httpx2.TimeoutException) as error:
            raise deadline_error(_WHO, timeout_s) from error
        except anthropic.APIConnectionError as error:
            raise network_error(_WHO, error.__cause__ or error) from error
        except httpx2.RequestError as error:
            raise network_error(_WHO, error) from error
        except anthropic.APIStatusError as error:
            body = _error_body(error)
            if refuses_structured_output(body):
                return body
            headers = error.response.headers
            raise status_error(
                _WHO, error.status_code, _sentence(body), headers, json.dumps(body)
            ) from error
        except anthropic.AnthropicError as error:
            raise CallError(f"{_WHO}'s SDK refused the request: {shorten(str(error))}") from error

    async def aclose(self) -> None:
        """Close the connections, if any were opened."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _send(self, model: str, request: Mapping[str, JsonValue]) -> JsonValue:
        body: dict[str, JsonValue] = {"model": model, **request}
        version = self._connection.anthropic_version
        if version is not None and self._connection.road == "vertex":
            body["anthropic_version"] = version
        # The SDK's `messages.create` warns of deprecated models and caps `max_tokens`; the plain
        # post of the same client does neither and keeps the reply as it was sent.
        reply = await self._open().post("/v1/messages", cast_to=httpx2.Response, body=body)
        try:
            read: JsonValue = reply.json()
        except ValueError as error:
            raise unreadable_error(_WHO) from error
        return read

    def _open(self) -> AsyncAnthropic | AsyncAnthropicVertex:
        if self._client is None:
            self._connection.check()
            self._client = _client(self._connection)
        return self._client


def load_sdk() -> None:
    """Import the SDK now, so that the first call's latency is the vendor's and not Python's."""
    import anthropic  # noqa: F401, PLC0415 - lazy, see create


class ClaudeJudge:
    """Asks Claude, through the door; plain JSON text where a policy refuses structured output."""

    def __init__(
        self,
        options: ClaudeOptions,
        connection: AnthropicConnection | None,
        catalogue: Catalogue,
        door: Door,
    ) -> None:
        """Check the options against the table of models; nothing is sent.

        `connection` may be None for a replay. Raises ConfigError for what the model would refuse
        and ModelError for a model that is retired on the catalogue's day.
        """
        self._options = options
        self._connection = connection
        self._catalogue = catalogue
        self._client = None if connection is None else ClaudeModel(connection)
        self._card = catalogue.card(options.model)
        if connection is not None:
            catalogue.check_alive(options.model, connection.road)
        check_options(options, self._card)
        self._filler = FormFiller(
            Vendor(
                call=self._call,
                send=lambda call, _: self._send(call),
                hear=hear,
                cost=self._cost,
                refuses_form=refuses_structured_output,
                form_refused=self._form_refused,
                unknown_model=self._unknown_model,
                limit="max_tokens",
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
        return "claude" if self._card is None else self._card.family

    @property
    def settings_digest(self) -> str:
        """SHA-256 of the settings that shape its rulings, the texts around the reply included."""
        options = self._options
        return digest(
            [
                self._options.model if self._card is None else self._card.id,
                effort_of(options, self._card),
                options.thinking,
                options.max_tokens,
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
        """Fill in `form`; a refusal, an unreadable reply or a failed call is a failure.

        Raises ModelError when the vendor does not know the model, CredentialsError when nothing
        can be signed.
        """
        return await self._filler.fill(Asking(prompt, form, attempt, case_id, target))

    async def aclose(self) -> None:
        """Close the connections to the vendor."""
        if self._client is not None:
            await self._client.aclose()

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
            vendor="anthropic",
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
                max_output_tokens=self._options.max_tokens,
                regional=self._regional,
            ),
        )

    async def _send(self, call: Call) -> JsonValue:
        if self._client is None or self._connection is None:
            raise CredentialsError(
                "no connection to Claude: set GOOGLE_CLOUD_PROJECT or ANTHROPIC_API_KEY"
            )
        card, name = self._card, self._options.model
        sent = name if card is None else card.name_on(self._connection.road)
        return await self._client.create(sent, mapping(call.request))

    @property
    def _regional(self) -> bool:
        return self._connection is not None and self._connection.regional

    def _cost(self, body: JsonValue) -> float | None:
        """The body's cost; a refused call costs nothing."""
        if refuses_structured_output(body):
            return 0.0
        heard = hear(body)
        named = None if heard.model is None else self._catalogue.card(heard.model)
        on = self._catalogue.on
        return cost_usd(named or self._card, heard.usage, on, regional=self._regional)

    def _form_refused(self) -> ModelError:
        return ModelError(
            "an organisation policy refuses structured output (constraint "
            "vertexai.allowedPartnerModelFeatures): allow structured_outputs for "
            f"{self.model}, or set form: text for the judge, and start with a new --out"
        )

    def _unknown_model(self) -> ModelError:
        road = "vertex" if self._connection is None else self._connection.road
        check = (
            "enable it in Model Garden for the project and check the region (only the offering "
            "that Google manages is supported, not claude.googleapis.com)"
            if road == "vertex"
            else "check that the key's workspace may use it"
        )
        return ModelError(
            f"{ROAD_NAMES[road]} does not know {self.model} (404): check the spelling and whether "
            f"it was retired; {check}"
        )


def _client(connection: AnthropicConnection) -> AsyncAnthropic | AsyncAnthropicVertex:
    """Build the SDK's client: retries off, since the door retries."""
    import anthropic  # noqa: PLC0415 - lazy, see create

    http_client = anthropic.DefaultAsyncHttpxClient(**client_arguments(connection.base_url))
    if connection.road == "direct":
        return anthropic.AsyncAnthropic(
            api_key=connection.api_key,
            base_url=connection.base_url,
            timeout=connection.timeout_s,
            max_retries=0,
            http_client=http_client,
        )
    assert connection.project is not None
    return anthropic.AsyncAnthropicVertex(
        region=connection.region,
        project_id=connection.project,
        access_token=connection.token,
        base_url=connection.base_url,
        timeout=connection.timeout_s,
        max_retries=0,
        http_client=http_client,
    )


def _error_body(error: APIStatusError) -> JsonValue:
    """The reply's body; Google writes some errors as a list of one, a proxy may write HTML."""
    try:
        body: JsonValue = error.response.json()
    except ValueError:
        return {"error": {"message": error.response.text or error.message}}
    return body[0] if isinstance(body, list) and body else body


def _sentence(body: JsonValue) -> str:
    return text_of(child(mapping(body), "error").get("message")) or json.dumps(body)
