"""The stand-in for Gemini where it is asked to judge: it rates as the stand-in for Claude does.

What it cannot show: Google's implicit cache, which promises nothing, so no token is ever cached.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from gate.loopback.drifting import RENAMED
from gate.loopback.exchange import Reply, google_error, json_reply
from gate.loopback.faults import Call, Spoken
from gate.loopback.filling import digest_of, filled, shown_schema, spelled
from gate.loopback.gemini_rules import GeminiRequest, either, texts_of
from gate.loopback.judging.form import UnknownKeyError
from gate.loopback.judging.judge import FAMILY, judge_name
from gate.loopback.judging.sections import read_sections
from gate.loopback.tokens import count_tokens, first_tokens

_BEGINNING = f"{FAMILY}-judge-"
_ENDS = {"refusal": "SAFETY", "max_tokens": "MAX_TOKENS"}
"""How Claude ends a reply -> how Gemini does."""


def google_judge_name() -> str:
    """Return the name under which it answers: another than that of the stand-in for Claude.

    It changes with the same source files, and begins as every stand-in judge's name does.
    """
    return judge_name().replace(_BEGINNING, f"{_BEGINNING}google-", 1)


def is_judging(body: Mapping[str, Any]) -> bool:
    """Whether a request asks to rate: it wants a form, and no search.

    A form that the prompt shows counts only beside fenced sections, so that an answering model
    whose system prompt holds a schema still answers.
    """
    if body.get("tools"):
        return False
    config = either(body, "generationConfig", "generation_config") or {}
    if either(config, "responseJsonSchema", "response_json_schema") is not None:
        return True
    turns = _turns(body)
    fenced = read_sections("\n".join(text for turn in turns for text in turn)).texts
    return bool(fenced) and shown_schema(_system(body), turns) is not None


def judged(call: Call, asked: GeminiRequest, spoken: Spoken | None) -> Reply:
    """Return the reply to a request that asks to rate; `spoken` changes its words or its end."""
    turns = _turns(call.body)
    prompt = "\n".join(text for turn in turns for text in turn)
    schema = asked.schema or shown_schema(_system(call.body), turns) or {}
    if spoken is not None and spoken.text is not None:
        text = spoken.text
    else:
        try:
            form = filled(prompt, schema, spoken)
        except UnknownKeyError as error:
            return google_error(400, "INVALID_ARGUMENT", str(error))
        text = spelled(form, prompt, structured=asked.schema is not None)
    end = _ENDS.get((spoken.stop_reason if spoken is not None else None) or "", "STOP")
    reply = _body(call, asked, text, end)
    if spoken is not None and spoken.renamed:
        reply["modelVersion"] += RENAMED
    return json_reply(200, reply)


def _body(call: Call, asked: GeminiRequest, text: str, end: str) -> dict[str, Any]:
    said, thoughts = count_tokens(text), asked.thoughts
    if asked.limit is not None and thoughts + said > asked.limit:
        thoughts = min(thoughts, asked.limit)
        said, end = asked.limit - thoughts, "MAX_TOKENS"
        text = first_tokens(text, said)
    content: dict[str, Any] = {"role": "model"}
    if text:
        content["parts"] = [{"text": text}]
    candidate: dict[str, Any] = {"content": content, "finishReason": end}
    if call.vertex:
        candidate["avgLogprobs"] = -0.21
    return {
        "candidates": [candidate],
        "usageMetadata": _usage(call, asked, said, thoughts),
        "modelVersion": google_judge_name(),
        "responseId": digest_of([call.model, call.body])[:20],
    }


def _usage(call: Call, asked: GeminiRequest, said: int, thoughts: int) -> dict[str, Any]:
    """Return the token counts; a schema counts as input, and a count of nothing is left out."""
    shown = [_system(call.body), *(text for turn in _turns(call.body) for text in turn)]
    if asked.schema is not None:
        shown.append(json.dumps(asked.schema))
    prompt = sum(map(count_tokens, shown))
    counts = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": said,
        "thoughtsTokenCount": thoughts,
        "totalTokenCount": prompt + said + thoughts,
    }
    usage: dict[str, Any] = {name: count for name, count in counts.items() if count}
    if call.vertex:
        usage["trafficType"] = "ON_DEMAND"
    return usage


def _turns(body: Mapping[str, Any]) -> list[list[str]]:
    turns = body.get("contents")
    found = [turn for turn in turns if isinstance(turn, dict)] if isinstance(turns, list) else []
    return [texts_of(turn) for turn in found if turn.get("role", "user") == "user"]


def _system(body: Mapping[str, Any]) -> str:
    instruction = either(body, "systemInstruction", "system_instruction")
    return "\n".join(texts_of(instruction)) if isinstance(instruction, dict) else ""
