"""The one thinking setting that a Gemini model takes, checked before any call."""

from __future__ import annotations

from pydantic import JsonValue

from gate.errors import ConfigError
from gate.models.card import Level, ModelCard

_HINT = "leave both out for the least thinking"


def gemini_thinking(
    card: ModelCard | None, asked: str, level: Level | None, budget: int | None
) -> dict[str, JsonValue]:
    """Return a request's `thinkingConfig`; an empty one leaves it out.

    `card` is of the model that answers to the name `asked`; for an unknown model what was written
    is sent. Without a setting the least thinking is asked for: the lowest level, or the smallest
    budget. Raises ConfigError, with what to write instead, for what the model would refuse.
    """
    if level is not None and budget is not None:
        raise ConfigError(
            f"{asked}: thinking_level and thinking_budget exclude each other: keep one"
        )
    if card is None or card.gemini is None:
        return _written(level, budget)
    name = asked if card.id == asked else f"{asked} (answered by {card.id})"
    if card.gemini.thinking == "level":
        return _level(card, name, level, budget)
    return _budget(card, name, level, budget)


def _written(level: Level | None, budget: int | None) -> dict[str, JsonValue]:
    if level is not None:
        return {"thinkingLevel": level.upper()}
    return {} if budget is None else {"thinkingBudget": budget}


def _level(
    card: ModelCard, name: str, level: Level | None, budget: int | None
) -> dict[str, JsonValue]:
    assert card.gemini is not None
    levels = card.gemini.levels
    if budget is not None:
        raise ConfigError(
            f"{name} takes no thinking_budget: write thinking_level: {levels[0]} ({_HINT})"
        )
    if level is not None and level not in levels:
        raise ConfigError(
            f"{name} does not know thinking_level: {level}: write one of {', '.join(levels)} "
            f"({_HINT})"
        )
    return _written(level or levels[0], None)


def _budget(
    card: ModelCard, name: str, level: Level | None, budget: int | None
) -> dict[str, JsonValue]:
    assert card.gemini is not None
    least = card.gemini.min_budget or 0
    if level is not None:
        raise ConfigError(
            f"{name} takes no thinking_level: write thinking_budget: {least} ({_HINT})"
        )
    if budget is not None and budget != -1 and budget < least:
        raise ConfigError(
            f"{name} cannot think with thinking_budget: {budget}: write {least} or more, or -1 "
            "to let it choose"
        )
    return _written(None, least if budget is None else budget)
