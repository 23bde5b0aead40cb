"""What the stand-in of `bench/answering.py` says: one reply for each vendor, as long as real ones.

The answer is about 900 characters with five sources and a widget of 3 kB, in the shape of
`generateContent`; the judge fills in the form of the scorer `quality`. The chat replies are for
the rivals of `bench/peers/`: the same answer, and each rival's own form of a rating.
"""

from __future__ import annotations

import json
from typing import Any

SENTENCES = (
    "The ferry needs 95 minutes from the northern harbour to the old town across the strait.",
    "Between June and August it leaves five times a day, and three times on Sundays ☕.",
    "Bicycles travel free of charge, while cars must be booked on the day before at the latest.",
    "The line was opened in 1911 and has been run by the same company ever since.",
    "In winter the crossing is cancelled when the wind is stronger than 20 metres a second.",
    "Tickets are sold on board, at the kiosk beside the pier, and on the company's own pages.",
    "A second boat has been ordered for 2027; it will be driven by batteries and carry 60 cars.",
    "Until then, travellers are advised to arrive half an hour before the boat leaves.",
    "The island's museum shows the first boat, which burnt coal and needed more than four hours.",
    "Cafés near the pier open at seven; the last one closes after the evening's boat has left.",
)
ANSWER = " ".join(SENTENCES)
SOURCES = 5
ANSWER_MODEL = "bench-answer"
RATING = {
    "justification": "The answer addresses the question and meets what was expected of it. "
    "Two of its five sources are first-hand, the others repeat them.",
    "relevance": 4,
    "correctness": 3,
    "source_quality": 3,
}
CONTENTS = {
    ANSWER_MODEL: ANSWER,
    "bench-judge-promptfoo": json.dumps(
        {"reason": RATING["justification"], "pass": True, "score": 0.75}
    ),
    "bench-judge-inspect": f"{RATING['justification']}\n\nGRADE: C",
    "bench-judge-deepeval": json.dumps({"reason": RATING["justification"], "score": 8}),
}
"""Model of a chat completion -> what it says."""


def _grounding() -> dict[str, Any]:
    supports = []
    start = 0
    for number, sentence in enumerate(SENTENCES):
        end = start + len(sentence.encode())
        segment: dict[str, Any] = {"endIndex": end, "text": sentence}
        if start:  # the vendor leaves a zero out
            segment["startIndex"] = start
        supports.append(
            {
                "segment": segment,
                "groundingChunkIndices": sorted({number % SOURCES, (number + 1) % SOURCES}),
                "confidenceScores": [0.97, 0.83],
            }
        )
        start = end + 1
    redirect = "https://vertexaisearch.cloud.google.com/grounding-api-redirect/"
    return {
        "webSearchQueries": ["ferry crossing duration", "ferry timetable summer"],
        "searchEntryPoint": {"renderedContent": '<div class="container">' + "<i>·</i>" * 375},
        "groundingChunks": [
            {
                "web": {
                    "uri": redirect + chr(ord("A") + number) * 180,
                    "title": f"source-{number}.example",
                    "domain": f"source-{number}.example",
                }
            }
            for number in range(SOURCES)
        ],
        "groundingSupports": supports,
        "retrievalMetadata": {},
    }


GEMINI = json.dumps(
    {
        "candidates": [
            {
                "content": {"role": "model", "parts": [{"text": ANSWER}]},
                "finishReason": "STOP",
                "groundingMetadata": _grounding(),
            }
        ],
        "usageMetadata": {
            "promptTokenCount": 21,
            "candidatesTokenCount": 230,
            "thoughtsTokenCount": 60,
            "totalTokenCount": 311,
            "promptTokensDetails": [{"modality": "TEXT", "tokenCount": 21}],
        },
        "modelVersion": "gemini-3.8-flash",
        "createTime": "2026-11-30T08:00:00.123456Z",
        "responseId": "bench-stand-in",
    },
    ensure_ascii=False,
).encode()
"""Body of `generateContent`."""

CLAUDE = json.dumps(
    {
        "id": "msg_bench_stand_in",
        "type": "message",
        "role": "assistant",
        "model": "claude-opus-5-5",
        "content": [{"type": "text", "text": json.dumps(RATING)}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {
            "input_tokens": 900,
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 1500,
            "output_tokens": 90,
            "service_tier": "standard",
        },
    }
).encode()
"""Body of `/v1/messages`."""


def chat(model: str) -> bytes:
    """Body of `/v1/chat/completions`."""
    return json.dumps(
        {
            "id": "chatcmpl-bench-stand-in",
            "object": "chat.completion",
            "created": 1_795_000_000,
            "model": model,
            "choices": [
                {
                    "index": 0,
                    "message": {"role": "assistant", "content": CONTENTS[model]},
                    "finish_reason": "stop",
                }
            ],
            "usage": {"prompt_tokens": 900, "completion_tokens": 90, "total_tokens": 990},
        }
    ).encode()
