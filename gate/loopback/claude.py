"""The stand-in for Claude on both of its roads: it checks as the vendor does, and judges."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

from gate.loopback.claude_rules import complaint, content_blocks
from gate.loopback.drifting import RENAMED
from gate.loopback.exchange import Reply, claude_error, json_reply
from gate.loopback.faults import Call, Spoken, unknown_claude
from gate.loopback.filling import digest_of, filled, shown_schema, spelled
from gate.loopback.judging.form import UnknownKeyError
from gate.loopback.judging.judge import judge_name
from gate.loopback.prompt_cache import CacheUse, PromptCache, prompt_tokens
from gate.loopback.settings import WorldSettings
from gate.loopback.strict import strict_name
from gate.loopback.tokens import count_tokens, first_tokens
from gate.models.catalogue import ModelCard, Road, load_catalogue

_THOUGHTS = {"low": 40, "medium": 120, "high": 260, "xhigh": 420, "max": 640}
_NOT_ASKED = "OK."
_FORCED = ("any", "tool")
_SIGNATURE = "c2lnbmF0dXJl"


class Claude:
    """Judges what it is sent; remembers prefixes for its prompt cache."""

    def __init__(self, settings: WorldSettings, clock: Callable[[], float]) -> None:
        self._catalogue = load_catalogue(settings.today)
        self._cache = PromptCache(clock)

    def create(self, call: Call, spoken: Spoken | None) -> Reply:
        """Return the reply to one messages call; `spoken` changes its words or its end."""
        card = self._card(call)
        if card is None:
            return unknown_claude(call)
        wrong = complaint(call.body, card, counting=False)
        if wrong is not None:
            return claude_error(400, "invalid_request_error", wrong)
        try:
            block = _said(call.body, spoken)
        except UnknownKeyError as error:
            return claude_error(400, "invalid_request_error", str(error))
        use = self._cache.use(call.body, card)
        message = _message(call.body, card, block, use, vertex=call.vertex)
        if spoken is not None and spoken.strict:
            message["model"] = strict_name()
        if spoken is not None and spoken.renamed:
            message["model"] += RENAMED
        if spoken is not None and spoken.stop_reason is not None:
            message["stop_reason"] = spoken.stop_reason
            if spoken.stop_reason == "refusal":
                message["content"] = []
        return json_reply(200, message)

    def count(self, call: Call) -> Reply:
        """Return the number of tokens of a request."""
        card = self._card(call)
        if card is None:
            return unknown_claude(call)
        wrong = complaint(call.body, card, counting=True)
        if wrong is not None:
            return claude_error(400, "invalid_request_error", wrong)
        return json_reply(200, {"input_tokens": prompt_tokens(call.body, card)})

    def _card(self, call: Call) -> ModelCard | None:
        road: Road = "vertex" if call.vertex else "direct"
        card = self._catalogue.answering(call.model, road)
        if card is None or card.claude is None or card.retired(road, self._catalogue.on):
            return None
        return card


def _said(body: Mapping[str, Any], spoken: Spoken | None) -> dict[str, Any]:
    """Return the text block or the tool call that answers a request."""
    if spoken is not None and spoken.text is not None:
        return {"type": "text", "text": spoken.text}
    turns = [m.get("content") for m in body["messages"] if m["role"] == "user"]
    prompt = "\n".join(map(_texts, turns))
    tool = _forced_tool(body)
    form = (body.get("output_config") or {}).get("format")
    schema = tool["input_schema"] if tool else form["schema"] if form else _shown(body, turns)
    if schema is None:
        return {"type": "text", "text": _NOT_ASKED}
    ruling = filled(prompt, schema, spoken)
    if tool:
        return {
            "type": "tool_use",
            "id": f"toolu_{digest_of(body)[:16]}",
            "name": tool["name"],
            "input": ruling,
        }
    return {"type": "text", "text": spelled(ruling, prompt, structured=form is not None)}


def _shown(body: Mapping[str, Any], turns: list[Any]) -> Mapping[str, Any] | None:
    texts = [[str(block.get("text", "")) for block in content_blocks(turn)] for turn in turns]
    return shown_schema(_texts(body.get("system")), texts)


def _texts(content: Any) -> str:
    return "\n".join(str(block.get("text", "")) for block in content_blocks(content))


def _forced_tool(body: Mapping[str, Any]) -> dict[str, Any] | None:
    choice = body.get("tool_choice") or {}
    if choice.get("type") not in _FORCED:
        return None
    tools: list[dict[str, Any]] = body.get("tools") or []
    return next((tool for tool in tools if tool["name"] == choice.get("name")), tools[0])


def _thinks(body: Mapping[str, Any], card: ModelCard) -> int:
    """Return how many tokens are thought before the reply."""
    assert card.claude is not None
    kind = (body.get("thinking") or {}).get("type")
    thinking = card.claude.thinks_by_default if kind is None else kind != "disabled"
    if kind == "between_tools" and not body.get("tools"):
        thinking = False
    if thinking and not card.claude.always_thinks and _forced_tool(body):
        thinking = False
    if not thinking:
        return 0
    effort = (body.get("output_config") or {}).get("effort") or card.claude.default_effort
    return _THOUGHTS[effort or "high"] + int(digest_of(body["messages"])[:2], 16) % 32


def _message(
    body: Mapping[str, Any], card: ModelCard, block: dict[str, Any], use: CacheUse, *, vertex: bool
) -> dict[str, Any]:
    thoughts = _thinks(body, card)
    limit: int = body["max_tokens"]
    content: list[dict[str, Any]] = []
    if thoughts:
        content.append({"type": "thinking", "thinking": "", "signature": _SIGNATURE})
    text = block["text"] if block["type"] == "text" else json.dumps(block["input"])
    needed = count_tokens(text)
    stop = "tool_use" if block["type"] == "tool_use" else "end_turn"
    thoughts = min(thoughts, limit)
    room = limit - thoughts
    if needed > room:
        stop, needed = "max_tokens", room
        block = {"type": "text", "text": first_tokens(text, room)}
    if block["type"] == "tool_use" or block["text"]:
        content.append(block)
    prefix = "msg_vrtx_" if vertex else "msg_"
    return {
        "id": prefix + digest_of(body)[:20],
        "type": "message",
        "role": "assistant",
        "model": judge_name(),
        "content": content,
        "stop_reason": stop,
        "stop_sequence": None,
        "usage": {
            "input_tokens": use.plain,
            "cache_creation_input_tokens": use.written_5m + use.written_1h,
            "cache_read_input_tokens": use.read,
            "cache_creation": {
                "ephemeral_5m_input_tokens": use.written_5m,
                "ephemeral_1h_input_tokens": use.written_1h,
            },
            "output_tokens": thoughts + needed,
            "output_tokens_details": {"thinking_tokens": thoughts},
            "service_tier": "standard",
        },
    }
