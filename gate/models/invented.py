"""Replies that no vendor gave: of the right shape and the assumed length, to count what they cost.

Pure. They are read by the same code as real replies, so that prices, tiers, caches and routing
are those of a run.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Final, NamedTuple, cast

from pydantic import JsonValue

from gate.models.assumptions import Assumptions, tokens
from gate.models.card import Effort, Level, ModelCard
from gate.models.json_body import child, items, mapping, text_of
from gate.models.json_body import count as counted
from gate.types import Citation, Source, canonical

_FILLER: Final = "words that make this sentence of an invented answer as long as sentences are "
_SMALLEST_CACHED: Final = 1_024
"""Tokens of a prefix below which a model of unknown minimum is taken to cache nothing."""


class Said(NamedTuple):
    """An invented answer."""

    text: str
    """Its text."""
    sources: tuple[Source, ...]
    """Its sources."""
    citations: tuple[Citation, ...]
    """Which sentence cites which source."""


def invented_answer(name: str, assumed: Assumptions) -> Said:
    """Return an answer of the assumed length; `name` makes it differ from all others."""
    sentences = tuple(_sentences(name, assumed))
    sources = tuple(_source(number, assumed) for number in range(1, assumed.sources + 1))
    citations = []
    start = 0
    for number, sentence in enumerate(sentences):
        end = start + len(sentence)
        if sources:
            cited = (number % len(sources),)
            citations.append(Citation(start=start, end=end, text=sentence, sources=cited))
        start = end + 1
    return Said(" ".join(sentences), sources, tuple(citations))


def invented_page(characters: int, assumed: Assumptions) -> str:
    """Return the text of a page of this length, in paragraphs."""
    paragraph = " ".join(_sentences("a page", assumed))[:500] + "\n"
    return (paragraph * (characters // len(paragraph) + 1))[:characters]


def gemini_body(
    request: Mapping[str, JsonValue], said: Said, searches: int, assumed: Assumptions
) -> dict[str, JsonValue]:
    """Return a `generateContent` body: the answer, grounded where the request offers search."""
    candidate: dict[str, JsonValue] = {
        "content": {"role": "model", "parts": [{"text": said.text}]},
        "finishReason": "STOP",
    }
    if request.get("tools"):
        candidate["groundingMetadata"] = _grounding(said, searches)
    usage = _gemini_usage(request, tokens(said.text), assumed)
    return {"candidates": [candidate], "usageMetadata": usage}


def gemini_judge_body(
    request: Mapping[str, JsonValue], reply_tokens: int, assumed: Assumptions
) -> dict[str, JsonValue]:
    """Return a `generateContent` body that rates nothing and counts its tokens.

    It is blocked: any other reply would have to fit its form, or be asked for once more. Nothing
    of it is read from a cache, since Google promises none.
    """
    return {
        "promptFeedback": {"blockReason": "OTHER"},
        "usageMetadata": _gemini_usage(request, reply_tokens, assumed),
    }


def _gemini_usage(
    request: Mapping[str, JsonValue], said: int, assumed: Assumptions
) -> dict[str, JsonValue]:
    """Return the token counts of a `generateContent` body that says `said` tokens."""
    settings = child(request, "generationConfig")
    thinking = child(settings, "thinkingConfig")
    level = cast("Level | None", text_of(thinking.get("thinkingLevel")).lower() or None)
    budget = counted(thinking.get("thinkingBudget"))
    thoughts = assumed.thinking_tokens(level)
    if "thinkingBudget" in thinking:
        most = assumed.thinking_tokens("medium")
        # A budget of -1, which `count` reads as none, lets the model choose.
        thoughts = most if budget is None else min(budget, most)
    turns = (*items(request.get("contents")), request.get("systemInstruction"))
    sent = [part for turn in turns for part in items(mapping(turn).get("parts"))]
    room = counted(settings.get("maxOutputTokens")) or thoughts + said
    return {
        "promptTokenCount": sum(tokens(text_of(mapping(part).get("text"))) for part in sent),
        "candidatesTokenCount": max(0, min(said, room - thoughts)),
        "thoughtsTokenCount": min(thoughts, room),
    }


class PromptCache:
    """Which beginnings of prompts were sent before: marked prefixes, byte for byte.

    It knows neither time nor calls on their way: a real cache forgets after five minutes, and
    calls that start together find nothing in it yet.
    """

    def __init__(self) -> None:
        """Begin empty."""
        self._seen: set[str] = set()

    def use(self, request: Mapping[str, JsonValue], least: int) -> tuple[int, int, int]:
        """Return the tokens that are plain, read and written; remember the marked prefixes.

        A prefix shorter than `least` tokens is never cached.
        """
        config = child(request, "output_config")
        digest = hashlib.sha256(canonical(config.get("format")).encode())
        whole = read = written = 0
        for block in _blocks(request):
            text = text_of(block.get("text"))
            whole += tokens(text)
            digest.update(f"{len(text)}:{text}".encode("utf-8", "surrogatepass"))
            if not block.get("cache_control") or whole < least:
                continue
            if digest.hexdigest() in self._seen:
                read = whole
            else:
                self._seen.add(digest.hexdigest())
                written = whole
        written = max(0, written - read)
        return whole - read - written, read, written


def claude_body(
    request: Mapping[str, JsonValue],
    card: ModelCard | None,
    reply_tokens: int,
    cache: PromptCache,
    assumed: Assumptions,
) -> dict[str, JsonValue]:
    """Return a `messages` body that rates nothing and counts its tokens.

    It is a refusal: any other reply would have to fit its form, or be asked for once more.
    """
    claude = None if card is None else card.claude
    least = _SMALLEST_CACHED if claude is None else claude.min_cached_tokens
    plain, read, written = cache.use(request, least)
    thinks = claude is None or claude.thinks_by_default
    if "thinking" in request:
        thinks = text_of(child(request, "thinking").get("type")) != "disabled"
    effort = cast("Effort | None", child(request, "output_config").get("effort"))
    thoughts = assumed.thinking_tokens(effort) if thinks else 0
    room = counted(request.get("max_tokens")) or thoughts + reply_tokens
    return {
        "content": [],
        "stop_reason": "refusal",
        "usage": {
            "input_tokens": plain,
            "cache_read_input_tokens": read,
            "cache_creation_input_tokens": written,
            "output_tokens": min(thoughts + reply_tokens, room),
            "output_tokens_details": {"thinking_tokens": min(thoughts, room)},
        },
    }


def _blocks(request: Mapping[str, JsonValue]) -> Iterator[Mapping[str, JsonValue]]:
    yield from map(mapping, items(request.get("system")))
    for message in items(request.get("messages")):
        yield from map(mapping, items(mapping(message).get("content")))


def _sentences(name: str, assumed: Assumptions) -> Iterator[str]:
    left = assumed.answer_characters
    for number in count(1):
        length = min(assumed.sentence_characters, left)
        if length <= 1:
            return
        head = f"Sentence {number} on {name} has {_FILLER}"
        yield (head * (length // len(head) + 1))[: length - 1].rstrip() + "."
        left -= length + 1


def _source(number: int, assumed: Assumptions) -> Source:
    domain = f"page-{number}.example"
    address = f"https://{domain}/redirect/"
    return Source(uri=address.ljust(assumed.address_characters, "x"), title=domain, domain=domain)


def _grounding(said: Said, searches: int) -> JsonValue:
    return {
        "webSearchQueries": [f"an invented query {number}" for number in range(searches)],
        "groundingChunks": [
            {"web": {"uri": one.uri, "title": one.title, "domain": one.domain}}
            for one in said.sources
        ],
        "groundingSupports": [
            {
                "segment": {"startIndex": one.start, "endIndex": one.end, "text": one.text},
                "groundingChunkIndices": list(one.sources),
            }
            for one in said.citations
        ],
    }
