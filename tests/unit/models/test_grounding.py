"""Gemini's replies, as captured on the wire and made by hand at the edges."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from gate.models.catalogue import load_catalogue
from gate.models.grounding import named_model, read_answer
from gate.types import Answer, Citation, Source, Usage

ON = date(2026, 11, 30)
LITE = load_catalogue().card("gemini-3.1-flash-lite")


def read(body: Any, *, asked: str = "gemini-3.1-flash-lite", search: bool = True) -> Answer:
    """Read a body as the answer of 3.1 Flash-Lite."""
    return read_answer(body, model_asked=asked, on=ON, card=LITE, search=search)


def body(
    *parts: dict[str, Any], finish: str | None = "STOP", grounding: Any = None, **root: Any
) -> dict[str, Any]:
    """A body with one candidate."""
    candidate: dict[str, Any] = {"content": {"role": "model", "parts": [*parts]}}
    if finish is not None:
        candidate["finishReason"] = finish
    if grounding is not None:
        candidate["groundingMetadata"] = grounding
    return {"candidates": [candidate], **root}


def support(text: str | None, start: int, end: int, *chunks: Any, part: int = 0) -> dict[str, Any]:
    """A grounding support; zeros are left out, as on the wire."""
    segment = {"startIndex": start, "endIndex": end, "partIndex": part, "text": text}
    return {
        "segment": {key: value for key, value in segment.items() if value},
        "groundingChunkIndices": [*chunks],
    }


CHUNKS = [
    {"web": {"uri": "https://a.example/1", "title": "a.example"}},
    {"web": {"uri": "https://b.example/2", "title": "b.example", "domain": "b.example"}},
]


@pytest.fixture(name="wire")
def _wire(data_dir: Path) -> Any:
    """Loads a captured body by name."""
    return lambda name: json.loads((data_dir / "wire" / f"{name}.json").read_text("utf-8"))


def test_read_answer__grounded_reply_of_the_wire(wire: Any) -> None:
    """Offsets in bytes lead to characters; cost is 12 x 0.25/M + 18 x 1.50/M + 1 query at 0.014."""
    answer = read(wire("gemini_generate_content"))

    assert answer.failure is None
    assert "Café Zürich opened in 1911 ☕. It sits on Bellevueplatz." == answer.text
    assert ["example.org", "example.com"] == [source.domain for source in answer.sources]
    assert (
        Citation(start=0, end=29, text="Café Zürich opened in 1911 ☕.", sources=(0,)),
        Citation(start=30, end=55, text="It sits on Bellevueplatz.", sources=(0, 1)),
    ) == answer.citations
    assert all(answer.text[one.start : one.end] == one.text for one in answer.citations)
    assert ("cafe zurich opened year",) == answer.queries
    assert () == answer.flags
    assert "stop" == answer.finish
    assert "gemini-3.1-flash-lite" == answer.model
    assert (
        Usage(
            input_tokens=12,
            output_tokens=18,
            thinking_tokens=0,
            tool_tokens=100,
            cached_tokens=0,
            searches=1,
            grounded_prompts=1,
        )
        == answer.usage
    )
    assert 0.01403 == pytest.approx(answer.cost_usd, abs=1e-12)


def test_read_answer__without_search_is_scored_and_flagged(wire: Any) -> None:
    """An answer from memory is an answer; without search on offer there is nothing to flag."""
    answer = read(wire("gemini_no_search"))

    assert "Answered from memory." == answer.text
    assert ("unsearched",) == answer.flags
    assert not answer.grounded
    assert () == read(wire("gemini_no_search"), search=False).flags


def test_read_answer__cut_answer_is_scored_and_flagged(wire: Any) -> None:
    """MAX_TOKENS with text; the reply does not name its model."""
    answer = read(wire("gemini_max_tokens"))

    assert "Cut of" == answer.text
    assert answer.failure is None
    assert ("truncated", "unsearched") == answer.flags
    assert answer.model is None


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("gemini_prompt_blocked", "PROHIBITED_CONTENT"),
        ("gemini_safety_blocked_candidate", "SAFETY"),
    ],
)
def test_read_answer__filter_is_blocked(wire: Any, name: str, says: str) -> None:
    """Neither empty nor an error; its tokens are still counted."""
    answer = read(wire(name))

    assert answer.failure is not None
    assert "blocked" == answer.failure.kind
    assert says in answer.failure.message
    assert "" == answer.text
    assert answer.usage is not None
    assert 3 == answer.usage.input_tokens


@pytest.mark.parametrize("reason", ["SAFETY", "RECITATION", "MODEL_ARMOR", "SPII"])
def test_read_answer__filter_after_some_text_is_blocked(reason: str) -> None:
    """A stump is no answer."""
    answer = read(body({"text": "The way to"}, finish=reason))

    assert answer.failure is not None
    assert "blocked" == answer.failure.kind
    assert "" == answer.text


@pytest.mark.parametrize(
    "unreadable",
    [{}, [], None, "text", 7, {"candidates": []}, {"candidates": None}, {"candidates": ["x"]}],
)
def test_read_answer__no_candidate_is_an_error(unreadable: Any) -> None:
    """A broken machine is not an empty answer."""
    answer = read(unreadable)

    assert answer.failure is not None
    assert "error" == answer.failure.kind
    assert answer.cost_usd is None
    assert () == answer.flags


@pytest.mark.parametrize("parts", [[], [{"text": ""}], [{"text": " \n"}], [{"functionCall": {}}]])
def test_read_answer__finished_without_text_is_empty(parts: list[dict[str, Any]]) -> None:
    """A blank answer of the model, which is counted as such."""
    answer = read(body(*parts))

    assert answer.failure is not None
    assert "empty" == answer.failure.kind
    assert "" == answer.text


def test_read_answer__finished_with_thoughts_only_is_empty_and_flagged() -> None:
    """The model thought and said nothing."""
    answer = read(body({"text": "hm", "thought": True}))

    assert answer.failure is not None
    assert "empty" == answer.failure.kind
    assert ("thinking_only",) == answer.flags


@pytest.mark.parametrize(
    "made",
    [
        body({"text": "hm", "thought": True}, finish="MAX_TOKENS"),
        body(finish="MAX_TOKENS", usageMetadata={"promptTokenCount": 3, "thoughtsTokenCount": 90}),
        {
            "candidates": [{"finishReason": "MAX_TOKENS"}],
            "usageMetadata": {"thoughtsTokenCount": 9},
        },
    ],
)
def test_read_answer__cut_while_thinking_is_an_error(made: dict[str, Any]) -> None:
    """The user can mend it, and is told how."""
    answer = read(made)

    assert answer.failure is not None
    assert "error" == answer.failure.kind
    assert "thinking used all output tokens" in answer.failure.message
    assert "raise max_output_tokens" in answer.failure.message
    assert ("thinking_only",) == answer.flags


@pytest.mark.parametrize("finish", ["OTHER", "MALFORMED_RESPONSE", "NEW_IN_2027", None])
def test_read_answer__other_end_without_text_is_an_error(finish: str | None) -> None:
    """The reason is named."""
    answer = read(body(finish=finish))

    assert answer.failure is not None
    assert "error" == answer.failure.kind
    assert (finish or "no finish reason") in answer.failure.message


@pytest.mark.parametrize("finish", ["OTHER", "NEW_IN_2027", None])
def test_read_answer__other_end_with_text_is_scored(finish: str | None) -> None:
    """What was said is judged; the reason is kept."""
    answer = read(body({"text": "Yes."}, finish=finish))

    assert answer.failure is None
    assert (finish.lower() if finish else None) == answer.finish


def test_read_answer__several_parts_and_thoughts() -> None:
    """Thoughts are left out of the text but counted by part numbers; offsets are per part."""
    grounding = {
        "webSearchQueries": ["one", " ", "two"],
        "groundingChunks": CHUNKS,
        "groundingSupports": [
            support("Öl ist da.", 0, 11, 0, part=1),
            support("Ja.", 1, 4, 1, 1, part=2),
        ],
    }
    answer = read(
        body(
            {"text": "let me think", "thought": True},
            {"text": "Öl ist da."},
            {"text": " Ja."},
            grounding=grounding,
        )
    )

    assert "Öl ist da. Ja." == answer.text
    assert [("Öl ist da.", (0,)), ("Ja.", (1,))] == [
        (answer.text[one.start : one.end], one.sources) for one in answer.citations
    ]
    assert () == answer.flags
    assert ("one", "two") == answer.queries


def test_read_answer__wrong_offsets_are_repaired_and_flagged() -> None:
    """Character offsets where bytes are meant: the segment's text is searched for."""
    grounding = {
        "groundingChunks": CHUNKS,
        "groundingSupports": [support("Seil", 4, 8, 0), support("Fels", 0, 4, 1)],
    }
    answer = read(body({"text": "Ööö Seil"}, grounding=grounding))

    assert (Citation(start=4, end=8, text="Seil", sources=(0,)),) == answer.citations
    assert ("citation_mismatch",) == answer.flags


def test_read_answer__chunk_without_address_keeps_the_numbering() -> None:
    """The second chunk has no address: support 2 still means the third."""
    grounding = {
        "groundingChunks": [CHUNKS[0], {"image": {}}, CHUNKS[1]],
        "groundingSupports": [support("Yes", 0, 3, 2, 1, 9, "x")],
    }
    answer = read(body({"text": "Yes."}, grounding=grounding))

    assert (
        Source(uri="https://a.example/1", title="a.example"),
        Source(uri="https://b.example/2", title="b.example", domain="b.example"),
    ) == answer.sources
    assert (Citation(start=0, end=3, text="Yes", sources=(1,)),) == answer.citations


def test_read_answer__other_kinds_of_chunks_are_sources() -> None:
    """Retrieved documents and places have addresses, too."""
    chunks = [
        {"retrievedContext": {"uri": "gs://b/doc", "title": "doc"}},
        {"maps": {"uri": "https://maps.example/p", "title": "place"}},
    ]
    answer = read(body({"text": "Yes."}, grounding={"groundingChunks": chunks}))

    assert ["gs://b/doc", "https://maps.example/p"] == [source.uri for source in answer.sources]
    assert () == answer.flags


def test_read_answer__support_without_sources_is_no_citation() -> None:
    """A stretch that rests on nothing cites nothing."""
    grounding = {"groundingChunks": CHUNKS, "groundingSupports": [support("Yes", 0, 3)]}
    answer = read(body({"text": "Yes."}, grounding=grounding))

    assert () == answer.citations
    assert () == answer.flags


@pytest.mark.parametrize(
    ("asked", "named", "flags"),
    [
        ("gemini-3.7-flash", "gemini-3.8-flash", ("rerouted",)),
        ("gemini-3.8-flash", "gemini-3.8-flash-001", ()),
        ("gemini-3.8-flash", "publishers/google/models/gemini-3.8-flash@default", ()),
        ("models/gemini-3.8-flash", "gemini-3.8-flash", ()),
        ("gemini-3-flash-preview", "gemini-3-flash-preview-09-2026", ()),
    ],
)
def test_read_answer__another_model_is_flagged(
    asked: str, named: str, flags: tuple[str, ...]
) -> None:
    """A build of the same model is not another model."""
    answer = read(body({"text": "Yes."}, modelVersion=named), asked=asked, search=False)

    assert flags == answer.flags
    assert named == answer.model


def test_read_answer__counts_may_be_missing_or_texts() -> None:
    """Zeros are left out on the wire, 64-bit numbers may be texts; nonsense is unknown."""
    made = body({"text": "Yes."}, usageMetadata={"promptTokenCount": "12", "thoughtsTokenCount": 5})
    odd = body({"text": "Yes."}, usageMetadata={"promptTokenCount": True, "totalTokenCount": -1})

    usage, unknown = read(made).usage, read(odd).usage

    assert usage is not None
    assert (12, 5, 5, None) == (
        usage.input_tokens,
        usage.output_tokens,
        usage.thinking_tokens,
        usage.cached_tokens,
    )
    assert unknown is not None
    assert (None, None) == (unknown.input_tokens, unknown.output_tokens)
    assert read(odd).cost_usd is None


def test_read_answer__no_usage_is_unknown_cost() -> None:
    """Never 0."""
    answer = read(body({"text": "Yes."}))

    assert answer.usage is None
    assert answer.cost_usd is None


def test_named_model__only_when_the_body_says() -> None:
    """Neither an empty name nor another type is a name."""
    assert "m" == named_model({"modelVersion": "m"})
    assert named_model({"modelVersion": ""}) is None
    assert named_model([]) is None
