"""What a request to the stand-in for Gemini may hold, by the table of models."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from gate.loopback.google_schema_limits import google_schema_fault
from gate.models.catalogue import GeminiTraits, ModelCard

_NO_THINKING_OFF = "Budget 0 is invalid. This model only works in thinking mode."
_DYNAMIC = -1
_THOUGHTS = {"minimal": 0, "low": 60, "medium": 180, "high": 420, "xhigh": 800}
_UNREAD = "minimal"
_JSON = "application/json"
_HOTTEST = 2


@dataclass(frozen=True, slots=True)
class GeminiRequest:
    """What the stand-in reads of a request."""

    question: str
    """The text parts of the last turn of the user."""
    searches: bool
    """Whether the search tool is given."""
    thoughts: int
    """How many tokens it thinks at this setting."""
    limit: int | None
    """Most output tokens, thinking included; None is unlimited."""
    schema: Mapping[str, Any] | None = None
    """The schema that the reply must fit; None where none was sent."""


def either(fields: Mapping[str, Any], camel: str, snake: str) -> Any:
    """Return a field under either spelling; the SDK sends both kinds."""
    return fields.get(camel, fields.get(snake))


def read_gemini(body: Mapping[str, Any], card: ModelCard) -> GeminiRequest:
    """Read a request. Raises ValueError with the vendor's sentence for a 400."""
    assert card.gemini is not None
    contents = body.get("contents")
    if not isinstance(contents, list) or not contents:
        raise ValueError("* GenerateContentRequest.contents: contents is not specified")
    question = _last_text(contents)
    if not question:
        raise ValueError("Unable to submit request because it must have a text parameter.")
    config = either(body, "generationConfig", "generation_config") or {}
    thinking = either(config, "thinkingConfig", "thinking_config") or {}
    tools = body.get("tools") or []
    _check_sampling(config, card)
    return GeminiRequest(
        question=question,
        searches=any(either(tool, "googleSearch", "google_search") is not None for tool in tools),
        thoughts=_thoughts(thinking, card.gemini),
        limit=either(config, "maxOutputTokens", "max_output_tokens"),
        schema=_schema(config, card.gemini, tools=bool(tools)),
    )


def texts_of(turn: Mapping[str, Any]) -> list[str]:
    """Return the text parts of a turn, or of a system instruction."""
    return [part["text"] for part in turn.get("parts", []) if part.get("text")]


def _check_sampling(config: Mapping[str, Any], card: ModelCard) -> None:
    limit = either(config, "maxOutputTokens", "max_output_tokens")
    most = card.max_output_tokens
    if limit is not None and (limit < 1 or (most is not None and limit > most)):
        raise ValueError(
            f"Unable to submit request because it has a maxOutputTokens value of {limit} but the "
            f"supported range is from 1 (inclusive) to {(most or limit) + 1} (exclusive)."
        )
    temperature = config.get("temperature")
    if temperature is not None and not 0 <= temperature <= _HOTTEST:
        raise ValueError(
            f"Unable to submit request because it has a temperature value of {temperature} but the "
            "supported range is from 0 (inclusive) to 2.0000001 (exclusive)."
        )


def _schema(
    config: Mapping[str, Any], traits: GeminiTraits, *, tools: bool
) -> Mapping[str, Any] | None:
    kind = either(config, "responseMimeType", "response_mime_type")
    schema = either(config, "responseJsonSchema", "response_json_schema")
    if kind not in (None, "text/plain", _JSON):
        raise ValueError(f"The response mime type {kind!r} is not supported.")
    if kind == _JSON and tools:
        raise ValueError("Tool use with a response mime type: 'application/json' is unsupported")
    if schema is None:
        return None
    if kind != _JSON or not isinstance(schema, dict):
        raise ValueError("response_json_schema needs an object and the type application/json")
    if "json_schema" not in traits.reply_forms:
        raise ValueError("JSON mode is not enabled for this model")
    fault = google_schema_fault(schema)
    if fault is not None:
        raise ValueError(fault)
    return schema


def _last_text(contents: list[Any]) -> str:
    turns = [turn for turn in contents if turn.get("role", "user") == "user"]
    return "\n".join(texts_of(turns[-1])) if turns else ""


def _thoughts(thinking: Mapping[str, Any], traits: GeminiTraits) -> int:
    level = either(thinking, "thinkingLevel", "thinking_level")
    budget = either(thinking, "thinkingBudget", "thinking_budget")
    if level is not None and budget is not None:
        raise ValueError("You can only set only one of thinking budget and thinking level.")
    if traits.thinking == "budget":
        return _of_budget(level, budget, traits)
    if budget is not None:
        raise ValueError(
            _NO_THINKING_OFF
            if budget == 0
            else "Thinking budget is not supported for this model. Use thinking level instead."
        )
    chosen = str(level).lower() if level is not None else (traits.default_level or _UNREAD)
    if level is not None and chosen not in traits.levels:
        raise ValueError(f"Thinking level {str(level).upper()} is not supported for this model.")
    return _THOUGHTS[chosen]


def _of_budget(level: object, budget: int | None, traits: GeminiTraits) -> int:
    if level is not None:
        raise ValueError("Thinking level is not supported for this model.")
    if budget is None or budget == _DYNAMIC:
        return _THOUGHTS["medium"]
    if budget < (traits.min_budget or 0):
        raise ValueError(
            _NO_THINKING_OFF
            if budget == 0
            else f"The thinking budget {budget} is invalid: choose {traits.min_budget} or more."
        )
    return min(budget, _THOUGHTS["medium"])
