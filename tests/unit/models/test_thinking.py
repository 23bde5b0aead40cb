"""The thinking setting that is sent, or the sentence that says what to write instead."""

from __future__ import annotations

import pytest
from pydantic import JsonValue

from gate.errors import ConfigError
from gate.models.card import Level
from gate.models.catalogue import load_catalogue
from gate.models.thinking import gemini_thinking


def thinking(
    model: str, level: Level | None = None, budget: int | None = None
) -> dict[str, JsonValue]:
    """Ask for a model of the table, or an unknown one."""
    return gemini_thinking(load_catalogue().card(model), model, level, budget)


@pytest.mark.parametrize(
    ("model", "least"),
    [
        ("gemini-4-argon", {"thinkingLevel": "LOW"}),
        ("gemini-3.8-flash", {"thinkingLevel": "LOW"}),
        ("gemini-3.5-flash-lite", {"thinkingLevel": "MINIMAL"}),
        ("gemini-2.5-flash", {"thinkingBudget": 0}),
        ("gemini-2.5-flash-lite", {"thinkingBudget": 0}),
        ("gemini-2.5-pro", {"thinkingBudget": 128}),
        ("gemini-9", {}),
    ],
)
def test_gemini_thinking__least_without_a_setting(model: str, least: dict[str, JsonValue]) -> None:
    """The lowest level or budget of the model; nothing for a model that is not known."""
    assert least == thinking(model)


@pytest.mark.parametrize(
    ("model", "level", "budget", "sent"),
    [
        ("gemini-4-hydrogen", "xhigh", None, {"thinkingLevel": "XHIGH"}),
        ("gemini-2.5-flash", None, -1, {"thinkingBudget": -1}),
        ("gemini-2.5-pro", None, 512, {"thinkingBudget": 512}),
        ("gemini-9", "high", None, {"thinkingLevel": "HIGH"}),
        ("gemini-9", None, 7, {"thinkingBudget": 7}),
    ],
)
def test_gemini_thinking__sends_what_is_accepted(
    model: str, level: Level | None, budget: int | None, sent: dict[str, JsonValue]
) -> None:
    """An unknown model is sent what was written."""
    assert sent == thinking(model, level, budget)


@pytest.mark.parametrize(
    ("model", "level", "budget", "says"),
    [
        ("gemini-3.8-flash", None, 0, "takes no thinking_budget: write thinking_level: low"),
        ("gemini-3.8-flash", "minimal", None, "write one of low, medium, high"),
        ("gemini-2.5-flash", "low", None, "takes no thinking_level: write thinking_budget: 0"),
        ("gemini-2.5-pro", None, 0, "write 128 or more"),
        ("gemini-3.8-flash", "low", 0, "exclude each other"),
        ("gemini-9", "low", 0, "exclude each other"),
    ],
)
def test_gemini_thinking__refuses_and_says_what_to_write(
    model: str, level: Level | None, budget: int | None, says: str
) -> None:
    """Found before any call is paid for."""
    with pytest.raises(ConfigError, match=says):
        thinking(model, level, budget)


def test_gemini_thinking__names_the_model_that_answers_instead() -> None:
    """A re-routed name takes the setting of the model behind it."""
    card = load_catalogue().card("gemini-3.5-flash-lite")

    with pytest.raises(
        ConfigError, match=r"gemini-2\.5-flash \(answered by gemini-3\.5-flash-lite\)"
    ):
        gemini_thinking(card, "gemini-2.5-flash", None, 0)
