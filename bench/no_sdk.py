"""`gate run` whose vendors answer at once, in the process: no SDK, no HTTP, no delay.

What is left is the gate itself: cases, requests, templates, doors, journal, reading of replies,
results, report. `bench/throughput.py` runs it as `engine only`; the arguments are the gate's.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping

from bodies import CLAUDE, GEMINI
from pydantic import JsonValue

from gate.cli import main
from gate.models import claude, gemini


async def generate(
    _self: gemini.GeminiModel, _model: str, _request: Mapping[str, JsonValue]
) -> JsonValue:
    """Return Gemini's body."""
    body: JsonValue = json.loads(GEMINI)
    return body


async def create(
    _self: claude.ClaudeModel, _model: str, _request: Mapping[str, JsonValue]
) -> JsonValue:
    """Return Claude's body."""
    body: JsonValue = json.loads(CLAUDE)
    return body


def run() -> int:
    """Put both in the SDKs' place and run the command line."""
    for owner, name, stand_in in (
        (gemini.GeminiModel, "generate", generate),
        (claude.ClaudeModel, "create", create),
        (gemini, "load_sdk", lambda: None),
        (claude, "load_sdk", lambda: None),
    ):
        assert hasattr(owner, name)
        setattr(owner, name, stand_in)
    main()
    return 0


if __name__ == "__main__":
    sys.exit(run())
