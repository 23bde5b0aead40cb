"""Citations: do the pages that a sentence cites bear it out, and what of the pages is told?

Which sentence cites which page is read from the answer, not asked of the judge. Two families of
numbers under names that say what they are: gemini-search-mcp's (`citation_precision`;
`source_coverage`, which it calls citation recall; their F1) and ALCE's citation recall and
precision. They must not be compared with one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from pydantic import JsonValue

from gate.protocols import Judge
from gate.scorers.alce import Backing
from gate.scorers.citation_list import CitationList
from gate.scorers.pages import (
    PageOptions,
    Reading,
    no_evidence,
    pages_prompt,
    prompt_digest,
    read_trial,
)
from gate.scorers.telling import cited_pages, named_first, shortened
from gate.scorers.weighing import Weighed, counted_items, read_pages, weigh
from gate.templates import fence
from gate.types import Failure, Metric, Ruling, Score, Trial, digest

METRICS = (
    Metric(name="citation_precision", judged=True, counts="sentences"),
    Metric(name="source_coverage", judged=True, counts="statements"),
    Metric(name="citation_f1", judged=True, of=("citation_precision", "source_coverage")),
    Metric(name="alce_recall", judged=True, counts="sentences"),
    Metric(name="alce_precision", judged=True, counts="citations"),
)
"""Shares in [0, 1], higher is better."""


class CitationsScorer:
    """Asks one judge about the sentences that cite pages, and about what the pages state."""

    Options = PageOptions

    def __init__(self, options: PageOptions, judges: Mapping[str, Judge]) -> None:
        """Keep the judge that the options name. Raises KeyError when there is none."""
        self._options = options
        self._judge = judges[options.judge]

    @property
    def metrics(self) -> tuple[Metric, ...]:
        """Five shares in [0, 1], higher is better."""
        return METRICS

    @property
    def reads_pages(self) -> bool:
        """It reads the cited pages."""
        return True

    @property
    def prompt_digest(self) -> str:
        """SHA-256 of the templates and of the forms."""
        return prompt_digest()

    @property
    def settings_digest(self) -> str:
        """SHA-256 of the scorer's name, version, options and of the judge's settings."""
        options = self._options
        used = [options.pages, options.max_page_bytes]
        return digest(["citations", 1, *used, self._judge.settings_digest])

    async def score(self, trial: Trial) -> Sequence[Score]:
        """Ask once. Without a source nothing is asked: what cites nothing has ALCE's 0.

        Where there are sources and none could be read, nothing is scored.
        """
        reading = read_trial(trial, self._options)
        failure = no_evidence(reading)
        if failure is not None:
            silent = Weighed({n: Backing() for n, _ in enumerate(reading.sentences, 1)}, ())
            values = (None,) * len(METRICS) if trial.answer.sources else silent.values()
            return _scores(values, reading, failure)
        ruling = await self._judge.ask(
            pages_prompt(reading, "citations", material=_cited(reading)),
            CitationList,
            trial.attempt,
            case_id=trial.case.id,
            target=trial.target,
        )
        return _ruled(ruling, reading)


def _cited(reading: Reading) -> str:
    """The fenced lines that say which sentence cites which pages with text."""
    lines = []
    for number in range(1, len(reading.sentences) + 1):
        pages = read_pages(reading, number)
        if pages:
            lines.append(f"[{number}] {', '.join(map(str, pages))}")
    return fence("cited", "\n".join(lines) or "(none)", reading.trial.case.id)


def _ruled(ruling: Ruling[CitationList], reading: Reading) -> tuple[Score, ...]:
    nothing = (None,) * len(METRICS)
    if ruling.verdict is None:
        failure = ruling.failure or Failure(kind="judge", message="the judge gave no verdict")
        return _scores(nothing, reading, failure, ruling)
    try:
        weighed = weigh(reading, ruling.verdict)
    except ValueError as error:
        return _scores(nothing, reading, Failure(kind="judge", message=str(error)), ruling)
    nothing_left = (
        Failure(kind="pages", message="all that it cites rests on pages that could not be read")
        if weighed.left_out
        else Failure(kind="undefined", message="nothing here to take a share of")
    )
    return _scores(weighed.values(), reading, nothing_left, ruling, weighed)


def _scores(
    values: Sequence[float | None],
    reading: Reading,
    failure: Failure,
    ruling: Ruling[CitationList] | None = None,
    weighed: Weighed | None = None,
) -> tuple[Score, ...]:
    """One score for each value; those without one carry the failure, the first one the bill."""
    scores = []
    items = {} if weighed is None else counted_items(reading, weighed)
    for metric, value in zip(METRICS, values, strict=True):
        first = metric is METRICS[0]
        scores.append(
            Score(
                metric=metric.name,
                value=value,
                reason="" if weighed is None or value is None else _reason(weighed, reading),
                details=_details(reading, weighed) if first else {},
                items=items.get(metric.counts, ()) if metric.counts else (),
                usage=ruling.usage if ruling and first else None,
                cost_usd=ruling.cost_usd if ruling and first else None,
                calls=ruling.calls if ruling and first else 0,
                cached=ruling is not None and ruling.cached,
                judge=None if ruling is None else ruling.model,
                form=None if ruling is None else ruling.form,
                failure=failure if value is None else None,
            )
        )
    return tuple(scores)


def _reason(weighed: Weighed, reading: Reading) -> str:
    """Say what was counted and what was left out, and name what the cited pages do not bear out."""
    citing = {number: one for number, one in weighed.backings.items() if one.citations}
    stated = sum(one.stated for one in weighed.statements)
    missed = [
        f"{shortened(reading.sentences[number - 1].line)} ({cited_pages(reading, number)})"
        for number, one in citing.items()
        if not one.supported
    ]
    return (
        f"{len(weighed.backings)} sentences judged, {len(citing)} cite pages, "
        f"{len(citing) - len(missed)} of them borne out; {len(weighed.left_out)} left out; "
        f"{stated} of {len(weighed.statements)} facts of the pages told"
        f"{named_first('. Not borne out: ', missed)}"
    )


def _details(reading: Reading, weighed: Weighed | None) -> dict[str, JsonValue]:
    details: dict[str, JsonValue] = {"sources": reading.listed()}
    if weighed is not None:
        details["sentences"] = [
            {
                "sentence": number,
                "pages": list(read_pages(reading, number)),
                "supported": backing.supported,
                "citations": [one._asdict() for one in backing.citations],
            }
            for number, backing in weighed.backings.items()
        ]
        details["left_out"] = list(weighed.left_out)
        details["statements"] = [one.model_dump() for one in weighed.statements]
    return details
