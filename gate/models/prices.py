"""What a call costs at list price, and what it can cost at most."""

from __future__ import annotations

from datetime import date

from gate.models.card import ModelCard, Price, Rates
from gate.types import Usage

QUERIES_RESERVED = 5
"""Search queries that are reserved for one answer. No vendor documents a limit; this is ours."""
_MILLION = 1_000_000


def cost_usd(
    card: ModelCard | None, usage: Usage | None, on: date, *, regional: bool = False
) -> float | None:
    """Return US dollars at list price; None when the model, its price or the tokens are unknown.

    Output includes thinking. Cached tokens are billed at their own rates; where the rate of
    cached reads was not read, at the full input rate, which is an upper bound. Cache writes are
    the five-minute ones, the only ones that we ask for. A prompt longer than the tier's limit
    puts the whole request on the tier's rates. Tokens that search adds to the prompt are not
    billed. Searches are billed by query or by grounded prompt; the vendors' free quotas, batch
    discounts and contracts are not modelled.
    """
    price = None if card is None else card.price_on(on)
    if price is None or usage is None:
        return None
    if usage.input_tokens is None or usage.output_tokens is None:
        return None
    rates: Rates = price
    if price.above is not None and usage.input_tokens > price.above.prompt_tokens:
        rates = price.above
    tokens = _tokens_usd(rates, usage, usage.input_tokens, usage.output_tokens)
    surcharge = 1 + price.regional_surcharge if regional else 1.0
    return tokens * surcharge + _grounding_usd(price, usage)


def worst_usd(
    card: ModelCard | None,
    on: date,
    *,
    prompt: str,
    max_output_tokens: int,
    search: bool = False,
    regional: bool = False,
) -> float | None:
    """Return what a call is reserved at: the whole prompt written to a cache, the longest output.

    The prompt is counted by `token_bound`; with search, `QUERIES_RESERVED` queries are added.
    None when the model or its price is unknown.
    """
    tokens = token_bound(prompt)
    usage = Usage(
        input_tokens=tokens,
        output_tokens=max_output_tokens,
        cache_write_tokens=tokens,
        searches=QUERIES_RESERVED if search else 0,
        grounded_prompts=1 if search else 0,
    )
    return cost_usd(card, usage, on, regional=regional)


def token_bound(text: str) -> int:
    """Return more tokens than the text will have in practice, without a tokenizer.

    Two ASCII characters to a token, two tokens to any other character: current tokenizers need
    three to four characters of English for a token, and one to two tokens for a rare character.
    """
    plain = len(text) if text.isascii() else len(text.encode("ascii", "ignore"))
    return plain // 2 + 2 * (len(text) - plain) + 1


def _tokens_usd(rates: Rates, usage: Usage, prompt: int, output: int) -> float:
    read = usage.cached_tokens or 0
    written = usage.cache_write_tokens or 0
    read_rate = rates.input if rates.cache_read is None else rates.cache_read
    write_rate = rates.input if rates.cache_write_5m is None else rates.cache_write_5m
    plain = max(0, prompt - read - written)
    dollars = plain * rates.input + read * read_rate + written * write_rate + output * rates.output
    return dollars / _MILLION


def _grounding_usd(price: Price, usage: Usage) -> float:
    if price.grounding is None:
        return 0.0
    units = usage.searches if price.grounding.unit == "query" else usage.grounded_prompts
    return (units or 0) * price.grounding.usd_per_1000 / 1000
