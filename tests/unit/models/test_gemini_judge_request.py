"""The request to a Gemini judge: in caching order, in Google's dialect, nothing that is refused."""

from __future__ import annotations

from enum import StrEnum
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from gate.errors import ConfigError
from gate.loopback.google_schema_limits import google_schema_fault
from gate.models.catalogue import load_catalogue
from gate.models.gemini_judge_request import (
    GeminiJudgeOptions,
    check_options,
    first_form,
    google_schema,
    judge_request,
)
from gate.models.json_form import form_schema
from gate.types import Prompt

CATALOGUE = load_catalogue()
PROMPT = Prompt(system="You rate.", shared="pages", own="question", digest="d")


class Kind(StrEnum):
    """A choice."""

    GOOD = "good"
    BAD = "bad"


class Row(BaseModel):
    """A row of a list."""

    kind: Kind
    sure: Literal["yes"]
    because: str | None


class Verdict(BaseModel):
    """Everything that a form may hold."""

    score: int = Field(ge=0, le=2)
    rows: list[Row]
    overall: Kind = Field(description="Of all rows.")
    justification: str


SCHEMA = form_schema(Verdict)


def request(
    model: str = "gemini-4-argon", form: Literal["json_schema", "text"] = "json_schema", **more: Any
) -> dict[str, Any]:
    """A request."""
    repair = more.pop("repair", None)
    prompt = more.pop("prompt", PROMPT)
    options = GeminiJudgeOptions(model=model, **more)
    card = CATALOGUE.card(model)
    return judge_request(options, card, prompt, SCHEMA, form=form, repair=repair)


def test_request__what_calls_share_comes_first() -> None:
    """System text, shared part, own part, repair; no tool is offered."""
    made = request(repair="mend it")

    assert {"parts": [{"text": "You rate."}]} == made["systemInstruction"]
    texts = [{"text": text} for text in ("pages", "question", "mend it")]
    assert [{"role": "user", "parts": texts}] == made["contents"]
    assert {"systemInstruction", "contents", "generationConfig"} == set(made)


def test_request__structured_output_is_asked_for_with_its_type() -> None:
    """Google refuses a schema without the type; neither is sent in text form."""
    structured, plain = request()["generationConfig"], request(form="text")

    assert "application/json" == structured["responseMimeType"]
    assert google_schema(SCHEMA) == structured["responseJsonSchema"]
    assert {"maxOutputTokens", "thinkingConfig"} == set(plain["generationConfig"])
    assert '"justification"' in plain["systemInstruction"]["parts"][0]["text"]


@pytest.mark.parametrize(("place", "where"), [("own", "contents"), ("system", None)])
def test_request__prompt_says_where_its_schema_stands(
    place: Literal["own", "system"], where: str | None
) -> None:
    """At the end of the own part, or nowhere, since the system text shows it."""
    made = request(form="text", prompt=PROMPT.model_copy(update={"schema_in": place}))

    shown = [key for key in made if '"justification"' in str(made[key]).replace('\\"', '"')]
    assert ([] if where is None else [where]) == shown


@pytest.mark.parametrize(
    ("model", "more", "thinking"),
    [
        ("gemini-4-argon", {}, {"thinkingLevel": "MEDIUM"}),
        ("gemini-4-hydrogen", {"thinking_level": "xhigh"}, {"thinkingLevel": "XHIGH"}),
        ("gemini-2.5-pro", {}, {"thinkingBudget": -1}),
        ("gemini-2.5-flash", {"thinking_budget": 0}, {"thinkingBudget": 0}),
        ("gemini-99", {}, None),
        ("gemini-99", {"thinking_level": "low"}, {"thinkingLevel": "LOW"}),
    ],
)
def test_request__thinking(model: str, more: dict[str, Any], thinking: object) -> None:
    """A medium one without a setting: a judge does not think as little as an answering model."""
    assert thinking == request(model, **more)["generationConfig"].get("thinkingConfig")


def test_request__temperature_only_where_it_is_written() -> None:
    """The vendor's default otherwise."""
    assert "temperature" not in request("gemini-2.5-pro")["generationConfig"]
    assert 0.0 == request("gemini-2.5-pro", temperature=0)["generationConfig"]["temperature"]


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"model": "claude-opus-5-5"}, "is no Gemini model"),
        ({"model": "gemini-4-argon", "temperature": 0}, "leave temperature out"),
        ({"model": "gemini-4-argon", "max_output_tokens": 40000}, "32768 output tokens at most"),
        ({"model": "gemini-4-argon", "thinking_budget": 0}, "takes no thinking_budget"),
        ({"model": "gemini-4-argon", "thinking_level": "minimal"}, "does not know thinking_level"),
        ({"model": "gemini-2.5-pro", "thinking_budget": 0}, "write 128 or more"),
        (
            {"model": "gemini-99", "thinking_budget": 1, "thinking_level": "low"},
            "exclude each other",
        ),
    ],
)
def test_check__what_the_model_would_refuse(options: dict[str, Any], says: str) -> None:
    """With what to write instead."""
    made = GeminiJudgeOptions(**options)

    with pytest.raises(ConfigError, match=says):
        check_options(made, CATALOGUE.card(made.model))


def test_form__follows_the_table() -> None:
    """A model without structured output is asked in text, and a written form is refused."""
    card = CATALOGUE.card("gemini-4-argon")
    assert card is not None
    assert card.gemini is not None
    plain = card.model_copy(
        update={"gemini": card.gemini.model_copy(update={"reply_forms": ("text",)})}
    )
    auto = GeminiJudgeOptions(model=card.id)

    assert "json_schema" == first_form(auto, card) == first_form(auto, None)
    assert "text" == first_form(auto, plain)
    with pytest.raises(ConfigError, match="write form: auto"):
        check_options(GeminiJudgeOptions(model=card.id, form="json_schema"), plain)


def test_schema__is_in_google_s_dialect() -> None:
    """`const` becomes an enum of one, `allOf` is put together, the order is written down."""
    made: Any = google_schema(SCHEMA)

    assert google_schema_fault(made) is None
    assert google_schema_fault(SCHEMA) is not None, "the other dialect would be refused"
    assert ["justification", "score", "rows", "overall"] == made["propertyOrdering"]
    assert made["required"] == made["propertyOrdering"]
    row = made["$defs"]["Row"]
    assert ["yes"] == row["properties"]["sure"]["enum"]
    assert "const" not in str(made)
    assert [0, 1, 2] == made["properties"]["score"]["enum"]


def test_schema__parts_of_all_of_are_put_together() -> None:
    """A reference stands alone, as Google wants it."""
    whole: Any = google_schema(
        {"allOf": [{"type": "string"}, {"enum": ["a"]}], "description": "one"}
    )
    assert {"type": "string", "enum": ["a"], "description": "one"} == whole
    assert {"$ref": "#/$defs/A"} == google_schema(
        {"allOf": [{"$ref": "#/$defs/A"}], "description": "one"}
    )
