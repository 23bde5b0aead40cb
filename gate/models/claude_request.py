"""The request to a Claude judge: what its model accepts, and the parts in caching order."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from gate.errors import ConfigError
from gate.models.card import Effort, ModelCard
from gate.models.judge_texts import ReplyForm, with_form
from gate.types import Prompt

_CACHED: JsonValue = {"type": "ephemeral"}


class ClaudeOptions(BaseModel):
    """Options of a Claude judge."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str = Field(
        default="claude-opus-5-5", min_length=1, description="The model that judges."
    )
    """Its name; Google Cloud's spelling with `@` is known, too."""
    effort: Effort | None = Field(
        default=None, description="How much it thinks; medium where the model has efforts."
    )
    """`medium` without it, where the model has efforts: always sent, so that it is recorded."""
    max_tokens: int = Field(
        default=8000, ge=1, description="Longest reply in tokens, thinking included."
    )
    """Longest reply in tokens, thinking included."""
    form: Literal["auto", "json_schema", "text"] = Field(
        default="auto",
        description="Reply form; auto takes json_schema, or text where a policy refuses that.",
    )
    """`auto` takes json_schema, or text where the organisation's policy refuses that."""
    thinking: Literal["adaptive", "disabled"] | None = Field(
        default=None, description="Thinking mode; the model's default without it."
    )
    """The model's default without it."""


def check_options(options: ClaudeOptions, card: ModelCard | None) -> None:
    """Raise ConfigError, with what to write instead, for what the model would refuse.

    An unknown model (no card) is sent what was written.
    """
    name, claude = options.model, None if card is None else card.claude
    if card is None:
        return
    if claude is None:
        raise ConfigError(
            f"{name} is no Claude model: name one that is, or judge with `use: gemini`"
        )
    if options.effort is not None and options.effort not in claude.efforts:
        known = f"write one of {', '.join(claude.efforts)}" if claude.efforts else "leave it out"
        raise ConfigError(f"{name} does not know effort: {options.effort}: {known}")
    if options.thinking is not None and options.thinking not in claude.thinking:
        raise ConfigError(f"{name} does not know thinking: {options.thinking}: leave it out")
    bound, effort = claude.bounded_by, effort_of(options, card)
    bounded = options.thinking == "disabled" and bound is not None and effort is not None
    if bounded and claude.efforts.index(effort) > claude.efforts.index(bound):
        raise ConfigError(f"{name} must think at effort: {effort}: write {bound} or less")
    if options.form != "auto" and options.form not in claude.reply_forms:
        raise ConfigError(f"{name} does not know form: {options.form}: write form: auto")
    if card.max_output_tokens is not None and options.max_tokens > card.max_output_tokens:
        raise ConfigError(f"{name} gives {card.max_output_tokens} tokens at most: lower max_tokens")


def first_form(options: ClaudeOptions, card: ModelCard | None) -> ReplyForm:
    """Return the form to begin with: the wanted one, or the best that the model knows."""
    if options.form != "auto":
        return options.form
    known = card is None or card.claude is None or "json_schema" in card.claude.reply_forms
    return "json_schema" if known else "text"


def effort_of(options: ClaudeOptions, card: ModelCard | None) -> Effort | None:
    """Return the effort to send; None for models without one and for unknown ones."""
    if options.effort is not None or card is None or card.claude is None:
        return options.effort
    return "medium" if "medium" in card.claude.efforts else None


def judge_request(
    options: ClaudeOptions,
    card: ModelCard | None,
    prompt: Prompt,
    schema: Mapping[str, JsonValue],
    *,
    form: ReplyForm,
    repair: str | None = None,
) -> dict[str, JsonValue]:
    """Return a `messages` body without the model's name.

    What calls share comes first and is marked for caching: the system text, then the shared part.
    Where text form shows the schema, `with_form` says.
    Tools, tool_choice, sampling settings and a prefilled reply are never sent. `repair` is added
    last, in the same fresh turn.
    """
    system, last = with_form(prompt, schema, form)
    shared = [_block(prompt.shared, cached=True)] if prompt.shared else []
    own = [_block(text) for text in (last, repair) if text]
    request: dict[str, JsonValue] = {
        "max_tokens": options.max_tokens,
        "system": [_block(system, cached=True)],
        "messages": [{"role": "user", "content": [*shared, *own]}],
    }
    if options.thinking is not None:
        request["thinking"] = {"type": options.thinking}
    output: dict[str, JsonValue] = {}
    effort = effort_of(options, card)
    if effort is not None:
        output["effort"] = effort
    if form == "json_schema":
        output["format"] = {"type": "json_schema", "schema": dict(schema)}
    if output:
        request["output_config"] = output
    return request


def _block(text: str, *, cached: bool = False) -> JsonValue:
    block: dict[str, JsonValue] = {"type": "text", "text": text}
    return {**block, "cache_control": _CACHED} if cached else block
