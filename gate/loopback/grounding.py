"""A draft as the vendor sends it: parts, and grounding metadata that points into them.

Offsets count UTF-8 bytes within their part; a start of 0 and a part of 0 are left out, as proto3
does.
"""

from __future__ import annotations

from typing import Any

from gate.loopback.chance import chance
from gate.loopback.draft import Draft, Statement
from gate.loopback.pages import Page

_LINE_KINDS = {"steps", "senses"}
_TITLED_SHARE = 0.25
_UNSURE_SHARE = 0.3
_BETWEEN_PARTS = "\n\n"


def render(draft: Draft, *, vertex: bool) -> tuple[list[str], dict[str, Any]]:
    """Return the text of each part and the grounding metadata."""
    pages = draft.pages
    numbers = {page: number for number, page in enumerate(pages)}
    joiner = "\n" if draft.kind in _LINE_KINDS else " "
    texts: list[str] = []
    supports: list[dict[str, Any]] = []
    for part, statements in enumerate(draft.parts):
        text = ""
        for statement in statements:
            text += (joiner if text else "") + statement.lead
            if statement.pages:
                supports.append(_support(statement, len(text.encode()), part, numbers))
            text += statement.text
        last = part == len(draft.parts) - 1
        texts.append(text if last else text + _BETWEEN_PARTS)
    return texts, _metadata(draft, [_chunk(page, vertex=vertex) for page in pages], supports)


def _support(
    statement: Statement, start: int, part: int, numbers: dict[Page, int]
) -> dict[str, Any]:
    segment: dict[str, Any] = {
        "endIndex": start + len(statement.text.encode()),
        "text": statement.text,
    }
    if start:
        segment["startIndex"] = start
    if part:
        segment["partIndex"] = part
    indices = [numbers[page] for page in statement.pages]
    support: dict[str, Any] = {"segment": segment, "groundingChunkIndices": indices}
    if chance("unsure", statement.text) >= _UNSURE_SHARE:
        support["confidenceScores"] = [
            round(0.7 + 0.29 * chance("sure", statement.text, number), 2) for number in indices
        ]
    return support


def _chunk(page: Page, *, vertex: bool) -> dict[str, Any]:
    """Return one source; its title is mostly the domain, which Google Cloud alone gives apart."""
    if not vertex:
        return {"web": {"uri": page.uri, "title": page.host}}
    titled = chance("title", page.uri) < _TITLED_SHARE
    title = page.title if titled else page.host
    return {"web": {"uri": page.uri, "title": title, "domain": page.host}}


def _metadata(
    draft: Draft, chunks: list[dict[str, Any]], supports: list[dict[str, Any]]
) -> dict[str, Any]:
    if not draft.queries:
        return {}  # who has not searched has no metadata
    rendered = "".join(f'<a class="chip">{query}</a>' for query in draft.queries)
    metadata: dict[str, Any] = {
        "webSearchQueries": list(draft.queries),
        "searchEntryPoint": {"renderedContent": f'<div class="container">{rendered}</div>'},
    }
    if chunks:
        metadata["groundingChunks"] = chunks
    if supports:
        metadata["groundingSupports"] = supports
    metadata["retrievalMetadata"] = {}
    return metadata
