"""Forms become schemas that vendors accept, and replies become forms."""

from __future__ import annotations

import json
from datetime import date
from enum import Enum
from pathlib import Path
from typing import Any, Literal

import pytest
from pydantic import BaseModel, Field

from gate.models.json_form import form_schema, read_form
from gate.models.json_text import candidates


class Grade(Enum):
    """Upper and lower case in one."""

    GOOD = "Good"
    BAD = "bad"


class Claim(BaseModel):
    """A nested object."""

    text: str = Field(max_length=50)
    supported: Literal["Yes", "No", "partly"]


class Verdict(BaseModel):
    """A form with all that vendors refuse."""

    score: int = Field(ge=0, le=4, description="0 is worst")
    grade: Grade = Grade.BAD
    claims: list[Claim] = Field(default_factory=list, max_length=9)
    share: float | None = Field(default=None, ge=0, le=1)
    justification: str = Field(min_length=1, pattern="^.")


class Bounded(BaseModel):
    """Integers with open and with missing bounds, and two formats."""

    inside: int = Field(gt=0, lt=4)
    above: int = Field(ge=3)
    day: date
    file: Path
    wide: int = Field(ge=0, le=100_000)


REFUSED = {
    *{"minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "minLength", "maxLength"},
    *{"multipleOf", "pattern", "maxItems", "minItems", "default", "title"},
}


def objects(node: Any) -> list[dict[str, Any]]:
    """All schema objects below a node."""
    if isinstance(node, list):
        return [one for item in node for one in objects(item)]
    if not isinstance(node, dict):
        return []
    return [node, *(one for value in node.values() for one in objects(value))]


def test_form_schema__holds_nothing_that_is_refused() -> None:
    """No bounds anywhere; every object is closed and all of its properties are required."""
    schema = form_schema(Verdict)
    nodes = [one for one in objects(schema) if one.get("type") == "object"]

    assert 2 == len(nodes)
    assert not REFUSED & {key for one in objects(schema) for key in one}
    assert all(one["additionalProperties"] is False for one in nodes)
    assert all(one["required"] == list(one["properties"]) for one in nodes)


def test_form_schema__justification_comes_first() -> None:
    """It is written before the verdict, whatever the order in the form."""
    names = list(form_schema(Verdict)["properties"])  # type: ignore[arg-type]

    assert ["justification", "score", "grade", "claims", "share"] == names


def test_form_schema__keeps_what_is_accepted() -> None:
    """Bounded integers become enums; a known format stays, another one goes."""
    properties: Any = form_schema(Bounded)["properties"]

    assert {"type": "integer", "description": "0 is worst", "enum": [0, 1, 2, 3, 4]} == form_schema(
        Verdict
    )["properties"]["score"]  # type: ignore[index, call-overload]
    assert {"type": "integer", "enum": [1, 2, 3]} == properties["inside"]
    assert {"type": "integer"} == properties["above"]
    assert {"type": "string", "format": "date"} == properties["day"]
    assert {"type": "string"} == properties["file"]
    assert {"type": "integer"} == properties["wide"]


def filled(**changes: Any) -> dict[str, Any]:
    """A valid reply."""
    return {
        "justification": "It says so.",
        "score": 3,
        "grade": "Good",
        "claims": [{"text": "x", "supported": "Yes"}],
        "share": 0.5,
        **changes,
    }


@pytest.mark.parametrize(
    "text",
    [
        "{}",
        "  {}\n",
        "```json\n{}\n```",
        "Here you are:\n```\n{}\n```\nDone.",
        "The rating is {} as you see.",
        "Of {score} and {} only the second is JSON: {}",
    ],
)
def test_read_form__finds_the_object(text: str) -> None:
    """Whole, fenced, or among other text."""
    reply = text.replace("{}", json.dumps(filled(), indent=1))

    assert 3 == read_form(reply, Verdict).score


@pytest.mark.parametrize(
    "reason",
    [
        'uses ```json\n{"score": 1}\n``` inside',
        "a } and a { alone",
        'quotes "x" and \\ back',
        "☕ é",
    ],
)
@pytest.mark.parametrize("around", ["{}", "```json\n{}\n```", "so: {} - that is all"])
def test_read_form__text_inside_the_object_ends_nothing(reason: str, around: str) -> None:
    """Backticks, braces and quotes of a justification are text."""
    reply = around.replace("{}", json.dumps(filled(justification=reason)))

    assert reason == read_form(reply, Verdict).justification


def test_read_form__letter_case_of_enums_is_not_kept_by_vendors() -> None:
    """In nested objects, references and literals alike."""
    reply = filled(grade="GOOD", claims=[{"text": "x", "supported": "PARTLY"}])

    verdict = read_form(json.dumps(reply), Verdict)

    assert Grade.GOOD is verdict.grade
    assert "partly" == verdict.claims[0].supported


def test_read_form__foreign_object_beside_the_verdict() -> None:
    """An object of another shape is passed over."""
    reply = f'Given {{"page": 1}} I say {json.dumps(filled())}'

    assert 3 == read_form(reply, Verdict).score


def test_read_form__same_verdict_twice_is_one() -> None:
    """Once in the text and once more."""
    reply = f"{json.dumps(filled())} again: {json.dumps(filled())}"

    assert 3 == read_form(reply, Verdict).score


def test_read_form__two_verdicts_are_none() -> None:
    """A page that was quoted may hold a verdict of its own: neither is believed."""
    reply = f"The page says {json.dumps(filled(score=4))}, I say {json.dumps(filled(score=0))}"

    with pytest.raises(ValueError, match="several JSON objects"):
        read_form(reply, Verdict)


@pytest.mark.parametrize(
    ("reply", "says"),
    [
        ("", "no JSON object"),
        ("It is good.", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('{"score": 0.', "no JSON object"),
        ('{"score": NaN}', "no JSON object"),
        ("{" * 5000, "no JSON object"),
        ('{"a":' * 100_000, "no JSON object"),
        ("{}", "justification: Field required"),
        (json.dumps(filled(score=5)), "score: Input should be less than or equal to 4"),
        (json.dumps(filled(grade="fair")), "grade: Input should be"),
        (json.dumps(filled(claims=[{"text": "x"}])), "claims.0.supported: Field required"),
    ],
    ids=lambda value: value[:12],
)
def test_read_form__says_what_is_wrong(reply: str, says: str) -> None:
    """The sentence is what the judge is shown when it repairs."""
    with pytest.raises(ValueError, match=says):
        read_form(reply, Verdict)


def test_candidates__nested_objects_are_passed_over() -> None:
    """What is inside an object that was read is no candidate of its own."""
    groups = list(candidates('x {"a": {"b": 1}} y {"c": 2}'))

    assert [[], [], [{"a": {"b": 1}}, {"c": 2}]] == groups
