"""One run uses one reply form: what settles it, and what happens when it is refused."""

from __future__ import annotations

import asyncio

import pytest

from gate.errors import CallError, ModelError
from gate.types import Call
from tests.unit.models.scripted_door import ScriptedDoor
from tests.unit.models.scripted_judge import POLICY, PROMPT, Verdict, judge, says


def forms(door: ScriptedDoor) -> list[str]:
    """How each call asked for its reply."""
    return [form(call) for call in door.calls]


def form(call: Call) -> str:
    """How a call asked for its reply."""
    assert isinstance(call.request, dict)
    output = call.request.get("output_config")
    return "json_schema" if isinstance(output, dict) and "format" in output else "text"


async def test_ask__policy_turns_the_run_to_text() -> None:
    """The refusal costs nothing, and the form is kept from then on."""
    door = ScriptedDoor(POLICY, says())
    ours = judge(door)

    first, second = await ours.ask(PROMPT, Verdict), await ours.ask(PROMPT, Verdict)

    assert ("text", "text") == (first.form, second.form)
    assert (1, 1) == (first.calls, second.calls)
    assert ["json_schema", "text", "text"] == forms(door)
    assert 0.0 == door.costs[0]
    assert 0.006 == pytest.approx(first.cost_usd)


async def test_ask__first_call_settles_the_form_before_others_go() -> None:
    """Twenty at once: one refusal only, then all go at once in text."""
    door = ScriptedDoor(POLICY, says())
    ours = judge(door)

    rulings = await asyncio.gather(*(ours.ask(PROMPT, Verdict, n) for n in range(20)))

    assert {"text"} == {ruling.form for ruling in rulings}
    assert ["json_schema", *["text"] * 20] == forms(door)
    assert door.busiest > 1


async def test_ask__transient_first_failure_does_not_settle_the_form() -> None:
    """The refusal comes later, to several at once; all of them end in text."""
    busy = CallError("busy", status=503, retryable=True)
    door = ScriptedDoor(busy, POLICY, POLICY, says())
    ours = judge(door)

    failed = await ours.ask(PROMPT, Verdict)
    rulings = await asyncio.gather(*(ours.ask(PROMPT, Verdict, n) for n in range(2)))

    assert failed.failure is not None
    assert ["text", "text"] == [ruling.form for ruling in rulings]
    assert all(ruling.verdict is not None for ruling in rulings)


async def test_ask__refusal_after_a_structured_ruling_stops_the_run() -> None:
    """One run uses one form: it is not changed half-way."""
    ours = judge(ScriptedDoor(says(), POLICY, says()))
    await ours.ask(PROMPT, Verdict)

    with pytest.raises(ModelError, match="organisation policy"):
        await ours.ask(PROMPT, Verdict)


async def test_ask__written_form_is_never_changed() -> None:
    """Structured output was asked for and is refused: the user must decide."""
    with pytest.raises(ModelError, match="set form: text"):
        await judge(ScriptedDoor(POLICY, says()), form="json_schema").ask(PROMPT, Verdict)


async def test_ask__text_form_reads_the_same_verdict() -> None:
    """Fenced, as models like to write."""
    door = ScriptedDoor(says('```json\n{"reason": "has ``` in it", "score": 1}\n```'))

    ruling = await judge(door, form="text").ask(PROMPT, Verdict)

    assert Verdict(reason="has ``` in it", score=1) == ruling.verdict
    assert "text" == ruling.form
