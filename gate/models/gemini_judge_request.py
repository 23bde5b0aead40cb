"""The request to a Gemini judge: what its model accepts, and the schema in Google's dialect."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from gate.errors import ConfigError
from gate.models.card import GEMINI_NAME, Level, ModelCard
from gate.models.judge_texts import ReplyForm, with_form
from gate.models.thinking import gemini_thinking
from gate.types import Prompt

_DYNAMIC: Final = -1
_MIDDLE: Final = "medium"
_INNER: Final = ("items", "anyOf")


class GeminiJudgeOptions(BaseModel):
    """Options of a Gemini judge."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(pattern=GEMINI_NAME, description="The model that judges.")
    """Its name, such as `gemini-4-argon`; the vendor's path before it is taken off."""
    thinking_level: Level | None = Field(
        default=None, description="How much Gemini 3 and later think; medium without it."
    )
    """`medium` without it: always sent, so that it is recorded."""
    thinking_budget: int | None = Field(
        default=None,
        ge=-1,
        description="Tokens that Gemini 2.5 may think; -1, its own choice, without it.",
    )
    """For Gemini 2.5; 0 is off where the model allows it, -1 lets it choose."""
    max_output_tokens: int = Field(
        default=8192, ge=1, description="Longest reply in tokens, thinking included."
    )
    """Longest reply in tokens, thinking included."""
    form: Literal["auto", "json_schema", "text"] = Field(
        default="auto",
        description="Reply form; auto takes json_schema, or text where the schema is refused.",
    )
    """`auto` takes json_schema, or text where the vendor refuses the schema."""
    temperature: float | None = Field(
        default=None,
        ge=0,
        le=2,
        description="Sampling temperature, of Gemini 2.5 only; the vendor's default without it.",
    )
    """Only where the table of models says that it may be set; the vendor's default without it."""


def check_options(options: GeminiJudgeOptions, card: ModelCard | None) -> None:
    """Raise ConfigError, with what to write instead, for what the model would refuse.

    `card` is of the model that answers; an unknown model (no card) is sent what was written.
    """
    name, gemini = options.model, None if card is None else card.gemini
    thinking_of(options, card)
    if card is None:
        return
    if gemini is None:
        raise ConfigError(
            f"{name} is no Gemini model: name one that is, or judge with `use: claude`"
        )
    limit = card.max_output_tokens
    if limit is not None and options.max_output_tokens > limit:
        raise ConfigError(f"{name} gives {limit} output tokens at most: lower max_output_tokens")
    if options.temperature is not None and not gemini.sampling:
        raise ConfigError(
            f"{name} is to be left at its own temperature, as Google says: leave temperature out"
        )
    if options.form != "auto" and options.form not in gemini.reply_forms:
        raise ConfigError(f"{name} does not know form: {options.form}: write form: auto")


def first_form(options: GeminiJudgeOptions, card: ModelCard | None) -> ReplyForm:
    """Return the reply form to begin with: structured output unless the table denies it."""
    if options.form != "auto":
        return options.form
    known = card is None or card.gemini is None or "json_schema" in card.gemini.reply_forms
    return "json_schema" if known else "text"


def thinking_of(options: GeminiJudgeOptions, card: ModelCard | None) -> dict[str, JsonValue]:
    """Return the `thinkingConfig`: what was written, or a medium one; empty for unknown models.

    A judge that thinks least, as an answering model is asked to, would be another instrument.
    Raises ConfigError for what the model would refuse.
    """
    chosen = options.thinking_level is not None or options.thinking_budget is not None
    gemini = None if card is None or chosen else card.gemini
    if gemini is not None and gemini.thinking == "budget":
        return {"thinkingBudget": _DYNAMIC}
    if gemini is not None and _MIDDLE in gemini.levels:
        return {"thinkingLevel": _MIDDLE.upper()}
    return gemini_thinking(card, options.model, options.thinking_level, options.thinking_budget)


def judge_request(
    options: GeminiJudgeOptions,
    card: ModelCard | None,
    prompt: Prompt,
    schema: Mapping[str, JsonValue],
    *,
    form: ReplyForm,
    repair: str | None = None,
) -> dict[str, JsonValue]:
    """Return a `generateContent` body without the model's name.

    What calls share comes first, as Google's implicit cache needs it: the system text, then the
    shared part. `repair` is added last, in the same fresh turn. No tool is ever offered.
    """
    system, own = with_form(prompt, schema, form)
    parts: list[JsonValue] = [{"text": text} for text in (prompt.shared, own, repair) if text]
    settings: dict[str, JsonValue] = {"maxOutputTokens": options.max_output_tokens}
    if options.temperature is not None:
        settings["temperature"] = options.temperature
    thinking = thinking_of(options, card)
    if thinking:
        settings["thinkingConfig"] = thinking
    if form == "json_schema":
        settings["responseMimeType"] = "application/json"
        settings["responseJsonSchema"] = google_schema(schema)
    return {
        "systemInstruction": {"parts": [{"text": system}]},
        "contents": [{"role": "user", "parts": parts}],
        "generationConfig": settings,
    }


def google_schema(schema: Mapping[str, JsonValue]) -> dict[str, JsonValue]:
    """Return a schema of `form_schema` in the dialect of `responseJsonSchema`.

    Google knows neither `const`, which becomes an enum of one, nor `allOf`, whose parts are put
    together; the order of the properties is written down, since a verdict rests on the words before
    it (google-genai 3.6.1, `GenerateContentConfig.response_json_schema`).
    """
    node = dict(schema)
    if "const" in node:
        node["enum"] = [node.pop("const")]
    every = node.pop("allOf", None)
    for one in every if isinstance(every, list) else []:
        node |= one if isinstance(one, dict) else {}
    for key in _INNER:
        if key in node:
            node[key] = _inner(node[key])
    for key in ("properties", "$defs"):
        found = node.get(key)
        if isinstance(found, dict):
            node[key] = {name: _inner(one) for name, one in found.items()}
    properties = node.get("properties")
    if isinstance(properties, dict) and properties:
        node["propertyOrdering"] = [*properties]
    return {"$ref": node["$ref"]} if "$ref" in node else node


def _inner(value: JsonValue) -> JsonValue:
    if isinstance(value, list):
        return [_inner(one) for one in value]
    return google_schema(value) if isinstance(value, dict) else value
