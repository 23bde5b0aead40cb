"""How the stand-in answers: it searches the mini-web and puts the best sentences together.

Nothing is looked up by question: change a page and the answers change. It cannot reason, count
or compare.
"""

from __future__ import annotations

from gate.loopback.draft import Draft, Statement
from gate.loopback.hops import next_hop, with_antecedent
from gate.loopback.pages import Page
from gate.loopback.question import Asked, has_number, read_question
from gate.loopback.search import Hit, Index
from gate.loopback.senses import senses_of
from gate.loopback.words import content, is_number, stems

_COVERED_PAGES = 0.65
_COVERED_HERE = 0.34
_WORTH = 0.55
_ALIKE = 0.55
_SAYS_THE_SAME = 0.75
_COMMON = 0.9
_STEPS_COVER = 0.5
_MOST = 3
_SHORT = 2
_HOPS = 2
_MARKS = "“”\"'?.,!;:"


def answer(text: str, index: Index) -> Draft:
    """Return what the pages of an index say to a question."""
    asked = read_question(text)
    words = [word.strip(_MARKS) for word in text.lower().split() if content(word)]
    query = " ".join(dict.fromkeys(words))
    rare = [term for term in asked.terms if index.weight(term) > _COMMON]
    if len(rare) == 1 and len(asked.terms) <= _SHORT and (found := senses_of(rare[0], index)):
        return _senses(rare[0], asked, found, (query,))
    hits = _ranked(asked, index)
    if asked.how_to and (steps := _steps(asked, index, (query,))):
        return steps
    draft = _facts(asked, hits, index, query) if hits else None
    if draft is None or not _covered(asked, hits[0], draft, index):
        return refusal(asked, index, hits, (query,))
    return draft


def _ranked(asked: Asked, index: Index) -> list[Hit]:
    """Return the hits; the kind of answer that is asked for and the date of the page count too."""
    newest = max((page.date for page in index.pages), default="")

    def worth(hit: Hit) -> float:
        score = hit.score
        if asked.wants_number and not has_number(hit.sentence.text):
            score *= 0.75
        if hit.sentence.text.endswith("?") or hit.sentence.step:
            score *= 0.6
        if not hit.sentence.text.endswith((".", "!", "?", "”")):
            score *= 0.85
        if asked.fresh:
            score *= 1.15 ** (int(hit.page.date[:4] or 0) - int(newest[:4] or 0))
        return score

    hits = [Hit(hit.page, hit.number, worth(hit)) for hit in index.search(asked.terms)]
    return sorted(hits, key=lambda hit: -hit.score)


def _covered(asked: Asked, best: Hit, draft: Draft, index: Index) -> bool:
    """Return whether the pages speak of most of what is asked, and the best sentence of some."""
    used = frozenset(word for page in draft.pages for word in index.words_of(page))
    return (
        index.share(asked.terms, used) >= _COVERED_PAGES
        and index.share(asked.terms, best.context) >= _COVERED_HERE
    )


def _facts(asked: Asked, hits: list[Hit], index: Index, query: str) -> Draft:
    first = with_antecedent(hits[0])
    queries, second = [query], []
    seen = list(first)
    for _ in range(_HOPS):
        hop = next_hop(asked, seen, index)
        if hop is None:
            break
        queries.append(hop.query)
        found = [hit for hit in with_antecedent(hop.hit) if not _known(hit, seen)]
        second += found
        seen += found
    for hit in hits[1:]:
        if len(seen) >= _MOST or hit.score < _WORTH * hits[0].score:
            break
        if not _known(hit, seen) and not hit.sentence.text.endswith("?"):
            target = second or first
            target.append(hit)
            seen.append(hit)
    parts = [part for part in (first, second) if part]
    return Draft(
        "facts",
        tuple(tuple(_statement(hit, hits) for hit in part) for part in parts),
        tuple(queries),
    )


def _known(hit: Hit, seen: list[Hit]) -> bool:
    return any(_likeness(hit, other) > _ALIKE for other in seen)


def _likeness(hit: Hit, other: Hit) -> float:
    one, two = set(stems(hit.sentence.text)), set(stems(other.sentence.text))
    return len(one & two) / max(1, len(one | two))


def _statement(hit: Hit, hits: list[Hit]) -> Statement:
    """Return the sentence with its page, and another page on which a sentence says the same."""
    same = [other.page for other in hits if other.page != hit.page and _agrees(hit, other)]
    return Statement(hit.sentence.text, tuple(dict.fromkeys([hit.page, *same]))[:2])


def _agrees(hit: Hit, other: Hit) -> bool:
    said, there = set(stems(hit.sentence.text)), set(stems(other.sentence.text))
    numbers = {word for word in said if is_number(word)}
    return numbers <= there and len(said & there) >= _SAYS_THE_SAME * len(said)


def _steps(asked: Asked, index: Index, queries: tuple[str, ...]) -> Draft | None:
    """Return the ordered list whose heading and title cover the question best."""
    best: tuple[float, Page, int] | None = None
    for page in index.pages:
        for section in dict.fromkeys(s.section for s in page.sentences if s.step):
            inside = [s for s in page.sentences if s.section == section]
            head = frozenset(stems(f"{page.title} {inside[0].heading}"))
            body = frozenset(stems(" ".join(s.text for s in inside)))
            cover = 0.7 * index.share(asked.terms, head | {page.host}) + 0.3 * index.share(
                asked.terms, head | body
            )
            if best is None or cover > best[0]:
                best = (cover, page, section)
    if best is None or best[0] < _STEPS_COVER:
        return None
    _, page, section = best
    inside = [s for s in page.sentences if s.section == section]
    intro = tuple(Statement(s.text, (page,)) for s in inside if not s.step)[:1]
    steps = tuple(Statement(s.text, (page,), f"{s.step}. ") for s in inside if s.step)
    return Draft("steps", ((*intro, *steps),), queries)


def _senses(term: str, asked: Asked, found: list[Hit], queries: tuple[str, ...]) -> Draft:
    name = next(word.strip(_MARKS) for word in asked.text.split() if term in content(word))
    statements = [Statement(hit.sentence.text, (hit.page,)) for hit in found]
    opening = Statement(f"“{name}” can mean several things.")
    return Draft(
        "senses", ((opening, *statements, Statement("Which of them do you mean?")),), queries
    )


def refusal(asked: Asked, index: Index, hits: list[Hit], queries: tuple[str, ...]) -> Draft:
    """Return an honest no: it names what no page speaks of, and lists at most one related page."""
    known = index.words_of(hits[0].page) if hits else frozenset()
    missing = [
        word.strip(_MARKS)
        for word in asked.text.split()
        if any(stem in asked.terms and stem not in known for stem in content(word))
    ]
    topic = " ".join(missing) or asked.text.strip(" ?.")
    said = Statement(
        f"I could not find any information about “{topic}” on the pages that I searched."
    )
    honest = Statement("It may not exist, so I will not guess.")
    near = bool(hits) and index.share(asked.terms, known) >= _COVERED_HERE
    return Draft("refusal", ((said, honest),), queries, (hits[0].page,) if near else ())
