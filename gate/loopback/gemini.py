"""The stand-in for Gemini with Google Search grounding, and as a judge, on both of its roads."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Mapping
from typing import Any

from gate.loopback.answering import answer
from gate.loopback.asking import Asking
from gate.loopback.draft import Draft
from gate.loopback.exchange import Reply, google_error, json_reply
from gate.loopback.faults import Call, Spoken, unknown_gemini
from gate.loopback.gemini_judge import judged
from gate.loopback.gemini_rules import GeminiRequest, read_gemini
from gate.loopback.grounding import render
from gate.loopback.pages import load_pages
from gate.loopback.settings import FIRST, WorldSettings
from gate.loopback.tokens import count_tokens, first_tokens
from gate.loopback.variants import VARIANTS
from gate.loopback.web import Web
from gate.models.catalogue import Road, load_catalogue

_MEMORY = "encyclopedia"


class Gemini:
    """Answers from the mini-web, and remembers how often each question came; judges if asked to."""

    def __init__(self, settings: WorldSettings) -> None:
        pages = load_pages()
        self._settings = settings
        self._catalogue = load_catalogue(settings.today)
        self._web = Web(pages)
        self._memory = Web(page for page in pages if _MEMORY in page.host)
        self._drafts: dict[tuple[str, bool], Draft] = {}
        self._asked: Counter[str] = Counter()

    def generate(self, call: Call, version: str, spoken: Spoken | None = None) -> Reply:
        """Return the reply to one generateContent call: an answer, or a ruling of the judge.

        `spoken` changes the judge's words or their end.
        """
        road: Road = "vertex" if call.vertex else "key"
        day = self._catalogue.on
        card = self._catalogue.answering(call.model, road)
        if card is None or card.gemini is None or card.retired(road, day):
            return unknown_gemini(call, version)
        try:
            asked = read_gemini(call.body, card)
        except ValueError as error:
            return google_error(400, "INVALID_ARGUMENT", str(error))
        if call.side == "judge":
            return judged(call, asked, spoken)
        draft = self._spoken(asked, call.model)
        nth = self._asked[asked.question]
        body = _body(asked, draft, vertex=call.vertex)
        body["modelVersion"] = card.id
        body["createTime"] = f"{day.isoformat()}T03:07:46.123456Z"
        body["responseId"] = _identifier(call.model, asked.question, str(nth))
        return json_reply(200, body)

    def _spoken(self, asked: GeminiRequest, model: str) -> Draft | None:
        """Return what is said to this call, the variant's noise included; None when nothing is."""
        key = (asked.question, asked.searches)
        if key not in self._drafts:
            known = self._web if asked.searches else self._memory
            self._drafts[key] = answer(asked.question, known.index_for(asked.question))
        nth = self._asked[asked.question]
        self._asked[asked.question] += 1
        met = (None, model, FIRST) if nth == 0 else (None, model)
        variant = self._settings.variant if self._settings.only in met else "steady"
        asking = Asking(
            asked.question, self._web.index_for(asked.question), self._settings.seed, nth
        )
        return VARIANTS[variant](self._drafts[key], asking)


def _identifier(*names: str) -> str:
    return hashlib.sha256("\x1f".join(names).encode()).hexdigest()[:20]


def _body(asked: GeminiRequest, draft: Draft | None, *, vertex: bool) -> dict[str, Any]:
    texts, metadata = ([], {}) if draft is None else render(draft, vertex=vertex)
    room = None if asked.limit is None else asked.limit - asked.thoughts
    candidate: dict[str, Any] = {"finishReason": "STOP"}
    if room is not None and sum(count_tokens(text) for text in texts) > room:
        texts = [cut] if (cut := first_tokens("".join(texts), room)) else []
        candidate["finishReason"] = "MAX_TOKENS"
        metadata = {}
    content: dict[str, Any] = {"role": "model"}
    if texts:
        content["parts"] = [{"text": text} for text in texts]
    candidate = {"content": content, **candidate}
    if vertex:
        candidate["avgLogprobs"] = -0.21
    if asked.searches and metadata:
        candidate["groundingMetadata"] = metadata
    searched = 100 * len(metadata.get("groundingChunks", [])) if asked.searches else 0
    usage = _usage(asked, sum(count_tokens(text) for text in texts), searched, vertex=vertex)
    return {"candidates": [candidate], "usageMetadata": usage}


def _usage(asked: GeminiRequest, said: int, searched: int, *, vertex: bool) -> dict[str, Any]:
    """Return the token counts; a count of nothing is left out, as proto3 does."""
    prompt = count_tokens(asked.question)
    counts = {
        "promptTokenCount": prompt,
        "candidatesTokenCount": said,
        "thoughtsTokenCount": asked.thoughts,
        "toolUsePromptTokenCount": searched,
        "totalTokenCount": prompt + said + asked.thoughts + searched,
    }
    usage: dict[str, Any] = {name: count for name, count in counts.items() if count}
    details: Mapping[str, int] = {
        "promptTokensDetails": prompt,
        "candidatesTokensDetails": said,
        "toolUsePromptTokensDetails": searched,
    }
    usage |= {name: [{"modality": "TEXT", "tokenCount": n}] for name, n in details.items() if n}
    if vertex:
        usage["trafficType"] = "ON_DEMAND"
    return usage
