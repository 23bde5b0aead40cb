"""A trace for a terminal, in plain text. Foreign text is in quotation marks or behind a bar."""

from __future__ import annotations

from collections.abc import Iterator

from gate.reports.trace import Trace, TracedAttempt, TracedCall, TracedPage, TracedScore
from gate.reports.untrusted import harmless_lines, plain, quoted

_MOST = 20_000
"""Characters of a reply that are shown; the JSON has all of it."""


def trace_text(trace: Trace) -> str:
    """Return a trace as lines that no terminal and no runner takes for anything else."""
    return "\n".join(_lines(trace)) + "\n"


def _lines(trace: Trace) -> Iterator[str]:
    yield f"Case {plain(trace.case_id)} in run {plain(trace.run)} (journal: {trace.journal})"
    yield f"Question: {quoted(trace.question)}"
    if trace.stand_in:
        yield f"Stand-in world, nothing was paid; at list prices: {_usd(trace.usd)}"
    else:
        yield f"Paid by this run: {_usd(trace.usd)}"
    if trace.note is not None:
        yield f"Note: {plain(trace.note)}"
    for attempt in trace.attempts:
        yield ""
        yield f"Target {plain(attempt.target)}, attempt {attempt.attempt}"
        yield from _attempt(attempt)


def _attempt(attempt: TracedAttempt) -> Iterator[str]:
    if attempt.failure is not None:
        yield f"  no answer: {quoted(attempt.failure)}"
    else:
        yield "  answer:"
        yield from _barred(attempt.answer)
    for page in attempt.pages:
        yield _page(page)
    for call in attempt.calls:
        yield from _call(call, attempt)
    if not attempt.calls:
        yield "  the journal has no call of it"
    for score in attempt.scores:
        yield from _score(score)


def _page(page: TracedPage) -> str:
    length = "text not kept" if page.characters is None else f"{page.characters} characters"
    where = "" if page.final in (None, page.uri) else f", at {quoted(page.final or '')}"
    told = f", {length}" if page.digest is not None else ""
    sha = "" if page.digest is None else f", SHA-256 {page.digest[:12]}"
    return f"  page {quoted(page.uri)}: {plain(page.status)}{told}{where}{sha}"


def _call(call: TracedCall, attempt: TracedAttempt) -> Iterator[str]:
    behind = [score.metric for score in attempt.scores if call.number in (score.calls or ())]
    title = "repair of a reply" if call.repair else f"{call.kind} call"
    facts = [
        call.outcome if call.status is None else f"{call.outcome} with status {call.status}",
        f"{plain(call.model)} of {plain(call.vendor)}",
        f"{call.tries} {'try' if call.tries == 1 else 'tries'}",
        *_costs(call),
        *([] if call.latency_s is None else [f"{call.latency_s:.2f} s"]),
        f"sent {plain(call.sent_at)}",
    ]
    yield f"  #{call.number} {title}: {', '.join(facts)}"
    if call.reused_from is not None:
        yield f"     from the earlier run {plain(call.reused_from)}, at no cost to this one"
    if call.asked_for is not None:
        yield f"     first sent for target {plain(call.asked_for)}"
    if call.kind == "judge":
        source = (
            "above, for which this run did not ask" if call.judged is None else f"of #{call.judged}"
        )
        yield f"     on the answer {source}"
    if behind:
        yield f"     gave {', '.join(plain(name) for name in behind)}"
    if call.problem is not None:
        yield f"     {quoted(call.problem)}"
    if call.outcome == "reply" and not call.kept:
        yield "     its reply was not kept"
    if call.reply is not None:
        yield from _barred(call.reply)


def _costs(call: TracedCall) -> Iterator[str]:
    """Say what the reply cost, and as what each try without a known outcome counts."""
    if call.lost:
        each = "" if call.lost == 1 else " each"
        yield (
            f"{call.lost} of unknown outcome, counted at a worst price of "
            f"{_usd(call.reserve_usd)}{each}"
        )
    if call.result_at is not None and (call.outcome == "reply" or not call.lost):
        yield f"the reply {_usd(call.usd)}" if call.lost else _usd(call.usd)


def _score(score: TracedScore) -> Iterator[str]:
    value = "none" if score.value is None else _value(score.value)
    if score.calls is None:
        source = "which of the judge calls it came of cannot be told"
    elif score.calls:
        source = "from " + ", ".join(f"#{number}" for number in score.calls)
    else:
        source = "no judge was asked"
    yield f"  {plain(score.metric)} = {value}, {source}"
    if score.failure is not None:
        yield f"     {quoted(score.failure)}"


def _value(value: float | bool | str) -> str:  # noqa: FBT001 - a score's value
    return f"{value:.4f}" if isinstance(value, float) else plain(str(value))


def _usd(usd: float | None) -> str:
    return "cost unknown" if usd is None else f"${usd:.6f}"


def _barred(text: str) -> Iterator[str]:
    shown = text if len(text) <= _MOST else f"{text[:_MOST]}\u2026"
    for line in harmless_lines(shown).split("\n"):
        yield f"     | {line}"
