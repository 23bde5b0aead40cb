"""Do the pages that a sentence cites carry it, and what else do the pages say to the question?"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from gate.loopback.judging.claiming import Claim, claims_of, sentences_of, states
from gate.loopback.judging.claims import Row, ordinary
from gate.loopback.judging.page_texts import PageText, Passage, names_in, pages_of
from gate.loopback.judging.reading import body, keys
from gate.loopback.judging.sections import Sections
from gate.loopback.judging.supporting import best_proof, wanted_of, weigh
from gate.loopback.judging.wanting import kinds

_CITED = re.compile(r"^\[(\d+)\]([\d, ]+)$", re.MULTILINE)
_MOST_STATEMENTS = 20
_LEAST = 0.5
_NEAR_BEST = 0.75
_BESIDE = 0.5
_LEAST_KEYS = 3
_ALIKE = 0.75


def cited_sentences(given: Sections) -> list[Row]:
    """Return for each cited sentence whether its pages carry it, together and one by one.

    `cited` holds the numbers of the pages; a sentence that cites nothing is not asked about.
    """
    pages = {page.number: page for page in pages_of(given)}
    small = ordinary(given, tuple(pages.values()))
    texts, made = sentences_of(given), claims_of(given)
    rows: list[Row] = []
    for number, cited in _cited(given):
        claims = [one for one in made if one.sentence == number] or [
            Claim(number, texts.get(number, ""))
        ]
        shown = [pages[one] for one in cited if one in pages]

        def carried(by: list[PageText], claims: list[Claim] = claims) -> bool:
            return bool(by) and all(_carried(claim.text, by, small) for claim in claims)

        rows.append(
            {
                "sentence": number,
                "supported": carried(shown),
                "citations": [
                    {
                        "page": one,
                        "alone": carried([page for page in shown if page.number == one]),
                        "rest": carried([page for page in shown if page.number != one]),
                    }
                    for one in cited
                ],
            }
        )
    return rows


def _cited(given: Sections) -> Iterator[tuple[int, list[int]]]:
    for match in _CITED.finditer(given["cited"]):
        numbers = [int(number) for number in re.findall(r"\d+", match[2])]
        if numbers:
            yield int(match[1]), list(dict.fromkeys(numbers))


def _carried(claim: str, pages: Iterable[PageText], small: frozenset[str]) -> bool:
    return best_proof(wanted_of(claim, small), pages).label == "supported"


def statements(given: Sections) -> list[Row]:
    """Return the pages' sentences that come nearest to the question, and whether they are said.

    A sentence counts when it takes up half of the question and nearly as much as the best one
    does; where steps are asked for, the items of a list on such a page count too.
    """
    question, pages = given["question"], pages_of(given)
    small = ordinary(given, pages)
    said = _said(given, small)
    rows: list[Row] = []
    for page, passage in _nearest(question, pages)[:_MOST_STATEMENTS]:
        wanted = wanted_of(passage.text, small)
        stated = any(weigh(wanted, one)[0] == "supported" for one in said)
        rows.append({"statement": passage.text, "page": page, "stated": stated})
    return rows


def _nearest(question: str, pages: tuple[PageText, ...]) -> list[tuple[int, Passage]]:
    """Return the pages and sentences nearest to the question, the nearest first, none twice."""
    asked = list(keys(question))
    stepwise = "steps" in kinds(question)
    ranked: list[tuple[float, int, Passage]] = []
    for page in pages:
        for passage in page.singles:
            whole = passage.listed or passage.text.endswith((".", "!", "”", '"'))
            long = len(keys(passage.text)) >= _LEAST_KEYS
            if whole and long and states(passage.text, question):
                near = _nearness(asked, passage, stepwise=stepwise)
                ranked.append((near, page.number, passage))
    best = max((near for near, _, _ in ranked), default=0.0)
    least = max(_LEAST, _NEAR_BEST * best)
    kept: list[tuple[int, Passage]] = []
    for near, number, passage in sorted(ranked, key=lambda one: -one[0]):
        if near >= least and not any(_alike(passage, other) for _, other in kept):
            kept.append((number, passage))
    return kept


def _nearness(asked: list[str], passage: Passage, *, stepwise: bool) -> float:
    """Return the share of the question that is taken up; what only its surroundings say is half."""
    own = keys(passage.text)
    around = sum(key in passage.around for key in asked) / max(1, len(asked))
    if stepwise and passage.listed:
        return around
    inside = sum(key in own for key in asked) / max(1, len(asked))
    return inside + _BESIDE * (around - inside)


def _alike(one: Passage, other: Passage) -> bool:
    ours, theirs = set(keys(one.text)), set(keys(other.text))
    return len(ours & theirs) >= _ALIKE * min(len(ours), len(theirs))


def _said(given: Sections, small: frozenset[str]) -> list[Passage]:
    """Return what the answer says, sentence by sentence and in pairs, as passages."""
    texts = [body(text, given["question"]).text for text in sentences_of(given).values()]
    spans = [texts[n : n + length] for length in (1, 2) for n in range(len(texts) - length + 1)]
    known = frozenset(keys(given["question"]))
    return [
        Passage(
            sentences=tuple(span),
            around=known | frozenset(keys(" ".join(span))),
            names=frozenset().union(*(names_in(one, small) for one in span)),
            quote="",
            listed=False,
        )
        for span in spans
    ]
