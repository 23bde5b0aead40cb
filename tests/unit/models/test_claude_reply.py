"""Claude's replies, as captured on the wire and made by hand at the edges."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic import JsonValue

from gate.models.claude_reply import hear, refuses_structured_output
from gate.models.rulings import total_usage
from gate.types import Usage

POLICY: JsonValue = {
    "error": {
        "code": 400,
        "message": "constraints/vertexai.allowedPartnerModelFeatures violated",
        "status": "FAILED_PRECONDITION",
    }
}


@pytest.fixture(name="wire")
def _wire(data_dir: Path) -> Any:
    """Loads a captured body by name."""
    return lambda name: json.loads((data_dir / "wire" / f"{name}.json").read_text("utf-8"))


def message(*blocks: dict[str, Any], stop: str = "end_turn", **more: Any) -> dict[str, Any]:
    """A body."""
    return {"model": "m", "content": [*blocks], "stop_reason": stop, **more}


def test_hear__thinking_block_is_passed_over(wire: Any) -> None:
    """Blocks are picked by type; all input counts as input."""
    heard = hear(wire("claude_message_thinking"))

    assert {"relevance": 0.9, "rationale": "ok"} == json.loads(heard.text)
    assert heard.failure is None
    assert "claude-opus-4-8" == heard.model
    assert (
        Usage(
            input_tokens=1521,
            output_tokens=14,
            thinking_tokens=9,
            cached_tokens=0,
            cache_write_tokens=1500,
        )
        == heard.usage
    )


def test_hear__cache_hit(wire: Any) -> None:
    """21 plain tokens and 1,500 read ones."""
    usage = hear(wire("claude_message_cache_hit")).usage

    assert usage is not None
    assert (1521, 1500, 0) == (usage.input_tokens, usage.cached_tokens, usage.cache_write_tokens)


def test_hear__cut_text_is_heard_and_marked(wire: Any) -> None:
    """Whether it can be read is decided later."""
    heard = hear(wire("claude_message_truncated"))

    assert heard.truncated
    assert heard.failure is None
    assert '{"relevance": 0.' == heard.text


@pytest.mark.parametrize("name", ["claude_message_refusal", "claude_message_tool_use"])
def test_hear__reply_without_text_is_a_failure(wire: Any, name: str) -> None:
    """A refusal, and a tool call that nobody asked for; both are paid for."""
    heard = hear(wire(name))

    assert heard.failure is not None
    assert "judge" == heard.failure.kind
    assert heard.usage is not None


@pytest.mark.parametrize(
    ("body", "says"),
    [
        ({}, "no content to read"),
        ([], "no content to read"),
        (None, "no content to read"),
        ({"content": None}, "no content to read"),
        (message(), "without text (stop reason end_turn)"),
        (message({"type": "text", "text": " "}), "without text"),
        (message({"type": "thinking", "thinking": ""}, stop="max_tokens"), "raise max_tokens"),
        (message({"type": "text", "text": "a"}, stop="refusal"), "refused to rate this case"),
        (message(stop="model_context_window_exceeded"), "hand over less text"),
        (
            message(stop="refusal", stop_details={"category": "bio", "explanation": "no."}),
            "bio: no.",
        ),
    ],
)
def test_hear__says_what_is_wrong(body: Any, says: str) -> None:
    """One sentence for each way to say nothing."""
    failure = hear(body).failure

    assert failure is not None
    assert "judge" == failure.kind
    assert says in failure.message


def test_hear__no_usage_is_unknown() -> None:
    """Never 0."""
    assert hear(message({"type": "text", "text": "a"})).usage is None


def test_refuses_structured_output__only_the_policys_error() -> None:
    """A message that quotes the constraint is a message."""
    quoting = message({"type": "text", "text": "allowedPartnerModelFeatures"}, error=None)

    assert refuses_structured_output(POLICY)
    assert not refuses_structured_output(quoting)
    assert not refuses_structured_output({"error": {"message": "other"}})
    assert not refuses_structured_output([])


def test_total_usage__adds_what_is_known() -> None:
    """A count that no call gave stays unknown."""
    total = total_usage([Usage(input_tokens=1, output_tokens=2), None, Usage(input_tokens=3)])

    assert Usage(input_tokens=4, output_tokens=2) == total
    assert total_usage([None]) is None
