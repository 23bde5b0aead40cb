"""How many request tokens does reading the pages cost, and what may be left out of them?

Two plans over the same generated cases and pages:

- gemini-search-mcp's: five calls a case, none of them cached, in three of which stand all pages
  whole. Its instructions are counted as nothing, which favours it.
- ours: quality, faithfulness and citations. The last two share the pages as a cached prefix; the
  requests are the real ones, billed by the loopback world's prompt cache (byte-exact prefixes,
  the model's minimum). Once with whole pages, once with the passages nearest to the answer.

Computed, not measured: a token is four characters, output is not counted, and list-price ratios
of cache writes and reads come from the table of models. Passages count only where the stand-in
judge gives every claim and every cited sentence the label that it gives with the whole page.

    python bench/tokens.py          some minutes
"""

from __future__ import annotations

import asyncio
import json
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import count
from math import ceil
from typing import Any, Literal

from pydantic import BaseModel

from gate.loopback.judging.form import fields_of
from gate.loopback.judging.judge import rule
from gate.loopback.judging.sections import read_sections
from gate.loopback.pages import Page as WorldPage
from gate.loopback.pages import load_pages
from gate.loopback.prompt_cache import CacheUse, PromptCache
from gate.models.catalogue import load_catalogue
from gate.models.claude_request import ClaudeOptions, judge_request
from gate.models.json_form import form_schema
from gate.scorers.citation_list import CitationList
from gate.scorers.citations import CitationsScorer
from gate.scorers.claim_list import ClaimList
from gate.scorers.faithfulness import FaithfulnessScorer, settle
from gate.scorers.pages import PageOptions, read_trial
from gate.scorers.quality import QualityScorer
from gate.scorers.weighing import weigh
from gate.types import (
    Answer,
    Case,
    Citation,
    Evidence,
    F,
    Failure,
    Page,
    Prompt,
    Question,
    Ruling,
    Source,
    Trial,
)

SIZES = (5_000, 20_000, 60_000)
"""Bytes of a page's text."""
COUNTS = (1, 3, 8)
"""Pages a case."""
CASES = 6
"""Cases a cell."""
AIM = 0.2
"""Share of the first plan's tokens."""
SENTENCES = 6
"""Sentences of an answer that rest on pages; one of them has a wrong figure."""
CATALOGUE = load_catalogue()
CARD = CATALOGUE.card(ClaudeOptions().model)
CHARACTERS = 4
Shown = Literal["passages", "whole"]


@dataclass
class Recorder:
    """A judge that remembers what it was asked and says nothing."""

    model: str = "recorder"
    family: str = "none"
    settings_digest: str = ""
    asked: list[tuple[Prompt, type[BaseModel]]] = field(default_factory=list)

    async def ask(
        self,
        prompt: Prompt,
        form: type[F],
        attempt: int = 0,
        *,
        case_id: str | None = None,
        target: str | None = None,
    ) -> Ruling[F]:
        """Remember."""
        del attempt, case_id, target
        self.asked.append((prompt, form))
        return Ruling(verdict=None, failure=Failure(kind="judge", message="not asked"))

    async def aclose(self) -> None:
        """Nothing is open."""


@dataclass(frozen=True)
class Bill:
    """Request tokens of a plan."""

    sent: float
    """Tokens sent, a case."""
    weighed: float
    """The same at list price, in tokens of plain input."""


def make_case(number: int, pages: int, size: int) -> Trial:
    """A case whose answer rests on facts that are strewn over long pages."""
    draw = random.Random(f"{number} {pages} {size}")
    world = [page for page in load_pages() if len(page.sentences) >= 8]
    chosen = draw.sample(world, pages)
    noise = [one.text for page in world if page not in chosen for one in page.sentences]
    texts = [strew(page, noise, size, draw) for page in chosen]
    said: list[tuple[str, int]] = []
    while len(said) < SENTENCES:
        page = draw.randrange(pages)
        sentence = draw.choice(chosen[page].sentences).text
        if len(sentence) >= 40 and sentence.endswith("."):
            said.append((sentence, page))
    said[-1] = (wrong(said[-1][0]), said[-1][1])
    text = " ".join(sentence for sentence, _ in said)
    return Trial(
        case=Case(
            question=Question(id=f"case-{number}", input=f"What of {chosen[0].title}?"),
            assertions=(said[0][0], said[1][0]),
            domains=(chosen[0].host,),
        ),
        target="t",
        attempt=0,
        answer=Answer(
            text=text,
            sources=tuple(Source(uri=page.uri, title=page.host) for page in chosen),
            citations=tuple(cite(text, sentence, page) for sentence, page in said),
        ),
        evidence=Evidence(
            pages=tuple(
                Page(uri=f"http://{page.host}{page.path}", status="ok", text=one)
                for page, one in zip(chosen, texts, strict=True)
            )
        ),
    )


def cite(text: str, sentence: str, page: int) -> Citation:
    """A citation of one page."""
    start = text.index(sentence)
    return Citation(start=start, end=start + len(sentence), text=sentence, sources=(page,))


def wrong(sentence: str) -> str:
    """The sentence with other figures; without one, with a remark that no page makes."""
    changed = "".join(str((int(one) + 3) % 10) if one.isdecimal() else one for one in sentence)
    return changed if changed != sentence else f"Nobody doubts that {sentence}"


def strew(page: WorldPage, noise: Sequence[str], size: int, draw: random.Random) -> str:
    """The page's paragraphs in their order, between paragraphs of other pages of the world."""
    own: list[str] = []
    for one in page.sentences:
        if one.follows and own:
            own[-1] += f" {one.text}"
        else:
            own.append(one.text)
    room = size - sum(len(one.encode()) + 1 for one in own)
    others: list[str] = []
    while room > 0:
        others.append(" ".join(draw.choices(noise, k=draw.randint(2, 5))))
        room -= len(others[-1].encode()) + 1
    places = sorted(draw.sample(range(len(others) + len(own)), len(own)))
    for place, paragraph in zip(places, own, strict=True):
        others.insert(place, paragraph)
    return "\n".join(others)


def theirs(trial: Trial) -> int:
    """Request tokens of five calls: ratings, claims, labels of claims, of sentences, of facts."""
    case, answer = trial.case, trial.answer
    assert trial.evidence is not None
    pages = sum(len(page.text) for page in trial.evidence.pages)
    named = sum(len(one.title) + len(one.domain) + len(one.uri) for one in answer.sources)
    asked = len(str(case.question.input)) + sum(map(len, (*case.assertions, *case.domains)))
    said = len(answer.text)
    calls = (asked + said + named, said, said + pages, said + pages, said + pages)
    return sum(ceil(one / CHARACTERS) for one in calls)


async def requests(trial: Trial, shown: Shown) -> list[dict[str, Any]]:
    """The requests of our three scorers, in their order."""
    judge = Recorder()
    options = PageOptions(pages=shown)
    judges = {"default": judge}
    await QualityScorer(QualityScorer.Options(), judges).score(trial)
    await FaithfulnessScorer(options, judges).score(trial)
    await CitationsScorer(options, judges).score(trial)
    return [
        judge_request(
            ClaudeOptions(),
            CARD,
            prompt,
            form_schema(form),
            form="json_schema" if prompt.schema_in == "format" else "text",
        )
        for prompt, form in judge.asked
    ]


async def ours(trials: Sequence[Trial], shown: Shown) -> Bill:
    """Tokens a case, case after case through one prompt cache."""
    assert CARD is not None
    ticks = count()
    cache = PromptCache(lambda: float(next(ticks)) / 1000)
    uses = [cache.use(body, CARD) for trial in trials for body in await requests(trial, shown)]
    sent = sum(use.plain + use.read + use.written_5m for use in uses)
    return Bill(sent / len(trials), sum(map(weighed, uses)) / len(trials))


def weighed(use: CacheUse) -> float:
    """Tokens of plain input that cost as much."""
    assert CARD is not None
    price = CARD.price_on(CATALOGUE.on)
    assert price is not None
    assert price.cache_read is not None
    assert price.cache_write_5m is not None
    write, read = price.cache_write_5m / price.input, price.cache_read / price.input
    return use.plain + use.written_5m * write + use.read * read


async def labels(trial: Trial, shown: Shown) -> list[object]:
    """What the stand-in judge and the checks make of each claim and each cited sentence."""
    reading = read_trial(trial, PageOptions(pages=shown))
    _, claims, citations = await requests(trial, shown)
    claim_list = ClaimList.model_validate(answered(claims, ClaimList))
    weighing = weigh(reading, CitationList.model_validate(answered(citations, CitationList)))
    found: list[object] = [settle(claim, reading).label for claim in claim_list.claims]
    return [*found, *weighing.backings.values()]


def answered(body: dict[str, Any], form: type[BaseModel]) -> dict[str, Any]:
    """The form as the stand-in judge fills it in."""
    text = "\n".join(block["text"] for block in body["messages"][0]["content"])
    filled = rule(read_sections(text), fields_of(form_schema(form)))
    return dict(json.loads(json.dumps(filled)))


async def rows() -> Iterator[str]:
    """One row for each number and size of pages."""
    lines = []
    for pages in COUNTS:
        for size in SIZES:
            trials = [make_case(number, pages, size) for number in range(CASES)]
            five = sum(map(theirs, trials)) / CASES
            whole, passages = await ours(trials, "whole"), await ours(trials, "passages")
            pairs = [
                pair
                for trial in trials
                for pair in zip(
                    await labels(trial, "whole"), await labels(trial, "passages"), strict=True
                )
            ]
            same = sum(one == other for one, other in pairs)
            counted = passages if same == len(pairs) else whole
            kind = "passages" if counted is passages else "whole pages"
            verdict = "yes" if counted.weighed <= AIM * five else "no"
            lines.append(
                f"| {pages} x {size // 1000} kB | {five:,.0f} "
                f"| {whole.sent:,.0f} | {whole.weighed:,.0f} ({whole.weighed / five:.0%}) "
                f"| {passages.sent:,.0f} | {passages.weighed:,.0f} ({passages.weighed / five:.0%}) "
                f"| {same} of {len(pairs)} | {kind}: {counted.weighed / five:.0%} | {verdict} |"
            )
            print(f"{pages} x {size}", file=sys.stderr)
    return iter(lines)


def main() -> None:
    """Print the table."""
    assert CARD is not None
    price = CARD.price_on(CATALOGUE.on)
    assert price is not None
    print(
        f"Computed, not measured: request tokens a case at {CHARACTERS} characters a token, "
        f"{CASES} generated cases a row; {CARD.id} of {CATALOGUE.on}: a cache write costs "
        f"{(price.cache_write_5m or 0) / price.input:.2f} and a read "
        f"{(price.cache_read or 0) / price.input:.2f} of plain input. `at price` is in tokens of "
        "plain input.\n"
    )
    print(
        "| pages | five calls | ours, whole: sent | at price | ours, passages: sent | at price "
        f"| labels as with whole pages | what counts | at most {AIM:.0%} |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for row in asyncio.run(rows()):
        print(row)


if __name__ == "__main__":
    main()
