"""What a request for Claude may hold, by the table of models; every complaint is a 400."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from gate.loopback.schema_limits import schema_fault
from gate.models.catalogue import ClaudeTraits, ModelCard

_SAMPLING = ("temperature", "top_p", "top_k")
_FORCED = ("any", "tool")
_MOST_BREAKPOINTS = 4
_LEAST_BUDGET = 1024


def complaint(body: Mapping[str, Any], card: ModelCard, *, counting: bool) -> str | None:
    """Return what is wrong with a request, None when nothing is; counting needs no max_tokens."""
    assert card.claude is not None
    return next(_complaints(body, card, card.claude, counting=counting), None)


def _complaints(
    body: Mapping[str, Any], card: ModelCard, traits: ClaudeTraits, *, counting: bool
) -> Iterator[str]:
    yield from _on_length(body, card, counting=counting)
    yield from _on_messages(body, traits)
    yield from _on_sampling(body, traits)
    yield from _on_effort(body, traits)
    yield from _on_thinking(body, traits)
    yield from _on_tools(body, traits)
    yield from _on_format(body, traits)


def _on_length(body: Mapping[str, Any], card: ModelCard, *, counting: bool) -> Iterator[str]:
    limit = body.get("max_tokens")
    if limit is None and not counting:
        yield "max_tokens: Field required"
    elif limit is not None and (not isinstance(limit, int) or limit < 1):
        yield "max_tokens: Input should be greater than or equal to 1"
    elif limit is not None and card.max_output_tokens and limit > card.max_output_tokens:
        yield (
            f"max_tokens: {limit} > {card.max_output_tokens}, which is the maximum allowed "
            f"number of output tokens for {card.id}"
        )


def _on_messages(body: Mapping[str, Any], traits: ClaudeTraits) -> Iterator[str]:
    messages = body.get("messages")
    if not isinstance(messages, list) or not messages:
        yield "messages: at least one message is required"
        return
    roles = [message.get("role") for message in messages]
    if any(role not in ("user", "assistant") for role in roles):
        yield "messages: roles must be 'user' or 'assistant'"
    if roles[-1] == "assistant" and not traits.prefill:
        yield (
            "This model does not support assistant message prefill. "
            "The conversation must end with a user message."
        )
    marks = sum(bool(block.get("cache_control")) for block in blocks_of(body))
    if marks > _MOST_BREAKPOINTS:
        yield f"A maximum of 4 blocks with cache_control may be provided. Found {marks}."


def _on_sampling(body: Mapping[str, Any], traits: ClaudeTraits) -> Iterator[str]:
    thinking = (body.get("thinking") or {}).get("type") in ("enabled", "adaptive")
    for name in _SAMPLING:
        if name in body and not traits.sampling:
            yield f"`{name}` is deprecated for this model."
        elif name in body and thinking:
            yield f"`{name}` may not be set when thinking is enabled."


def _on_effort(body: Mapping[str, Any], traits: ClaudeTraits) -> Iterator[str]:
    effort = (body.get("output_config") or {}).get("effort")
    if effort is None:
        return
    if not traits.efforts:
        yield "This model does not support the effort parameter."
    elif effort not in traits.efforts:
        known = ", ".join(f"'{name}'" for name in traits.efforts)
        yield f"output_config.effort: Input should be one of {known}"


def _on_thinking(body: Mapping[str, Any], traits: ClaudeTraits) -> Iterator[str]:
    thinking = body.get("thinking")
    if not thinking:
        return
    kind = thinking.get("type")
    if kind not in traits.thinking:
        yield _unsupported(kind, traits)
        return
    effort = (body.get("output_config") or {}).get("effort") or traits.default_effort
    if kind in ("disabled", "between_tools") and _above(effort, traits):
        yield f'"thinking.type.{kind}" is not supported with effort "{effort}" for this model.'
    if kind == "between_tools" and len(thinking) > 1:
        yield "thinking.between_tools: Extra inputs are not permitted"
    if kind == "enabled":
        budget = thinking.get("budget_tokens")
        if not isinstance(budget, int) or budget < _LEAST_BUDGET:
            yield "thinking.enabled.budget_tokens: Input should be greater than or equal to 1024"
        elif budget >= body.get("max_tokens", budget + 1):
            yield "`max_tokens` must be greater than `thinking.budget_tokens`."


def _above(effort: object, traits: ClaudeTraits) -> bool:
    """Return whether an effort is above the one up to which thinking can be switched off."""
    if traits.bounded_by is None or effort not in traits.efforts:
        return False
    return traits.efforts.index(effort) > traits.efforts.index(traits.bounded_by)


def _unsupported(kind: object, traits: ClaudeTraits) -> str:
    refused = f'"thinking.type.{kind}" is not supported for this model.'
    for instead in ("between_tools", "adaptive"):
        if instead in traits.thinking:
            return (
                f'{refused} Use "thinking.type.{instead}" and "output_config.effort" '
                "to control thinking behavior."
            )
    return f'{refused} Use "thinking.type.enabled" with "budget_tokens".'


def _on_tools(body: Mapping[str, Any], traits: ClaudeTraits) -> Iterator[str]:
    choice = (body.get("tool_choice") or {}).get("type")
    if choice in _FORCED:
        if not traits.forced_tool:
            yield 'tool_choice: type "tool" and "any" are not supported for this model.'
        elif (body.get("thinking") or {}).get("type") == "enabled":
            yield "Thinking may not be enabled when tool_choice forces tool use."
    if choice in _FORCED and not body.get("tools"):
        yield "tool_choice: may only be specified while providing tools."
    for number, tool in enumerate(body.get("tools") or []):
        if tool.get("strict") and (fault := schema_fault(tool.get("input_schema") or {})):
            yield f"tools.{number}.custom.input_schema: {fault}"


def _on_format(body: Mapping[str, Any], traits: ClaudeTraits) -> Iterator[str]:
    form = (body.get("output_config") or {}).get("format")
    if not form:
        return
    if form.get("type") != "json_schema" or not isinstance(form.get("schema"), dict):
        yield "output_config.format: Input should be a json_schema with a schema"
    elif "json_schema" not in traits.reply_forms:
        yield "output_config.format: structured outputs are not supported for this model."
    elif fault := schema_fault(form["schema"]):
        yield f"output_config.format.schema: {fault}"


def blocks_of(body: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return tools, system blocks and content blocks in the order of the prompt."""
    found = [dict(tool) for tool in body.get("tools") or []]
    found += content_blocks(body.get("system"))
    for message in body.get("messages") or []:
        found += content_blocks(message.get("content"))
    return found


def content_blocks(content: Any) -> list[dict[str, Any]]:
    """Return the blocks of a content; a plain string is one text block."""
    if isinstance(content, str):
        return [{"type": "text", "text": content}] if content else []
    return [dict(block) for block in content or []]
