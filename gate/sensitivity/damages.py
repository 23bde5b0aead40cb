"""What is done to a good answer: six damages, each by a rule that needs no model.

Each is small, and each says which dimensions should see it in this very answer: a figure that no
expectation names is no matter of correctness. What they cannot be is natural: a real decline has
other causes, so a judge that sees these may still be blind to others.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Mapping
from typing import Final, NamedTuple

from gate.decision.sensitivity import SEEN_BY
from gate.scorers.sentences import Sentence, cited_sources, split_sentences
from gate.sensitivity.editing import Edit, edited, remade
from gate.types import Answer, Case, Citation, Damage

_NUMBER = re.compile(r"(?<![\w.,\[#])\d+(?:,\d{3})*(?:\.\d+)?(?![\w\]]|[.,]\d)")
_FORBIDS = re.compile(r"\b(?:not|never|no)\b", re.IGNORECASE)
_WORD = re.compile(r"\d+(?:[.,]\d+)*|\w{3,}")
_SAYING: Final = frozenset(
    {"give", "gives", "mention", "mentions", "name", "names", "say", "says", "show", "shows"}
    | {"state", "states", "tell", "tells", "and", "are", "for", "from", "has", "its", "that"}
    | {"the", "was", "were", "with"}
)
"""Words of an expectation that no answer has to repeat."""
_LISTED = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s", re.MULTILINE)
_FEWEST_SENTENCES = 2
_FEWEST_FILLERS = 3
_FEWEST_WANTED = 2
_SAYS_IT = 2 / 3
_SAYS_SOME = 1 / 3
_STEP = 3
_DIGITS = 10

_CITING: Final = ("citation_precision", "alce_recall", "alce_precision")

_CLAIMS: Final = (
    "It was closed for eleven months after a fire in 1994 and rebuilt at twice the cost.",
    "A survey of 2,140 people in 2017 found that four in five had never heard of it.",
    "The first plan for it was rejected by a single vote in the spring of 1931.",
    "Its records were moved to a cellar in Lisbon in 1958 and have been kept there since.",
    "An inquiry found in 2009 that 37 of its reports had been copied from another office.",
)
"""Claims that no page about anything states."""

_FILLERS: Final = (
    "A great deal could of course be said on any matter, and most of that has been said before.",
    "Good questions deserve patience, and patience is known to be rewarded sooner or later.",
    "Opinions differ from one reader to the next, and every opinion has something in its favour.",
    "Before going any further one does well to pause and to think about what really matters.",
    "The whole is, as everybody knows, a little more than the sum of all the parts.",
    "Nothing should be taken too lightly, and nothing more seriously than is good for anyone.",
)
"""Sentences that say nothing, whatever was asked."""


class Damaged(NamedTuple):
    """A damaged answer."""

    answer: Answer
    """The answer as it stands now."""
    dimensions: tuple[str, ...]
    """The dimensions that should see it, in this answer."""


def damage(kind: Damage, case: Case, answer: Answer) -> Damaged | None:
    """Damage an answer in one way; None where it cannot be, such as a figure where there is none.

    The same answer is always damaged in the same way.
    """
    made = _DAMAGES[kind](case, answer)
    if made is None:
        return None
    return Damaged(made.answer, tuple(one for one in SEEN_BY[kind] if one in made.dimensions))


def _fact_flipped(case: Case, answer: Answer) -> Damaged | None:
    """Change the last digit of one figure, wherever it stands: an expected one where there is one.

    Figures of the question are left alone, since they are no part of what is answered.
    """
    asked = set(_NUMBER.findall(str(case.question.input)))
    wanted = {n for text in _expected(case) for n in _NUMBER.findall(text)}
    found = [n for n in _NUMBER.findall(answer.text) if n not in asked]
    if not found:
        return None
    figure = next((n for n in found if n in wanted), found[0])
    places = [m for m in _NUMBER.finditer(answer.text) if m[0] == figure]
    other = figure[:-1] + str((int(figure[-1]) + _STEP) % _DIGITS)
    edits = [Edit(*m.span(), other) for m in places]
    dimensions = ["correctness"] if figure in wanted else []
    sentences = split_sentences(answer.text)
    cites = cited_sources(sentences, answer.citations)
    if any(
        cited and one.start <= m.start() < one.end
        for m in places
        for one, cited in zip(sentences, cites, strict=True)
    ):
        dimensions += ["faithfulness", *_CITING]
    return Damaged(edited(answer, edits), tuple(dimensions))


def _sentence_removed(case: Case, answer: Answer) -> Damaged | None:
    """Take out the one sentence that says something which the case expects, and no other says.

    A sentence says it when it has two thirds of the expectation's words; words of the question are
    not counted, since that they come again tells nothing. Where another sentence has a third of
    them, what is lost is not sure, and nothing is taken out. Of an answer with citations only
    sentences that cite are taken: others frame what the rest shows anyway.
    """
    sentences = split_sentences(answer.text)
    if len(sentences) < _FEWEST_SENTENCES:
        return None
    asked = _words(str(case.question.input))
    cites = cited_sources(sentences, answer.citations)
    for text in _expected(case):
        wanted = _words(text) - asked - _SAYING
        if len(wanted) < _FEWEST_WANTED:
            continue
        shares = [len(wanted & _words(one.text)) / len(wanted) for one in sentences]
        most, second = sorted(shares, reverse=True)[:2]
        place = shares.index(most)
        framing = answer.citations and not cites[place]
        if most >= _SAYS_IT and second < _SAYS_SOME and not framing:
            one = sentences[place]
            behind = answer.text[one.end :]
            end = one.end + len(behind) - len(behind.lstrip())
            return Damaged(edited(answer, [Edit(one.start, end, "")]), ("correctness",))
    return None


def _claim_added(case: Case, answer: Answer) -> Damaged | None:
    """Add a claim that no page states, with the citation of the sentence before it."""
    if not answer.citations:
        return None
    claim = _chosen(_CLAIMS, case)
    text = answer.text.rstrip()
    start = len(text) + 1
    last = max(answer.citations, key=lambda one: one.end)
    cited = Citation(start=start, end=start + len(claim), text=claim, sources=last.sources)
    made = remade(answer, text=f"{text} {claim}", citations=(*answer.citations, cited))
    return Damaged(made, ("faithfulness", *_CITING))


def _citation_stripped(case: Case, answer: Answer) -> Damaged | None:
    """Take the citations from the first sentence that has some; the sources stay named."""
    del case
    sentences = split_sentences(answer.text)
    cites = cited_sources(sentences, answer.citations)
    first = next((one for one, cited in zip(sentences, cites, strict=True) if cited), None)
    if first is None:
        return None
    kept = tuple(part for cited in answer.citations for part in _outside(cited, first, answer.text))
    return Damaged(remade(answer, citations=kept), ("alce_recall",))


def _sources_stripped(case: Case, answer: Answer) -> Damaged | None:
    """Take every source and citation away; the text stays."""
    del case
    if not answer.sources:
        return None
    made = remade(answer, sources=(), citations=(), queries=())
    cited = ("alce_recall", "alce_precision") if answer.citations else ()
    return Damaged(made, ("source_quality", *cited))


def _padding_added(case: Case, answer: Answer) -> Damaged | None:
    """Put a sentence that says nothing after each sentence, and three in all at least.

    A list is left alone: a filler inside of an item spoils the item, which is another damage.
    """
    sentences = split_sentences(answer.text)
    if not sentences or _LISTED.search(answer.text):
        return None
    first = _FILLERS.index(_chosen(_FILLERS, case))
    fillers = [f" {_FILLERS[(first + n) % len(_FILLERS)]}" for n in range(len(_FILLERS))]
    more = max(0, _FEWEST_FILLERS - len(sentences))
    texts = [fillers[number % len(fillers)] for number in range(len(sentences) + more)]
    texts[len(sentences) - 1 :] = ["".join(texts[len(sentences) - 1 :])]
    edits = [Edit(one.end, one.end, text) for one, text in zip(sentences, texts, strict=True)]
    return Damaged(edited(answer, edits), ("relevance", "alce_recall"))


_DAMAGES: Final[Mapping[Damage, Callable[[Case, Answer], Damaged | None]]] = {
    "fact_flipped": _fact_flipped,
    "sentence_removed": _sentence_removed,
    "claim_added": _claim_added,
    "citation_stripped": _citation_stripped,
    "sources_stripped": _sources_stripped,
    "padding_added": _padding_added,
}


def _expected(case: Case) -> tuple[str, ...]:
    """Give what a case expects to be said; what must not be said is no expectation here."""
    reference = (case.reference,) if isinstance(case.reference, str) else ()
    return (*(one for one in case.assertions if not _FORBIDS.search(one)), *reference)


def _words(text: str) -> set[str]:
    return {word.lower() for word in _WORD.findall(text)}


def _chosen(texts: tuple[str, ...], case: Case) -> str:
    """Choose a text by the hash of the case: not the same one for all."""
    return texts[hashlib.sha256(f"damage\x1f{case.id}".encode()).digest()[0] % len(texts)]


def _outside(cited: Citation, sentence: Sentence, text: str) -> list[Citation]:
    """Return what of a citation lies before and behind a sentence."""
    ends = [
        (cited.start, min(cited.end, sentence.start)),
        (max(cited.start, sentence.end), cited.end),
    ]
    return [
        Citation(start=start, end=end, text=text[start:end], sources=cited.sources)
        for start, end in ends
        if text[start:end].strip()
    ]
