"""The page-reading half of the tiny gate: prompts with page texts, and the metrics by hand."""

from __future__ import annotations

import json
import re
from datetime import date
from functools import cache
from statistics import mean
from typing import Any

from gate.loopback.exchange import Request
from gate.loopback.pages import Page, load_pages
from gate.loopback.routes import World
from gate.loopback.serving_pages import serve_page
from gate.loopback.words import sentences
from gate.models.grounding import read_answer
from gate.types import Answer
from gate.wire.pagetext.extract import extract
from tests.loopback.world_driver import (
    CASES,
    CLAUDE,
    JUDGE,
    TARGET,
    ask,
    fenced,
    judge_body,
    post,
    text_of,
    world,
)

METRICS = (
    "faithfulness",
    "citation_precision",
    "source_coverage",
    "alce_recall",
    "alce_precision",
)
PAGES = {page.uri: page for page in load_pages()}
_STEP = re.compile(r"\d+\. ")
_WORTH = {"supported": 1.0, "partial": 0.5, "unsupported": 0.0}
_OK = 200


def rows(**fields: dict[str, str]) -> dict[str, Any]:
    """Return the schema of a list of objects."""
    return {"type": "array", "items": {"type": "object", "properties": fields}}


CLAIMS = {"type": "object", "properties": {"claims": rows(claim={"type": "string"})}}
CITATIONS = {
    "type": "object",
    "properties": {
        "sentences": rows(sentence={"type": "integer"}),
        "statements": rows(statement={"type": "string"}),
    },
}


@cache
def text_at(uri: str) -> str:
    """Return the readable text of the page that a link leads to; empty where there is none."""
    page: Page = PAGES[uri]
    reply = serve_page(Request("GET", page.path, {"host": page.host}, b""))
    kind = "pdf" if reply.content_type == "application/pdf" else "html"
    return extract(kind, reply.body) if reply.status == _OK else ""


def answer_of(where: World, question: str) -> Answer:
    """Return a grounded answer as the gate reads it."""
    body = ask(where, question)
    return read_answer(body, model_asked=TARGET, on=date(2026, 10, 1), card=None)


def spans(text: str) -> list[tuple[int, int]]:
    """Return the places of the sentences; a numbered line is one."""
    found: list[tuple[int, int]] = []
    place = 0
    for line in text.split("\n"):
        for one in [line] if _STEP.match(line) else sentences(line):
            place = text.index(one, place)
            found.append((place, place + len(one)))
            place += len(one)
    return found


def cited_by(answer: Answer) -> list[list[int]]:
    """Return the numbers of the sources of each sentence, from 1."""
    return [
        sorted(
            {
                source + 1
                for one in answer.citations
                if one.start < end and start < one.end
                for source in one.sources
            }
        )
        for start, end in spans(answer.text)
    ]


def shared_part(question: str, answer: Answer, hidden: frozenset[str] = frozenset()) -> str:
    """Return the sections that both calls share; pages with a hidden address have no text."""
    texts = {k: text_at(one.uri) for k, one in enumerate(answer.sources, 1)}
    parts = {
        "question": question,
        "answer": answer.text,
        "sentences": "\n".join(
            f"[{n}] {answer.text[start:end]}"
            for n, (start, end) in enumerate(spans(answer.text), 1)
        ),
    } | {
        f"page-{k}": f"{one.title} | {one.domain} | {one.uri}\n\n{texts[k]}"
        for k, one in enumerate(answer.sources, 1)
        if texts[k] and one.uri not in hidden
    }
    return "\n\n".join(fenced(name, text) for name, text in parts.items())


def cited_section(answer: Answer) -> str:
    """Return the section that says which sentence cites which pages."""
    return fenced(
        "cited",
        "\n".join(
            f"[{n}] {', '.join(map(str, pages))}"
            for n, pages in enumerate(cited_by(answer), 1)
            if pages
        ),
    )


def asked(where: World, shared: str, own: str, schema: dict[str, Any]) -> dict[str, Any]:
    """Return the form that the judge fills in, asked for at the end of the own part."""
    shown = f"{own}\n\n```json\n{json.dumps(schema, indent=2)}\n```"
    blocks = [
        {"type": "text", "text": shared, "cache_control": {"type": "ephemeral"}},
        {"type": "text", "text": shown},
    ]
    body = judge_body(
        "", max_tokens=8000, messages=[{"role": "user", "content": blocks}], output_config={}
    )
    reply = post(where, CLAUDE.format(JUDGE), body)
    assert reply.status == _OK, reply.body
    text = text_of(json.loads(reply.body))
    return json.loads(text.removeprefix("```json\n").removesuffix("\n```"))


def claims_in(where: World, question: str, answer: Answer, **options: Any) -> list[dict[str, Any]]:
    """Return the claims with their labels, unverifiable where the cited pages have no text."""
    hidden = options.get("hidden", frozenset())
    shared = shared_part(question, answer, **options)
    made = asked(where, shared, "List the claims.", CLAIMS)["claims"]
    cited = cited_by(answer)
    for claim in made:
        uris = [answer.sources[k - 1].uri for k in cited[claim["sentence"] - 1]]
        if uris and not any(text_at(uri) and uri not in hidden for uri in uris):
            claim["label"] = "unverifiable"
    return made


def faithfulness(claims: list[dict[str, Any]]) -> float | None:
    """Return (supported + 0.5 partial) / (supported + partial + unsupported)."""
    judged = [_WORTH[one["label"]] for one in claims if one["label"] in _WORTH]
    return mean(judged) if judged else None


def measured(where: World, question: str, answer: Answer) -> dict[str, float | None]:
    """Return the five metrics of one answer; None where there is nothing to divide by."""
    cited = cited_by(answer)
    shared = shared_part(question, answer)
    form: dict[str, Any] = {"sentences": [], "statements": []}
    if "<<<page-" in shared:
        form = asked(where, shared, cited_section(answer), CITATIONS)
    entailed = {row["sentence"]: row["supported"] for row in form["sentences"]}
    relevant = [
        row["supported"] and (one["alone"] or not one["rest"])
        for row in form["sentences"]
        for one in row["citations"]
    ]
    readable = [
        n
        for n, pages in enumerate(cited, 1)
        if any(text_at(answer.sources[k - 1].uri) for k in pages)
    ]
    stated = [row["stated"] for row in form["statements"]]
    return {
        "faithfulness": faithfulness(claims_in(where, question, answer)),
        "citation_precision": mean(entailed[n] for n in readable) if readable else None,
        "source_coverage": mean(stated) if stated else None,
        "alce_recall": mean(entailed.get(n, False) for n in range(1, len(cited) + 1)),
        "alce_precision": mean(relevant) if relevant else 0.0,
    }


def read_run(variant: str) -> dict[str, list[float | None]]:
    """Return the five metrics of all cases; None where there is no value."""
    where = world(variant)
    scores: dict[str, list[float | None]] = {name: [] for name in METRICS}
    for case in CASES:
        answer = answer_of(where, case["query"])
        found = measured(where, case["query"], answer) if answer.text else {}
        for name in METRICS:
            scores[name].append(found.get(name))
    return scores
