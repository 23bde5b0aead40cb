"""Faults of the vendors, on demand: `--variant steady+judge-529`.

`judge-` faults touch what is asked of a judge, the stand-in for Claude or for Gemini; `target-`
faults what is asked of an answering model. Several may be given; the first that applies to a call
wins.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from gate.loopback.exchange import Reply, claude_error, google_error, json_reply

PROSE = (
    "The answer reads well on the whole, though I would want to look at its sources more closely."
)
"""What a judge says that forgot the form."""


@dataclass(frozen=True, slots=True)
class Call:
    """What a fault may depend on."""

    side: str
    """judge or target."""
    vertex: bool
    """Whether the call came in on Google Cloud's road."""
    model: str
    """The model that was asked."""
    body: Mapping[str, Any]
    """The request's JSON."""
    seen: int
    """How often the same body came before, in this world."""
    google: bool = False
    """Whether a judge is asked in Google's shape, not in Anthropic's."""

    @property
    def structured(self) -> bool:
        """Whether structured output is asked for."""
        if self.google:
            return "responseJsonSchema" in (self.body.get("generationConfig") or {})
        return bool((self.body.get("output_config") or {}).get("format"))

    @property
    def repaired(self) -> bool:
        """Whether the request holds an earlier reply, as a turn of its own or quoted in a text."""
        messages = self.body.get("contents" if self.google else "messages", [])
        quoted = PROSE in json.dumps(messages, ensure_ascii=False)
        return quoted or any(message.get("role") == "assistant" for message in messages)


@dataclass(frozen=True, slots=True)
class Spoken:
    """Another text, another end, or other eyes, in an otherwise sound reply."""

    text: str | None = None
    """The text instead of the ruling; None keeps it."""
    stop_reason: str | None = None
    """The stop reason instead; None keeps it."""
    blind_to: str | None = None
    """What the judge does not see, a key of `blind.BLIND`; None sees all."""
    strict: bool = False
    """Whether the judge rates what is not perfect a level lower, under a name of its own."""
    stricter: bool = False
    """Whether the judge rates everything one step lower."""
    renamed: bool = False
    """Whether the reply names another model."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One row of the table."""

    says: str
    """What it does, in a sentence."""
    act: Callable[[Call], Reply | Spoken | None]
    """Returns what happens instead, or None when this call goes through."""


def fault_for(names: Sequence[str], call: Call) -> Reply | Spoken | None:
    """Return what the first applicable fault does to a call; None when it goes through."""
    for name in names:
        if name.startswith(f"{call.side}-"):
            done = FAULTS[name].act(call)
            if done is not None:
                return done
    return None


def _once(reply: Callable[[Call], Reply]) -> Callable[[Call], Reply | None]:
    return lambda call: reply(call) if call.seen == 0 else None


def _denied(call: Call) -> Reply:
    if call.vertex:
        message = "Permission 'aiplatform.endpoints.predict' denied."
        return google_error(403, "PERMISSION_DENIED", message)
    return google_error(403, "PERMISSION_DENIED", "The caller does not have permission.")


def _policy(call: Call) -> Reply | None:
    if call.google or not call.structured:
        return None
    return google_error(
        400,
        "FAILED_PRECONDITION",
        "Organization Policy constraint constraints/vertexai.allowedPartnerModelFeatures violated "
        "for `projects/loopback` attempting to use a disallowed feature structured_outputs for "
        f"Partner model {call.model}. Contact your administrator.",
    )


def _too_complex(call: Call) -> Reply | None:
    if not (call.google and call.structured):
        return None
    return google_error(
        400,
        "INVALID_ARGUMENT",
        "The specified schema produces a constraint that has too many states for serving.",
    )


def _no_publisher_model(call: Call) -> Reply:
    message = (
        f"Publisher Model `{call.model}` was not found or your project does not have access to it."
    )
    return google_error(404, "NOT_FOUND", message)


def unknown_gemini(call: Call, version: str = "v1beta") -> Reply:
    """Return the 404 of a Gemini model that is unknown or retired, in the shape of its road."""
    if call.vertex:
        return _no_publisher_model(call)
    return google_error(
        404,
        "NOT_FOUND",
        f"models/{call.model} is not found for API version {version}, or is not supported for "
        "generateContent. Call ListModels to see the list of available models and their "
        "supported methods.",
    )


def unknown_claude(call: Call) -> Reply:
    """Return the 404 of a Claude model that is unknown or retired, in the shape of its road."""
    if call.vertex:
        return _no_publisher_model(call)
    return claude_error(404, "not_found_error", f"model: {call.model}")


def _unknown_judge(call: Call) -> Reply:
    return unknown_gemini(call) if call.google else unknown_claude(call)


def no_login(call: Call) -> Reply:
    """Return the 401 of a call without a valid credential, in the shape of its road."""
    if call.side == "judge" and not call.vertex and not call.google:
        return claude_error(401, "authentication_error", "invalid x-api-key")
    message = (
        "Request had invalid authentication credentials. Expected OAuth 2 access token, login "
        "cookie or other valid authentication credential."
    )
    return google_error(401, "UNAUTHENTICATED", message)


def _usage() -> dict[str, int]:
    return {"promptTokenCount": 12, "totalTokenCount": 12}


def _overloaded(call: Call) -> Reply:
    return _BUSY if call.google else claude_error(529, "overloaded_error", "Overloaded")


def _briefly_busy(call: Call) -> Reply:
    again = ("Retry-After", "0")
    if call.google:
        return google_error(503, "UNAVAILABLE", "The model is overloaded.", again)
    return claude_error(503, "api_error", "Service temporarily unavailable", again)


_BUSY = google_error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
_TOO_MANY = google_error(
    429, "RESOURCE_EXHAUSTED", "Resource exhausted. Please try again later.", ("Retry-After", "1")
)
_CUT = {"content": {"role": "model", "parts": [{"text": "Cut of"}]}, "finishReason": "MAX_TOKENS"}

FAULTS: Final[Mapping[str, Fault]] = {
    "judge-529": Fault(
        "Every call is refused as overloaded (503 in Gemini's place).",
        _overloaded,
    ),
    "judge-prose": Fault("Every reply is prose instead of the form.", lambda _: Spoken(PROSE)),
    "judge-braces": Fault("Every reply is `{}`.", lambda _: Spoken("{}")),
    "judge-refuses": Fault(
        "Every reply is a refusal without content.", lambda _: Spoken("", stop_reason="refusal")
    ),
    "judge-truncated": Fault(
        "Every reply stops at max_tokens in the middle of the form.",
        lambda _: Spoken('{"justification": "The answer', stop_reason="max_tokens"),
    ),
    "judge-policy": Fault(
        "Structured output is refused by an organisation policy; the plain-text form works.",
        _policy,
    ),
    "judge-schema": Fault(
        "Gemini's place as a judge: every schema is refused as too complex; the plain-text form "
        "works.",
        _too_complex,
    ),
    "judge-404": Fault("The model is not there.", _unknown_judge),
    "judge-401": Fault("The credential is refused.", no_login),
    "judge-503-once": Fault(
        "The first call of each body is answered 503 with Retry-After: 0, the next one works.",
        _once(_briefly_busy),
    ),
    "judge-repair": Fault(
        "The first reply to each body is prose; a request that holds that reply works.",
        lambda call: None if call.repaired or call.seen else Spoken(PROSE),
    ),
    "judge-blind-padding": Fault(
        "Relevance does not see sentences that are beside the point; the rest is rated as ever.",
        lambda _: Spoken(blind_to="padding"),
    ),
    "judge-blind-figures": Fault(
        "Correctness does not see that a figure is another one; the rest is rated as ever.",
        lambda _: Spoken(blind_to="figures"),
    ),
    "judge-blind-sources": Fault(
        "Source quality does not see that no source is named; the rest is rated as ever.",
        lambda _: Spoken(blind_to="sources"),
    ),
    "judge-strict-sonnet": Fault(
        "Sonnet models alone see no half merit: they rate all that is not perfect a level lower, "
        "under a name of their own.",
        lambda call: Spoken(strict=True) if "sonnet" in call.model else None,
    ),
    "judge-stricter": Fault(
        "Everything is rated one step lower, under the same name.", lambda _: Spoken(stricter=True)
    ),
    "judge-renamed": Fault(
        "Everything is rated as ever, by a judge of another name.", lambda _: Spoken(renamed=True)
    ),
    "target-401": Fault("The credential is refused.", no_login),
    "target-403": Fault("The permission is missing.", _denied),
    "target-404": Fault("The model is not there.", unknown_gemini),
    "target-429-once": Fault(
        "The first call of each body is answered 429 with Retry-After: 1, the next one works.",
        _once(lambda _: _TOO_MANY),
    ),
    "target-503": Fault("Every call is refused as overloaded.", lambda _: _BUSY),
    "target-blocked": Fault(
        "Every prompt is blocked.",
        lambda call: json_reply(
            200,
            {
                "promptFeedback": {"blockReason": "PROHIBITED_CONTENT"},
                "usageMetadata": _usage(),
                "modelVersion": call.model,
            },
        ),
    ),
    "target-truncated": Fault(
        "Every answer is cut at the token limit.",
        lambda call: json_reply(
            200,
            {
                "candidates": [_CUT],
                "usageMetadata": {
                    "promptTokenCount": 12,
                    "candidatesTokenCount": 2,
                    "totalTokenCount": 14,
                },
                "modelVersion": call.model,
            },
        ),
    ),
    "target-garbage": Fault(
        "Every reply is 200 with something that is no JSON.",
        lambda _: Reply(200, b"<html><body>Bad gateway</body></html>", "text/html"),
    ),
    "target-no-candidates": Fault(
        "Every reply is 200 without candidates.",
        lambda call: json_reply(200, {"usageMetadata": _usage(), "modelVersion": call.model}),
    ),
}
"""Name -> what it does: the one table of faults."""
