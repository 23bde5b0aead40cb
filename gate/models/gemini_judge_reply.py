"""Reads the reply of a Gemini judge: text, tokens, or why there is no text. Pure."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from pydantic import JsonValue

from gate.models.grounding import BLOCKED, named_model, tokens_of
from gate.models.json_body import child, count, items, mapping, text_of
from gate.models.rulings import Heard
from gate.types import Failure

_SURE: Final = re.compile(r"too many states|schema|response.?mime.?type|JSON mode", re.IGNORECASE)
"""What a 400 says that is about the form of the reply."""
_BARE: Final = re.compile(r"Request contains an invalid argument\.?$")
"""What a 400 says of a schema that is too complex, and of other things."""


def refuses_schema(body: JsonValue) -> bool | None:
    """Whether an error body refuses the schema; None where it may be that or something else.

    Google says `The specified schema produces a constraint that has too many states for serving`,
    or, of schemas as of texts that it cannot read, nothing but `Request contains an invalid
    argument` (python-genai issues 660 and 2170).
    """
    root = mapping(body)
    if "error" not in root or "candidates" in root:
        return False
    said = text_of(child(root, "error").get("message"))
    if _SURE.search(said):
        return True
    return None if _BARE.search(said) else False


def hear(body: JsonValue) -> Heard:
    """Return what a `generateContent` body says."""
    root = mapping(body)
    candidate = mapping(next(iter(items(root.get("candidates"))), None))
    parts = [mapping(part) for part in items(child(candidate, "content").get("parts"))]
    text = "".join(text_of(one.get("text")) for one in parts if one.get("thought") is not True)
    finish = text_of(candidate.get("finishReason"))
    return Heard(
        text=text,
        model=named_model(body),
        usage=tokens_of(root),
        truncated=finish == "MAX_TOKENS",
        failure=_failure(root, candidate, finish, text),
    )


def _failure(
    root: Mapping[str, JsonValue], candidate: Mapping[str, JsonValue], finish: str, text: str
) -> Failure | None:
    error = child(root, "error")
    if error:
        said = text_of(error.get("message"))
        return Failure(kind="judge", message=said, status=count(error.get("code")))
    problem = _problem(root, candidate, finish, text)
    return None if problem is None else Failure(kind="judge", message=problem)


def _problem(
    root: Mapping[str, JsonValue], candidate: Mapping[str, JsonValue], finish: str, text: str
) -> str | None:
    """One sentence on what is wrong, or None."""
    if not candidate:
        reason = text_of(child(root, "promptFeedback").get("blockReason"))
        if reason:
            return f"the judge's filter blocked this case ({reason}): look at the case's texts"
        return "the judge's reply has no candidate to read"
    if finish in BLOCKED:
        return f"the judge's filter stopped its reply ({finish}): look at the case's texts"
    if text.strip():
        return None
    if finish == "MAX_TOKENS":
        return (
            "thinking used all of the judge's max_output_tokens: raise max_output_tokens or think "
            "less"
        )
    return f"the judge replied without text (finish reason {finish or 'not given'})"
