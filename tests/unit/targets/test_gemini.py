"""Gemini as the system under test, with a door that gives scripted replies as a replay does."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError

from gate.errors import CallError, ConfigError, CredentialsError, FileError, ModelError
from gate.kit import Kit
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections, GoogleConnection
from gate.targets.gemini import GeminiTarget
from gate.types import Answer, Question, Reply
from tests.unit.models.scripted_door import ScriptedDoor

VERTEX = GoogleConnection(project="p")
KEY = GoogleConnection(road="key", api_key="k")
QUESTION = Question(id="case-7", input="Who keeps the light?")


def body(text: str = "A keeper.", **more: Any) -> dict[str, Any]:
    """A plain reply: 100 tokens in, 10 out."""
    return {
        "candidates": [{"content": {"parts": [{"text": text}]}, "finishReason": "STOP"}],
        "usageMetadata": {"promptTokenCount": 100, "candidatesTokenCount": 10},
        **more,
    }


def request(door: ScriptedDoor) -> Mapping[str, Any]:
    """The last call's request."""
    found = door.calls[-1].request
    assert isinstance(found, dict)
    return found


def read_file(path: str) -> str:
    """A tree with one file."""
    if path != "prompt.md":
        raise FileError("is missing", path)
    return "Answer with sources."


def target(
    door: ScriptedDoor | None = None,
    connection: GoogleConnection | None = VERTEX,
    *,
    on: date | None = None,
    **options: Any,
) -> GeminiTarget:
    """A target behind a scripted door."""
    kit = Kit(
        door=door or ScriptedDoor(body()),
        connections=Connections(google=connection),
        catalogue=load_catalogue(on),
        read_text=read_file,
        read_owned=read_file,
        run_id="run-1",
        root=Path(),
    )
    made = GeminiTarget.Options(**{"model": "gemini-3.8-flash", **options})
    return GeminiTarget("search", made, kit)


async def ask(door: ScriptedDoor, question: Question = QUESTION, **options: Any) -> Answer:
    """Ask once."""
    return await target(door, **options).answer(question, 2)


async def test_answer__asks_with_search_and_the_least_thinking() -> None:
    """What models of today accept: no temperature, no budget."""
    door = ScriptedDoor(body())

    await ask(door)

    assert {
        "contents": [{"role": "user", "parts": [{"text": "Who keeps the light?"}]}],
        "tools": [{"googleSearch": {}}],
        "generationConfig": {"maxOutputTokens": 8192, "thinkingConfig": {"thinkingLevel": "LOW"}},
    } == request(door)


async def test_answer__call_is_bound_to_the_run() -> None:
    """Answers are reused within one run only; the worst cost is reserved."""
    door = ScriptedDoor(body())

    await ask(door)

    call = door.calls[0]
    assert ("answer", "google", "gemini-3.8-flash", 2, "run-1", "case-7", "search") == (
        call.kind,
        call.vendor,
        call.model,
        call.attempt,
        call.scope,
        call.case_id,
        call.target,
    )
    assert call.reserve_usd is not None
    assert 0.1 < call.reserve_usd < 0.11


async def test_answer__reads_text_cost_and_latency() -> None:
    """100 x 0.75/M + 10 x 3.75/M = 0.0001125."""
    door = ScriptedDoor(body(), cached=True)

    answer = await ask(door)

    assert ("A keeper.", 1.25, True, None) == (
        answer.text,
        answer.latency_s,
        answer.cached,
        answer.failure,
    )
    assert 0.0001125 == pytest.approx(answer.cost_usd)
    assert [answer.cost_usd] == door.costs
    assert ("unsearched",) == answer.flags


async def test_answer__everything_that_can_be_set() -> None:
    """Each option has its place in the request."""
    door = ScriptedDoor(body())

    await ask(
        door,
        thinking_level="high",
        max_output_tokens=100,
        temperature=0.5,
        top_p=0.9,
        top_k=3,
        seed=7,
        system_prompt_file="prompt.md",
        exclude_domains=("spam.example",),
    )

    assert {
        "maxOutputTokens": 100,
        "temperature": 0.5,
        "topP": 0.9,
        "topK": 3,
        "seed": 7,
        "thinkingConfig": {"thinkingLevel": "HIGH"},
    } == request(door)["generationConfig"]
    assert {"parts": [{"text": "Answer with sources."}]} == request(door)["systemInstruction"]
    assert [{"googleSearch": {"excludeDomains": ["spam.example"]}}] == request(door)["tools"]


async def test_answer__search_can_be_off() -> None:
    """Then there is nothing to flag either."""
    door = ScriptedDoor(body())

    answer = await ask(door, search=False, system_prompt="Be brief.")

    assert "tools" not in request(door)
    assert {"parts": [{"text": "Be brief."}]} == request(door)["systemInstruction"]
    assert () == answer.flags


async def test_answer__other_input_is_sent_as_json_with_its_context() -> None:
    """Texts come first, the question last; the plan and the case's id stay with us."""
    door = ScriptedDoor(body())
    question = Question(
        id="case-7", input={"b": 1, "a": "ä"}, context=("doc one", "doc two"), plan="hidden plan"
    )

    await ask(door, question)

    assert [
        {"text": "doc one"},
        {"text": "doc two"},
        {"text": '{"a":"ä","b":1}'},
    ] == request(door)["contents"][0]["parts"]
    assert "hidden plan" not in json.dumps(request(door))
    assert "case-7" not in json.dumps(request(door))


async def test_answer__blank_answer_is_asked_once() -> None:
    """How often it happens is measured."""
    door = ScriptedDoor(body(""))

    answer = await ask(door)

    assert answer.failure is not None
    assert "empty" == answer.failure.kind
    assert 1.25 == answer.latency_s
    assert 1 == len(door.calls)


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        (CallError("Gemini answered 429: slow down", status=429, retryable=True), "error"),
        (CallError("Gemini answered 403: no", status=403), "error"),
        (CallError("Gemini answered 401: who", status=401), "error"),
        (CallError("no reply within 2 s", retryable=True, kind="timeout"), "timeout"),
    ],
)
async def test_answer__failed_call_is_a_failure(error: CallError, kind: str) -> None:
    """With its status, where there was one."""
    answer = await ask(ScriptedDoor(error))

    assert answer.failure is not None
    assert (kind, error.status, str(error)) == (
        answer.failure.kind,
        answer.failure.status,
        answer.failure.message,
    )
    assert answer.cost_usd is None


@pytest.mark.parametrize(
    ("connection", "says"),
    [
        (VERTEX, r"Google Cloud does not know gemini-9 .*Model Garden"),
        (KEY, r"the Gemini Developer API does not know gemini-9 .*key's project"),
    ],
)
async def test_answer__unknown_model_stops_the_run(connection: GoogleConnection, says: str) -> None:
    """A 404 names the model, the road and what to check."""
    door = ScriptedDoor(CallError("Gemini answered 404", status=404))

    with pytest.raises(ModelError, match=says):
        await ask(door, model="gemini-9", connection=connection)


async def test_answer__model_outside_the_table_has_no_cost() -> None:
    """It is asked without a thinking setting, and its reserve is unknown."""
    door = ScriptedDoor(body())

    answer = await ask(door, model="gemini-9")

    assert "A keeper." == answer.text
    assert answer.cost_usd is None
    assert door.calls[0].reserve_usd is None
    assert "thinkingConfig" not in request(door)["generationConfig"]


async def test_answer__priced_by_the_model_that_answered() -> None:
    """3.5 Flash, routed to 3.6: 100 x 0.75/M + 10 x 3.75/M, not 1.50 and 9.00."""
    door = ScriptedDoor(body(modelVersion="gemini-3.6-flash"))

    answer = await ask(door, model="gemini-3.5-flash", connection=KEY)

    assert ("rerouted", "unsearched") == tuple(sorted(answer.flags))
    assert 0.0001125 == pytest.approx(answer.cost_usd)


async def test_answer__without_a_connection_nothing_can_be_sent() -> None:
    """Only a replay may be built so."""

    class SendingDoor(ScriptedDoor):
        async def call(self, call: Any, send: Any, price: Any) -> Reply:
            return Reply(body=await send(), latency_s=None)

    with pytest.raises(CredentialsError, match="GOOGLE_CLOUD_PROJECT"):
        await ask(SendingDoor({}), connection=None)


async def test_answer__replay_asks_the_same_question() -> None:
    """Without a connection the request, and so the journal's key, is the same."""
    live, replayed = ScriptedDoor(body()), ScriptedDoor(body())

    await ask(live)
    await ask(replayed, connection=None)

    assert live.calls[0].key == replayed.calls[0].key


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"thinking_budget": 0}, "takes no thinking_budget: write thinking_level: low"),
        ({"thinking_level": "minimal"}, "write one of low, medium, high"),
        ({"system_prompt": "a", "system_prompt_file": "prompt.md"}, "exclude each other"),
        ({"model": "gemini-4-argon", "max_output_tokens": 32_769}, "32768 output tokens at most"),
        ({"search": False, "exclude_domains": ["a.example"]}, "needs search: true"),
        ({"connection": KEY, "exclude_domains": ["a.example"]}, "on Google Cloud only"),
        ({"model": "claude-opus-5-5"}, "is no Gemini model"),
    ],
)
def test_target__refuses_and_says_what_to_write(options: dict[str, Any], says: str) -> None:
    """Found at construction, before any call is paid for."""
    with pytest.raises(ConfigError, match=says):
        target(**options)


def test_target__missing_system_prompt_is_a_file_error() -> None:
    """With the file's name."""
    with pytest.raises(FileError, match=r"missing\.md"):
        target(system_prompt_file="missing.md")


def test_target__retired_model_is_refused_on_its_road() -> None:
    """2.5 Pro is gone from Google Cloud, and still there on the Developer API on 30 November."""
    with pytest.raises(ModelError, match=r"gemini-2\.5-pro was retired .*use gemini-3\.8-flash"):
        target(model="gemini-2.5-pro")

    assert target(model="gemini-2.5-pro", connection=KEY, on=date(2026, 11, 30)).info is not None


def test_target__routed_model_takes_the_setting_of_the_other() -> None:
    """From 1 December, 2.5 Flash is 3.5 Flash-Lite on the Developer API."""
    eve, day = date(2026, 11, 30), date(2026, 12, 1)
    options: dict[str, Any] = {"model": "gemini-2.5-flash", "thinking_budget": 0, "connection": KEY}

    target(on=eve, **options)
    with pytest.raises(ConfigError, match=r"answered by gemini-3\.5-flash-lite"):
        target(on=day, **options)


@pytest.mark.parametrize(
    "options",
    [{"modle": "x"}, {"model": ""}, {"model": "../x"}, {"model": "a?b"}, {"top_p": 2}],
)
def test_options__slips_are_refused(options: dict[str, Any]) -> None:
    """Unknown keys and impossible values."""
    with pytest.raises(ValidationError):
        GeminiTarget.Options(**{"model": "gemini-3.8-flash", **options})


def test_info__digest_changes_with_what_shapes_answers() -> None:
    """Not with the target's name, its road or its run."""
    plain = target().info
    others: list[dict[str, Any]] = [
        {"thinking_level": "high"},
        {"search": False},
        {"system_prompt": "x"},
        {"system_prompt_file": "prompt.md"},
        {"seed": 1},
        {"model": "gemini-3.6-flash"},
    ]

    assert ("search", "gemini", "gemini-3.8-flash", "gemini") == (
        plain.name,
        plain.use,
        plain.model,
        plain.family,
    )
    assert plain.settings == target(thinking_level="low").info.settings
    assert plain.settings == target(connection=KEY).info.settings
    assert 7 == len({plain.settings, *(target(**one).info.settings for one in others)})


async def test_aclose__of_a_target_that_never_asked() -> None:
    """Nothing was opened."""
    await target().aclose()
    await target(connection=None).aclose()
