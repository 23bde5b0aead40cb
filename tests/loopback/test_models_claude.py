"""Anthropic's SDK against the loopback world: every model of the table, on both roads."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from gate.errors import CallError, ModelError
from gate.loopback.server import serve
from gate.loopback.settings import read_settings
from gate.models.catalogue import load_catalogue
from gate.models.claude import ClaudeJudge, ClaudeModel, ClaudeOptions
from gate.models.connections import AnthropicConnection
from gate.templates import fence
from gate.types import Prompt, Ruling
from tests.fakes import OpenDoor

Road = Literal["vertex", "direct"]
ROADS: tuple[Road, ...] = ("vertex", "direct")
CATALOGUE = load_catalogue()
CLAUDES = [model for model in CATALOGUE.models() if model.startswith("claude-")]
PROMPT = Prompt(
    system="You rate answers.",
    own="\n\n".join(
        fence(name, text, "c")
        for name, text in {
            "question": "How high is Kveldsnut?",
            "category": "factual",
            "assertions": "- gives the height as 1,204 m",
            "answer": "Kveldsnut is 1,204 m high.",
            "sources": "[1] openlore-encyclopedia.example",
        }.items()
    ),
    digest="d",
)


class Verdict(BaseModel):
    """Three ratings."""

    justification: str
    relevance: int = Field(ge=0, le=4)
    correctness: int = Field(ge=0, le=4)
    source_quality: int = Field(ge=0, le=4)


def connection(url: str, road: Road) -> AnthropicConnection:
    """A connection to a world."""
    return AnthropicConnection(
        road=road,
        project="p",
        api_key="k",
        token="t",
        base_url=f"{url}/v1" if road == "vertex" else url,
        timeout_s=10,
        stand_in=True,
    )


def judge(url: str, road: Road, door: OpenDoor | None = None, **options: Any) -> ClaudeJudge:
    """A judge that asks a world."""
    made = ClaudeOptions(**options)
    return ClaudeJudge(made, connection(url, road), CATALOGUE, door or OpenDoor())


async def ask(url: str, road: Road, **options: Any) -> Ruling[Verdict]:
    """Ask once and close."""
    ours = judge(url, road, **options)
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
@pytest.mark.parametrize("model", CLAUDES)
async def test_ask__every_model_in_both_forms(
    world: str, road: Road, model: str, form: Literal["auto", "text"]
) -> None:
    """The request that the table gives is accepted; deprecated models raise no warning."""
    ruling = await ask(world, road, model=model, form=form)

    assert ruling.failure is None
    assert ruling.verdict is not None
    assert 4 == ruling.verdict.correctness
    assert ("json_schema" if form == "auto" else "text") == ruling.form
    assert 1 == ruling.calls
    assert ruling.cost_usd is not None
    assert ruling.cost_usd > 0


@pytest.mark.parametrize("spelling", ["claude-haiku-4-5", "claude-haiku-4-5@20251001"])
@pytest.mark.parametrize("road", ROADS)
async def test_ask__dated_model_under_any_spelling(world: str, road: Road, spelling: str) -> None:
    """Each road is sent its own name."""
    assert (await ask(world, road, model=spelling)).failure is None


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("claude-opus-5-5", {"thinking": {"type": "disabled"}}, "thinking.type.disabled"),
    ("claude-opus-5-5", {"temperature": 0}, "temperature"),
    ("claude-opus-5-5", {"top_k": 3}, "top_k"),
    ("claude-opus-5-5", {"max_tokens": 200_000}, "max_tokens"),
    (
        "claude-opus-5-5",
        {
            "tools": [{"name": "v", "input_schema": {"type": "object"}}],
            "tool_choice": {"type": "tool", "name": "v"},
        },
        'type "tool" and "any" are not supported',
    ),
    (
        "claude-opus-5-5",
        {"messages": [{"role": "user", "content": "a"}, {"role": "assistant", "content": "{"}]},
        "prefill",
    ),
    ("claude-haiku-4-5", {"output_config": {"effort": "low"}}, "effort"),
    ("claude-haiku-4-5", {"thinking": {"type": "adaptive"}}, "adaptive"),
    ("claude-opus-4-6", {"output_config": {"effort": "xhigh"}}, "effort"),
    (
        "claude-opus-5-5",
        {
            "output_config": {
                "format": {"type": "json_schema", "schema": Verdict.model_json_schema()}
            }
        },
        "",
    ),
]


@pytest.mark.parametrize("road", ROADS)
@pytest.mark.parametrize(("model", "extra", "says"), REFUSED)
async def test_create__refused_settings_are_not_tried_again(
    world: str, road: Road, model: str, extra: dict[str, Any], says: str
) -> None:
    """What the table forbids, and a schema with bounds as pydantic writes it, is a 400."""
    card = CATALOGUE.card(model)
    assert card is not None
    ours = ClaudeModel(connection(world, road))
    request: dict[str, Any] = {
        "max_tokens": 100,
        "messages": [{"role": "user", "content": "Hello"}],
        **extra,
    }

    with pytest.raises(CallError) as caught:
        await ours.create(card.name_on(road), request)
    await ours.aclose()

    assert (400, False) == (caught.value.status, caught.value.retryable)
    assert says in str(caught.value)


@pytest.mark.parametrize("road", ROADS)
async def test_ask__unknown_model_stops_the_run(world: str, road: Road) -> None:
    """The vendor's 404 becomes a sentence with what to check."""
    with pytest.raises(ModelError, match=r"does not know claude-9 \(404\)"):
        await ask(world, road, model="claude-9")


@pytest.mark.parametrize("road", ROADS)
async def test_ask__policy_turns_all_calls_to_text(road: Road) -> None:
    """Eight at once through the real client: one refusal, and one form in the end."""
    door = OpenDoor()
    async with serve(read_settings("steady+judge-policy")) as address:
        ours = judge(address.url, road, door)
        rulings = await asyncio.gather(*(ours.ask(PROMPT, Verdict, n) for n in range(8)))
        await ours.aclose()

    assert {"text"} == {ruling.form for ruling in rulings}
    assert all(ruling.verdict is not None for ruling in rulings)
    assert 9 == len(door.calls)


@pytest.mark.parametrize(
    ("fault", "status", "says"),
    [
        ("judge-529", 529, "Overloaded"),
        ("judge-401", 401, "401"),
        ("judge-503-once", 503, "unavailable"),
        ("judge-prose", None, "could not be read"),
        ("judge-braces", None, "Field required"),
        ("judge-refuses", None, "refused"),
        ("judge-truncated", None, "max_tokens"),
    ],
)
@pytest.mark.parametrize("road", ROADS)
async def test_ask__fault_is_a_failure_of_the_judge(
    road: Road, fault: str, status: int | None, says: str
) -> None:
    """Never a score."""
    async with serve(read_settings(f"steady+{fault}")) as address:
        ruling = await ask(address.url, road)

    assert ruling.verdict is None
    assert ruling.failure is not None
    assert ("judge", status) == (ruling.failure.kind, ruling.failure.status)
    assert says in ruling.failure.message


@pytest.mark.parametrize("road", ROADS)
async def test_ask__missing_model_stops_the_run(road: Road) -> None:
    """A model of the table that the project may not use."""
    async with serve(read_settings("steady+judge-404")) as address:
        with pytest.raises(ModelError, match="does not know claude-opus-5-5"):
            await ask(address.url, road)


async def test_ask__second_call_reads_the_cache(world: str) -> None:
    """System and shared part are long enough to be cached, and the next call reads them."""
    prompt = PROMPT.model_copy(update={"shared": "A page says nothing new. " * 600})
    ours = judge(world, "vertex")

    first, second = [await ours.ask(prompt, Verdict, attempt) for attempt in (0, 1)]
    await ours.aclose()

    assert first.usage is not None
    assert second.usage is not None
    assert (first.usage.cache_write_tokens or 0) > 1000
    assert (second.usage.cached_tokens or 0) > 1000
    assert first.cost_usd is not None
    assert second.cost_usd is not None
    assert second.cost_usd < first.cost_usd


@pytest.mark.parametrize("form", ["auto", "text"])
@pytest.mark.parametrize("road", ROADS)
async def test_ask__prose_is_repaired(road: Road, form: Literal["auto", "text"]) -> None:
    """The second, fresh turn shows the first reply; its verdict counts, and both are paid for."""
    async with serve(read_settings("steady+judge-repair")) as address:
        ruling = await ask(address.url, road, form=form)

    assert ruling.failure is None
    assert ruling.verdict is not None
    assert 4 == ruling.verdict.correctness
    assert 2 == ruling.calls
