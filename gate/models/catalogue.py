"""The table of models, `models.yaml`, read once."""

from __future__ import annotations

import re
from datetime import date
from functools import cache
from importlib import resources
from typing import Final

import yaml
from pydantic import BaseModel, ConfigDict

from gate.errors import ModelError
from gate.models.card import (
    ClaudeTraits,
    Effort,
    GeminiTraits,
    Grounding,
    Level,
    ModelCard,
    Price,
    Rates,
    ReplyForm,
    Road,
    Routing,
    ThinkingType,
    Tier,
    Vendor,
)

__all__ = [
    "Catalogue",
    "ClaudeTraits",
    "Effort",
    "GeminiTraits",
    "Grounding",
    "Level",
    "ModelCard",
    "Price",
    "Rates",
    "ReplyForm",
    "Road",
    "Routing",
    "ThinkingType",
    "Tier",
    "Vendor",
    "load_catalogue",
]

_VERSION: Final = re.compile(r"(@[a-z0-9]+|-\d{8}|-\d{3})$")
"""Endings that name a dated or numbered build: `@20251001`, `@default`, `-20251001`, `-001`."""
_ROADS: Final[dict[Road, str]] = {
    "vertex": "Google Cloud",
    "key": "the Gemini Developer API",
    "direct": "the Claude API",
}


class Catalogue(BaseModel):
    """What is known of the models on a day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    read_on: date
    """The day on which the table was read from the vendors."""
    cards: tuple[ModelCard, ...]
    """The models, in the table's order."""

    def card(self, model: str) -> ModelCard | None:
        """Return a model's card under any of its spellings; None when it is unknown."""
        for card in self.cards:
            if model in {card.id, card.vertex_id, *card.aliases}:
                return card
        bare = _VERSION.sub("", model)
        return self.card(bare) if bare != model else None

    def models(self) -> tuple[str, ...]:
        """Return the ids of all models, in the table's order."""
        return tuple(card.id for card in self.cards)

    def answering(self, model: str, road: Road, on: date) -> ModelCard | None:
        """Return the card of the model that really answers to a name: routing is followed."""
        card = self.card(model)
        other = None if card is None else card.routed_on(road, on)
        return card if other is None else self.answering(other, road, on)

    def check_alive(self, model: str, road: Road, on: date) -> None:
        """Raise ModelError for a model that is retired on this road; unknown ones pass."""
        card = self.card(model)
        day = None if card is None else card.retired(road, on)
        if card is None or day is None:
            return
        instead = f"use {card.successor}" if card.successor else "choose a current model"
        raise ModelError(
            f"{model} was retired on {_ROADS[road]} on {day.isoformat()}: {instead} "
            f"and refresh the baseline (models.yaml of {self.read_on.isoformat()})"
        )


@cache
def load_catalogue() -> Catalogue:
    """Read `models.yaml` of this package."""
    text = resources.files("gate.models").joinpath("models.yaml").read_text(encoding="utf-8")
    table = yaml.safe_load(text)
    return Catalogue(read_on=table["date"], cards=table["models"])
