"""The table of models, `models.yaml`, read once."""

from __future__ import annotations

from datetime import date, timedelta
from functools import cache
from importlib import resources

import yaml
from pydantic import BaseModel, ConfigDict

from gate.errors import ModelError
from gate.models.card import (
    ROAD_NAMES,
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
    bare_name,
)

__all__ = [
    "ROAD_NAMES",
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
    "bare_name",
    "load_catalogue",
]


OLD = timedelta(days=90)
"""Age from which the table is not to be trusted unseen."""


class Catalogue(BaseModel):
    """What is known of the models on a day."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    read_on: date
    """The day on which the table was read from the vendors."""
    on: date
    """The day for which prices, retirements and routing are asked."""
    cards: tuple[ModelCard, ...]
    """The models, in the table's order."""

    @property
    def old(self) -> bool:
        """Whether the table was read so long before the day that it may be wrong by now."""
        return self.on - self.read_on > OLD

    def card(self, model: str) -> ModelCard | None:
        """Return a model's card under any of its spellings; None when it is unknown."""
        for card in self.cards:
            if model in {card.id, card.vertex_id, *card.aliases}:
                return card
        bare = bare_name(model)
        return self.card(bare) if bare != model else None

    def models(self) -> tuple[str, ...]:
        """Return the ids of all models, in the table's order."""
        return tuple(card.id for card in self.cards)

    def answering(self, model: str, road: Road, on: date | None = None) -> ModelCard | None:
        """Return the card of the model that really answers to a name: routing is followed.

        `on` is another day than the catalogue's own.
        """
        card = self.card(model)
        other = None if card is None else card.routed_on(road, on or self.on)
        return card if other is None else self.answering(other, road, on)

    def check_alive(self, model: str, road: Road) -> None:
        """Raise ModelError for a model that is retired on this road; unknown ones pass."""
        card = self.card(model)
        day = None if card is None else card.retired(road, self.on)
        if card is None or day is None:
            return
        instead = f"use {card.successor}" if card.successor else "choose a current model"
        raise ModelError(
            f"{model} was retired on {ROAD_NAMES[road]} on {day.isoformat()}: {instead} "
            f"and refresh the baseline (models.yaml of {self.read_on.isoformat()})"
        )


def load_catalogue(on: date | None = None) -> Catalogue:
    """Read `models.yaml` of this package for a day; without one, for the day it was read on."""
    read_on, cards = _table()
    return Catalogue(read_on=read_on, on=on or read_on, cards=cards)


@cache
def _table() -> tuple[date, tuple[ModelCard, ...]]:
    text = resources.files("gate.models").joinpath("models.yaml").read_text(encoding="utf-8")
    # libyaml reads it in a tenth of the time, where PyYAML has it.
    reader = yaml.CSafeLoader if yaml.__with_libyaml__ else yaml.SafeLoader
    table = reader(text).get_single_data()
    return table["date"], tuple(ModelCard.model_validate(row) for row in table["models"])
