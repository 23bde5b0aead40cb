"""The request to a judge: cached parts first, and nothing that the model refuses."""

from __future__ import annotations

from typing import Any

import pytest

from gate.errors import ConfigError
from gate.models.catalogue import load_catalogue
from gate.models.claude_request import (
    ClaudeOptions,
    check_options,
    effort_of,
    first_form,
    judge_request,
)
from gate.models.judge_texts import repair_text
from gate.types import Prompt

CATALOGUE = load_catalogue()
CLAUDES = [model for model in CATALOGUE.models() if model.startswith("claude-")]
PROMPT = Prompt(system="You rate.", shared="pages", own="question", digest="d")
SCHEMA: dict[str, Any] = {"type": "object", "properties": {}, "additionalProperties": False}
EPHEMERAL = {"type": "ephemeral"}


def request(
    model: str = "claude-opus-5-5", prompt: Prompt = PROMPT, **options: Any
) -> dict[str, Any]:
    """A request in structured form."""
    made = ClaudeOptions(model=model, **options)
    return judge_request(made, CATALOGUE.card(model), prompt, SCHEMA, form="json_schema")


def test_judge_request__is_what_opus_5_5_takes() -> None:
    """System and shared part are marked for caching, the own part comes last."""
    expected = {
        "max_tokens": 8000,
        "system": [{"type": "text", "text": "You rate.", "cache_control": EPHEMERAL}],
        "messages": [
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "pages", "cache_control": EPHEMERAL},
                    {"type": "text", "text": "question"},
                ],
            }
        ],
        "output_config": {"effort": "medium", "format": {"type": "json_schema", "schema": SCHEMA}},
    }

    assert expected == request()


def test_judge_request__empty_shared_part_is_left_out() -> None:
    """An empty block would be refused."""
    prompt = PROMPT.model_copy(update={"shared": ""})

    assert [{"type": "text", "text": "question"}] == request(prompt=prompt)["messages"][0][
        "content"
    ]


@pytest.mark.parametrize("model", CLAUDES)
def test_judge_request__never_sends_what_current_models_refuse(model: str) -> None:
    """No sampling, no tools, no prefill, and no effort where there is none."""
    sent = request(model)
    card = CATALOGUE.card(model)

    assert card is not None
    assert card.claude is not None
    assert {"max_tokens", "system", "messages", "output_config"} == set(sent)
    assert ["user"] == [turn["role"] for turn in sent["messages"]]
    assert bool(card.claude.efforts) == ("effort" in sent["output_config"])


def test_judge_request__text_form_shows_the_schema() -> None:
    """It is part of the cached system text, and no format is sent."""
    sent: Any = judge_request(
        ClaudeOptions(), CATALOGUE.card("claude-opus-5-5"), PROMPT, SCHEMA, form="text"
    )
    system = sent["system"][0]["text"]

    assert system.startswith("You rate.\n\n")
    assert '```json\n{\n  "type": "object"' in system
    assert {"effort": "medium"} == sent["output_config"]


def test_judge_request__unknown_model_is_sent_little() -> None:
    """No effort is guessed; a text form then has no output settings at all."""
    sent = judge_request(ClaudeOptions(model="claude-9"), None, PROMPT, SCHEMA, form="text")

    assert "output_config" not in sent
    assert "thinking" not in sent


def test_judge_request__repair_comes_last_in_the_same_turn() -> None:
    """The prefix stays as it was, so the cache holds."""
    sent: Any = judge_request(
        ClaudeOptions(),
        CATALOGUE.card("claude-opus-5-5"),
        PROMPT,
        SCHEMA,
        form="json_schema",
        repair=repair_text('bad "reply"', "score: missing"),
    )
    plain = request()
    content = sent["messages"][0]["content"]

    assert plain["system"] == sent["system"]
    assert plain["messages"][0]["content"] == content[:2]
    assert r'"bad \"reply\""' in content[2]["text"]
    assert "score: missing" in content[2]["text"]
    assert 1 == len(sent["messages"])


def test_repair_text__long_reply_is_cut() -> None:
    """Four thousand characters are enough to see what was wrong."""
    assert "x" * 4000 + "…" in repair_text("x" * 9000, "why")


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"model": "claude-haiku-4-5", "effort": "low"}, "leave it out"),
        ({"model": "claude-opus-4-6", "effort": "xhigh"}, "write one of low, medium, high, max"),
        ({"model": "claude-opus-5-5", "thinking": "disabled"}, "does not know thinking: disabled"),
        ({"model": "claude-haiku-4-5", "thinking": "adaptive"}, "does not know thinking: adaptive"),
        (
            {"model": "claude-opus-5", "thinking": "disabled", "effort": "max"},
            "must think at effort: max: write high or less",
        ),
        ({"model": "claude-haiku-4-5", "max_tokens": 64_001}, "64000 tokens at most"),
        ({"model": "gemini-3.8-flash"}, "no Claude model"),
    ],
)
def test_check_options__refuses_and_says_what_to_write(options: dict[str, Any], says: str) -> None:
    """Found before any call is paid for."""
    made = ClaudeOptions(**options)

    with pytest.raises(ConfigError, match=says):
        check_options(made, CATALOGUE.card(made.model))


@pytest.mark.parametrize(
    "options",
    [
        {"model": "claude-opus-5", "thinking": "disabled", "effort": "high"},
        {"model": "claude-opus-4-8", "thinking": "disabled", "effort": "max"},
        {"model": "claude-haiku-4-5", "thinking": "disabled"},
        {"model": "claude-9", "thinking": "disabled", "effort": "max", "max_tokens": 900_000},
        *[{"model": model, "form": form} for model in CLAUDES for form in ("text", "json_schema")],
    ],
)
def test_check_options__passes_what_is_accepted(options: dict[str, Any]) -> None:
    """An unknown model is sent what was written."""
    made = ClaudeOptions(**options)

    check_options(made, CATALOGUE.card(made.model))


def test_effort_of__medium_unless_written() -> None:
    """Always sent, since the models' own defaults differ."""
    opus, haiku = CATALOGUE.card("claude-opus-5"), CATALOGUE.card("claude-haiku-4-5")

    assert "medium" == effort_of(ClaudeOptions(), opus)
    assert "max" == effort_of(ClaudeOptions(effort="max"), opus)
    assert effort_of(ClaudeOptions(), haiku) is None
    assert effort_of(ClaudeOptions(), None) is None
    assert "low" == effort_of(ClaudeOptions(effort="low"), None)


def test_first_form__structured_unless_written() -> None:
    """Every model of the table knows it."""
    assert "json_schema" == first_form(ClaudeOptions(), CATALOGUE.card("claude-opus-5-5"))
    assert "json_schema" == first_form(ClaudeOptions(), None)
    assert "text" == first_form(ClaudeOptions(form="text"), None)


def test_judge_request__thinking_is_sent_when_it_is_written() -> None:
    """Else the model's own default holds."""
    assert {"type": "adaptive"} == request(thinking="adaptive")["thinking"]


def test_first_form__text_for_a_model_without_structured_output() -> None:
    """A row of the table may say so; then structured output cannot be written either."""
    card = CATALOGUE.card("claude-opus-5-5")
    assert card is not None
    assert card.claude is not None
    traits = card.claude.model_copy(update={"reply_forms": ("text",)})

    plain = card.model_copy(update={"claude": traits})

    assert "text" == first_form(ClaudeOptions(), plain)
    with pytest.raises(ConfigError, match="write form: auto"):
        check_options(ClaudeOptions(form="json_schema"), plain)
