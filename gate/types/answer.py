"""What came back: an answer, its sources, what it cost, or why there is none."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import AfterValidator, JsonValue

from gate.types.halves import whole_text
from gate.types.word import Word, digest

FailureKind = Literal[
    "error",  # the system under test or its network failed, or the body was unreadable
    "empty",  # finished, without text
    "blocked",  # refused by a safety filter of the vendor
    "timeout",  # our deadline passed
    "judge",  # the judge failed, refused or could not be read
    "pages",  # none of the pages that the answer cites could be read
    "undefined",  # the metric has no value here, such as citations of an answer that cites nothing
    "budget",  # not started, since the ceiling was reached
]
"""Why there is no value. A failure is counted in coverage and is never a score."""


class Failure(Word):
    """A broken machine, as data."""

    kind: FailureKind
    """What broke."""
    message: Annotated[str, AfterValidator(whole_text)]
    """One sentence for a person, with what to do next where we know it."""
    status: int | None = None
    """HTTP status, where there was one."""


class Usage(Word):
    """Tokens and searches of one call. None means that the vendor did not say."""

    input_tokens: int | None = None
    """Tokens of the prompt, cached ones and written ones included."""
    output_tokens: int | None = None
    """Billed output tokens, thinking included."""
    thinking_tokens: int | None = None
    """The hidden part of the output."""
    tool_tokens: int | None = None
    """Tokens that tools (search) added to the prompt."""
    cached_tokens: int | None = None
    """Part of the input that was read from a cache."""
    cache_write_tokens: int | None = None
    """Part of the input that was written to a cache."""
    searches: int | None = None
    """Search queries that the model ran."""
    grounded_prompts: int | None = None
    """1 when the answer was grounded by search: older families are billed by prompt."""


class Source(Word):
    """A page that the answer cites."""

    uri: str
    """Address as the target gave it; for Google grounding a redirect that expires."""
    title: str = ""
    """Title as the target gave it; often the bare domain."""
    domain: str = ""
    """Publisher's domain, where the target gave it."""


class Citation(Word):
    """A stretch of the answer and the sources that it rests on."""

    start: int
    """First character in `Answer.text`."""
    end: int
    """One past the last character."""
    text: str
    """The stretch itself."""
    sources: tuple[int, ...]
    """Indices into `Answer.sources`."""


class ToolCall(Word):
    """One call of a tool by an agent."""

    name: str
    """Canonical name, `<server>__<tool>` or a native name."""
    arguments: JsonValue = None
    """Arguments as JSON."""
    result: JsonValue = None
    """Result as JSON, where it was recorded."""
    ok: bool | None = None
    """Whether the tool said that it succeeded."""
    duration_s: float | None = None
    """Seconds, where it was measured."""


class Turn(Word):
    """One exchange of a conversation."""

    user: str
    """What the user said."""
    reply: str
    """What the agent answered."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tools used in this turn, in order."""


Flag = Literal["truncated", "unsearched", "citation_mismatch", "rerouted", "thinking_only"]
"""A remark on an answer that is scored all the same."""


class Answer(Word):
    """What a target said to one question, or the failure in its place."""

    text: str = ""
    """The answer; empty when there is a failure."""
    sources: tuple[Source, ...] = ()
    """Pages that the answer rests on, in the target's order."""
    citations: tuple[Citation, ...] = ()
    """Which stretch rests on which source."""
    queries: tuple[str, ...] = ()
    """Searches that the target ran."""
    tool_calls: tuple[ToolCall, ...] = ()
    """Tool calls, in order."""
    turns: tuple[Turn, ...] = ()
    """The conversation, for agents."""
    usage: Usage | None = None
    """Tokens; None when unknown."""
    cost_usd: float | None = None
    """US dollars at list price; None when tokens or prices are unknown, never 0 for unknown."""
    latency_s: float | None = None
    """Seconds from the first byte sent to the last received, retries and waiting left out."""
    finish: str | None = None
    """The vendor's finish reason, in lower case."""
    model: str | None = None
    """The model that really answered, as named in the reply."""
    failure: Failure | None = None
    """Why there is no answer to score."""
    flags: tuple[Flag, ...] = ()
    """Remarks on an answer that is scored."""
    cached: bool = False
    """Taken from the journal: left out of latency."""

    @property
    def digest(self) -> str:
        """SHA-256 of text, titles and domains; labels are bound to it.

        Addresses are left out: grounding addresses are redirects that differ in every reply.
        """
        return digest([self.text, [[source.title, source.domain] for source in self.sources]])

    @property
    def grounded(self) -> bool:
        """Whether at least one source stands behind the answer."""
        return bool(self.sources)
