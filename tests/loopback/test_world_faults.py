"""Faults on demand: each in the vendor's shape, on its own side only."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from gate.loopback.exchange import Reply
from gate.loopback.faults import FAULTS, PROSE
from gate.loopback.settings import read_settings
from tests.loopback.world_driver import (
    CASES,
    CLAUDE,
    GEMINI,
    JUDGE,
    SCHEMA,
    TARGET,
    judge_body,
    keys,
    post,
    prompt_of,
    question_body,
    recorded,
    said,
    text_of,
    world,
)

ASKED = question_body(CASES[0]["query"])
PROMPT = prompt_of(CASES[0], said(json.loads(post(world(), GEMINI.format(TARGET), ASKED).body)))


def judge(fault: str, *bodies: dict[str, Any]) -> list[Reply]:
    """Return the replies of one faulty world to some judge calls."""
    where = world(f"steady+{fault}")
    return [post(where, CLAUDE.format(JUDGE), body) for body in bodies]


def target(fault: str, times: int = 1) -> list[Reply]:
    """Return the replies of one faulty world to the same question."""
    where = world(f"steady+{fault}")
    return [post(where, GEMINI.format(TARGET), ASKED) for _ in range(times)]


def google_judge(fault: str) -> Reply:
    """Return the reply of one faulty world to a judge call in Google's shape."""
    settings = {"responseMimeType": "application/json", "responseJsonSchema": SCHEMA}
    contents = [{"role": "user", "parts": [{"text": PROMPT}]}]
    body = {"contents": contents, "generationConfig": settings}
    return post(world(f"steady+{fault}"), GEMINI.format(TARGET), body)


@pytest.mark.parametrize("fault", FAULTS)
def test_fault__leaves_the_other_side_alone(fault: str) -> None:
    """A fault of the judge does not touch the answering model, and the other way round."""
    other = target(fault) if fault.startswith("judge-") else judge(fault, judge_body(PROMPT))

    assert 200 == other[0].status


SEEN_AT_ONCE = [name for name in FAULTS if not name.startswith(("judge-blind-", "judge-strict-"))]
"""Faults that any call shows; a blind judge is found out by damages (`test_world_blind.py`), a
strict one by a panel (`test_gate_panel.py`)."""


@pytest.mark.parametrize("fault", SEEN_AT_ONCE)
def test_fault__changes_the_first_call(fault: str) -> None:
    """Every fault of the table but blindness and strictness is seen, by the judge it is for."""
    if fault.startswith("judge-"):
        changed = (
            judge(fault, judge_body(PROMPT)) != judge("target-401", judge_body(PROMPT)),
            google_judge(fault) != google_judge("target-401"),
        )
        assert (fault != "judge-schema", fault != "judge-policy") == changed
    else:
        assert target(fault) != target("judge-401")
    assert FAULTS[fault].says.endswith(".")


@pytest.mark.parametrize(
    ("fault", "status", "says"),
    [
        ("judge-529", 529, "overloaded_error"),
        ("judge-404", 404, "NOT_FOUND"),
        ("judge-401", 401, "UNAUTHENTICATED"),
        ("judge-policy", 400, "constraints/vertexai.allowedPartnerModelFeatures"),
    ],
)
def test_judge__refused(fault: str, status: int, says: str) -> None:
    """A refused call stays refused."""
    first, second = judge(fault, judge_body(PROMPT), judge_body(PROMPT))

    assert (status, status) == (first.status, second.status)
    assert says in first.body.decode()


def test_judge_policy__lets_the_text_form_through() -> None:
    """Only the output format is gated, effort is not."""
    (reply,) = judge("judge-policy", judge_body(PROMPT, output_config={"effort": "low"}))

    assert 200 == reply.status


@pytest.mark.parametrize(
    ("fault", "text", "stop"),
    [
        ("judge-braces", "{}", "end_turn"),
        ("judge-refuses", "", "refusal"),
        ("judge-truncated", '{"justification": "The answer', "max_tokens"),
    ],
)
def test_judge__says_something_else(fault: str, text: str, stop: str, data_dir: Path) -> None:
    """The reply is sound but for its text or its end."""
    message = json.loads(judge(fault, judge_body(PROMPT))[0].body)

    assert (text, stop) == (text_of(message), message["stop_reason"])
    assert keys(recorded(data_dir, "claude_message_refusal.json")) <= keys(message)


def test_judge_prose__never_fills_the_form() -> None:
    """Not even after a repair turn."""
    turns = [{"role": "user", "content": PROMPT}, {"role": "assistant", "content": "Hm."}]
    repair = judge_body("", messages=[*turns, {"role": "user", "content": "JSON, please."}])

    for reply in judge("judge-prose", judge_body(PROMPT), repair):
        assert "{" not in text_of(json.loads(reply.body))


def test_judge_repair__works_with_the_reply_quoted() -> None:
    """A repair may show the unreadable reply in one message with the prompt."""
    repair = judge_body(f"{PROMPT}\n\nThis could not be read: {json.dumps(PROSE)}")
    (reply,) = judge("judge-repair", repair)

    assert text_of(json.loads(reply.body)).startswith("{")


def test_judge_repair__works_on_the_second_try() -> None:
    """A repair turn, or the same body again, gets the form."""
    turns = [{"role": "user", "content": PROMPT}, {"role": "assistant", "content": "Hm."}]
    repair = judge_body("", messages=[*turns, {"role": "user", "content": "JSON, please."}])
    texts = [
        text_of(json.loads(reply.body))
        for reply in judge("judge-repair", judge_body(PROMPT), repair, judge_body(PROMPT))
    ]

    assert [False, True, True] == [text.startswith("{") for text in texts]
    assert texts[1] == texts[2]


@pytest.mark.parametrize("fault", ["judge-503-once", "target-429-once"])
def test_once__works_when_tried_again(fault: str) -> None:
    """The first call of each body is refused with Retry-After, the second works."""
    replies = (
        judge(fault, judge_body(PROMPT), judge_body(PROMPT), judge_body(PROMPT + "."))
        if fault.startswith("judge-")
        else [*target(fault, 2), *target(fault)]
    )

    assert ["Retry-After", None, "Retry-After"] == [
        reply.headers[0][0] if reply.headers else None for reply in replies
    ]
    assert 200 == replies[1].status


@pytest.mark.parametrize(
    ("fault", "name"),
    [
        ("target-429-once", "gemini_error_429.json"),
        ("target-503", "gemini_error_503.json"),
        ("target-403", "vertex_error_403_permission.json"),
        ("target-404", "vertex_error_404_model.json"),
        ("target-blocked", "gemini_prompt_blocked.json"),
        ("target-truncated", "gemini_max_tokens.json"),
    ],
)
def test_target__has_the_recorded_shape(fault: str, name: str, data_dir: Path) -> None:
    """Code, status and keys are those of the recorded body."""
    body, wanted = json.loads(target(fault)[0].body), recorded(data_dir, name)

    assert keys(wanted) <= keys(body)
    for field in ("code", "status"):
        assert wanted.get("error", {}).get(field) == body.get("error", {}).get(field)


def test_target__without_a_body_to_read() -> None:
    """Garbage is no JSON; no candidates is JSON without any."""
    with pytest.raises(ValueError, match="Expecting value"):
        json.loads(target("target-garbage")[0].body)
    assert "candidates" not in json.loads(target("target-no-candidates")[0].body)


def test_settings__read() -> None:
    """A variant, a seed and faults come in one word."""
    settings = read_settings("flaky:17+judge-529+target-503", delay_ms=5)

    assert ("flaky", "17", 5) == (settings.variant, settings.seed, settings.delay_ms)
    assert ("judge-529", "target-503") == settings.faults
    assert "0" == read_settings("steady").seed


@pytest.mark.parametrize(
    ("text", "says"),
    [("calm", "one of steady, wrong"), ("steady+judge-000", "one of judge-529")],
)
def test_settings__unknown(text: str, says: str) -> None:
    """What does not exist is refused with what does."""
    with pytest.raises(ValueError, match=says):
        read_settings(text)


def test_settings__negative_delay() -> None:
    """Time does not run backwards."""
    with pytest.raises(ValueError, match="negative"):
        read_settings("steady", delay_ms=-1)
