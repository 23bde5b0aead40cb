"""A Gemini judge behind a scripted door, and what it is told."""

from __future__ import annotations

from typing import Any

from pydantic import JsonValue

from gate.models.catalogue import load_catalogue
from gate.models.connections import GoogleConnection
from gate.models.gemini_judge import GeminiJudge, GeminiJudgeOptions
from gate.types import Call
from tests.unit.models.scripted_door import ScriptedDoor

CATALOGUE = load_catalogue()
FLASH = "gemini-3.5-flash-lite"


def refused(sentence: str) -> JsonValue:
    """The body that a refusal is kept as."""
    return {"error": {"code": 400, "message": f"Gemini answered 400: {sentence}"}}


TOO_COMPLEX = refused(
    "The specified schema produces a constraint that has too many states for serving."
)
BARE = refused("Request contains an invalid argument.")


def says(
    text: str = '{"reason": "r", "score": 2}', *, stop: str = "STOP", model: str = FLASH
) -> JsonValue:
    """A body with 1,000 tokens in and 100 out: 1,000 x 0.30/M + 100 x 2.50/M = 0.00055 dollars."""
    content: dict[str, JsonValue] = {"role": "model"}
    if text:
        content["parts"] = [{"text": "hidden", "thought": True}, {"text": text}]
    return {
        "candidates": [{"content": content, "finishReason": stop}],
        "usageMetadata": {
            "promptTokenCount": 1000,
            "candidatesTokenCount": 60,
            "thoughtsTokenCount": 40,
        },
        "modelVersion": model,
    }


def parts_of(call: Call) -> list[str]:
    """The texts of a call's one turn."""
    request: Any = call.request
    (turn,) = request["contents"]
    return [part["text"] for part in turn["parts"]]


def settings_of(call: Call) -> dict[str, Any]:
    """A call's `generationConfig`."""
    request: Any = call.request
    return dict(request["generationConfig"])


def judge(
    door: ScriptedDoor, connection: GoogleConnection | None = None, **options: Any
) -> GeminiJudge:
    """A judge behind a scripted door."""
    made = GeminiJudgeOptions(**{"model": FLASH, **options})
    return GeminiJudge(made, connection, CATALOGUE, door)
