"""Invented replies: read by the readers of real ones, and as long as they are assumed to be."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest
from pydantic import JsonValue

from gate.loopback.prompt_cache import PromptCache as WorldCache
from gate.models.assumptions import ASSUMED, Assumptions, tokens
from gate.models.catalogue import load_catalogue
from gate.models.claude_reply import hear
from gate.models.gemini_judge_reply import hear as hear_gemini
from gate.models.grounding import read_answer
from gate.models.invented import (
    PromptCache,
    claude_body,
    gemini_body,
    gemini_judge_body,
    invented_answer,
    invented_page,
)
from gate.scorers.sentences import split_sentences
from gate.types import Answer

CATALOGUE = load_catalogue()
OPUS = CATALOGUE.card("claude-opus-5-5")
SEARCH: list[JsonValue] = [{"googleSearch": {}}]


def asked(**more: JsonValue) -> dict[str, JsonValue]:
    """A request for an answer: 40 characters of question, 10 tokens."""
    return {"contents": [{"role": "user", "parts": [{"text": "q" * 40}]}], **more}


def answered(request: dict[str, JsonValue], searches: int = 2) -> Answer:
    """The invented answer, read as a real one."""
    body = gemini_body(request, invented_answer("a case", ASSUMED), searches, ASSUMED)
    return read_answer(
        body,
        model_asked="gemini-3.8-flash",
        on=date(2026, 11, 29),
        card=CATALOGUE.card("gemini-3.8-flash"),
    )


def judged(request: dict[str, JsonValue], reply: int = 100) -> Any:
    """The usage of an invented ruling."""
    return hear(claude_body(request, OPUS, reply, PromptCache(), ASSUMED)).usage


def block(length: int, *, cached: bool = False, letter: str = "x") -> JsonValue:
    """A block of text of so many tokens."""
    plain: dict[str, JsonValue] = {"type": "text", "text": letter * (4 * length)}
    return {**plain, "cache_control": {"type": "ephemeral"}} if cached else plain


def message(system: int, *blocks: JsonValue, form: str = "a") -> dict[str, JsonValue]:
    """A request to the judge whose system text has so many tokens."""
    return {
        "max_tokens": 8000,
        "system": [block(system, cached=True)],
        "messages": [{"role": "user", "content": list(blocks)}],
        "output_config": {"effort": "medium", "format": {"schema": form}},
    }


def test_answer__is_as_long_as_assumed_and_cites_in_every_sentence() -> None:
    """Text, sources and citations are read as from a vendor, at no place off."""
    found = answered(asked(tools=SEARCH))

    assert abs(len(found.text) - ASSUMED.answer_characters) <= 3
    assert 8 == len(split_sentences(found.text)) == len(found.citations)
    assert ASSUMED.sources == len(found.sources) == len({one.uri for one in found.sources})
    assert {ASSUMED.address_characters} == {len(one.uri) for one in found.sources}
    assert () == found.flags
    assert None is found.failure


def test_answer__is_counted_and_priced() -> None:
    """10 tokens in, 250 and the thoughts out, two queries at 14 dollars a thousand."""
    low = asked(tools=SEARCH, generationConfig={"thinkingConfig": {"thinkingLevel": "LOW"}})
    found = answered(low)

    assert found.usage is not None
    assert (10, 350, 2) == (
        found.usage.input_tokens,
        found.usage.output_tokens,
        found.usage.searches,
    )
    assert pytest.approx(10 * 0.75e-6 + 350 * 3.75e-6 + 0.028) == found.cost_usd


def test_answer__without_search_has_no_sources_and_no_fee() -> None:
    """A request that offers no search pays none."""
    found = answered(asked())

    assert ((), 0) == (found.sources, found.usage and found.usage.searches)


@pytest.mark.parametrize(
    ("thinking", "thoughts"),
    [
        ({}, 0),
        ({"thinkingLevel": "HIGH"}, 800),
        ({"thinkingBudget": 0}, 0),
        ({"thinkingBudget": 128}, 128),
        ({"thinkingBudget": 9000}, 200),
        ({"thinkingBudget": -1}, 200),
    ],
)
def test_answer__thinks_as_it_is_told(thinking: JsonValue, thoughts: int) -> None:
    """Levels have figures; a budget is used as far as medium thinking goes."""
    found = answered(asked(generationConfig={"thinkingConfig": thinking}))

    assert found.usage is not None
    assert 250 + thoughts == found.usage.output_tokens


def test_answer__is_cut_by_its_limit() -> None:
    """No more than the request allows."""
    found = answered(asked(generationConfig={"maxOutputTokens": 50}))

    assert found.usage is not None
    assert 50 == found.usage.output_tokens


def test_answers__differ_by_name() -> None:
    """Repeats and targets must not look like one cached text."""
    texts = {invented_answer(name, ASSUMED).text for name in ("a t 0", "a t 1", "b t 0")}

    assert 3 == len(texts)


def test_page__has_the_length_that_is_asked_for() -> None:
    """In paragraphs, so that passages can be chosen."""
    page = invented_page(4_000, ASSUMED)

    assert 4_000 == len(page)
    assert page.count("\n") >= 7


def test_ruling__is_a_failure_that_counts_its_tokens() -> None:
    """A refusal needs no form and is not asked for again; it is billed."""
    heard = hear(claude_body(message(10, block(5)), OPUS, 100, PromptCache(), ASSUMED))

    assert heard.failure is not None
    assert heard.usage is not None
    assert (15, 300, 200) == (
        heard.usage.input_tokens,
        heard.usage.output_tokens,
        heard.usage.thinking_tokens,
    )


def test_ruling__without_thinking_and_within_its_limit() -> None:
    """`disabled` thinks nothing; `max_tokens` holds for both together."""
    off = {**message(10), "thinking": {"type": "disabled"}}
    short = {**message(10), "max_tokens": 150}

    assert 100 == judged(off).output_tokens
    assert 150 == judged(short).output_tokens


def test_ruling__of_a_model_that_takes_no_effort_thinks_nothing() -> None:
    """Older models do not think unless they are told to."""
    plain = {key: value for key, value in message(10).items() if key != "output_config"}
    body = claude_body(plain, CATALOGUE.card("claude-opus-4-5"), 100, PromptCache(), ASSUMED)
    usage = hear(body).usage

    assert usage is not None
    assert 100 == usage.output_tokens


@pytest.mark.parametrize(
    "bodies",
    [
        [message(600, block(9)), message(600, block(8))],
        [message(100, block(9)), message(100, block(9))],
        [
            message(600, block(900, cached=True, letter="p"), block(9)),
            message(600, block(900, cached=True, letter="p"), block(7)),
            message(600, block(900, cached=True, letter="q"), block(7)),
        ],
        [message(600, block(9)), message(600, block(9), form="b")],
        [message(100, block(900, cached=True)), message(100, block(901, cached=True))],
    ],
    ids=["system", "too short", "shared", "another form", "longer"],
)
def test_cache__reads_and_writes_as_the_stand_in_bills(bodies: Sequence[dict[str, Any]]) -> None:
    """The two were written apart: whole prefixes, byte for byte, above the model's minimum."""
    assert OPUS is not None
    assert OPUS.claude is not None
    ours, world = PromptCache(), WorldCache(lambda: 0.0)
    for body in bodies:
        use = world.use(body, OPUS)
        expected = (use.plain, use.read, use.written_5m)
        assert expected == ours.use(body, OPUS.claude.min_cached_tokens)


def test_tokens__round_up() -> None:
    """Four characters a token; nothing is nothing."""
    assert [0, 1, 1, 2] == [tokens("x" * length) for length in (0, 1, 4, 5)]


def test_thinking__of_no_level_and_of_an_unknown_one() -> None:
    """Neither thinks."""
    assert (0, 200) == (ASSUMED.thinking_tokens(None), ASSUMED.thinking_tokens("medium"))
    assert 0 == Assumptions(thinking={}).thinking_tokens("medium")


@pytest.mark.parametrize(
    ("settings", "output", "thoughts"),
    [
        ({"thinkingConfig": {"thinkingLevel": "MEDIUM"}}, 300, 200),
        ({"thinkingConfig": {"thinkingBudget": -1}}, 300, 200),
        ({"thinkingConfig": {"thinkingLevel": "HIGH"}, "maxOutputTokens": 250}, 250, 250),
    ],
)
def test_gemini_judge_body__counts_tokens_and_rates_nothing(
    settings: JsonValue, output: int, thoughts: int
) -> None:
    """10 tokens of prompt, 100 of reply, and the thinking that is asked for; a failed ruling."""
    heard = hear_gemini(gemini_judge_body(asked(generationConfig=settings), 100, ASSUMED))

    assert heard.failure is not None
    assert heard.usage is not None
    assert (10, output, thoughts, None) == (
        heard.usage.input_tokens,
        heard.usage.output_tokens,
        heard.usage.thinking_tokens,
        heard.usage.cached_tokens,
    )
