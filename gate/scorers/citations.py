"""Citations: do the pages that a sentence cites bear it out, and what of the pages is told?

Which sentence cites which page is read from the answer, not asked of the judge. Two families of
numbers under names that say what they are: gemini-search-mcp's (`citation_precision`;
`source_coverage`, which it calls citation recall; their F1) and ALCE's citation recall and
precision. They must not be compared with one another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict, Field, JsonValue

from gate.protocols import Judge
from gate.scorers.alce import Backing, Cited, alce_precision, alce_recall, f1, share
from gate.scorers.pages import (
    PageOptions,
    Reading,
    no_evidence,
    pages_prompt,
    prompt_digest,
    read_trial,
)
from gate.templates import fence, render
from gate.types import Failure, Metric, Ruling, Score, Trial, digest

OWN = "scorers/prompts/pages.citations.md.j2"

MOST_STATEMENTS = 20
"""Facts of the pages that count; more would reward a judge's patience."""

METRICS = tuple(
    Metric(name=name, better="higher", unit="fraction", judged=True)
    for name in (
        *("citation_precision", "source_coverage", "citation_f1"),
        *("alce_recall", "alce_precision"),
    )
)


class CitationRow(BaseModel):
    """One page that a sentence cites."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    page: int = Field(description="k of page-k.")
    """Number of the page, from 1."""
    alone: bool = Field(description="This page by itself bears the sentence out.")
    """Whether this page by itself entails the sentence."""
    rest: bool = Field(description="The other cited pages bear it out without this one.")
    """Whether the others do without it."""


class SentenceRow(BaseModel):
    """One sentence that cites pages."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentence: int = Field(description="Number of the sentence.")
    """Number of the sentence, from 1."""
    supported: bool = Field(description="Its cited pages together bear it out.")
    """Whether its cited pages together entail it."""
    citations: tuple[CitationRow, ...]
    """One for each of its pages."""


class StatementRow(BaseModel):
    """One fact that the pages state on the question."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    statement: str = Field(description="The fact in one short sentence.")
    """The fact."""
    page: int = Field(description="k of a page-k that states it.")
    """Number of a page that states it."""
    stated: bool = Field(description="The answer says it as well.")
    """Whether the answer says it as well."""


class CitationList(BaseModel):
    """The form that the judge fills in."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    sentences: tuple[SentenceRow, ...]
    """The sentences that cite pages."""
    statements: tuple[StatementRow, ...]
    """What the pages state, the most important first."""


@dataclass(frozen=True)
class Weighed:
    """An answer's citations after the checks. Sentences count from 1."""

    backings: Mapping[int, Backing]
    """Sentences that are judged, those without citations included."""
    left_out: tuple[int, ...]
    """Sentences that rest on pages that could not be read: they are in no count."""
    statements: tuple[StatementRow, ...] = ()
    """Facts of the pages that count."""

    def values(self) -> tuple[float | None, ...]:
        """Return the five numbers, in the order of the metrics.

        Where pages that could not be read leave no citation to judge, ALCE's numbers are
        undefined: the sentences that cite nothing are not all that there is.
        """
        backings = list(self.backings.values())
        precision = share(one.supported for one in backings if one.citations)
        coverage = share(one.stated for one in self.statements)
        only_unread = self.left_out and not any(one.citations for one in backings)
        return (
            precision,
            coverage,
            f1(precision, coverage),
            None if only_unread else alce_recall(backings),
            None if only_unread else alce_precision(backings),
        )


def weigh(reading: Reading, verdict: CitationList) -> Weighed:
    """Hold the judge's rows against what the answer cites.

    Raises ValueError when the judge left out a sentence or a page that the answer cites. A
    sentence of which the pages at hand say nothing and that also cites a page that could not be
    read is left out, since it may stand there; so is a citation of such a page.
    """
    rows = {row.sentence: row for row in reversed(verdict.sentences)}
    backings: dict[int, Backing] = {}
    left_out: list[int] = []
    for number in range(1, len(reading.sentences) + 1):
        pages = read_pages(reading, number)
        if not reading.cites(number):
            backings[number] = Backing()
            continue
        found = _backing(number, pages, rows.get(number)) if pages else None
        if found is None or (not found.supported and reading.unread(number)):
            left_out.append(number)
        else:
            backings[number] = found
    statements = [one for one in verdict.statements if one.page in reading.texts]
    return Weighed(backings, tuple(left_out), tuple(statements[:MOST_STATEMENTS]))


def read_pages(reading: Reading, sentence: int) -> tuple[int, ...]:
    """Return the pages with text that a sentence cites."""
    return tuple(page for page in reading.cites(sentence) if page in reading.texts)


def _backing(number: int, pages: Sequence[int], row: SentenceRow | None) -> Backing:
    if row is None:
        raise ValueError(f"the judge left out sentence {number}, which cites pages")
    if len(pages) == 1:  # then there is nothing to tell apart
        return Backing(row.supported, (Cited(alone=row.supported, rest=False),))
    given = {one.page: one for one in reversed(row.citations)}
    missing = [page for page in pages if page not in given]
    if missing:
        raise ValueError(f"the judge left out page {missing[0]}, which sentence {number} cites")
    return Backing(
        row.supported, tuple(Cited(given[page].alone, given[page].rest) for page in pages)
    )


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
        """SHA-256 of the templates and of the form."""
        return prompt_digest(OWN, CitationList)

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
            pages_prompt(reading, render(OWN, cited=_cited(reading)), self.prompt_digest),
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
    undefined = Failure(kind="undefined", message="nothing here to take a share of")
    return _scores(weighed.values(), reading, undefined, ruling, weighed)


def _scores(
    values: Sequence[float | None],
    reading: Reading,
    failure: Failure,
    ruling: Ruling[CitationList] | None = None,
    weighed: Weighed | None = None,
) -> tuple[Score, ...]:
    """One score for each value; those without one carry the failure, the first one the bill."""
    scores = []
    for metric, value in zip(METRICS, values, strict=True):
        first = metric is METRICS[0]
        scores.append(
            Score(
                metric=metric.name,
                value=value,
                reason="" if weighed is None or value is None else _reason(weighed),
                details=_details(reading, weighed) if first else {},
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


def _reason(weighed: Weighed) -> str:
    """Say what was counted, and what was left out."""
    citing = [one for one in weighed.backings.values() if one.citations]
    stated = sum(one.stated for one in weighed.statements)
    return (
        f"{len(weighed.backings)} sentences judged, {len(citing)} cite pages, "
        f"{sum(one.supported for one in citing)} of them borne out; "
        f"{len(weighed.left_out)} left out; "
        f"{stated} of {len(weighed.statements)} facts of the pages told"
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
