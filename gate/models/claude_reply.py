"""Reads Claude's reply: text, tokens, or why there is no text. Pure."""

from __future__ import annotations

import json
from collections.abc import Mapping

from pydantic import JsonValue

from gate.models.json_body import child, count, items, mapping, text_of
from gate.models.rulings import Heard
from gate.types import Failure, Usage

_POLICY = "allowedPartnerModelFeatures"
"""The constraint that switches structured output off on Google Cloud."""


def refuses_structured_output(body: JsonValue) -> bool:
    """Whether an error body is the organisation policy's refusal of structured output."""
    root = mapping(body)
    return "error" in root and "content" not in root and _POLICY in json.dumps(root)


def hear(body: JsonValue) -> Heard:
    """Return what a `messages` body says."""
    root = mapping(body)
    blocks = [mapping(block) for block in items(root.get("content"))]
    text = "".join(text_of(one.get("text")) for one in blocks if one.get("type") == "text")
    stop = text_of(root.get("stop_reason"))
    problem = _problem(root, stop, text)
    return Heard(
        text=text,
        model=text_of(root.get("model")) or None,
        usage=_usage(root),
        truncated=stop == "max_tokens",
        failure=None if problem is None else Failure(kind="judge", message=problem),
    )


def _problem(body: Mapping[str, JsonValue], stop: str, text: str) -> str | None:
    """One sentence on what is wrong, or None."""
    if stop == "refusal":
        details = child(body, "stop_details")
        why = [text_of(details.get("category")), text_of(details.get("explanation"))]
        told = ": ".join(part for part in why if part) or "no reason given"
        return f"the judge refused to rate this case ({told}): look at the case's texts"
    if stop == "model_context_window_exceeded":
        return "the case is longer than the judge can read: hand over less text"
    if text.strip():
        return None
    if stop == "max_tokens":
        return "thinking used all of the judge's max_tokens: raise max_tokens or lower effort"
    if "content" not in body or not stop:
        return "the judge's reply has no content to read"
    return f"the judge replied without text (stop reason {stop})"


def _usage(body: Mapping[str, JsonValue]) -> Usage | None:
    """Tokens. Claude counts cached input apart; our `input_tokens` holds all of it."""
    counts = child(body, "usage")
    plain = count(counts.get("input_tokens"))
    if plain is None:
        return None
    read = count(counts.get("cache_read_input_tokens"))
    written = count(counts.get("cache_creation_input_tokens"))
    return Usage(
        input_tokens=plain + (read or 0) + (written or 0),
        output_tokens=count(counts.get("output_tokens")),
        thinking_tokens=count(child(counts, "output_tokens_details").get("thinking_tokens")),
        cached_tokens=read,
        cache_write_tokens=written,
    )
