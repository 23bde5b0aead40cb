"""A judge behind a scripted door, and what it is asked and told."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, JsonValue

from gate.models.catalogue import load_catalogue
from gate.models.claude import ClaudeJudge, ClaudeOptions
from gate.models.connections import AnthropicConnection
from gate.types import Call, Prompt
from tests.unit.models.scripted_door import ScriptedDoor

CATALOGUE = load_catalogue()
PROMPT = Prompt(system="You rate.", shared="pages", own="question", digest="d")
POLICY: JsonValue = {"error": {"message": "constraints/vertexai.allowedPartnerModelFeatures"}}


class Verdict(BaseModel):
    """A small form."""

    reason: str
    score: Literal[0, 1, 2]


def says(
    text: str = '{"reason": "r", "score": 2}',
    *,
    stop: str = "end_turn",
    model: str = "claude-opus-5-5",
) -> JsonValue:
    """A body with 1,000 tokens in and 100 out: 1,000 x 4/M + 100 x 20/M = 0.006 dollars."""
    return {
        "model": model,
        "content": [{"type": "text", "text": text}] if text else [],
        "stop_reason": stop,
        "usage": {"input_tokens": 1000, "output_tokens": 100},
    }


def last_block(call: Call) -> str:
    """The text that comes last in a call."""
    assert isinstance(call.request, dict)
    messages: Any = call.request["messages"]
    text: str = messages[-1]["content"][-1]["text"]
    return text


def judge(
    door: ScriptedDoor, connection: AnthropicConnection | None = None, **options: Any
) -> ClaudeJudge:
    """A judge behind a scripted door."""
    return ClaudeJudge(ClaudeOptions(**options), connection, CATALOGUE, door)
