"""The world over HTTP: the real clients, many at once, and a program that ends by itself."""

from __future__ import annotations

import asyncio
import json
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager

import httpx2
import pytest
from anthropic import AsyncAnthropic, AsyncAnthropicVertex
from google import genai
from google.genai import types
from google.oauth2.credentials import Credentials

from gate.loopback import serving_pages
from gate.loopback.exchange import Request
from gate.loopback.pages import load_pages
from gate.loopback.server import Address, serve
from gate.loopback.settings import read_settings
from tests.loopback.world_driver import (
    CASES,
    CLAUDE,
    JUDGE,
    SCHEMA,
    TARGET,
    Said,
    ask,
    judge_body,
    post,
    prompt_of,
    said,
    text_of,
    world,
)

CALLS = 300


def gemini(address: Address) -> genai.Client:
    """Return a client of Google Cloud that talks to the world."""
    return genai.Client(
        vertexai=True,
        project="p",
        location="global",
        credentials=Credentials(token="t"),
        http_options=types.HttpOptions(base_url=address.url, api_version="v1", timeout=60_000),
    )


def claude(address: Address) -> AsyncAnthropicVertex:
    """Return a client of Claude on Google Cloud that talks to the world."""
    return AsyncAnthropicVertex(
        region="global",
        project_id="p",
        access_token="t",
        base_url=f"{address.url}/v1",
        max_retries=0,
        timeout=60.0,
    )


SEARCH = types.GenerateContentConfig(
    tools=[types.Tool(google_search=types.GoogleSearch())],
    thinking_config=types.ThinkingConfig(thinking_level=types.ThinkingLevel.LOW),
)


async def test_300_calls_at_once__all_answered() -> None:
    """Neither SDK drops a call when 300 of each come at the same moment."""
    prompt = prompt_of(CASES[0], said(ask(world(), CASES[0]["query"])))
    body = judge_body(prompt)
    async with serve(read_settings("steady", delay_ms=20)) as address:
        google, anthropic = gemini(address), claude(address)
        answers = await asyncio.gather(
            *(
                google.aio.models.generate_content(
                    model=TARGET, contents=CASES[n % len(CASES)]["query"], config=SEARCH
                )
                for n in range(CALLS)
            )
        )
        rulings = await asyncio.gather(
            *(
                anthropic.messages.create(
                    model=JUDGE,
                    max_tokens=2000,
                    messages=body["messages"],
                    output_config=body["output_config"],
                )
                for _ in range(CALLS)
            )
        )
        await google.aio.aclose()
        await anthropic.close()

    assert CALLS == sum(bool(answer.text) for answer in answers)
    assert {4} == {json.loads(ruling.content[-1].text)["relevance"] for ruling in rulings}
    rows = json.loads(address.world.respond(Request("GET", "/_world/requests", {}, b"")).body)[
        "requests"
    ]
    assert [CALLS, CALLS] == [row["count"] for row in rows]


async def test_sdk__reads_grounding_and_usage() -> None:
    """The typed fields of the SDK are filled."""
    async with serve(read_settings("steady")) as address:
        client = gemini(address)
        answer = await client.aio.models.generate_content(
            model=TARGET, contents=CASES[0]["query"], config=SEARCH
        )
        await client.aio.aclose()

    grounding = answer.candidates[0].grounding_metadata
    assert "openlore-encyclopedia.example" == grounding.grounding_chunks[0].web.domain
    segment = grounding.grounding_supports[-1].segment
    assert segment.text == answer.text.encode()[segment.start_index : segment.end_index].decode()
    assert answer.usage_metadata.total_token_count > 0
    assert TARGET == answer.model_version


async def test_sdk__of_the_other_roads() -> None:
    """An API key and the first-party client work as well."""
    async with serve(read_settings("steady")) as address:
        options = types.HttpOptions(base_url=address.url, api_version="v1beta")
        google = genai.Client(api_key="k", vertexai=False, http_options=options)
        anthropic = AsyncAnthropic(api_key="k", base_url=address.url, max_retries=0)
        answer = await google.aio.models.generate_content(
            model="gemini-3.5-flash", contents=CASES[0]["query"], config=SEARCH
        )
        count = await anthropic.messages.count_tokens(
            model=JUDGE, messages=[{"role": "user", "content": "How many?"}]
        )
        await google.aio.aclose()
        await anthropic.close()

    assert "gemini-3.6-flash" == answer.model_version
    assert 3 == count.input_tokens


async def test_canary__in_no_request_of_the_target() -> None:
    """The bodies that arrived can be searched; a question needs nothing beside itself."""
    async with serve(read_settings("steady")) as address:
        client = gemini(address)
        case = CASES[4]
        await client.aio.models.generate_content(
            model=TARGET, contents=case["query"], config=SEARCH
        )
        await client.aio.aclose()
        async with httpx2.AsyncClient(base_url=address.url, trust_env=False) as http:
            bodies = (await http.get("/_world/bodies")).json()["bodies"]

    assert 1 == len(bodies)
    assert case["query"] in bodies[0]["body"]
    hidden = [case["notes"], *case["expect_assertions"]]
    assert not any(text in bodies[0]["body"] for text in hidden)


async def test_http__keeps_a_connection_alive() -> None:
    """Pages, redirects, HEAD and unknown addresses share one connection."""
    async with (
        serve(read_settings("steady")) as address,
        httpx2.AsyncClient(base_url=address.url, trust_env=False) as http,
    ):
        for _ in range(20):
            page = await http.get("/fares", headers={"host": "brimline.example"})
            assert "148 crowns" in page.text
        head = await http.head("/pages/brimline.example/fares")
        missing = await http.post("/v1/nothing", json={})
        assert (200, b"") == (head.status_code, head.content)
        assert 404 == missing.status_code
        assert 404 == (await http.get("/_world/else")).status_code


async def test_http__nonsense_ends_the_connection_only() -> None:
    """A client that speaks no HTTP is dropped; the next one is served."""
    async with serve(read_settings("steady")) as address:
        reader, writer = await asyncio.open_connection("127.0.0.1", address.port)
        writer.write(b"\x00\x01 nonsense\r\n\r\n")
        assert b"" == await reader.read()
        writer.close()
        async with httpx2.AsyncClient(base_url=address.url, trust_env=False) as http:
            assert 200 == (await http.get("/_world/requests")).status_code


async def test_delay__holds_a_vendor_call_back() -> None:
    """A vendor call takes at least the delay, a page does not wait."""
    async with (
        serve(read_settings("steady", delay_ms=150)) as address,
        httpx2.AsyncClient(base_url=address.url, trust_env=False) as http,
    ):
        start = time.perf_counter()
        await http.post("/v1/messages", json={})
        assert time.perf_counter() - start >= 0.15


def test_judge__never_sees_more_than_the_prompt() -> None:
    """Text and sources that are not in the prompt do not count."""
    prompt = prompt_of(CASES[0], Said("", ()))
    body = judge_body(prompt)
    message = json.loads(post(world(), CLAUDE.format(JUDGE), body).body)

    assert [0, 0, 0] == list(json.loads(text_of(message)).values())[1:]
    assert list(SCHEMA["properties"]) == list(json.loads(text_of(message)))


async def test_page__that_is_slow(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slow page holds its own connection back and no other."""
    monkeypatch.setattr(serving_pages, "SLOW_S", 0.3)
    slow = next(page for page in load_pages() if page.served == "slow")
    async with (
        serve(read_settings("steady")) as address,
        httpx2.AsyncClient(base_url=address.url, trust_env=False) as http,
    ):
        start = time.perf_counter()
        waiting = asyncio.create_task(http.get(slow.path, headers={"Host": slow.host}))
        await asyncio.sleep(0.05)
        other = await http.get("/", headers={"Host": "www.merrowdale.example"})
        first, late = time.perf_counter() - start, await waiting

    assert (200, 200) == (other.status_code, late.status_code)
    assert first < 0.3 <= time.perf_counter() - start


@contextmanager
def program(*arguments: str) -> Iterator[subprocess.Popen[str]]:
    """Run the world as a program; make sure that it is gone afterwards."""
    command = [sys.executable, "-m", "gate.loopback", *arguments]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=pipe, text=True) as child:
        try:
            yield child
        finally:
            child.kill()


def test_program__prints_its_address_and_ends_with_its_stdin() -> None:
    """One line of JSON, a port that answers, and no orphan."""
    with program("--variant", "flaky:3+judge-529") as child:
        line = json.loads(child.stdout.readline())
        assert f"http://127.0.0.1:{line['port']}" == line["gemini"] == line["claude"]
        assert ("flaky", "3", ["judge-529"]) == (line["variant"], line["seed"], line["faults"])
        with socket.create_connection(("127.0.0.1", line["port"]), timeout=5):
            pass
        rest, said_wrong = child.communicate(timeout=10)

        assert (0, "", "") == (child.returncode, rest, said_wrong)


def test_program__ends_on_sigterm() -> None:
    """A polite signal ends it with exit code 0, even with an open connection."""
    with program() as child:
        port = json.loads(child.stdout.readline())["port"]
        with socket.create_connection(("127.0.0.1", port), timeout=5):
            child.send_signal(signal.SIGTERM)
            assert 0 == child.wait(timeout=10)


def test_program__unknown_variant() -> None:
    """A variant that does not exist is exit code 2 with the names that do."""
    with program("--variant", "calm") as child:
        out, err = child.communicate(timeout=10)

        assert (2, "") == (child.returncode, out)
        assert "choose one of steady" in err


@pytest.mark.parametrize("arguments", [["--delay-ms", "-1"], ["--variant", "steady+x"]])
def test_program__bad_settings(arguments: list[str]) -> None:
    """Other settings that make no sense are exit code 2 too."""
    with program(*arguments) as child:
        child.communicate(timeout=10)

        assert 2 == child.returncode
