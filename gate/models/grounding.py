"""Reads Gemini's reply: text, sources, citations, tokens, or why there is no answer. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Final

from pydantic import JsonValue

from gate.models.card import ModelCard, bare_name
from gate.models.json_body import child, count, items, mapping, text_of
from gate.models.prices import cost_usd
from gate.models.spans import Part, locate
from gate.types import Answer, Citation, Failure, Flag, Source, Usage

BLOCKED: Final = frozenset(
    {
        "SAFETY",
        "RECITATION",
        "BLOCKLIST",
        "PROHIBITED_CONTENT",
        "SPII",
        "LANGUAGE",
        "IMAGE_SAFETY",
        "MODEL_ARMOR",
    }
)
"""Finish reasons of a filter; any text before it is a stump."""
_CHUNKS: Final = ("web", "retrievedContext", "maps")
"""Kinds of grounding chunks that have an address."""


def read_answer(
    body: JsonValue,
    *,
    model_asked: str,
    on: date,
    card: ModelCard | None,
    search: bool = True,
    regional: bool = False,
) -> Answer:
    """Return the answer in a `generateContent` body, or the failure in its place.

    `card` is of the model that answered and gives the cost on the day `on`; `search` says whether
    the request offered search, `regional` whether the endpoint was. Told apart: finished without
    text is `empty`; no candidate or an unreadable body is an `error`; a filter is `blocked`;
    a cut answer is scored and flagged `truncated`, and cut before any text is an `error`.
    """
    root = mapping(body)
    candidate = mapping(next(iter(items(root.get("candidates"))), None))
    grounding = child(candidate, "groundingMetadata")
    parts = _parts(candidate)
    text = "".join(part.text for part in parts if part.shown)
    finish = text_of(candidate.get("finishReason"))
    sources, places = _sources(grounding)
    citations, mismatch = _citations(grounding, parts, places)
    queries = tuple(
        query for one in items(grounding.get("webSearchQueries")) if (query := text_of(one).strip())
    )
    usage = _usage(root, queries, grounded=bool(sources))
    model = text_of(root.get("modelVersion")) or None
    thoughts = any(not part.shown for part in parts) or bool(usage and usage.thinking_tokens)
    failure = _failure(root, candidate, finish, text, thoughts=thoughts)
    flags = {
        "truncated": finish == "MAX_TOKENS" and failure is None,
        "unsearched": search and failure is None and not queries and not sources,
        "citation_mismatch": mismatch and failure is None,
        "rerouted": model is not None and bare_name(model) != bare_name(model_asked),
        "thinking_only": thoughts and failure is not None and failure.kind != "blocked",
    }
    return Answer(
        text="" if failure else text,
        sources=() if failure else sources,
        citations=() if failure else citations,
        queries=queries,
        usage=usage,
        cost_usd=cost_usd(card, usage, on, regional=regional),
        finish=finish.lower() or None,
        model=model,
        failure=failure,
        flags=tuple(flag for flag in _FLAGS if flags[flag]),
    )


_FLAGS: Final[tuple[Flag, ...]] = (
    "truncated",
    "unsearched",
    "citation_mismatch",
    "rerouted",
    "thinking_only",
)


def named_model(body: JsonValue) -> str | None:
    """Return the model that a body says answered, as it is spelled there."""
    return text_of(mapping(body).get("modelVersion")) or None


def _failure(
    root: Mapping[str, JsonValue],
    candidate: Mapping[str, JsonValue],
    finish: str,
    text: str,
    *,
    thoughts: bool,
) -> Failure | None:
    if not candidate:
        reason = text_of(child(root, "promptFeedback").get("blockReason"))
        if reason:
            return Failure(kind="blocked", message=f"Gemini blocked the question ({reason})")
        return Failure(kind="error", message="Gemini's reply has no candidate to read")
    if finish in BLOCKED:
        return Failure(kind="blocked", message=f"Gemini's filter stopped the answer ({finish})")
    if text.strip():
        return None
    return _textless(finish, thoughts=thoughts)


def _textless(finish: str, *, thoughts: bool) -> Failure:
    if finish == "STOP":
        return Failure(kind="empty", message="Gemini finished without any text")
    if finish == "MAX_TOKENS":
        spent = "thinking used all output tokens" if thoughts else "the output tokens ran out"
        return Failure(
            kind="error", message=f"{spent} before any text: raise max_output_tokens of the target"
        )
    return Failure(
        kind="error", message=f"Gemini stopped without text ({finish or 'no finish reason'})"
    )


def _parts(candidate: Mapping[str, JsonValue]) -> list[Part]:
    """The parts with their places in the joined text; thoughts are kept for the numbering."""
    parts: list[Part] = []
    start = 0
    for one in items(child(candidate, "content").get("parts")):
        part = mapping(one)
        text = text_of(part.get("text"))
        shown = part.get("thought") is not True
        parts.append(Part(text=text, start=start, shown=shown))
        start += len(text) if shown else 0
    return parts


def _sources(grounding: Mapping[str, JsonValue]) -> tuple[tuple[Source, ...], dict[int, int]]:
    """The sources, and the place of each chunk among them: chunks without address are left out."""
    sources: list[Source] = []
    places: dict[int, int] = {}
    for index, one in enumerate(items(grounding.get("groundingChunks"))):
        chunk = mapping(one)
        page = next((child(chunk, kind) for kind in _CHUNKS if child(chunk, kind)), {})
        uri = text_of(page.get("uri"))
        if uri:
            places[index] = len(sources)
            title, domain = text_of(page.get("title")), text_of(page.get("domain"))
            sources.append(Source(uri=uri, title=title, domain=domain))
    return tuple(sources), places


def _citations(
    grounding: Mapping[str, JsonValue], parts: list[Part], places: Mapping[int, int]
) -> tuple[tuple[Citation, ...], bool]:
    """The citations, and whether any stretch was not where the reply said."""
    found: list[Citation] = []
    mismatch = False
    for one in items(grounding.get("groundingSupports")):
        support = mapping(one)
        segment = child(support, "segment")
        numbers = (count(number) for number in items(support.get("groundingChunkIndices")))
        cited = tuple(
            dict.fromkeys(
                places[number] for number in numbers if number is not None and number in places
            )
        )
        span = locate(
            parts,
            part_index=count(segment.get("partIndex")) or 0,
            start=count(segment.get("startIndex")) or 0,
            end=count(segment.get("endIndex")),
            text=text_of(segment.get("text")),
        )
        mismatch = mismatch or span is None or not span.as_stated
        if span is not None and cited:
            found.append(Citation(start=span.start, end=span.end, text=span.text, sources=cited))
    return tuple(found), mismatch


def tokens_of(root: Mapping[str, JsonValue]) -> Usage | None:
    """Return a body's tokens; None without `usageMetadata`. The wire leaves out counts of 0."""
    meta = child(root, "usageMetadata")
    if not meta:
        return None
    prompt, thinking = count(meta.get("promptTokenCount")), count(meta.get("thoughtsTokenCount"))
    candidates = count(meta.get("candidatesTokenCount"))
    return Usage(
        input_tokens=prompt,
        output_tokens=None if prompt is None else (candidates or 0) + (thinking or 0),
        thinking_tokens=thinking,
        tool_tokens=count(meta.get("toolUsePromptTokenCount")),
        cached_tokens=count(meta.get("cachedContentTokenCount")),
    )


def _usage(
    root: Mapping[str, JsonValue], queries: tuple[str, ...], *, grounded: bool
) -> Usage | None:
    tokens = tokens_of(root)
    if tokens is None:
        return None
    searched = {"searches": len(queries), "grounded_prompts": int(grounded)}
    return tokens.model_copy(update=searched)
