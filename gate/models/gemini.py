"""Gemini through Google's SDK: one try of one call; also Google's sign-in, which Claude shares.

The only importer of `google.genai` and `google.auth`.

The request and the reply are plain JSON in the shape of the wire (`generateContent`), so that a
journal can keep them and read them again without the SDK.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

import httpx2
from pydantic import JsonValue, ValidationError

from gate.errors import CallError, CredentialsError
from gate.models.calls import (
    deadline_error,
    network_error,
    shorten,
    sign_in_error,
    status_error,
    unreadable_error,
)
from gate.models.connections import GoogleConnection
from gate.models.vendor_network import client_arguments

if TYPE_CHECKING:
    from google import genai
    from google.genai import types

_WHO = "Gemini"


class GeminiModel:
    """A client of one connection, made when it is first used and closed with `aclose`."""

    def __init__(self, connection: GoogleConnection, *, timeout_s: float | None = None) -> None:
        """Take the connection; `timeout_s` replaces its seconds for one try."""
        self._connection = connection
        self._timeout_s = connection.timeout_s if timeout_s is None else timeout_s
        self._client: genai.Client | None = None

    async def generate(self, model: str, request: Mapping[str, JsonValue]) -> JsonValue:
        """Send a `generateContent` body once and return the reply's body.

        Raises CallError when the call failed, CredentialsError when it cannot be signed.
        """
        # Imported here: the SDK costs half a second that `gate --help` need not pay.
        from google.genai import errors  # noqa: PLC0415 - lazy, see above

        try:
            with signing_in():
                async with asyncio.timeout(self._timeout_s):
                    return await self._send(model, request)
        except (TimeoutError, httpx2.TimeoutException) as error:
            raise deadline_error(_WHO, self._timeout_s) from error
        except errors.APIError as error:
            raise _from_status(error) from error
        except httpx2.RequestError as error:
            raise network_error(_WHO, error) from error
        except (ValidationError, ValueError) as error:
            raise CallError(f"{_WHO}'s SDK refused the request: {shorten(str(error))}") from error

    async def aclose(self) -> None:
        """Close the connections, if any were opened."""
        client, self._client = self._client, None
        if client is not None:
            await client.aio.aclose()

    async def _send(self, model: str, request: Mapping[str, JsonValue]) -> JsonValue:
        reply = await self._open().aio.models.generate_content(
            model=model, contents=_contents(request), config=_config(request)
        )
        text = "" if reply.sdk_http_response is None else reply.sdk_http_response.body or ""
        try:
            body: JsonValue = json.loads(text)
        except json.JSONDecodeError as error:
            raise unreadable_error(_WHO) from error
        return body

    def _open(self) -> genai.Client:
        if self._client is None:
            self._connection.check()
            self._client = _client(self._connection, self._timeout_s)
        return self._client


def load_sdk() -> None:
    """Import the SDK now, so that the first call's latency is the vendor's and not Python's."""
    from google import genai  # noqa: F401, PLC0415 - lazy, see generate
    from google.auth import exceptions  # noqa: F401, PLC0415 - lazy, see generate


@contextmanager
def signing_in() -> Iterator[None]:
    """Turn google-auth's errors into CredentialsError, or CallError when the network failed."""
    from google.auth import exceptions  # noqa: PLC0415 - lazy, see generate

    try:
        yield
    except exceptions.TransportError as error:
        raise sign_in_error(error) from error
    except exceptions.GoogleAuthError as error:
        raise CredentialsError(
            "Google's sign-in failed: run `gcloud auth application-default login`, or set "
            "GOOGLE_APPLICATION_CREDENTIALS to a credentials file, or use workload identity "
            f"federation in CI ({shorten(str(error))})"
        ) from error


def _client(connection: GoogleConnection, timeout_s: float) -> genai.Client:
    """Build the SDK's client: retries off, project and location always passed.

    With an own address the SDK drops a project and location that it finds in the environment and
    posts to `/`; only arguments survive.
    """
    from google import genai  # noqa: PLC0415 - lazy, see generate
    from google.auth.transport import mtls  # noqa: PLC0415 - lazy, see generate
    from google.genai import types  # noqa: PLC0415 - lazy, see generate
    from google.oauth2.credentials import Credentials  # noqa: PLC0415 - lazy, see generate

    secured = connection.road == "vertex" and mtls.should_use_client_cert()  # type: ignore[no-untyped-call]
    options = types.HttpOptions(
        base_url=connection.base_url,
        timeout=int(timeout_s * 1000),
        # The Developer API's v1 is not known to take `googleSearch`; Google Cloud has a default.
        api_version="v1beta" if connection.road == "key" else None,
        # Google's client certificates are the SDK's business, its own network with them.
        async_client_args=None if secured else client_arguments(connection.base_url),
    )
    if connection.road == "key":
        return genai.Client(vertexai=False, api_key=connection.api_key, http_options=options)
    ready = None
    if connection.token is not None:
        # A token without an expiry is never refreshed; AnonymousCredentials are refused.
        ready = Credentials(token=connection.token)  # type: ignore[no-untyped-call]
    return genai.Client(
        vertexai=True,
        project=connection.project,
        location=connection.location,
        credentials=ready,
        http_options=options,
    )


def _contents(request: Mapping[str, JsonValue]) -> list[types.Content]:
    from google.genai import types  # noqa: PLC0415 - lazy, see generate

    contents = request.get("contents")
    turns = contents if isinstance(contents, list) else []
    return [types.Content.model_validate(turn) for turn in turns]


@cache
def _config_class() -> type[types.GenerateContentConfig]:
    """The SDK's settings, which it asks some fifty times a call whether they hold a key.

    pydantic answers `key in record` by walking through all fields as pairs, among which a text
    never is; the answer is the same here, and a third of what the SDK does for a call is saved.
    """
    from google.genai import types  # noqa: PLC0415 - lazy, see generate

    class Config(types.GenerateContentConfig):
        def __contains__(self, _: object) -> bool:
            return False

    return Config


def _config(request: Mapping[str, JsonValue]) -> types.GenerateContentConfig:
    """Everything but `contents`, as the SDK wants it; the reply is asked for unread."""
    settings = request.get("generationConfig")
    rest = {key: request[key] for key in request if key not in {"contents", "generationConfig"}}
    return _config_class().model_validate(
        {
            **(settings if isinstance(settings, dict) else {}),
            **rest,
            "shouldReturnHttpResponse": True,
        }
    )


def _from_status(error: Exception) -> CallError:
    from google.genai import errors  # noqa: PLC0415 - lazy, see generate

    assert isinstance(error, errors.APIError)
    headers = getattr(error.response, "headers", None)
    details = json.dumps(error.details, default=str)
    return status_error(_WHO, error.code, error.message or details, headers or {}, details)
