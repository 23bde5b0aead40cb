"""What a scorer is given, and what it gives back."""

from __future__ import annotations

import operator
from typing import Generic, Literal, TypeVar

from pydantic import BaseModel, Field, JsonValue

from gate.types.answer import Answer, Failure, Usage
from gate.types.question import Case
from gate.types.word import Word


class Page(Word):
    """The readable text of a cited page."""

    uri: str
    """Address after redirects."""
    status: str
    """`ok`, or why there is no text."""
    text: str = ""
    """Readable text, capped."""
    digest: str | None = None
    """SHA-256 of the text that was judged."""


class Evidence(Word):
    """The pages behind an answer, one for each of its sources and in their order."""

    pages: tuple[Page, ...] = ()
    """Pages in the order of `Answer.sources`."""


class Trial(Word):
    """The one argument of every scorer: a later fact is a new field here."""

    case: Case
    """The case."""
    target: str
    """Name of the system under test."""
    attempt: int
    """Repeat number from 0."""
    answer: Answer
    """The answer; the engine hands over only answers without a failure."""
    evidence: Evidence | None = None
    """Pages, when a scorer reads them."""
    date: str | None = None
    """Day of the run (ISO 8601), for questions whose answer changes with time."""


Support = Literal["supported", "partial", "unsupported", "unverifiable"]
"""What pages say of something; `unverifiable` where the page that it rests on has no text."""

ItemKind = Literal["claims", "sentences", "citations", "statements"]
"""What a metric counts in an answer: claims of it, sentences that cite, their citations, facts of
the pages."""


class Item(Word):
    """One of the things that a metric counts in an answer, as the judge labelled it."""

    kind: ItemKind
    """What it is."""
    digest: str
    """SHA-256 that binds it to its answer and to the page texts; people's labels name it."""
    label: Support
    """What counts."""
    text: str
    """What a person reads of it, in one line."""


class Metric(Word):
    """A dimension that is measured."""

    name: str
    """Name in tables and files, such as `correctness`."""
    better: Literal["higher", "lower", "unknown"] = "higher"
    """Direction; a metric of unknown direction is advisory."""
    unit: str = "fraction"
    """Unit of the value, such as `fraction`, `s`, `usd`."""
    judged: bool = False
    """Whether a judge gave it: then only a licence lets it gate."""
    watched: bool = False
    """Whether it is only watched: compared under a word of its own, never failing a run unless its
    rule says `gating: true`."""
    counts: ItemKind | None = None
    """What it counts in an answer, and people label to license it; None is the answer itself."""
    of: tuple[str, ...] = ()
    """The metrics that it is computed from, if any: it has the weakest licence of theirs."""


class Score(Word):
    """One metric of one trial."""

    metric: str
    """The metric's name."""
    value: float | bool | str | None
    """The value; None with a failure when it could not be scored."""
    reason: str = ""
    """Why, in a sentence or two."""
    details: dict[str, JsonValue] = {}
    """What else a person may want to see."""
    items: tuple[Item, ...] = ()
    """What the metric counted, each with its label; none for metrics of whole answers."""
    usage: Usage | None = None
    """Tokens of the call, on the first score of the scorer only."""
    cost_usd: float | None = None
    """US dollars of the call, on the first score of the scorer only; None when unknown."""
    calls: int = 0
    """Judge calls behind the scores, on the first score of the scorer only."""
    cached: bool = False
    """Whether the judge's reply came from the journal."""
    judge: str | None = None
    """Judge as named in its reply."""
    form: str | None = None
    """Reply form that the judge was asked for."""
    failure: Failure | None = None
    """Why there is no value."""
    members: dict[str, float | None] = Field(default={}, exclude_if=operator.not_)
    """Judge, or judge and repeat (`name#2`) -> its own value, where several rulings were asked for
    (`judge: {use: panel}`, `run.judge_repeats`); empty for a single ruling."""


class Prompt(Word):
    """What a judge is asked, in three parts so that caches of the vendor can work."""

    system: str
    """Who the judge is and how it rates; the same for all cases."""
    shared: str = ""
    """What the calls of one case share, such as page texts."""
    own: str = ""
    """What is asked in this call."""
    digest: str
    """SHA-256 of the templates: part of the identity of a metric."""
    schema_in: Literal["format", "own", "system"] = "format"
    """Where the form of the reply is asked for: in the output format; or, for calls with different
    forms that share a cached prefix, at the end of `own`, or in `system`, which shows it already.
    """


F = TypeVar("F", bound=BaseModel)


class Ruling(Word, Generic[F]):
    """A judge's reply, read and checked."""

    verdict: F | None
    """The filled-in form; None with a failure."""
    model: str | None = None
    """Judge as named in the reply."""
    form: str | None = None
    """How it was asked to reply: `json_schema` or `text`."""
    usage: Usage | None = None
    """Tokens of all calls, repair included."""
    cost_usd: float | None = None
    """US dollars of all calls; None when unknown."""
    calls: int = 0
    """Calls made, repair included."""
    cached: bool = False
    """Whether every call came from the journal."""
    failure: Failure | None = None
    """Why there is no verdict."""
