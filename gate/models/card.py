"""A model's card: who makes it, how long it lives, what it costs, what a request may hold."""

from __future__ import annotations

import re
from datetime import date
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field

Vendor = Literal["google", "anthropic"]
"""Whose limits and credentials a call counts against."""
FAMILIES: dict[Vendor, str] = {"anthropic": "claude", "google": "gemini"}
"""Vendor -> family of its models."""
Road = Literal["vertex", "key", "direct"]
"""Google Cloud, the Gemini Developer API, the Claude API."""
Status = Literal["latest", "active", "legacy", "deprecated", "preview"]
"""What the vendor calls it; whether it is retired follows from the dates."""
Effort = Literal["low", "medium", "high", "xhigh", "max"]
"""Claude's `output_config.effort`."""
Level = Literal["minimal", "low", "medium", "high", "xhigh"]
"""Gemini's `thinkingConfig.thinkingLevel`."""
ThinkingType = Literal["adaptive", "disabled", "enabled", "between_tools"]
"""Claude's `thinking.type`."""
ReplyForm = Literal["json_schema", "text", "forced_tool"]
"""How a judge can be made to answer in JSON."""

ROAD_NAMES: Final[dict[Road, str]] = {
    "vertex": "Google Cloud",
    "key": "the Gemini Developer API",
    "direct": "the Claude API",
}
"""What a person calls a road."""
GEMINI_NAME: Final = r"^(publishers/google/)?(models/)?[A-Za-z0-9][A-Za-z0-9._@-]*$"
"""What a Gemini model may be called in gate.yaml; the vendor's path before it is taken off."""
_BUILD: Final = re.compile(r"(@[a-z0-9]+|-\d{8}|-\d{3}|-\d{2}-\d{4})$")


def bare_name(model: str) -> str:
    """Return a model's name without path and build.

    `publishers/google/models/x-001` and `x@20251001` give `x`: endings such as `@default`,
    `-20251001`, `-001` and `-09-2025` name a build of the same model.
    """
    return _BUILD.sub("", model.rsplit("/", 1)[-1])


class _Row(BaseModel):
    """A row of the table: frozen, and an unknown key is a slip of ours."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class Rates(_Row):
    """US dollars for 1,000,000 tokens."""

    input: float
    """Prompt tokens that no cache touched."""
    output: float
    """Output tokens, thinking included."""
    cache_read: float | None = None
    """Prompt tokens read from a cache; None when the rate was not read."""
    cache_write_5m: float | None = None
    """Prompt tokens written to a cache for five minutes; None where writing is not billed."""
    cache_write_1h: float | None = None
    """Prompt tokens written to a cache for an hour."""


class Tier(Rates):
    """The rates of a whole request whose prompt is longer than `prompt_tokens`."""

    prompt_tokens: int
    """Length above which these rates hold, cache reads and writes included."""


class Grounding(_Row):
    """What search costs; the vendor's free quotas are not modelled."""

    unit: Literal["query", "prompt"]
    """Billed by the query that the model ran, or by the prompt that was grounded."""
    usd_per_1000: float
    """US dollars for 1,000 units."""


class Price(Rates):
    """The rates from a day on."""

    from_: date | None = Field(default=None, alias="from")
    """First day; None is from the beginning."""
    above: Tier | None = None
    """Other rates for long prompts."""
    grounding: Grounding | None = None
    """What search costs; None where it is not offered through us."""
    regional_surcharge: float = 0.0
    """Share added on regional and multi-region endpoints of Google Cloud."""


class Routing(_Row):
    """A name that the vendor answers with another model without saying so."""

    road: Road
    """Where."""
    since: date
    """First day."""
    to: str
    """Id of the model that answers."""


class ClaudeTraits(_Row):
    """What a request to a Claude model may hold; anything else is a 400."""

    thinking: tuple[ThinkingType, ...]
    """Accepted types of `thinking`."""
    bounded_by: Effort | None = None
    """Highest effort at which `disabled` or `between_tools` is accepted; None is any."""
    thinks_by_default: bool
    """Whether it thinks when `thinking` is left out."""
    always_thinks: bool
    """Whether thinking cannot be switched off."""
    efforts: tuple[Effort, ...] = ()
    """Accepted efforts, lowest first; empty where the parameter is refused."""
    default_effort: Effort | None = None
    """The effort when it is left out."""
    sampling: bool
    """Whether temperature, top_p and top_k may differ from the default (while not thinking)."""
    prefill: bool
    """Whether the messages may end with an assistant turn."""
    reply_forms: tuple[ReplyForm, ...]
    """Forms that it accepts, best first."""
    min_cached_tokens: int
    """Shortest prefix that is cached; a shorter one is silently not."""

    @property
    def forced_tool(self) -> bool:
        """Whether `tool_choice` of type `tool` or `any` is accepted (not while `enabled`)."""
        return "forced_tool" in self.reply_forms


class GeminiTraits(_Row):
    """What a request to a Gemini model may hold."""

    thinking: Literal["level", "budget"]
    """The one control that it takes; the other is a 400."""
    levels: tuple[Level, ...] = ()
    """Accepted levels, lowest first."""
    default_level: Level | None = None
    """The level when it is left out; None when it was not read."""
    min_budget: int | None = None
    """Smallest budget in tokens; 0 switches thinking off."""
    implicit_cache_min: int | None = None
    """Shortest prompt that is cached without asking; None when it was not read."""
    sampling: bool = False
    """Whether a judge may set the temperature: for 3 and later, Google advises against it."""
    reply_forms: tuple[ReplyForm, ...] = ("json_schema", "text")
    """Forms that it accepts, best first."""


class ModelCard(_Row):
    """One model of the table."""

    id: str
    """Its name at the vendor's own API."""
    aliases: tuple[str, ...] = ()
    """Other spellings of the same model."""
    vertex_id: str | None = None
    """Its name on Google Cloud, where it differs."""
    vendor: Vendor
    """Who makes it."""
    status: Status
    """What the vendor calls it."""
    retires: dict[Road, date] = {}
    """Road -> day from which it is refused; a road without a date has none announced."""
    not_before: dict[Road, date] = {}
    """Road -> day before which it will not be retired."""
    routed: tuple[Routing, ...] = ()
    """Where another model answers under this name."""
    successor: str | None = None
    """What to use instead."""
    max_output_tokens: int | None = None
    """Longest output of one call without streaming, thinking included; None when not read."""
    prices: tuple[Price, ...] = ()
    """Prices, oldest first."""
    claude: ClaudeTraits | None = None
    """For Claude models."""
    gemini: GeminiTraits | None = None
    """For Gemini models."""

    def price_on(self, on: date) -> Price | None:
        """Return the price in force on a day; None when the table has none."""
        past = [price for price in self.prices if price.from_ is None or price.from_ <= on]
        return past[-1] if past else None

    @property
    def family(self) -> str:
        """Vendor family, such as `claude`: a judge of the answering family is warned about."""
        return FAMILIES[self.vendor]

    def retired(self, road: Road, on: date) -> date | None:
        """Return the day of retirement when that day has come on this road, else None."""
        day = self.retires.get(road)
        return day if day is not None and day <= on else None

    def routed_on(self, road: Road, on: date) -> str | None:
        """Return the id of the model that answers in its place on this road, if any."""
        past = [rule.to for rule in self.routed if rule.road == road and rule.since <= on]
        return past[-1] if past else None

    def name_on(self, road: Road) -> str:
        """Return the name to send on this road."""
        return self.vertex_id if road == "vertex" and self.vertex_id else self.id
