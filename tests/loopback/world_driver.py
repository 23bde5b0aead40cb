"""A tiny gate for the tests of the world: ask, compose a judge's prompt, read the ruling."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from gate.loopback.exchange import Reply, Request
from gate.loopback.routes import World
from gate.loopback.settings import read_settings

CASES: list[dict[str, Any]] = yaml.safe_load(
    (Path(__file__).resolve().parents[2] / "evals" / "cases.yaml").read_text(encoding="utf-8")
)
DIMENSIONS = ("relevance", "correctness", "source_quality")
TARGET = "gemini-3.8-flash"
JUDGE = "claude-opus-5-5"
GEMINI = "/v1/projects/p/locations/global/publishers/google/models/{}:generateContent"
CLAUDE = "/v1/projects/p/locations/global/publishers/anthropic/models/{}:rawPredict"
SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "justification": {"type": "string"},
        **{name: {"type": "integer", "enum": [0, 1, 2, 3, 4]} for name in DIMENSIONS},
    },
    "required": ["justification", *DIMENSIONS],
    "additionalProperties": False,
}


def world(variant: str = "steady", clock: Any = lambda: 0.0) -> World:
    """Return a world without a socket."""
    return World(read_settings(variant), clock)


def post(where: World, path: str, body: Any, **headers: str) -> Reply:
    """Send a body with a bearer token, unless other headers are given."""
    given = headers or {"authorization": "Bearer t"}
    names = {name.replace("_", "-"): value for name, value in given.items()}
    return where.respond(Request("POST", path, names, json.dumps(body).encode()))


def question_body(question: str, **config: Any) -> dict[str, Any]:
    """Return a generateContent body with search."""
    return {
        "contents": [{"role": "user", "parts": [{"text": question}]}],
        "tools": [{"googleSearch": {}}],
        "generationConfig": config,
    }


def ask(where: World, question: str, model: str = TARGET, **config: Any) -> dict[str, Any]:
    """Return the body of a grounded answer."""
    reply = post(where, GEMINI.format(model), question_body(question, **config))
    assert reply.status == 200, reply.body
    return json.loads(reply.body)


@dataclass(frozen=True)
class Said:
    """What the judge gets to see of an answer."""

    text: str
    sources: tuple[tuple[str, str, str], ...]


def said(body: dict[str, Any]) -> Said:
    """Return text and sources of an answer."""
    candidate = body["candidates"][0]
    text = "".join(part["text"] for part in candidate["content"].get("parts", []))
    chunks = candidate.get("groundingMetadata", {}).get("groundingChunks", [])
    webs = [chunk["web"] for chunk in chunks]
    return Said(text, tuple((w["title"], w.get("domain", ""), w["uri"]) for w in webs))


def fenced(name: str, text: str) -> str:
    """Return a section between its fences; the marker is made of the content."""
    mark = hashlib.sha256(f"{name}\0{text}".encode()).hexdigest()[:16]
    return f"<<<{name} {mark}>>>\n{text}\n<<<end {name} {mark}>>>"


def prompt_of(case: dict[str, Any], answer: Said) -> str:
    """Return the judge's prompt for a case and an answer."""
    sources = [f"[{n}] {t} | {d} | {u}" for n, (t, d, u) in enumerate(answer.sources, start=1)]
    sections = {
        "question": case["query"],
        "category": case["category"],
        "assertions": "\n".join(f"- {one}" for one in case["expect_assertions"]),
        "domains": "\n".join(case.get("expect_domains", [])),
        "notes": case.get("notes", ""),
        "answer": answer.text,
        "sources": "\n".join(sources) or "(none)",
    }
    return "\n\n".join(fenced(name, text) for name, text in sections.items())


def judge_body(prompt: str, **changes: Any) -> dict[str, Any]:
    """Return a messages body that asks for the three ratings."""
    body: dict[str, Any] = {
        "anthropic_version": "2026-10-21",
        "max_tokens": 2000,
        "messages": [{"role": "user", "content": prompt}],
        "output_config": {
            "effort": "low",
            "format": {"type": "json_schema", "schema": SCHEMA},
        },
    }
    return body | changes


def text_of(message: dict[str, Any]) -> str:
    """Return the text blocks of a message, joined."""
    return "".join(block["text"] for block in message["content"] if block["type"] == "text")


def rate(where: World, case: dict[str, Any], answer: Said) -> dict[str, Any]:
    """Return the filled form for an answer."""
    reply = post(where, CLAUDE.format(JUDGE), judge_body(prompt_of(case, answer)))
    assert reply.status == 200, reply.body
    return json.loads(text_of(json.loads(reply.body)))


def run(variant: str) -> dict[str, list[float | None]]:
    """Return the scores in [0, 1] of all cases by dimension; None where nothing was answered."""
    where = world(variant)
    scores: dict[str, list[float | None]] = {name: [] for name in DIMENSIONS}
    for case in CASES:
        answer = said(ask(where, case["query"]))
        form = rate(where, case, answer) if answer.text else None
        for name in DIMENSIONS:
            scores[name].append(None if form is None else form[name] / 4)
    return scores


def keys(value: Any, path: str = "") -> set[str]:
    """Return the paths of all keys; elements of a list share one path."""
    if isinstance(value, dict):
        return {p for k, v in value.items() for p in {f"{path}.{k}"} | keys(v, f"{path}.{k}")}
    if isinstance(value, list):
        return {p for one in value for p in keys(one, f"{path}[]")}
    return set()


def recorded(data_dir: Path, name: str) -> dict[str, Any]:
    """Return a recorded body."""
    return json.loads((data_dir / "wire" / name).read_text(encoding="utf-8"))


def word_for(change: float | None) -> str:
    """Return the word of the table for a change; none of its words for a rise."""
    if change is None:
        return "undefined"
    return "falls" if change < -0.05 else "same" if change <= 0.05 else f"rises by {change}"
