"""Worked costs, by hand, in US dollars."""

from __future__ import annotations

from datetime import date

import pytest

from gate.models.card import ModelCard
from gate.models.catalogue import load_catalogue
from gate.models.prices import cost_usd, token_bound, worst_usd
from gate.types import Usage

NOV = date(2026, 11, 30)
JAN = date(2027, 1, 1)


def card(model: str) -> ModelCard:
    """A known card."""
    found = load_catalogue().card(model)
    assert found is not None
    return found


def test_cost_usd__gemini_by_query_with_thinking_and_cache() -> None:
    """10,000 in of which 4,000 cached, 2,000 out of which 500 thinking, 3 queries, in November.

    6,000 x 0.75/M = 0.0045; 4,000 x 0.075/M = 0.0003; 2,000 x 3.75/M = 0.0075;
    3 x 14/1,000 = 0.042. Sum 0.0543. Tokens of the search tool are not billed.
    """
    usage = Usage(
        input_tokens=10_000,
        output_tokens=2_000,
        thinking_tokens=500,
        tool_tokens=9_000,
        cached_tokens=4_000,
        searches=3,
        grounded_prompts=1,
    )

    assert 0.0543 == pytest.approx(cost_usd(card("gemini-3.8-flash"), usage, NOV), abs=1e-12)


def test_cost_usd__price_of_the_day() -> None:
    """1M in and 1M out: 0.75 + 3.75 = 4.50 in November, 1.50 + 7.50 = 9.00 in January."""
    usage = Usage(input_tokens=1_000_000, output_tokens=1_000_000)

    costs = [cost_usd(card("gemini-3.8-flash"), usage, day) for day in (NOV, JAN)]

    assert [4.50, 9.00] == pytest.approx(costs)


def test_cost_usd__older_gemini_by_grounded_prompt() -> None:
    """2.5 Flash: 1,000 x 0.30/M + 1,000 x 2.50/M = 0.0028, and 35/1,000 for the prompt."""
    usage = Usage(input_tokens=1_000, output_tokens=1_000, searches=4, grounded_prompts=1)

    assert 0.0378 == pytest.approx(cost_usd(card("gemini-2.5-flash"), usage, NOV), abs=1e-12)


def test_cost_usd__unread_cache_rate_is_charged_in_full() -> None:
    """3.5 Flash-Lite: the cached rate was not read, so 1M cached costs 0.30, an upper bound."""
    usage = Usage(input_tokens=1_000_000, output_tokens=0, cached_tokens=1_000_000)

    assert 0.30 == pytest.approx(cost_usd(card("gemini-3.5-flash-lite"), usage, NOV))


def test_cost_usd__claude_cache_write_and_read() -> None:
    """Opus 5.5: 1,000 plain, 2,000 written, 7,000 read, 500 out.

    1,000 x 4/M = 0.004; 2,000 x 5/M = 0.010; 7,000 x 0.20/M = 0.0014; 500 x 20/M = 0.010.
    Sum 0.0254; a regional endpoint adds 10%: 0.02794.
    """
    usage = Usage(
        input_tokens=10_000, output_tokens=500, cached_tokens=7_000, cache_write_tokens=2_000
    )
    opus = card("claude-opus-5-5")

    assert 0.0254 == pytest.approx(cost_usd(opus, usage, NOV), abs=1e-12)
    assert 0.02794 == pytest.approx(cost_usd(opus, usage, NOV, regional=True), abs=1e-12)


@pytest.mark.parametrize(("prompt", "expected"), [(100_000, 0.0105), (100_001, 0.0525005)])
def test_cost_usd__tier_by_whole_prompt(prompt: int, expected: float) -> None:
    """Haiku 5.5 to 100,000: 0.010 + 1,000 x 0.50/M = 0.0105; one more: all at 0.50 and 2.50.

    100,001 x 0.50/M = 0.0500005; 1,000 x 2.50/M = 0.0025.
    """
    usage = Usage(input_tokens=prompt, output_tokens=1_000)

    assert expected == pytest.approx(cost_usd(card("claude-haiku-5-5"), usage, NOV), abs=1e-12)


def test_cost_usd__tier_counts_cached_tokens() -> None:
    """Haiku 5.5, 150,000 of which 149,000 read: 1,000 x 0.50/M + 149,000 x 0.05/M = 0.00795."""
    usage = Usage(input_tokens=150_000, output_tokens=0, cached_tokens=149_000)

    assert 0.00795 == pytest.approx(cost_usd(card("claude-haiku-5-5"), usage, NOV), abs=1e-12)


@pytest.mark.parametrize(
    "usage",
    [None, Usage(), Usage(input_tokens=5), Usage(output_tokens=5)],
    ids=["none", "empty", "no output", "no input"],
)
def test_cost_usd__unknown_tokens_are_unknown_cost(usage: Usage | None) -> None:
    """Never 0."""
    assert cost_usd(card("gemini-3.8-flash"), usage, NOV) is None


def test_cost_usd__unknown_model_or_price_is_unknown_cost() -> None:
    """Never 0."""
    usage = Usage(input_tokens=1, output_tokens=1)
    priceless = card("gemini-3.8-flash").model_copy(update={"prices": ()})

    assert cost_usd(None, usage, NOV) is None
    assert cost_usd(priceless, usage, NOV) is None


def test_cost_usd__free_of_tokens_is_zero() -> None:
    """A known price and no tokens cost nothing."""
    assert 0.0 == cost_usd(card("gemini-3.8-flash"), Usage(input_tokens=0, output_tokens=0), NOV)


def test_worst_usd__covers_prompt_output_and_search() -> None:
    """3.8 Flash: 201 tokens for 400 letters, 8,192 out, 5 queries.

    201 x 0.75/M = 0.00015075; 8,192 x 3.75/M = 0.03072; 5 x 0.014 = 0.07. Sum 0.10087075.
    """
    worst = worst_usd(
        card("gemini-3.8-flash"), NOV, prompt="a" * 400, max_output_tokens=8192, search=True
    )

    assert 0.10087075 == pytest.approx(worst, abs=1e-12)


def test_worst_usd__claude_prompt_is_written_to_the_cache() -> None:
    """Opus 5.5: 201 x 5/M + 8,000 x 20/M = 0.161005."""
    worst = worst_usd(card("claude-opus-5-5"), NOV, prompt="a" * 400, max_output_tokens=8000)

    assert 0.161005 == pytest.approx(worst, abs=1e-12)


def test_worst_usd__unknown_model_is_unknown() -> None:
    """Nothing can be reserved for it."""
    assert worst_usd(None, NOV, prompt="a", max_output_tokens=1) is None


@pytest.mark.parametrize(("text", "bound"), [("", 1), ("abcd", 3), ("日本", 5), ("a☕", 3)])
def test_token_bound__counts_rare_characters_dearly(text: str, bound: int) -> None:
    """Half a token for an ASCII character, two for any other, one to spare."""
    assert bound == token_bound(text)
