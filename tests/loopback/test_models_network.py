"""What the SDK clients do when the network or the sign-in breaks, and what they never do."""

from __future__ import annotations

import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anthropic
import httpx2
import pytest
from google.auth.exceptions import TransportError
from pydantic import JsonValue

from gate.errors import CallError, CredentialsError
from gate.models.claude import ClaudeModel
from gate.models.connections import AnthropicConnection, GoogleConnection
from gate.models.gemini import GeminiModel
from tests.loopback.models_canned import canned, response

Sending = Callable[..., Awaitable[JsonValue]]
ASKED: dict[str, JsonValue] = {"contents": [{"role": "user", "parts": [{"text": "Why?"}]}]}
PLACE = "projects/p/locations/global/publishers"
RATED: dict[str, JsonValue] = {"max_tokens": 9, "messages": [{"role": "user", "content": "Why?"}]}


async def gemini(url: str, *, road: str = "vertex", timeout_s: float = 5) -> JsonValue:
    """One call of Gemini."""
    ours = GeminiModel(
        GoogleConnection(
            road="key" if road == "key" else "vertex",
            project="p",
            api_key="k",
            token="t",
            base_url=url,
        ),
        timeout_s=timeout_s,
    )
    try:
        return await ours.generate("gemini-3.8-flash", ASKED)
    finally:
        await ours.aclose()


async def claude(
    url: str, *, road: str = "vertex", timeout_s: float = 5, version: str | None = None
) -> JsonValue:
    """One call of Claude."""
    vertex = road == "vertex"
    ours = ClaudeModel(
        AnthropicConnection(
            road="vertex" if vertex else "direct",
            project="p",
            api_key="k",
            token="t",
            base_url=f"{url}/v1" if vertex else url,
            timeout_s=timeout_s,
            anthropic_version=version,
        )
    )
    try:
        return await ours.create("claude-opus-5-5", RATED)
    finally:
        await ours.aclose()


async def sent(ours: GeminiModel | ClaudeModel) -> JsonValue:
    """One call of either."""
    if isinstance(ours, GeminiModel):
        return await ours.generate("gemini-3.8-flash", ASKED)
    return await ours.create("claude-opus-5-5", RATED)


BOTH = pytest.mark.parametrize("send", [gemini, claude])


@BOTH
@pytest.mark.parametrize("body", ["{}", "[]", '{"candidates": []}'])
async def test_send__any_json_comes_back_as_it_was_sent(send: Sending, body: str) -> None:
    """The body is kept for the journal; reading it is somebody else's."""
    async with canned(response(200, body)) as server:
        found = await send(server.url)

    assert body == str(found).replace("'", '"')
    assert 1 == len(server.requests)


@BOTH
@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
async def test_send__is_tried_once_and_says_when_to_try_again(send: Sending, status: int) -> None:
    """The SDKs' own retries are off; Retry-After is read."""
    said = response(status, '{"error": {"message": "slow down"}}', retry_after="7")
    async with canned(said) as server:
        with pytest.raises(CallError, match="slow down") as caught:
            await send(server.url)

    assert (status, True, 7.0) == (
        caught.value.status,
        caught.value.retryable,
        caught.value.retry_after_s,
    )
    assert 1 == len(server.requests)


@BOTH
@pytest.mark.parametrize("status", [400, 401, 403, 404, 413])
@pytest.mark.parametrize(
    "body", ['{"error": {"message": "no"}}', '[{"error": {"message": "no"}}]', "<html>no</html>"]
)
async def test_send__refusal_is_not_tried_again(send: Sending, status: int, body: str) -> None:
    """Whatever the body looks like, its words are shown."""
    async with canned(response(status, body)) as server:
        with pytest.raises(CallError, match="no") as caught:
            await send(server.url)

    assert (status, False) == (caught.value.status, caught.value.retryable)


@BOTH
@pytest.mark.parametrize("body", ["", "<html>Bad gateway</html>", '{"cut": ', b"\xff\xfe"])
async def test_send__success_that_is_no_json_is_an_error(send: Sending, body: str) -> None:
    """A proxy's page is no empty answer: it may have cost something, and is asked again."""
    async with canned(response(200, body)) as server:
        with pytest.raises(CallError, match="no JSON") as caught:
            await send(server.url)

    assert (None, True, True) == (caught.value.status, caught.value.retryable, caught.value.sent)


@BOTH
async def test_send__hang_up_may_be_tried_again(send: Sending) -> None:
    """The connection is closed without a reply."""
    async with canned(b"") as server:
        with pytest.raises(CallError, match="could not be reached") as caught:
            await send(server.url)

    assert (None, True, "error") == (
        caught.value.status,
        caught.value.retryable,
        caught.value.kind,
    )


@BOTH
async def test_send__cut_body_may_be_tried_again(send: Sending) -> None:
    """Fewer bytes than were promised."""
    async with canned(response(200, "{}", content_length="99")) as server:
        with pytest.raises(CallError, match="could not be reached") as caught:
            await send(server.url)

    assert caught.value.retryable


@BOTH
async def test_send__refused_connection_may_be_tried_again(send: Sending) -> None:
    """Nobody listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        url = f"http://127.0.0.1:{taken.getsockname()[1]}"
        with pytest.raises(CallError, match="could not be reached") as caught:
            await send(url)

    assert caught.value.retryable


@BOTH
async def test_send__deadline_is_a_timeout(send: Sending) -> None:
    """The server reads and says nothing."""
    async with canned(None) as server:
        with pytest.raises(CallError, match=r"within 0\.2 s") as caught:
            await send(server.url, timeout_s=0.2)

    assert (True, "timeout") == (caught.value.retryable, caught.value.kind)


@pytest.mark.parametrize(
    ("send", "road", "path", "header", "value"),
    [
        (
            gemini,
            "vertex",
            f"/v1beta1/{PLACE}/google/models/gemini-3.8-flash:generateContent",
            "authorization",
            "Bearer t",
        ),
        (gemini, "key", "/v1beta/models/gemini-3.8-flash:generateContent", "x-goog-api-key", "k"),
        (
            claude,
            "vertex",
            f"/v1/{PLACE}/anthropic/models/claude-opus-5-5:rawPredict",
            "authorization",
            "Bearer t",
        ),
        (claude, "direct", "/v1/messages", "authorization", "Bearer k"),
    ],
)
async def test_send__road_decides_path_and_credential(
    send: Sending, road: str, path: str, header: str, value: str
) -> None:
    """Project and location are in the path, whatever the environment says."""
    async with canned(response(200, "{}")) as server:
        await send(server.url, road=road)

    asked, headers, _ = server.requests[0]
    assert path == asked
    assert value == headers[header]


async def test_create__version_can_be_overridden_on_google_cloud_only() -> None:
    """The vendors' pages and the SDK disagree on it."""
    async with canned(response(200, "{}")) as server:
        await claude(server.url, version="vertex-2023-10-16")
        await claude(server.url, road="direct", version="vertex-2023-10-16")

    assert "vertex-2023-10-16" == server.requests[0][2]["anthropic_version"]
    assert "anthropic_version" not in server.requests[1][2]


@BOTH
async def test_send__proxy_of_the_environment_is_not_used_for_this_machine(
    send: Sending, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The loopback world is reached behind a company proxy, too."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    async with canned(response(200, "{}")) as server:
        assert {} == await send(server.url)


@pytest.mark.parametrize(
    "ours",
    [
        GeminiModel(GoogleConnection(project="p")),
        ClaudeModel(AnthropicConnection(project="p")),
    ],
    ids=["gemini", "claude"],
)
async def test_send__without_a_sign_in_says_what_to_do(
    ours: GeminiModel | ClaudeModel, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """No Application Default Credentials anywhere, and no metadata server is asked."""
    monkeypatch.setenv("NO_GCE_CHECK", "true")
    monkeypatch.setenv("CLOUDSDK_CONFIG", str(tmp_path))
    monkeypatch.delenv("GOOGLE_APPLICATION_CREDENTIALS", raising=False)

    with pytest.raises(CredentialsError, match="gcloud auth application-default login"):
        await sent(ours)
    await ours.aclose()


@pytest.mark.parametrize(
    "ours",
    [
        GeminiModel(GoogleConnection(road="key")),
        GeminiModel(GoogleConnection()),
        ClaudeModel(AnthropicConnection(road="direct")),
        ClaudeModel(AnthropicConnection()),
    ],
)
async def test_send__with_nothing_known_says_what_to_set(ours: GeminiModel | ClaudeModel) -> None:
    """Before anything is opened."""
    with pytest.raises(CredentialsError, match="set "):
        await sent(ours)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (httpx2.ReadError("reset"), "error"),
        (httpx2.ReadTimeout("slow"), "timeout"),
        (TransportError("no route"), "error"),  # type: ignore[no-untyped-call]
    ],
)
@pytest.mark.parametrize(
    "ours",
    [
        GeminiModel(GoogleConnection(project="p", token="t")),
        ClaudeModel(AnthropicConnection(project="p", token="t")),
    ],
    ids=["gemini", "claude"],
)
async def test_send__errors_that_the_sdks_let_through(
    ours: GeminiModel | ClaudeModel,
    error: Exception,
    kind: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Whatever is raised below becomes a CallError; none is easily had from a server."""

    async def fail(*_: object) -> JsonValue:
        raise error

    monkeypatch.setattr(ours, "_send", fail)

    with pytest.raises(CallError) as caught:
        await sent(ours)

    assert (True, kind) == (caught.value.retryable, caught.value.kind)


async def test_create__error_of_the_sdk_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is neither a status nor the network is no reason to try again."""
    ours = ClaudeModel(AnthropicConnection(project="p", token="t"))

    async def fail(*_: object) -> JsonValue:
        raise anthropic.AnthropicError("odd")

    monkeypatch.setattr(ours, "_send", fail)

    with pytest.raises(CallError, match="SDK refused the request: odd") as caught:
        await sent(ours)

    assert not caught.value.retryable


async def test_generate__request_that_the_sdk_refuses_is_an_error() -> None:
    """A slip of ours becomes a failed call, not a crash of the run."""
    ours = GeminiModel(GoogleConnection(project="p", token="t", base_url="http://127.0.0.1:1"))

    with pytest.raises(CallError, match="SDK refused the request") as caught:
        await ours.generate("gemini-3.8-flash", {**ASKED, "noSuchField": 1})
    await ours.aclose()

    assert not caught.value.retryable


def test_import__loads_no_sdk() -> None:
    """`gate --help` stays quick."""
    code = (
        "import sys, gate.models.gemini, gate.models.claude, gate.targets.gemini; "
        "print({'google.genai', 'google.auth', 'anthropic'} & set(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)

    assert "set()" == done.stdout.strip()
