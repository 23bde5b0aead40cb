"""A judge's reply, whoever gave it."""

from __future__ import annotations

from pydantic import JsonValue

from gate.models import claude_reply, gemini_judge_reply
from gate.models.rulings import Heard


def hear(vendor: str, body: JsonValue) -> Heard:
    """Return what a judge's body says; `vendor` is the call's (`Call.vendor`)."""
    return gemini_judge_reply.hear(body) if vendor == "google" else claude_reply.hear(body)
