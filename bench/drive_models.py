"""Drives every model of the table once on each road, with the request that it accepts.

Prints the Markdown table of docs/models.md. The loopback world answers through the vendors' real
SDK clients and refuses what the table says that a model refuses; nothing is said of real models.

    python bench/drive_models.py
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Literal

from pydantic import JsonValue

from gate.cli.offline import World, loopback_world
from gate.errors import ModelError
from gate.kit import Kit
from gate.models.catalogue import load_catalogue
from gate.models.claude import ClaudeJudge
from gate.models.claude_request import ClaudeOptions
from gate.models.connections import AnthropicConnection, Connections, GoogleConnection
from gate.models.gemini_judge import GeminiJudge, GeminiJudgeOptions
from gate.protocols import Judge
from gate.scorers.quality import QualityScorer
from gate.targets.gemini import GeminiTarget
from gate.types import Answer, Call, Case, Question, Reply, Trial
from gate.wire.door import PaidDoor, Price, Send
from gate.wire.limits import Limits
from gate.wire.purse import Purse
from gate.wire.retry import RetryPolicy

CASE = Case(
    question=Question(id="height", input="How high is Kveldsnut, the highest mountain on Hestrøy?"),
    category="factual",
    assertions=("gives the height as 1,204 m",),
)
CATALOGUE = load_catalogue(date(2026, 11, 30))
RETIRED = "retired: refused before any call"


class Recorder:
    """A door that remembers the last call."""

    def __init__(self) -> None:
        """Pay nothing, keep nothing."""
        limits = Limits(RetryPolicy(max_tries=1), {}, draw=lambda: 0.0, clock=lambda: 0.0)
        self._door = PaidDoor(None, limits, Purse())
        self.request: Mapping[str, JsonValue] = {}

    async def call(self, call: Call, send: Send, price: Price) -> Reply:
        """Remember and send."""
        assert isinstance(call.request, dict)
        self.request = call.request
        return await self._door.call(call, send, price)


async def drive_gemini(world: World, model: str, road: Literal["vertex", "key"]) -> str:
    """Ask once and say what was sent and what came back."""
    door = Recorder()
    connection = GoogleConnection(
        road=road, project="p", api_key="k", token="t", base_url=world.gemini, stand_in=True
    )
    kit = Kit(
        door=door,
        connections=Connections(google=connection),
        catalogue=CATALOGUE,
        read_text=lambda name: name,
        read_owned=lambda name: name,
        run_id="drive",
        root=Path(),
    )
    try:
        target = GeminiTarget("t", GeminiTarget.Options(model=model), kit)
        answer = await target.answer(CASE.question, 0)
        await target.aclose()
    except ModelError:
        return RETIRED
    ended = "ok" if answer.failure is None else answer.failure.message
    other = f", answered by {answer.model}" if answer.model != model else ""
    return f"{ended}: {thinking_in(door.request)}{other}"


async def drive_claude(world: World, model: str, road: Literal["vertex", "direct"]) -> str:
    """Judge once and say what was sent and what came back."""
    door = Recorder()
    base = f"{world.claude}/v1" if road == "vertex" else world.claude
    connection = AnthropicConnection(
        road=road, project="p", api_key="k", token="t", base_url=base, stand_in=True
    )
    try:
        options = ClaudeOptions(model=model)
        judge: Judge = ClaudeJudge(options, connection, CATALOGUE, door)
        said = await judged_by(judge)
    except ModelError:
        return RETIRED
    output = door.request.get("output_config")
    effort = output.get("effort") if isinstance(output, dict) else None
    return f"{said}, {f'effort {effort}' if effort else 'no effort setting'}"


async def drive_gemini_judge(world: World, model: str, road: Literal["vertex", "key"]) -> str:
    """Judge once and say what was sent and what came back."""
    door = Recorder()
    connection = GoogleConnection(
        road=road, project="p", api_key="k", token="t", base_url=world.gemini, stand_in=True
    )
    try:
        judge: Judge = GeminiJudge(GeminiJudgeOptions(model=model), connection, CATALOGUE, door)
        said = await judged_by(judge)
    except ModelError:
        return RETIRED
    return f"{said}, {thinking_in(door.request)}"


async def judged_by(judge: Judge) -> str:
    """Let a judge rate one answer, and say how that ended and in which form."""
    scorer = QualityScorer(QualityScorer.Options(), {"default": judge})
    answer = Answer(text="Kveldsnut is 1,204 m high.")
    scores = await scorer.score(Trial(case=CASE, target="t", attempt=0, answer=answer))
    await judge.aclose()
    failure = scores[0].failure
    return f"{'ok' if failure is None else failure.message}: {scores[0].form}"


def thinking_in(request: Mapping[str, JsonValue]) -> str:
    """Say which thinking a request to Gemini asks for."""
    config = request.get("generationConfig")
    thinking = config.get("thinkingConfig") if isinstance(config, dict) else None
    told = thinking.items() if isinstance(thinking, dict) else ()
    return ", ".join(f"{key} {value}" for key, value in told) or "no thinking setting"


async def main() -> None:
    """Print the tables."""
    with loopback_world("steady", lambda: None) as world:
        print("| answering model | Google Cloud | Gemini API key |\n|---|---|---|")
        for model in CATALOGUE.models():
            if model.startswith("gemini"):
                cells = [await drive_gemini(world, model, road) for road in ("vertex", "key")]
                print(f"| `{model}` | {' | '.join(cells)} |")
        print("\n| judge | Google Cloud | Claude API |\n|---|---|---|")
        for model in CATALOGUE.models():
            if model.startswith("claude"):
                cells = [await drive_claude(world, model, road) for road in ("vertex", "direct")]
                print(f"| `{model}` | {' | '.join(cells)} |")
        print("\n| judge | Google Cloud | Gemini API key |\n|---|---|---|")
        for model in CATALOGUE.models():
            if model.startswith("gemini"):
                cells = [await drive_gemini_judge(world, model, road) for road in ("vertex", "key")]
                print(f"| `{model}` | {' | '.join(cells)} |")


if __name__ == "__main__":
    asyncio.run(main())
    sys.exit(0)
