"""Gemini's SDK against the loopback world, asked to judge: every model, both roads, both forms."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest

from gate.decision.licence import STAND_IN
from gate.errors import CallError, ModelError
from gate.loopback.gemini_judge import google_judge_name
from gate.loopback.judging.judge import judge_name
from gate.loopback.server import serve
from gate.loopback.settings import read_settings
from gate.models.catalogue import load_catalogue
from gate.models.gemini import GeminiModel
from gate.models.gemini_judge import GeminiJudge, GeminiJudgeOptions
from gate.models.gemini_judge_request import google_schema
from gate.models.json_form import form_schema
from gate.types import Ruling
from tests.fakes import OpenDoor
from tests.loopback import test_models_claude as claude
from tests.loopback.test_models_claude import PROMPT, Verdict
from tests.loopback.test_models_gemini import GEMINIS, ROADS, Road, connection
from tests.loopback.test_models_gemini import ask as ask_target

CATALOGUE = load_catalogue()


async def ask(url: str, road: Road = "vertex", **options: Any) -> Ruling[Verdict]:
    """Ask once and close."""
    made = GeminiJudgeOptions(**{"model": "gemini-4-argon", **options})
    ours = GeminiJudge(made, connection(url, road), CATALOGUE, OpenDoor())
    try:
        return await ours.ask(PROMPT, Verdict)
    finally:
        await ours.aclose()


@pytest.fixture(name="world")
async def _world() -> AsyncIterator[str]:
    """The steady world's address."""
    async with serve(read_settings("steady")) as address:
        yield address.url


@pytest.mark.parametrize("form", ["auto", "text"])
@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("model", GEMINIS)
async def test_ask__every_model_in_both_forms(
    world: str, road: Road, model: str, form: Literal["auto", "text"]
) -> None:
    """The request that the table gives is accepted; a retired model is named before any call."""
    card = CATALOGUE.card(model)
    assert card is not None
    if card.retired(road, CATALOGUE.on):
        with pytest.raises(ModelError, match="was retired on Google Cloud"):
            await ask(world, road, model=model)
        return

    ruling = await ask(world, road, model=model, form=form)

    assert ruling.failure is None
    assert ruling.verdict is not None
    assert 4 == ruling.verdict.correctness
    assert ("json_schema" if form == "auto" else "text", 1) == (ruling.form, ruling.calls)
    assert ruling.usage is not None
    assert (ruling.usage.output_tokens or 0) > (ruling.usage.thinking_tokens or 0) > 0
    assert ruling.cost_usd is not None
    assert ruling.cost_usd > 0


async def test_ask__rules_as_the_other_stand_in_does_under_another_name(world: str) -> None:
    """Two judges of a panel are told apart, and nobody takes either for a vendor's."""
    ours, other = await ask(world), await claude.ask(world, "vertex")

    assert other.verdict == ours.verdict
    assert (google_judge_name(), judge_name()) == (ours.model, other.model)
    assert google_judge_name() != judge_name()
    assert google_judge_name().startswith(STAND_IN), "else its labels would license real runs"


@pytest.mark.parametrize(
    ("fault", "form", "calls", "says"),
    [
        ("judge-schema", "text", 1, None),
        ("judge-policy", "json_schema", 1, None),
        ("judge-repair", "json_schema", 2, None),
        ("judge-prose", "json_schema", 2, "nor its repair"),
        ("judge-truncated", "json_schema", 2, "max_output_tokens cut it off"),
        ("judge-refuses", "json_schema", 1, "stopped its reply (SAFETY)"),
        ("judge-529", "json_schema", 0, "503"),
        ("judge-503-once", "json_schema", 0, "503"),
        ("judge-401", "json_schema", 0, "401"),
    ],
)
async def test_ask__meets_the_judge_s_faults(
    fault: str, form: str, calls: int, says: str | None
) -> None:
    """In Google's shape; the answering model is not touched."""
    async with serve(read_settings(f"steady+{fault}")) as address:
        ruling = await ask(address.url)
        answer = await ask_target(address.url, "vertex")

    assert (form, calls) == (ruling.form, ruling.calls)
    assert (says is None) == (ruling.verdict is not None)
    assert says is None or (ruling.failure is not None and says in ruling.failure.message)
    assert answer.failure is None


async def test_ask__model_that_is_not_there() -> None:
    """On either road the run ends, and the sentence says what to check."""
    async with serve(read_settings("steady+judge-404")) as address:
        for road in ROADS:
            with pytest.raises(ModelError, match=r"does not know gemini-4-argon \(404\)"):
                await ask(address.url, road)


async def test_ask__small_limit_is_spent_on_thoughts(world: str) -> None:
    """No text, so no ruling."""
    ruling = await ask(world, max_output_tokens=20)

    assert ruling.failure is not None
    assert "raise max_output_tokens" in ruling.failure.message


@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"responseMimeType": "text/plain"}, "needs an object and the type"),
        ({"responseJsonSchema": form_schema(Verdict) | {"not": {}}}, 'Unknown name "not"'),
        ({"responseJsonSchema": {"$ref": "#/$defs/A", "type": "object"}}, "may hold no other"),
        ({"responseJsonSchema": {"enum": [True]}}, "only strings and numbers"),
        ({"maxOutputTokens": 40000}, "supported range"),
        ({"temperature": 3}, "temperature value of 3"),
        ({"thinkingConfig": {"thinkingBudget": 9}}, "Use thinking level instead"),
    ],
)
async def test_world__refuses_what_the_vendor_refuses(
    world: str, settings: dict[str, Any], says: str
) -> None:
    """400, with a sentence; what the judge sends is none of it."""
    model = GeminiModel(connection(world, "vertex"))
    sound = {
        "responseMimeType": "application/json",
        "responseJsonSchema": google_schema(form_schema(Verdict)),
    }
    body: Any = {
        "contents": [{"role": "user", "parts": [{"text": PROMPT.own}]}],
        "generationConfig": {**sound, **settings},
    }

    with pytest.raises(CallError, match=says) as caught:
        await model.generate("gemini-4-argon", body)
    await model.aclose()

    assert 400 == caught.value.status


async def test_world__target_with_a_schema_in_its_prompt_still_answers(world: str) -> None:
    """Only what holds a judge's fenced sections beside a form is rated."""
    shown = '```json\n{"type": "object", "properties": {"a": {"type": "string"}}}\n```'
    answer = await ask_target(world, "vertex", search=False, system_prompt=shown)

    assert answer.failure is None
    assert answer.model == "gemini-3.8-flash"
