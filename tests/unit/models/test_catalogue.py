"""The table of models: complete, dated, and asked under any spelling."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from gate.errors import ModelError
from gate.models.catalogue import Catalogue, load_catalogue

CATALOGUE = load_catalogue()
TODAY = date(2026, 11, 30)


def test_models__are_those_of_the_vendors_pages() -> None:
    """Fourteen of each vendor, none twice."""
    models = CATALOGUE.models()

    assert 14 == sum(model.startswith("claude-") for model in models)
    assert 14 == sum(model.startswith("gemini-") for model in models)
    assert len(set(models)) == len(models)


@pytest.mark.parametrize(("days", "old"), [(0, False), (90, False), (91, True)])
def test_old__after_ninety_days(days: int, *, old: bool) -> None:
    """Prices and retirements change."""
    assert old is load_catalogue(CATALOGUE.read_on + timedelta(days=days)).old


@pytest.mark.parametrize("model", CATALOGUE.models())
def test_card__says_what_its_vendor_needs(model: str) -> None:
    """Each card has a price today, traits of its own vendor only, and links that lead somewhere."""
    card = CATALOGUE.card(model)

    assert card is not None
    assert card.price_on(TODAY) is not None
    assert (card.claude is not None, card.gemini is not None) == (
        card.vendor == "anthropic",
        card.vendor == "google",
    )
    linked = {card.successor or model, *(rule.to for rule in card.routed)}
    assert all(CATALOGUE.card(name) is not None for name in linked)


@pytest.mark.parametrize("model", [one for one in CATALOGUE.models() if "claude" in one])
def test_card__claude_is_consistent(model: str) -> None:
    """A default effort is among the efforts, and a model that always thinks only adapts."""
    card = CATALOGUE.card(model)

    assert card is not None
    assert card.claude is not None
    assert card.claude.default_effort in (*card.claude.efforts, None)
    assert bool(card.claude.efforts) == (card.claude.default_effort is not None)
    assert card.claude.always_thinks == (card.claude.thinking == ("adaptive",))
    assert card.claude.reply_forms[:2] == ("json_schema", "text")


@pytest.mark.parametrize("model", [one for one in CATALOGUE.models() if "gemini" in one])
def test_card__gemini_has_one_thinking_control(model: str) -> None:
    """Levels or a smallest budget, never both; search has a price of the family's unit."""
    card = CATALOGUE.card(model)
    price = None if card is None else card.price_on(TODAY)

    assert card is not None
    assert card.gemini is not None
    assert bool(card.gemini.levels) != (card.gemini.min_budget is not None)
    assert card.gemini.default_level in (*card.gemini.levels, None)
    assert price is not None
    assert price.grounding is not None
    assert price.grounding.unit == ("prompt" if "2.5" in model else "query")


@pytest.mark.parametrize(
    ("spelling", "model"),
    [
        ("claude-haiku-4-5", "claude-haiku-4-5-20251001"),
        ("claude-haiku-4-5@20251001", "claude-haiku-4-5-20251001"),
        ("claude-opus-4-5-20251101", "claude-opus-4-5"),
        ("claude-opus-5-5@default", "claude-opus-5-5"),
        ("gemini-3.8-flash-001", "gemini-3.8-flash"),
        ("publishers/google/models/gemini-3.8-flash", "gemini-3.8-flash"),
    ],
)
def test_card__known_under_another_spelling(spelling: str, model: str) -> None:
    """Dated builds and Google Cloud's spelling name the same model."""
    card = CATALOGUE.card(spelling)

    assert card is not None
    assert model == card.id


@pytest.mark.parametrize("name", ["", "gpt-9", "gemini-9-flash", "claude-opus-5-5-turbo"])
def test_card__unknown_is_none(name: str) -> None:
    """No guess is made from a likely name."""
    assert CATALOGUE.card(name) is None


def test_name_on__google_cloud_has_its_own_for_dated_models() -> None:
    """Only dated ids differ between the roads."""
    haiku, opus = CATALOGUE.card("claude-haiku-4-5"), CATALOGUE.card("claude-opus-5-5")

    assert haiku is not None
    assert opus is not None
    assert "claude-haiku-4-5@20251001" == haiku.name_on("vertex")
    assert "claude-haiku-4-5-20251001" == haiku.name_on("direct")
    assert "claude-opus-5-5" == opus.name_on("vertex")


def test_price_on__changes_on_its_day() -> None:
    """Gemini 3.8 Flash doubles on 1 January 2027; Sonnet 5.5's reads halved on 7 October 2026."""
    flash, sonnet = CATALOGUE.card("gemini-3.8-flash"), CATALOGUE.card("claude-sonnet-5-5")
    assert flash is not None
    assert sonnet is not None

    prices = [flash.price_on(day) for day in (date(2026, 12, 31), date(2027, 1, 1))]
    reads = [sonnet.price_on(day) for day in (date(2026, 10, 6), date(2026, 10, 7))]

    assert [0.75, 1.50] == [price.input for price in prices if price]
    assert [0.20, 0.10] == [price.cache_read for price in reads if price]


def test_answering__follows_silent_routing_on_its_road_and_day() -> None:
    """3.7 goes to 3.8 on the Developer API since 8 October 2026, and nowhere else."""
    before, since = date(2026, 10, 7), date(2026, 10, 8)

    def answers(road: str, on: date) -> str:
        card = CATALOGUE.answering("gemini-3.7-flash", road, on)  # type: ignore[arg-type]
        assert card is not None
        return card.id

    assert "gemini-3.7-flash" == answers("key", before)
    assert "gemini-3.8-flash" == answers("key", since)
    assert "gemini-3.7-flash" == answers("vertex", since)


def test_answering__unknown_model_is_none() -> None:
    """What is not in the table has no card to follow."""
    assert CATALOGUE.answering("gemini-9", "key") is None


def test_check_alive__retired_model_is_named_with_its_successor() -> None:
    """From its day on, and only on the road that retired it."""
    eve, day = (load_catalogue(date(2026, 11, 30) - timedelta(days=n)) for n in (1, 0))
    eve.check_alive("claude-sonnet-4-5", "direct")
    day.check_alive("claude-sonnet-4-5", "vertex")

    with pytest.raises(
        ModelError, match=r"claude-sonnet-4-5 was retired on the Claude API"
    ) as caught:
        day.check_alive("claude-sonnet-4-5", "direct")

    assert "use claude-sonnet-5-5" in str(caught.value)
    assert 2 == caught.value.exit_code


def test_check_alive__unknown_model_passes() -> None:
    """The vendor knows better than the table."""
    CATALOGUE.check_alive("gemini-9", "key")


def test_load_catalogue__day_is_the_tables_own_without_another() -> None:
    """A day that is handed in is kept; the cards are the same."""
    other = load_catalogue(date(2027, 1, 1))

    assert CATALOGUE.on == CATALOGUE.read_on == date(2026, 11, 29)
    assert date(2027, 1, 1) == other.on
    assert isinstance(other, Catalogue)
    assert CATALOGUE.cards == other.cards
