"""The judge's own rules: what becomes a verdict, a failure or the end of the run."""

from __future__ import annotations

import json
from datetime import date
from typing import Any

import pytest
from pydantic import BaseModel, Field, JsonValue

from gate.errors import CallError, ConfigError, CredentialsError, ModelError, ReplayError
from gate.models.catalogue import load_catalogue
from gate.models.claude import ClaudeJudge, ClaudeOptions
from gate.models.connections import AnthropicConnection
from gate.types import Reply
from tests.unit.models.scripted_door import ScriptedDoor
from tests.unit.models.scripted_judge import PROMPT, Verdict, judge, last_block, says


async def test_ask__fills_in_the_form() -> None:
    """The verdict, and beside it what a report shows."""
    door = ScriptedDoor(says())

    ruling = await judge(door).ask(PROMPT, Verdict, 3, case_id="c", target="t")

    assert Verdict(reason="r", score=2) == ruling.verdict
    assert ("claude-opus-5-5", "json_schema", 1, False) == (
        ruling.model,
        ruling.form,
        ruling.calls,
        ruling.cached,
    )
    assert 0.006 == pytest.approx(ruling.cost_usd)
    assert ruling.usage is not None
    assert 1000 == ruling.usage.input_tokens
    call = door.calls[0]
    assert ("judge", "anthropic", "claude-opus-5-5", 3, None, "c", "t") == (
        call.kind,
        call.vendor,
        call.model,
        call.attempt,
        call.scope,
        call.case_id,
        call.target,
    )
    assert call.reserve_usd is not None
    assert call.reserve_usd > 0.16


async def test_ask__cached_reply_is_marked() -> None:
    """It is left out of latency by whoever reads it."""
    assert (await judge(ScriptedDoor(says(), cached=True)).ask(PROMPT, Verdict)).cached


@pytest.mark.parametrize("bad", ["I like it.", '{"reason": "r"}', '{"reason": "r", "score": 9}'])
async def test_ask__unreadable_reply_is_repaired_once(bad: str) -> None:
    """The second call shows the first reply and the fault; both are paid for."""
    door = ScriptedDoor(says(bad), says())

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert Verdict(reason="r", score=2) == ruling.verdict
    assert 2 == ruling.calls
    assert 0.012 == pytest.approx(ruling.cost_usd)
    assert ruling.usage is not None
    assert 200 == ruling.usage.output_tokens
    assert door.calls[0].key != door.calls[1].key
    assert json.dumps(bad) in last_block(door.calls[1])
    assert json.dumps(bad) not in last_block(door.calls[0])


async def test_ask__repair_that_fails_is_a_failure() -> None:
    """There is no third try."""
    door = ScriptedDoor(says("prose"))

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.verdict is None
    assert ruling.failure is not None
    assert "judge" == ruling.failure.kind
    assert "no JSON object" in ruling.failure.message
    assert (2, 2) == (ruling.calls, len(door.calls))


async def test_ask__cut_reply_is_said_to_be_cut() -> None:
    """The repair learns of max_tokens, and so does the report."""
    door = ScriptedDoor(says('{"reason": "long', stop="max_tokens"))

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert "max_tokens cut it off" in ruling.failure.message
    assert "max_tokens cut it off" in str(door.calls[1].request)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "no content"),
        (says(""), "without text"),
        (says("", stop="max_tokens"), "raise max_tokens"),
        (says("", stop="refusal"), "refused"),
    ],
)
async def test_ask__reply_without_text_is_not_repaired(body: JsonValue, message: str) -> None:
    """Asking the same again would cost the same again."""
    door = ScriptedDoor(body)

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert "judge" == ruling.failure.kind
    assert message in ruling.failure.message
    assert 1 == len(door.calls)


async def test_ask__failed_call_is_a_failure_with_its_status() -> None:
    """A broken machine is not a bad answer."""
    door = ScriptedDoor(CallError("Claude answered 529: Overloaded", status=529, retryable=True))

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert ("judge", 529) == (ruling.failure.kind, ruling.failure.status)
    assert (0, None, None, "json_schema") == (
        ruling.calls,
        ruling.cost_usd,
        ruling.usage,
        ruling.form,
    )


async def test_ask__failed_repair_keeps_what_was_paid() -> None:
    """The first call's tokens and cost are not forgotten."""
    door = ScriptedDoor(says("prose"), CallError("gone", status=503, retryable=True))

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert 503 == ruling.failure.status
    assert 1 == ruling.calls
    assert 0.006 == pytest.approx(ruling.cost_usd)


async def test_ask__unknown_model_stops_the_run() -> None:
    """A 404 names the model, the road and what to check."""
    door = ScriptedDoor(CallError("Claude answered 404", status=404))
    vertex = judge(door, AnthropicConnection(project="p"))
    direct = judge(door, AnthropicConnection(road="direct", api_key="k"))

    with pytest.raises(
        ModelError, match=r"Google Cloud does not know claude-opus-5-5 .*Model Garden"
    ):
        await vertex.ask(PROMPT, Verdict)
    with pytest.raises(ModelError, match="the Claude API does not know claude-opus-5-5"):
        await direct.ask(PROMPT, Verdict)


async def test_ask__replay_without_the_call_is_not_hidden() -> None:
    """A missing key is an error of the replay, not of the judge."""
    with pytest.raises(ReplayError):
        await judge(ScriptedDoor(ReplayError("no such call"))).ask(PROMPT, Verdict)


async def test_ask__without_a_connection_nothing_can_be_sent() -> None:
    """Only a replay may be built so."""

    class SendingDoor(ScriptedDoor):
        async def call(self, call: Any, send: Any, price: Any) -> Reply:
            return Reply(body=await send(), latency_s=None)

    with pytest.raises(CredentialsError, match="ANTHROPIC_API_KEY"):
        await judge(SendingDoor({})).ask(PROMPT, Verdict)


@pytest.mark.parametrize(
    ("named", "cost"),
    [("claude-opus-5-5", 0.006), ("claude-opus-5", 0.0075), ("stand-in-7", 0.006)],
)
async def test_ask__priced_by_the_model_that_replied(named: str, cost: float) -> None:
    """Opus 5 is 1,000 x 5/M + 100 x 25/M; a name without a price is billed as what was asked."""
    ruling = await judge(ScriptedDoor(says(model=named))).ask(PROMPT, Verdict)

    assert named == ruling.model
    assert cost == pytest.approx(ruling.cost_usd)


async def test_ask__regional_endpoint_costs_a_tenth_more() -> None:
    """0.006 x 1.1."""
    ours = judge(ScriptedDoor(says()), AnthropicConnection(project="p", region="eu"))

    assert 0.0066 == pytest.approx((await ours.ask(PROMPT, Verdict)).cost_usd)


async def test_ask__model_outside_the_table_has_no_cost() -> None:
    """It is asked all the same."""
    ruling = await judge(ScriptedDoor(says(model="claude-9")), model="claude-9").ask(
        PROMPT, Verdict
    )

    assert ruling.verdict is not None
    assert ruling.cost_usd is None


def test_judge__retired_model_is_refused() -> None:
    """On the road that retired it, on the catalogue's day."""
    direct = AnthropicConnection(road="direct", api_key="k")
    options, door = ClaudeOptions(model="claude-sonnet-4-5"), ScriptedDoor(says())

    ClaudeJudge(options, direct, load_catalogue(date(2026, 11, 29)), door)
    with pytest.raises(ModelError, match="use claude-sonnet-5-5"):
        ClaudeJudge(options, direct, load_catalogue(date(2026, 11, 30)), door)


def test_judge__options_are_checked_at_once() -> None:
    """Before any call is paid for."""
    with pytest.raises(ConfigError, match="does not know effort"):
        judge(ScriptedDoor(says()), model="claude-haiku-4-5", effort="low")


def test_judge__family_is_loopback_for_the_stand_in() -> None:
    """So that nobody takes its figures for a vendor's."""
    door = ScriptedDoor(says())

    assert "claude" == judge(door).family
    assert "claude" == judge(door, model="claude-9").family
    assert "loopback" == judge(door, AnthropicConnection(project="p", stand_in=True)).family
    assert "claude-opus-5-5" == judge(door).model


def test_settings_digest__changes_with_what_shapes_rulings() -> None:
    """An effort that equals the default is the same setting; the connection is none."""
    door = ScriptedDoor(says())
    plain = judge(door).settings_digest

    assert plain == judge(door, effort="medium").settings_digest
    assert plain == judge(door, AnthropicConnection(project="p")).settings_digest
    others: list[dict[str, Any]] = [
        {"effort": "high"},
        {"max_tokens": 9000},
        {"thinking": "adaptive"},
    ]
    assert 4 == len({plain, *(judge(door, **one).settings_digest for one in others)})


async def test_aclose__of_a_judge_that_never_spoke() -> None:
    """Nothing was opened."""
    await judge(ScriptedDoor(says())).aclose()
    await judge(ScriptedDoor(says()), AnthropicConnection(project="p")).aclose()


class Scored(BaseModel):
    """Bounds become an enum, so two forms with other bounds are other requests."""

    score: int = Field(ge=0, le=4)


async def test_ask__form_is_part_of_the_request() -> None:
    """Another form is another call in the journal."""
    door = ScriptedDoor(says())
    ours = judge(door)

    await ours.ask(PROMPT, Verdict)
    await ours.ask(PROMPT, Scored)

    assert door.calls[0].key != door.calls[1].key
