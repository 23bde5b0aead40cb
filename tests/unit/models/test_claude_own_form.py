"""Prompts that show their form themselves: one cached prefix for calls with different forms."""

from __future__ import annotations

import asyncio
from typing import Any

from gate.models.claude_request import ClaudeOptions, judge_request
from gate.models.json_form import form_schema
from gate.types import Call, Prompt
from tests.unit.models.scripted_door import ScriptedDoor
from tests.unit.models.scripted_judge import (
    CATALOGUE,
    POLICY,
    PROMPT,
    Verdict,
    judge,
    last_block,
    says,
)

OWN = PROMPT.model_copy(update={"schema_in": "own"})


def request(prompt: Prompt, form: str = "text", **more: Any) -> dict[str, Any]:
    """A request for the small form."""
    return judge_request(
        ClaudeOptions(),
        CATALOGUE.card("claude-opus-5-5"),
        prompt,
        form_schema(Verdict),
        form=form,  # type: ignore[arg-type]
        **more,
    )


def sent(call: Call) -> dict[str, Any]:
    """The body of a call."""
    assert isinstance(call.request, dict)
    return call.request


def test_request__schema_ends_the_own_part_and_no_format_is_sent() -> None:
    """System and shared part stay those of any other form."""
    made = request(OWN)

    assert [PROMPT.system] == [block["text"] for block in made["system"]]
    shared, own = made["messages"][0]["content"]
    assert (PROMPT.shared, {"type": "ephemeral"}) == (shared["text"], shared["cache_control"])
    assert own["text"].startswith(f"{PROMPT.own}\n\n# Form of the reply")
    assert own["text"].endswith("```")
    assert '"additionalProperties": false' in own["text"]
    assert {"effort": "medium"} == made["output_config"]


def test_request__schema_that_the_system_text_shows_is_not_sent_again() -> None:
    """Nothing is added to what the prompt says, neither a text nor a format."""
    made = request(PROMPT.model_copy(update={"schema_in": "system"}))

    assert [PROMPT.system] == [block["text"] for block in made["system"]]
    assert [PROMPT.shared, PROMPT.own] == [one["text"] for one in made["messages"][0]["content"]]
    assert {"effort": "medium"} == made["output_config"]


def test_request__repair_comes_last() -> None:
    """After the schema, in a block of its own."""
    blocks = request(OWN, repair="mend it")["messages"][0]["content"]

    assert "mend it" == blocks[-1]["text"]
    assert "```json" in blocks[-2]["text"]


def test_request__schema_in_the_system_text_otherwise() -> None:
    """As before, for prompts that share nothing."""
    made = request(PROMPT)

    assert "```json" in made["system"][0]["text"]
    assert "question" == made["messages"][0]["content"][-1]["text"]


async def test_judge__asks_in_text_and_settles_nothing() -> None:
    """A run's first other prompt still finds out which form the project allows."""
    door = ScriptedDoor(says(), POLICY, says(), says())
    ours = judge(door)

    first = await ours.ask(OWN, Verdict)
    second = await ours.ask(PROMPT, Verdict)
    third = await ours.ask(OWN, Verdict)

    assert ["text"] * 3 == [ruling.form for ruling in (first, second, third)]
    formats = ["format" in sent(call)["output_config"] for call in door.calls]
    assert [False, True, False, False] == formats


async def test_judge__keeps_structured_output_for_the_others() -> None:
    """One run may hold both kinds of prompt; each names its form."""
    door = ScriptedDoor(says(), says(), says())
    ours = judge(door, form="json_schema")

    rulings = [await ours.ask(one, Verdict) for one in (PROMPT, OWN, PROMPT)]

    assert ["json_schema", "text", "json_schema"] == [one.form for one in rulings]


async def test_judge__repairs_once_in_the_same_form() -> None:
    """The repeated request shows the form again."""
    door = ScriptedDoor(says("prose"), says())

    ruling = await judge(door).ask(OWN, Verdict)

    assert (2, "text") == (ruling.calls, ruling.form)
    assert ruling.verdict is not None
    assert "could not be read" in last_block(door.calls[1])
    assert "```json" in sent(door.calls[1])["messages"][0]["content"][1]["text"]


async def test_judge__failed_call_names_the_form_that_was_asked_for() -> None:
    """Text, though the run's own form is another."""
    ruling = await judge(ScriptedDoor(says(""))).ask(OWN, Verdict)

    assert ruling.failure is not None
    assert "text" == ruling.form


async def test_judge__first_of_the_others_still_goes_alone() -> None:
    """An own-form prompt came first; of two others together one alone meets the refusal."""
    door = ScriptedDoor(says(), POLICY, says(), says())
    ours = judge(door)
    await ours.ask(OWN, Verdict)

    rulings = await asyncio.gather(ours.ask(PROMPT, Verdict), ours.ask(PROMPT, Verdict))

    assert ["text", "text"] == [one.form for one in rulings]
    assert [False, True, False, False] == [
        "format" in sent(call)["output_config"] for call in door.calls
    ]
