"""The stand-in for Gemini: shapes as recorded, offsets in bytes, and the vendor's refusals."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.loopback.world_driver import (
    CASES,
    GEMINI,
    TARGET,
    ask,
    keys,
    post,
    question_body,
    recorded,
    said,
    world,
)

KEY = "/v1beta/models/{}:generateContent"


def test_answers__have_the_recorded_keys(data_dir: Path) -> None:
    """Over all cases every key of the recorded answer is served, and no other but partIndex."""
    where = world()
    served = {path for case in CASES for path in keys(ask(where, case["query"]))}
    wanted = keys(recorded(data_dir, "gemini_generate_content.json"))

    assert {".usageMetadata.cachedContentTokenCount"} == wanted - served  # 0, so left out
    segment = ".candidates[].groundingMetadata.groundingSupports[].segment.partIndex"
    assert {segment} == served - wanted


def test_answer_from_memory__has_the_recorded_keys(data_dir: Path) -> None:
    """Without the search tool there is no grounding metadata."""
    body = question_body("How high is Kveldsnut?", thinkingConfig={"thinkingLevel": "LOW"})
    del body["tools"]
    answer = json.loads(post(world(), GEMINI.format(TARGET), body).body)

    assert "1,204" in said(answer).text
    assert keys(recorded(data_dir, "gemini_no_search.json")) <= keys(answer)
    assert "groundingMetadata" not in answer["candidates"][0]


@pytest.mark.parametrize("variant", ["steady", "wrong", "flaky:4"])
def test_supports__point_at_their_bytes(variant: str) -> None:
    """Each segment decodes to its text from the part that it names, also behind wide letters."""
    where = world(variant)
    wide = parts = 0
    for case in CASES:
        candidate = ask(where, case["query"])["candidates"][0]
        meta = candidate["groundingMetadata"]
        for support in meta.get("groundingSupports", []):
            segment = support["segment"]
            assert 0 not in (segment.get("startIndex"), segment.get("partIndex"))
            text = candidate["content"]["parts"][segment.get("partIndex", 0)]["text"]
            start, end = segment.get("startIndex", 0), segment["endIndex"]
            wide += text.encode()[:end] != text[:end].encode()
            parts += segment.get("partIndex", 0)
            assert segment["text"] == text.encode()[start:end].decode()
            assert max(support["groundingChunkIndices"]) < len(meta["groundingChunks"])

    assert wide > 5
    assert parts > 1 or variant != "steady"


def test_api_key_road__has_no_domain() -> None:
    """The Developer API gives the domain as title only, and re-routes an old name."""
    reply = post(
        world(),
        KEY.format("gemini-3.7-flash"),
        question_body(CASES[0]["query"]),
        x_goog_api_key="k",
    )
    answer = json.loads(reply.body)
    webs = [c["web"] for c in answer["candidates"][0]["groundingMetadata"]["groundingChunks"]]

    assert all({"uri", "title"} == set(web) for web in webs)
    assert all(web["uri"].startswith("http://shim.world.example/") for web in webs)
    assert "gemini-3.8-flash" == answer["modelVersion"]


def test_credentials__missing() -> None:
    """Each road refuses a call without a credential, in Google's shape."""
    body = question_body("x")
    vertex = post(world(), GEMINI.format(TARGET), body, accept="*/*")
    key = post(world(), KEY.format(TARGET), body, accept="*/*")

    assert (401, "UNAUTHENTICATED") == (vertex.status, json.loads(vertex.body)["error"]["status"])
    assert (403, "PERMISSION_DENIED") == (key.status, json.loads(key.body)["error"]["status"])


@pytest.mark.parametrize("model", ["gemini-9-none", "gemini-2.5-flash", "claude-opus-5-5"])
def test_model__unknown_or_retired(model: str) -> None:
    """An unknown model, a retired one and a stranger's are 404 in the shape of Google Cloud."""
    reply = post(world(), GEMINI.format(model), question_body("x"))
    error = json.loads(reply.body)["error"]

    assert (404, "NOT_FOUND") == (reply.status, error["status"])
    assert "Publisher Model" in error["message"]


def test_model__unknown_by_key() -> None:
    """The Developer API names the model and its version."""
    reply = post(world(), KEY.format("gemini-9"), question_body("x"), x_goog_api_key="k")

    assert 404 == reply.status
    assert "models/gemini-9 is not found for API version v1beta" in reply.body.decode()


@pytest.mark.parametrize(
    ("model", "thinking", "says"),
    [
        ("gemini-3.5-flash-lite", {"thinking_budget": 0}, "Budget 0 is invalid"),
        ("gemini-4-argon", {"thinkingBudget": 500}, "not supported"),
        ("gemini-3.8-flash", {"thinking_level": "MINIMAL"}, "MINIMAL is not supported"),
        ("gemini-3.8-flash", {"thinkingLevel": "low", "thinkingBudget": 1}, "only one of"),
    ],
)
def test_thinking__refused(model: str, thinking: dict[str, Any], says: str) -> None:
    """What the table of models refuses is 400, under either spelling."""
    reply = post(world(), GEMINI.format(model), question_body("x", thinkingConfig=thinking))
    error = json.loads(reply.body)["error"]

    assert (400, "INVALID_ARGUMENT") == (reply.status, error["status"])
    assert says in error["message"]


@pytest.mark.parametrize(
    ("model", "thinking", "status"),
    [
        ("gemini-2.5-pro", {"thinkingBudget": 0}, 400),
        ("gemini-2.5-pro", {"thinkingBudget": 64}, 400),
        ("gemini-2.5-pro", {"thinkingBudget": -1}, 200),
        ("gemini-2.5-flash", {"thinkingBudget": 0}, 200),
        ("gemini-2.5-flash", {"thinkingLevel": "LOW"}, 400),
    ],
)
def test_thinking__of_the_old_family(model: str, thinking: dict[str, Any], status: int) -> None:
    """2.5 takes a budget from its least value on, and no level."""
    body = question_body("x", thinkingConfig=thinking)

    assert status == post(world(), KEY.format(model), body, x_goog_api_key="k").status


def test_thoughts__grow_with_the_level() -> None:
    """Thinking is counted, by the default level when none is given, and in the total."""
    counts = []
    for config in ({"thinkingLevel": "LOW"}, {}, {"thinkingLevel": "HIGH"}):
        usage = ask(world(), CASES[0]["query"], thinkingConfig=config)["usageMetadata"]
        counts.append(usage["thoughtsTokenCount"])
        parts = ("promptTokenCount", "candidatesTokenCount", "toolUsePromptTokenCount")
        assert usage["totalTokenCount"] == counts[-1] + sum(usage[name] for name in parts)

    assert counts == sorted(set(counts))


def test_output_limit__cuts_the_answer(data_dir: Path) -> None:
    """Too small a limit ends in MAX_TOKENS, with nothing but thoughts when it is very small."""
    cut = ask(world(), CASES[0]["query"], maxOutputTokens=190)["candidates"][0]
    none = ask(world(), CASES[0]["query"], maxOutputTokens=100)["candidates"][0]

    assert ("MAX_TOKENS", "MAX_TOKENS") == (cut["finishReason"], none["finishReason"])
    assert cut["content"]["parts"][0]["text"]
    assert "parts" not in none["content"]
    shape = keys(recorded(data_dir, "gemini_max_tokens.json"))
    assert shape <= keys(ask(world(), CASES[0]["query"], maxOutputTokens=190))


@pytest.mark.parametrize(
    ("body", "status"),
    [({}, 400), ({"contents": [{"role": "model", "parts": [{"text": "x"}]}]}, 400), ([], 400)],
)
def test_request__without_a_question(body: Any, status: int) -> None:
    """A body without a question is the caller's mistake."""
    assert status == post(world(), GEMINI.format(TARGET), body).status


def test_streaming__is_said_to_be_missing() -> None:
    """What the world does not do it says."""
    path = GEMINI.format(TARGET).replace(":generate", ":streamGenerate")

    assert 400 == post(world(), path, question_body("x")).status


def test_how_to__gives_the_steps_of_the_page() -> None:
    """Steps are numbered lines, each cited."""
    candidate = ask(world(), "How do I install Tarn on Linux?")["candidates"][0]
    lines = candidate["content"]["parts"][0]["text"].split("\n")

    assert ["1.", "2.", "3.", "4."] == [line[:2] for line in lines[1:]]
    assert len(lines) == len(candidate["groundingMetadata"]["groundingSupports"])


def test_question__that_no_page_covers() -> None:
    """An uncovered question is declined, and no statement is cited."""
    body = ask(world(), "Which dentist treats horses on Sundays in Timbuktu?")

    assert "could not find" in said(body).text
    assert "groundingSupports" not in body["candidates"][0]["groundingMetadata"]


def test_question__that_is_in_no_case() -> None:
    """The answer is computed: a question that nobody prepared is answered from the pages."""
    answer = said(ask(world(), "When was Vollsund Yard founded?"))

    assert "1908" in answer.text
    assert any("vollsundyard.example" in source for source in answer.sources[0])


def test_two_hops__follow_a_name_to_another_page() -> None:
    """The second search holds the name that the first one found."""
    case = next(case for case in CASES if case["id"] == "newest-ferry-yard")
    candidate = ask(world(), case["query"])["candidates"][0]

    assert "Myrvik" in candidate["content"]["parts"][1]["text"]
    assert any("Vollsund" in q for q in candidate["groundingMetadata"]["webSearchQueries"])
