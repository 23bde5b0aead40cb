"""Gemini's SDK against the loopback world: every model of the table, on both roads."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any, Literal

import pytest

from gate.errors import CallError, ModelError
from gate.kit import Kit
from gate.loopback.server import serve
from gate.loopback.settings import read_settings
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections, GoogleConnection
from gate.models.gemini import GeminiModel
from gate.targets.gemini import GeminiTarget
from gate.types import Answer, Question
from tests.fakes import OpenDoor

Road = Literal["vertex", "key"]
ROADS: tuple[Road, ...] = ("vertex", "key")
CATALOGUE = load_catalogue()
GEMINIS = [model for model in CATALOGUE.models() if model.startswith("gemini-")]
QUESTION = Question(id="c", input="How high is Kveldsnut, the highest mountain on Hestrøy?")


def connection(url: str, road: Road) -> GoogleConnection:
    """A connection to a world."""
    return GoogleConnection(
        road=road, project="p", api_key="k", token="t", base_url=url, timeout_s=10, stand_in=True
    )


def target(url: str, road: Road, **options: Any) -> GeminiTarget:
    """A target that asks a world."""
    kit = Kit(
        door=OpenDoor(),
        connections=Connections(google=connection(url, road)),
        catalogue=CATALOGUE,
        read_text=lambda path: path,
        read_owned=lambda path: path,
        run_id="r",
        root=Path(),
    )
    return GeminiTarget("t", GeminiTarget.Options(**options), kit)


async def ask(url: str, road: Road, **options: Any) -> Answer:
    """Ask once and close."""
    ours = target(url, road, **{"model": "gemini-3.8-flash", **options})
    try:
        return await ours.answer(QUESTION, 0)
    finally:
        await ours.aclose()


@pytest.fixture(name="world")
async def _world() -> AsyncIterator[str]:
    """The steady world's address."""
    async with serve(read_settings("steady")) as address:
        yield address.url


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize("model", GEMINIS)
async def test_answer__every_model_with_its_least_thinking(
    world: str, road: Road, model: str
) -> None:
    """The request that the table gives is what the model accepts; retired ones are named."""
    card = CATALOGUE.card(model)
    assert card is not None
    if card.retired(road, CATALOGUE.on):
        with pytest.raises(ModelError, match="was retired on Google Cloud"):
            target(world, road, model=model)
        return

    answer = await ask(world, road, model=model)

    assert answer.failure is None
    assert "1,204" in answer.text
    assert answer.grounded
    assert answer.citations
    assert "citation_mismatch" not in answer.flags
    assert all(answer.text[one.start : one.end] == one.text for one in answer.citations)
    assert (CATALOGUE.answering(model, road) != card) == ("rerouted" in answer.flags)
    assert answer.cost_usd is not None
    assert answer.cost_usd > 0


@pytest.mark.parametrize("road", ROADS)
async def test_answer__every_option_reaches_the_vendor(world: str, road: Road) -> None:
    """The world answers 400 to what it cannot read."""
    answer = await ask(
        world,
        road,
        thinking_level="high",
        temperature=0.3,
        top_p=0.9,
        top_k=5,
        seed=1,
        system_prompt="Be brief.",
        **({"exclude_domains": ("x.example",)} if road == "vertex" else {}),
    )

    assert answer.failure is None
    assert answer.usage is not None
    assert (answer.usage.thinking_tokens or 0) > 0


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(
    ("model", "thinking", "says"),
    [
        ("gemini-3.8-flash", {"thinkingBudget": 0}, "only works in thinking mode"),
        ("gemini-3.8-flash", {"thinkingLevel": "MINIMAL"}, "MINIMAL is not supported"),
        ("gemini-3.8-flash", {"thinkingLevel": "LOW", "thinkingBudget": 5}, "only one of"),
        ("gemini-3.5-flash-lite", {"thinkingBudget": 0}, "only works in thinking mode"),
        ("gemini-4-argon", {"thinkingBudget": 512}, "Use thinking level instead"),
    ],
)
async def test_generate__refused_settings_are_not_tried_again(
    world: str, road: Road, model: str, thinking: dict[str, Any], says: str
) -> None:
    """What the target refuses before the call, the vendor refuses as well."""
    ours = GeminiModel(connection(world, road))
    request: dict[str, Any] = {
        "contents": [{"role": "user", "parts": [{"text": "Why?"}]}],
        "generationConfig": {"thinkingConfig": thinking},
    }

    with pytest.raises(CallError, match=says) as caught:
        await ours.generate(model, request)
    await ours.aclose()

    assert (400, False) == (caught.value.status, caught.value.retryable)


@pytest.mark.parametrize("road", ROADS)
async def test_answer__unknown_model_stops_the_run(world: str, road: Road) -> None:
    """The vendor's 404 becomes a sentence with what to check."""
    with pytest.raises(ModelError, match=r"does not know gemini-9-flash \(404\)"):
        await ask(world, road, model="gemini-9-flash")


@pytest.mark.parametrize(
    ("fault", "kind", "status"),
    [
        ("target-401", "error", 401),
        ("target-403", "error", 403),
        ("target-503", "error", 503),
        ("target-429-once", "error", 429),
        ("target-blocked", "blocked", None),
        ("target-garbage", "error", None),
        ("target-no-candidates", "error", None),
    ],
)
async def test_answer__fault_is_a_failure_of_its_kind(
    fault: str, kind: str, status: int | None
) -> None:
    """A broken machine is told apart from a refusal and from a blank answer."""
    async with serve(read_settings(f"steady+{fault}")) as address:
        answer = await ask(address.url, "vertex")

    assert answer.failure is not None
    assert (kind, status) == (answer.failure.kind, answer.failure.status)


async def test_answer__cut_answer_is_scored_and_flagged() -> None:
    """MAX_TOKENS with text is an answer."""
    async with serve(read_settings("steady+target-truncated")) as address:
        answer = await ask(address.url, "vertex")

    assert answer.failure is None
    assert "truncated" in answer.flags


async def test_answer__thinking_that_eats_the_answer_says_what_to_raise(world: str) -> None:
    """A limit below what the model thinks leaves no room for text."""
    answer = await ask(world, "vertex", thinking_level="high", max_output_tokens=20)

    assert answer.failure is not None
    assert "error" == answer.failure.kind
    assert "raise max_output_tokens" in answer.failure.message


async def test_answer__blank_answers_are_counted_as_empty() -> None:
    """The `empty` variant finishes without text now and then."""
    async with serve(read_settings("empty")) as address:
        ours = target(address.url, "vertex", model="gemini-3.8-flash")
        kinds = set()
        for number in range(12):
            question = Question(id=f"c{number}", input=f"What is Kveldsnut, {number}?")
            answer = await ours.answer(question, 0)
            kinds.add(answer.failure.kind if answer.failure else "text")
        await ours.aclose()

    assert "empty" in kinds
    assert kinds <= {"empty", "text"}
