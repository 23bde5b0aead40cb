"""Gemini as a judge: what becomes a verdict, a failure or the end of the run, and in which form."""

from __future__ import annotations

import asyncio
import re
from datetime import date
from typing import Any

import pytest
from pydantic import JsonValue

from gate.errors import CallError, ConfigError, CredentialsError, ModelError
from gate.models.catalogue import load_catalogue
from gate.models.connections import GoogleConnection
from gate.models.gemini import GeminiModel
from gate.models.gemini_judge import GeminiJudge, GeminiJudgeOptions
from gate.models.judge_replies import hear
from gate.types import Call, Reply
from tests.unit.models.scripted_door import ScriptedDoor
from tests.unit.models.scripted_gemini import (
    BARE,
    FLASH,
    TOO_COMPLEX,
    judge,
    parts_of,
    refused,
    says,
    settings_of,
)
from tests.unit.models.scripted_judge import PROMPT, Verdict

VERTEX = GoogleConnection(project="p")


class SendingDoor(ScriptedDoor):
    """Sends what it is handed, and remembers which bodies a journal would keep."""

    async def call(self, call: Call, send: Any, price: Any) -> Reply:
        """Send once."""
        body = await send()
        self.calls.append(call)
        self.costs.append(price(body))
        return Reply(body=body, latency_s=None)


def forms(door: ScriptedDoor) -> list[str]:
    """How each call asked for its reply."""
    return [
        "json_schema" if "responseJsonSchema" in settings_of(call) else "text"
        for call in door.calls
    ]


async def test_ask__fills_in_the_form() -> None:
    """The verdict, and beside it what a report shows; thoughts are no part of the text."""
    door = ScriptedDoor(says())

    ruling = await judge(door).ask(PROMPT, Verdict, 3, case_id="c", target="t")

    assert Verdict(reason="r", score=2) == ruling.verdict
    assert (FLASH, "json_schema", 1, False) == (
        ruling.model,
        ruling.form,
        ruling.calls,
        ruling.cached,
    )
    assert 0.00055 == pytest.approx(ruling.cost_usd)
    assert ruling.usage is not None
    assert (1000, 100, 40) == (
        ruling.usage.input_tokens,
        ruling.usage.output_tokens,
        ruling.usage.thinking_tokens,
    )
    call = door.calls[0]
    assert ("judge", "google", FLASH, 3, None, "c", "t", True) == (
        call.kind,
        call.vendor,
        call.model,
        call.attempt,
        call.scope,
        call.case_id,
        call.target,
        call.quotes_pages,
    )
    assert call.reserve_usd is not None
    assert call.reserve_usd > 8192 * 2.5e-6


async def test_ask__repeats_are_calls_of_their_own() -> None:
    """A cache never hides the judge's variance, and marks what came from it."""
    door = ScriptedDoor(says(), cached=True)
    ours = judge(door)

    rulings = [await ours.ask(PROMPT, Verdict, attempt) for attempt in (0, 1, 1)]

    assert 2 == len({call.key for call in door.calls})
    assert all(ruling.cached for ruling in rulings)


async def test_ask__unreadable_reply_is_repaired_once() -> None:
    """The repair comes last in the same turn; a second unreadable reply is a failure."""
    door = ScriptedDoor(says("I like it."), says(), says("prose"))
    ours = judge(door)

    mended = await ours.ask(PROMPT, Verdict)
    broken = await ours.ask(PROMPT, Verdict)

    assert Verdict(reason="r", score=2) == mended.verdict
    assert 0.0011 == pytest.approx(mended.cost_usd)
    assert parts_of(door.calls[0]) == parts_of(door.calls[1])[:-1]
    assert '"I like it."' in parts_of(door.calls[1])[-1]
    assert broken.failure is not None
    assert ("judge", 2) == (broken.failure.kind, broken.calls)
    assert "no JSON object" in broken.failure.message


async def test_ask__cut_reply_is_said_to_be_cut() -> None:
    """The repair names the option, and so does the report."""
    door = ScriptedDoor(says('{"reason": "long', stop="MAX_TOKENS"))

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert "max_output_tokens cut it off" in ruling.failure.message
    assert "max_output_tokens cut it off" in parts_of(door.calls[1])[-1]


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ({}, "no candidate"),
        ({"promptFeedback": {"blockReason": "SAFETY"}}, r"blocked this case \(SAFETY\)"),
        (says('{"reason": "r", "score": 2}', stop="RECITATION"), r"stopped its reply \(RECIT"),
        (says(""), r"without text \(finish reason STOP\)"),
        (says("", stop="MAX_TOKENS"), "raise max_output_tokens"),
    ],
    ids=["no candidates", "blocked", "filtered", "empty", "thoughts only"],
)
async def test_ask__reply_without_text_is_a_failure(body: JsonValue, message: str) -> None:
    """It is never a score, and asking the same again would cost the same again."""
    door = ScriptedDoor(body)

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert ruling.verdict is None
    assert "judge" == ruling.failure.kind
    assert re.search(message, ruling.failure.message)
    assert 1 == len(door.calls)


async def test_ask__failed_call_is_a_failure_with_its_status() -> None:
    """A broken machine is not a bad answer."""
    door = ScriptedDoor(CallError("Gemini answered 503: busy", status=503, retryable=True))

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert ("judge", 503, 0) == (ruling.failure.kind, ruling.failure.status, ruling.calls)


@pytest.mark.parametrize("refusal", [TOO_COMPLEX, BARE], ids=["named", "bare"])
async def test_ask__refused_schema_turns_the_run_to_text(refusal: JsonValue) -> None:
    """Twenty at once: one refusal, which costs nothing; then all go in text."""
    door = ScriptedDoor(refusal, says())
    ours = judge(door)

    rulings = await asyncio.gather(*(ours.ask(PROMPT, Verdict, n) for n in range(20)))

    assert {"text"} == {ruling.form for ruling in rulings}
    assert all(ruling.verdict is not None for ruling in rulings)
    assert ["json_schema", *["text"] * 20] == forms(door)
    assert 0.0 == door.costs[0]
    assert door.busiest > 1


async def test_ask__request_that_is_bad_in_text_as_well_changes_no_form() -> None:
    """It was not the schema: the next ruling is asked for with it again."""
    bad = CallError("Gemini answered 400: Request contains an invalid argument.", status=400)
    door = ScriptedDoor(BARE, bad, says())
    ours = judge(door)

    first, second = await ours.ask(PROMPT, Verdict), await ours.ask(PROMPT, Verdict)

    assert first.failure is not None
    assert 400 == first.failure.status
    assert second.verdict is not None
    assert ["json_schema", "text", "json_schema"] == forms(door)


async def test_ask__schema_refused_after_a_ruling_stops_the_run() -> None:
    """One run uses one form; what may be something else costs one case only."""
    ours = judge(ScriptedDoor(says(), BARE, TOO_COMPLEX))
    await ours.ask(PROMPT, Verdict)

    unsure = await ours.ask(PROMPT, Verdict)

    assert unsure.failure is not None
    assert ("judge", 400) == (unsure.failure.kind, unsure.failure.status)
    with pytest.raises(ModelError, match="set form: text"):
        await ours.ask(PROMPT, Verdict)


async def test_ask__bare_refusal_is_kept_only_until_the_form_is_settled(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A replay must see what settled the form; what fails later may be asked again by a rerun."""
    bad = CallError("Gemini answered 400: Request contains an invalid argument.", status=400)
    script = [bad, says(), bad]

    async def generate(self: object, model: str, request: object) -> JsonValue:
        told = script.pop(0)
        if isinstance(told, CallError):
            raise told
        return told

    monkeypatch.setattr(GeminiModel, "generate", generate)
    door = SendingDoor(None)
    first = await judge(door, VERTEX).ask(PROMPT, Verdict)
    kept = SendingDoor(None)
    later = await judge(kept, VERTEX, form="json_schema").ask(PROMPT, Verdict)

    assert ("text", ["json_schema", "text"]) == (first.form, forms(door))
    assert [0.0, pytest.approx(0.00055)] == door.costs
    assert later.failure is not None
    assert (400, []) == (later.failure.status, kept.calls)


async def test_ask__written_form_is_never_changed() -> None:
    """Structured output was asked for and is refused: the user must decide."""
    with pytest.raises(ModelError, match="set form: text"):
        await judge(ScriptedDoor(TOO_COMPLEX), form="json_schema").ask(PROMPT, Verdict)
    door = ScriptedDoor(says())
    assert "text" == (await judge(door, form="text").ask(PROMPT, Verdict)).form
    assert ["text"] == forms(door)


async def test_ask__other_refusals_are_failed_calls() -> None:
    """A setting that the model does not take is no reason to ask otherwise."""
    door = ScriptedDoor(refused("Thinking level LOW is not supported for this model."))

    ruling = await judge(door).ask(PROMPT, Verdict)

    assert ruling.failure is not None
    assert "Thinking level LOW" in ruling.failure.message
    assert ["json_schema"] == forms(door)


async def test_ask__unknown_model_stops_the_run() -> None:
    """A 404 names the model, the road and what to check."""
    door = ScriptedDoor(CallError("Gemini answered 404", status=404))

    with pytest.raises(ModelError, match=f"Google Cloud does not know {FLASH} .*Model Garden"):
        await judge(door, VERTEX).ask(PROMPT, Verdict)
    with pytest.raises(ModelError, match=r"Gemini Developer API does not know .*key's project"):
        await judge(door, GoogleConnection(road="key", api_key="k")).ask(PROMPT, Verdict)


async def test_ask__without_a_connection_nothing_can_be_sent() -> None:
    """A worded error in the place of a crash."""
    with pytest.raises(CredentialsError, match="GEMINI_API_KEY"):
        await judge(SendingDoor({})).ask(PROMPT, Verdict)


@pytest.mark.parametrize(
    ("named", "cost"),
    [(FLASH, 0.00055), ("gemini-2.5-flash-lite-001", 0.00014), ("stand-in-7", 0.00055)],
)
async def test_ask__priced_by_the_model_that_replied(named: str, cost: float) -> None:
    """2.5 Flash-Lite is 1,000 x 0.10/M + 100 x 0.40/M; an unknown name is billed as the asked."""
    ruling = await judge(ScriptedDoor(says(model=named))).ask(PROMPT, Verdict)

    assert named == ruling.model
    assert cost == pytest.approx(ruling.cost_usd)


def test_judge__retired_model_is_refused() -> None:
    """On the road that retired it; under a name that is routed the other model's rules hold."""
    options, door = GeminiJudgeOptions(model="gemini-2.5-flash"), ScriptedDoor(says())
    key = GoogleConnection(road="key", api_key="k")
    december = load_catalogue(date(2026, 12, 1))

    with pytest.raises(ModelError, match=r"retired on Google Cloud .* use gemini-3.5-flash-lite"):
        GeminiJudge(options, VERTEX, load_catalogue(), door)
    GeminiJudge(options, key, december, door)
    with pytest.raises(ConfigError, match=r"answered by gemini-3.5-flash-lite\) takes no thinking"):
        GeminiJudge(options.model_copy(update={"thinking_budget": 0}), key, december, door)


def test_judge__family_is_loopback_for_the_stand_in() -> None:
    """A real one is of Gemini's, so that a Gemini target warns of self-preference."""
    door = ScriptedDoor(says())

    assert "gemini" == judge(door, VERTEX).family
    assert "gemini" == judge(door, model="gemini-99").family
    assert "loopback" == judge(door, GoogleConnection(project="p", stand_in=True)).family
    assert FLASH == judge(door).model


def test_settings_digest__changes_with_what_shapes_rulings() -> None:
    """A thinking that equals the default is the same setting; the connection is none."""
    door = ScriptedDoor(says())
    plain = judge(door).settings_digest

    assert plain == judge(door, thinking_level="medium").settings_digest
    assert plain == judge(door, VERTEX).settings_digest
    others: list[dict[str, Any]] = [
        {"model": "gemini-3.8-flash"},
        {"thinking_level": "high"},
        {"max_output_tokens": 9000},
    ]
    assert 4 == len({plain, *(judge(door, **one).settings_digest for one in others)})
    cool = [judge(door, model="gemini-2.5-pro", temperature=one) for one in (None, 0.0)]
    assert 2 == len({one.settings_digest for one in cool})


def test_hear__by_the_vendor_of_the_call() -> None:
    """What a trace shows of a ruling is read in the shape of whoever gave it."""
    theirs: JsonValue = {"content": [{"type": "text", "text": "{}"}], "stop_reason": "end_turn"}

    assert '{"reason": "r", "score": 2}' == hear("google", says()).text
    assert "{}" == hear("anthropic", theirs).text


async def test_aclose__of_a_judge_that_never_spoke() -> None:
    """Nothing was opened."""
    await judge(ScriptedDoor(says())).aclose()
    await judge(ScriptedDoor(says()), VERTEX).aclose()
