"""Every call behind the numbers of a case, followed from its scores to the journal.

A score does not name its calls. They are found by what both say of them: how many they were, what
they cost and their tokens. Where several fit, or none does, the trace says that it does not know.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations

from pydantic import Field, JsonValue

from gate.engine.afresh import fresh_rulings
from gate.models.judge_replies import hear
from gate.models.rulings import total_usage
from gate.types import MOST_RULINGS, REPEAT_STRIDE, SCHEMA, FailureKind, Result, Score, Usage, Word
from gate.wire.journal_entry import Entry
from gate.wire.journal_query import KeptPage
from gate.wire.journal_replay import Replay

_UNASKED: frozenset[FailureKind] = frozenset({"undefined", "pages"})
"""Failures for which no judge was asked, where a score names none: there was nothing to judge, or
no page to judge by."""

_MOST_TRIED = 20_000
"""Sets of calls that are tried for one scorer's scores, until it cannot be told which are its."""


class TracedCall(Word):
    """A call, as the journal has it."""

    number: int
    """Its number in the journal."""
    kind: str
    """`answer` or `judge`."""
    vendor: str
    """Who was asked."""
    model: str
    """The model that was asked for."""
    key: str
    """`Call.key`: SHA-256 of what was asked."""
    reused_from: str | None
    """The earlier run that paid for it; None where this run did."""
    asked_for: str | None
    """Another target of this run that it was first sent for; None where it was sent for this."""
    outcome: str
    """`reply`, `failed`, or `no result` where the process ended before one came."""
    problem: str | None
    """Why there is no reply."""
    status: int | None
    """HTTP status of the failure, where there was one."""
    tries: int
    """Requests sent."""
    lost: int
    """Tries of unknown outcome: each counts as spent at `reserve_usd`."""
    usd: float | None
    """US dollars of the reply; None when unknown."""
    reserve_usd: float | None
    """Worst cost in US dollars."""
    latency_s: float | None
    """Seconds of the try that succeeded."""
    sent_at: str
    """UTC time before it was sent, ISO 8601."""
    result_at: str | None
    """UTC time of the result."""
    repair: bool
    """Whether it asked again after a reply that could not be read."""
    judged: int | None
    """Of a judge call, the number of the call that gave the answer which it judged; None where this
    journal does not have that call."""
    kept: bool
    """Whether the reply is in the journal."""
    reply: str | None
    """What the judge wrote; None without a reply that is kept, and for answers."""
    body: JsonValue
    """The vendor's whole body; None without a reply that is kept."""


class TracedPage(Word):
    """A page that the answer cites."""

    uri: str
    """Address that the answer gave."""
    final: str | None
    """Address after redirects; None where the journal has no such page."""
    status: str
    """`ok`, why there is no text, or `not in the journal`."""
    characters: int | None
    """Length of the text; None where it was not kept."""
    digest: str | None
    """SHA-256 of the text that was judged."""


class TracedScore(Word):
    """A score and the calls that it came of."""

    metric: str
    """Its metric."""
    value: float | bool | str | None
    """Its value."""
    failure: str | None
    """Why there is none."""
    reason: str
    """The judge's reason."""
    calls: tuple[int, ...] | None
    """Numbers of its calls; none where no judge was asked; None when they cannot be told."""


class TracedAttempt(Word):
    """One answer of one target."""

    target: str
    """The system under test."""
    attempt: int
    """Repeat number from 0."""
    answer: str
    """The answer."""
    failure: str | None
    """Why there is no answer."""
    calls: tuple[TracedCall, ...]
    """All its calls in the order of their numbers."""
    pages: tuple[TracedPage, ...]
    """Pages that it cites."""
    scores: tuple[TracedScore, ...]
    """What it was given."""


class Trace(Word):
    """All that is known of a case in a run."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    run: str
    """Run id."""
    journal: str
    """What the run kept: `full`, `no-pages` or `no-text`."""
    case_id: str
    """The case."""
    question: str
    """What was asked."""
    stand_in: bool
    """Whether the loopback world answered, so that nothing was paid."""
    usd: float | None
    """US dollars that this run spent on the case at list price, lost tries at their reserve; None
    when a part is unknown."""
    note: str | None = None
    """Why these are no numbers of a finished run, where they are none."""
    attempts: tuple[TracedAttempt, ...]
    """By target and attempt."""


def trace_case(
    tape: Replay,
    results: Sequence[Result],
    case_id: str,
    *,
    collection: str | None = None,
    note: str | None = None,
) -> Trace:
    """Follow a case through a run's journal; `results` are the run's results of that case.

    `collection` is the run that asked, where the tape's run judged its answers.
    """
    runs = frozenset(one for one in (tape.run.id, collection) if one is not None)
    own = [entry for entry in tape.audit(case_id) if entry.run_id in runs]
    found = [(entry.target, entry) for entry in own]
    taken = tape.reused(case_id)
    found += [(target, entry) for target, entry in taken]
    if not taken and any(score.cached for one in results for score in one.scores):
        # A journal from before reuse was recorded: what could have been reused.
        found += [
            (entry.target, entry)
            for entry in tape.audit(case_id)
            if entry.run_id not in runs and entry.kind == "judge" and entry.kept
            if entry.scope is None and entry.settled and entry.problem is None
        ]
    return Trace(
        run=tape.run.id,
        journal=tape.run.mode,
        case_id=case_id,
        question=results[0].question if results else "",
        stand_in=tape.run.meta.get("world") is not None,
        usd=_spent(own),
        note=note,
        attempts=tuple(_attempt(tape, one, found, runs) for one in results),
    )


def _spent(entries: Iterable[Entry]) -> float | None:
    costs: list[float | None] = []
    for entry in entries:
        lost = entry.lost if entry.settled else 1
        costs += [entry.reserve_usd] * lost + ([entry.usd] if entry.settled else [])
    known = [cost for cost in costs if cost is not None]
    return math.fsum(known) if len(known) == len(costs) else None


def _attempt(
    tape: Replay,
    result: Result,
    found: Sequence[tuple[str | None, Entry]],
    runs: Collection[str],
) -> TracedAttempt:
    # Rulings that were asked for afresh have numbers of the run's own.
    first = (result.attempt, fresh_rulings(tape.run.id) + result.attempt)
    numbers = {one + again * REPEAT_STRIDE for one in first for again in range(MOST_RULINGS)}
    entries = sorted(
        {
            entry.id: entry
            for target, entry in found
            if target == result.target and entry.attempt in numbers
        }.values(),
        key=lambda entry: entry.id,
    )
    scores = _scores(result.scores, [entry for entry in entries if entry.kind == "judge"])
    repairs = _repairs(scores, {entry.id: entry for entry in entries})
    answer = result.answer
    gave = [entry.id for entry in entries if entry.kind == "answer" and _replied(entry)]
    uris = list(dict.fromkeys(source.uri for source in answer.sources))
    kept = {page.uri: page for page in tape.pages(uris)}
    return TracedAttempt(
        target=result.target,
        attempt=result.attempt,
        answer=answer.text,
        failure=None if answer.failure is None else answer.failure.message,
        calls=tuple(
            _call(
                entry,
                runs,
                result.target,
                repair=entry.id in repairs,
                judged=gave[-1] if gave and entry.kind == "judge" else None,
            )
            for entry in entries
        ),
        pages=tuple(_page(uri, kept.get(uri)) for uri in uris),
        scores=scores,
    )


def _repairs(scores: Sequence[TracedScore], entries: Mapping[int, Entry]) -> set[int]:
    """Find the calls that ask a judge once more for the same ruling; a panel has other judges."""
    found = set()
    for score in scores:
        asked = set()
        for number in score.calls or ():
            whom = (entries[number].vendor, entries[number].model, entries[number].attempt)
            if whom in asked:
                found.add(number)
            asked.add(whom)
    return found


def _replied(entry: Entry) -> bool:
    return entry.settled and entry.problem is None


def _call(
    entry: Entry, runs: Collection[str], target: str, *, repair: bool, judged: int | None
) -> TracedCall:
    problem = entry.problem
    replied = _replied(entry)
    mine = entry.run_id in runs
    return TracedCall(
        number=entry.id,
        kind=entry.kind,
        vendor=entry.vendor,
        model=entry.model,
        key=entry.key,
        reused_from=None if mine else entry.run_id,
        asked_for=entry.target if mine and entry.target != target else None,
        outcome="reply" if replied else "failed" if entry.settled else "no result",
        problem=None if problem is None else problem.message,
        status=None if problem is None else problem.status,
        tries=entry.tries,
        lost=entry.lost if entry.settled else 1,
        usd=entry.usd,
        reserve_usd=entry.reserve_usd,
        latency_s=entry.latency_s,
        sent_at=entry.intent_at,
        result_at=entry.result_at,
        repair=repair,
        judged=judged,
        kept=replied and entry.kept,
        reply=hear(entry.vendor, entry.body).text
        if replied and entry.kept and entry.kind == "judge"
        else None,
        body=entry.body,
    )


def _page(uri: str, page: KeptPage | None) -> TracedPage:
    if page is None:
        return TracedPage(
            uri=uri, final=None, status="not in the journal", characters=None, digest=None
        )
    return TracedPage(
        uri=uri,
        final=page.final,
        status=page.status,
        characters=None if page.text is None else len(page.text),
        digest=page.digest,
    )


def _scores(scores: Sequence[Score], entries: Sequence[Entry]) -> tuple[TracedScore, ...]:
    """Give each scorer's scores the calls that fit; the first score of a scorer counts them."""
    replies = [entry for entry in entries if _replied(entry)]
    traced = []
    calls: tuple[int, ...] | None = ()
    for score in scores:
        if score.calls:
            calls = _fitting(score, replies)
        elif score.judge is None:
            unasked = score.failure is None or score.failure.kind in _UNASKED
            calls = () if unasked or not entries else None
        traced.append(
            TracedScore(
                metric=score.metric,
                value=score.value,
                failure=None if score.failure is None else score.failure.message,
                reason=score.reason,
                calls=calls,
            )
        )
    return tuple(traced)


def _fitting(score: Score, replies: Sequence[Entry]) -> tuple[int, ...] | None:
    """The one set of calls that costs what the score says, with its tokens."""
    if math.comb(len(replies), score.calls) > _MOST_TRIED:
        return None
    fitting = [
        tuple(entry.id for entry in some)
        for some in combinations(replies, score.calls)
        if _costs(some, score.cost_usd) and _counts(some, score.usage)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _costs(some: Sequence[Entry], usd: float | None) -> bool:
    costs = [entry.usd for entry in some if entry.usd is not None]
    if len(costs) < len(some) or usd is None:
        return usd is None and len(costs) < len(some)
    return math.isclose(math.fsum(costs), usd, rel_tol=1e-9, abs_tol=1e-12)


def _counts(some: Sequence[Entry], usage: Usage | None) -> bool:
    if not all(entry.kept for entry in some):
        return True
    return total_usage([hear(entry.vendor, entry.body).usage for entry in some]) == usage
