"""What the judge said of an answer's citations, held against what the answer really cites.

Which sentence cites which page is read from the answer; the judge says what bears out what. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.scorers.alce import Backing, Cited, alce_precision, alce_recall, f1, share
from gate.scorers.citation_list import CitationList, SentenceRow, StatementRow
from gate.scorers.pages import Reading
from gate.types import Item, ItemKind, Support

__all__ = ["MOST_STATEMENTS", "Weighed", "counted_items", "read_pages", "weigh"]

MOST_STATEMENTS = 20
"""Facts of the pages that count; more would reward a judge's patience."""


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


def counted_items(reading: Reading, weighed: Weighed) -> Mapping[ItemKind, tuple[Item, ...]]:
    """Return what each kind of metric counts, with the judge's labels after the checks.

    A sentence that was left out is unverifiable. With a single page a citation is its sentence,
    and goes by the sentence's digest, so that one label serves both.
    """
    sentences = [_sentence(reading, number, "unverifiable") for number in weighed.left_out]
    citations: list[Item] = []
    for number, backing in weighed.backings.items():
        if not backing.citations:
            continue
        whole = _sentence(reading, number, _support(borne_out=backing.supported))
        sentences.append(whole)
        pages = read_pages(reading, number)
        if len(pages) == 1:
            citations.append(whole)
            continue
        citations += [
            Item(
                kind="citations",
                digest=reading.item("citations", number, page),
                label=_support(borne_out=backing.supported and not cited.irrelevant),
                text=f"page {page} for: {whole.text}",
            )
            for page, cited in zip(pages, backing.citations, strict=True)
        ]
    statements = [
        Item(
            kind="statements",
            digest=reading.item("statements", one.statement),
            label=_support(borne_out=one.stated),
            text=one.statement,
        )
        for one in weighed.statements
    ]
    return {
        "sentences": tuple(sentences),
        "citations": tuple(citations),
        "statements": tuple(statements),
    }


def _sentence(reading: Reading, number: int, label: Support) -> Item:
    line = reading.sentences[number - 1].line
    digest = reading.item("sentences", number, line)
    return Item(kind="sentences", digest=digest, label=label, text=line)


def _support(*, borne_out: bool) -> Support:
    return "supported" if borne_out else "unsupported"
