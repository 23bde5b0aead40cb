"""The stand-in for Claude: shapes as recorded, the vendor's refusals, and the prompt cache."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gate.loopback.routes import World
from gate.loopback.settings import WorldSettings
from tests.loopback.world_driver import (
    CASES,
    CLAUDE,
    JUDGE,
    SCHEMA,
    ask,
    judge_body,
    keys,
    post,
    prompt_of,
    recorded,
    said,
    text_of,
    world,
)

CASE = CASES[0]
PROMPT = prompt_of(CASE, said(ask(world(), CASE["query"])))
USE = (
    '"thinking.type.{}" is not supported for this model. Use "thinking.type.{}" and '
    '"output_config.effort" to control thinking behavior.'
)
RUBRIC = "Rate what stands there. " * 120
TOOL = {"name": "verdict", "input_schema": SCHEMA}
FORCED: dict[str, Any] = {"tools": [TOOL], "tool_choice": {"type": "tool", "name": "verdict"}}


def send(body: dict[str, Any], model: str = JUDGE) -> tuple[int, dict[str, Any]]:
    """Send a body to a fresh world on Google Cloud's road."""
    reply = post(world(), CLAUDE.format(model), body)
    return reply.status, json.loads(reply.body)


def test_ruling__has_the_recorded_keys_and_fills_the_form(data_dir: Path) -> None:
    """A thinking block comes first, then the form in the schema's order."""
    status, message = send(judge_body(PROMPT))
    form = json.loads(text_of(message))

    assert 200 == status
    assert keys(recorded(data_dir, "claude_message_thinking.json")) == keys(message)
    assert ["thinking", "text"] == [block["type"] for block in message["content"]]
    assert list(SCHEMA["properties"]) == list(form)
    assert [4, 4, 4] == [form[name] for name in list(form)[1:]]
    assert message["usage"]["output_tokens_details"]["thinking_tokens"] > 0


def test_ruling__is_the_same_each_time() -> None:
    """The same prompt gets the same reply, byte for byte."""
    path = CLAUDE.format(JUDGE)

    assert post(world(), path, judge_body(PROMPT)) == post(world(), path, judge_body(PROMPT))


def test_first_party__takes_either_header() -> None:
    """POST /v1/messages with a bearer token or x-api-key."""
    body = judge_body(PROMPT, model=JUDGE)

    assert 200 == post(world(), "/v1/messages", body, authorization="Bearer k").status
    assert 200 == post(world(), "/v1/messages", body, x_api_key="k").status
    nobody = post(world(), "/v1/messages", body, accept="*/*")
    assert (401, "authentication_error") == (
        nobody.status,
        json.loads(nobody.body)["error"]["type"],
    )


def test_counting__needs_no_limit() -> None:
    """Both roads count tokens."""
    body = {"model": JUDGE, "messages": [{"role": "user", "content": PROMPT}]}
    vertex = post(world(), CLAUDE.format("count-tokens"), body)
    direct = post(world(), "/v1/messages/count_tokens", body)

    assert vertex.body == direct.body
    assert len(PROMPT) // 4 <= json.loads(direct.body)["input_tokens"]


@pytest.mark.parametrize(
    ("model", "changes", "says"),
    [
        (JUDGE, FORCED, 'tool_choice: type "tool" and "any" are not supported for this model.'),
        (
            JUDGE,
            {"thinking": {"type": "disabled"}},
            USE.format("disabled", "adaptive"),
        ),
        (
            "claude-sonnet-5-5",
            {"thinking": {"type": "enabled", "budget_tokens": 2000}},
            USE.format("enabled", "between_tools"),
        ),
        (
            "claude-sonnet-5-5",
            {"thinking": {"type": "between_tools", "display": "omitted"}},
            "Extra inputs",
        ),
        (
            "claude-opus-5",
            {"thinking": {"type": "disabled"}, "output_config": {"effort": "max"}},
            "with effort",
        ),
        ("claude-haiku-4-5@20251001", {"output_config": {"effort": "low"}}, "effort parameter"),
        (JUDGE, {"output_config": {"effort": "minimal"}}, "Input should be one of"),
        (JUDGE, {"temperature": 1}, "`temperature` is deprecated for this model."),
        (JUDGE, {"top_k": 5}, "`top_k`"),
        (
            JUDGE,
            {"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "{"}]},
            "prefill",
        ),
        (JUDGE, {"max_tokens": None}, "max_tokens: Field required"),
        (JUDGE, {"max_tokens": 900_000}, "maximum allowed"),
        (JUDGE, {"messages": []}, "at least one message"),
        ("claude-opus-4-6", {"thinking": {"type": "enabled"}}, "budget_tokens"),
        (
            "claude-opus-4-6",
            {"thinking": {"type": "enabled", "budget_tokens": 2000}},
            "must be greater than",
        ),
        (
            "claude-opus-4-6",
            {"thinking": {"type": "enabled", "budget_tokens": 1500}, **FORCED},
            "when tool_choice forces tool use",
        ),
        (
            "claude-opus-4-6",
            {"thinking": {"type": "adaptive"}, "temperature": 0},
            "may not be set when thinking is enabled",
        ),
        (
            "claude-haiku-4-5@20251001",
            {"thinking": {"type": "adaptive"}, "output_config": {}},
            'Use "thinking.type.enabled"',
        ),
        ("claude-opus-4-8", {"tool_choice": {"type": "any"}}, "while providing tools"),
        (
            JUDGE,
            {"tools": [{"name": "v", "strict": True, "input_schema": {"type": "object"}}]},
            "tools.0",
        ),
        (JUDGE, {"output_config": {"format": {"type": "regex"}}}, "should be a json_schema"),
        (JUDGE, {"max_tokens": 0}, "greater than or equal to 1"),
        (JUDGE, {"messages": [{"role": "system", "content": "x"}]}, "roles must be"),
        (
            JUDGE,
            {"system": [{"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}] * 5},
            "Found 5.",
        ),
    ],
)
def test_request__refused(model: str, changes: dict[str, Any], says: str) -> None:
    """What the table of models refuses is 400 with the vendor's sentence."""
    status, body = send(judge_body(PROMPT, **changes), model)

    assert (400, "invalid_request_error") == (status, body["error"]["type"])
    assert says in body["error"]["message"]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"minimum": 0}, "minimum"),
        ({"maximum": 4, "multipleOf": 1}, "maximum, multipleOf"),
        ({"type": "string", "maxLength": 3}, "maxLength"),
        ({"type": "string", "format": "ipv5"}, "ipv5"),
        ({"type": "object", "properties": {}}, "additionalProperties"),
        ({"type": "array", "items": {"type": "string"}, "minItems": 2}, "minItems"),
        ({"$ref": "#/properties/relevance"}, "Recursive"),
        ({"$ref": "http://elsewhere.example/x"}, "External"),
    ],
)
def test_schema__refused(change: dict[str, Any], says: str) -> None:
    """Structured output refuses what its page says it refuses."""
    properties = SCHEMA["properties"] | {"relevance": change}
    config = {"format": {"type": "json_schema", "schema": SCHEMA | {"properties": properties}}}
    status, body = send(judge_body(PROMPT, output_config=config))

    assert 400 == status
    assert says in body["error"]["message"]


def test_schema__with_definitions() -> None:
    """An enum behind a reference is read."""
    schema = SCHEMA | {
        "properties": SCHEMA["properties"] | {"relevance": {"$ref": "#/$defs/Level"}},
        "$defs": {"Level": {"type": "integer", "enum": [1, 2, 3]}},
    }
    config = {"format": {"type": "json_schema", "schema": schema}}

    assert 3 == json.loads(text_of(send(judge_body(PROMPT, output_config=config))[1]))["relevance"]


def test_form__with_an_unknown_key() -> None:
    """A question that the judge has no rule for is refused aloud, never made up."""
    properties = SCHEMA["properties"] | {"style": {"type": "integer", "enum": [0, 1]}}
    config = {"format": {"type": "json_schema", "schema": SCHEMA | {"properties": properties}}}
    status, body = send(judge_body(PROMPT, output_config=config))

    assert 400 == status
    assert "no rule for 'style'" in body["error"]["message"]


def test_text_form__reads_the_schema_from_the_system_text() -> None:
    """Without structured output the same ruling comes as JSON, sometimes in a fence."""
    system = f"Rate.\n```json\n{json.dumps(SCHEMA, indent=1)}\n```\n"
    seen = set()
    where = world()
    for case in CASES[:8]:
        prompt = prompt_of(case, said(ask(where, case["query"])))
        text = text_of(send(judge_body(prompt, output_config={"effort": "low"}, system=system))[1])
        seen.add(text.startswith("```json"))
        assert text_of(send(judge_body(prompt))[1]) == text.removeprefix("```json\n").rstrip("`\n")

    assert {True, False} == seen


def test_forced_tool__on_a_model_that_takes_it(data_dir: Path) -> None:
    """The ruling is the tool's input."""
    status, message = send(judge_body(PROMPT, output_config={}, **FORCED), "claude-opus-4-8")
    block = message["content"][0]

    assert (200, "tool_use") == (status, message["stop_reason"])
    assert ("verdict", list(SCHEMA["properties"])) == (block["name"], list(block["input"]))
    wanted = recorded(data_dir, "claude_message_tool_use.json")
    assert set(wanted["content"][0]) == set(block)


@pytest.mark.parametrize("model", ["claude-nobody", "gemini-3.8-flash"])
def test_model__unknown(model: str) -> None:
    """A missing model is 404 in the shape of each road."""
    status, body = send(judge_body(PROMPT), model)
    direct = post(world(), "/v1/messages", judge_body(PROMPT, model=model))

    assert (404, "NOT_FOUND") == (status, body["error"]["status"])
    assert (404, "not_found_error") == (direct.status, json.loads(direct.body)["error"]["type"])


def test_small_limit__ends_in_max_tokens() -> None:
    """Thinking counts: a tiny limit leaves no text, a small one half of it."""
    _, tiny = send(judge_body(PROMPT, max_tokens=20))
    _, small = send(judge_body(PROMPT, max_tokens=90))

    assert ("max_tokens", "") == (tiny["stop_reason"], text_of(tiny))
    assert "max_tokens" == small["stop_reason"]
    assert text_of(small).startswith('{"justification"')
    assert (20, 90) == (tiny["usage"]["output_tokens"], small["usage"]["output_tokens"])


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ([], "not valid JSON"),
        ({"max_tokens": 9}, "model: Field required"),
        ({"model": JUDGE, "max_tokens": 9, "stream": True}, "does not stream"),
    ],
)
def test_first_party__body_that_cannot_be_read(body: Any, says: str) -> None:
    """A mistake in the body is 400 and says which."""
    reply = post(world(), "/v1/messages", body)

    assert 400 == reply.status
    assert says in reply.body.decode()


@pytest.mark.parametrize(("change", "status"), [({}, 404), ({"model": JUDGE, **FORCED}, 400)])
def test_counting__checks_the_request(change: dict[str, Any], status: int) -> None:
    """Counting knows the models and refuses a forced tool as a call does."""
    body = {"model": "claude-none", "messages": [{"role": "user", "content": "x"}]} | change

    assert status == post(world(), "/v1/messages/count_tokens", body).status


def test_sampling__accepted_by_an_old_model() -> None:
    """Haiku 4.5 takes a temperature and a prefill while it does not think."""
    turns = [{"role": "user", "content": PROMPT}, {"role": "assistant", "content": "{"}]
    body = judge_body("", temperature=0, output_config={}, messages=turns)

    assert 200 == send(body, "claude-haiku-4-5@20251001")[0]


def test_model__retired_on_its_day() -> None:
    """The world has a day of its own; a model that is retired by then is 404."""
    statuses = []
    for day in (date(2026, 11, 29), date(2026, 11, 30)):
        where = World(WorldSettings(today=day), lambda: 0.0)
        body = judge_body(PROMPT, model="claude-sonnet-4-5", output_config={})
        statuses.append(post(where, "/v1/messages", body).status)

    assert [200, 404] == statuses


def test_plain_question__is_answered_plainly() -> None:
    """Whoever only wants to know whether the model is there gets a word."""
    assert "OK." == text_of(
        send({"max_tokens": 999, "messages": [{"role": "user", "content": "?"}]})[1]
    )


def cached(*bodies: dict[str, Any], model: str = JUDGE, at: tuple[float, ...] = ()) -> list[Any]:
    """Send bodies to one world; return (written, read) of each."""
    times = iter(at or (0.0,) * len(bodies))
    where = world(clock=lambda: next(times))
    used = []
    for body in bodies:
        usage = json.loads(post(where, CLAUDE.format(model), body).body)["usage"]
        used.append((usage["cache_creation_input_tokens"], usage["cache_read_input_tokens"]))
    return used


def rubric(ttl: str | None = None, text: str = RUBRIC) -> list[dict[str, Any]]:
    """Return a system block with a cache mark."""
    mark = {"type": "ephemeral", **({"ttl": ttl} if ttl else {})}
    return [{"type": "text", "text": text, "cache_control": mark}]


def test_cache__of_a_shared_system_text() -> None:
    """The second call reads what the first wrote, whatever the messages and the effort are."""
    one = judge_body(PROMPT, system=rubric())
    other = judge_body("Rate.", system=rubric())
    other["output_config"] = one["output_config"] | {"effort": "high"}
    written = len(RUBRIC) // 4

    assert [(written, 0), (0, written)] == cached(one, other)


@pytest.mark.parametrize(
    "change",
    [
        {"output_config": {"effort": "low"}},
        {"tools": [TOOL]},
        {"system": rubric(text="X" + RUBRIC)},
    ],
)
def test_cache__lost_by_format_tools_or_text(change: dict[str, Any]) -> None:
    """Another output format, tool set or first letter reads nothing."""
    one = judge_body(PROMPT, system=rubric())

    assert 0 == cached(one, one | change)[1][1]


def shared(own: str, **changes: Any) -> dict[str, Any]:
    """Return a body whose message has a cached part."""
    block = {"type": "text", "text": RUBRIC, "cache_control": {"type": "ephemeral"}}
    content = [block, {"type": "text", "text": own}]
    return judge_body("", messages=[{"role": "user", "content": content}], **changes)


def test_cache__of_messages_is_lost_by_effort() -> None:
    """Effort drops the messages; the model's default equals leaving it out."""
    form = {"format": judge_body("")["output_config"]["format"]}
    default = shared("a", output_config=form)
    medium = shared("b", output_config={**form, "effort": "medium"})
    low = shared("c")

    assert cached(default, medium)[1][1] > 0
    assert 0 == cached(default, low)[1][1]


def test_cache__below_the_minimum_is_silent() -> None:
    """A prefix of 720 tokens is cached by Opus 5.5 and not by Opus 4.8."""
    body = judge_body(PROMPT, system=rubric())

    assert cached(body)[0][0] > 512
    assert [(0, 0), (0, 0)] == cached(body, body, model="claude-opus-4-8")


def test_cache__expires() -> None:
    """Five minutes without a read, or an hour when asked for."""
    short, long = (judge_body(PROMPT, system=rubric(ttl)) for ttl in ("5m", "1h"))

    assert 0 == cached(short, short, at=(0.0, 301.0))[1][1]
    assert cached(short, short, short, at=(0.0, 200.0, 400.0))[2][1] > 0
    assert cached(long, long, at=(0.0, 3000.0))[1][1] > 0


def test_cache__hit_has_the_recorded_shape(data_dir: Path) -> None:
    """The counters of writes are split by lifetime."""
    message = send(judge_body(PROMPT, system=rubric("1h")), "claude-opus-5")[1]
    usage = message["usage"]

    assert usage["cache_creation"]["ephemeral_1h_input_tokens"] == len(RUBRIC) // 4
    hit = recorded(data_dir, "claude_message_cache_hit.json")
    assert keys(hit["usage"]) == keys(usage)
