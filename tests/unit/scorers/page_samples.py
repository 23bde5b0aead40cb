"""Trials with pages, and a judge that says what it is told, for the page-reading scorers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from gate.scorers.pages import PageOptions, Reading, read_trial
from gate.types import Answer, Citation, Evidence, F, Failure, Page, Prompt, Ruling, Source, Trial
from tests.fakes import case

HUT = "The Tarn Hut has 24 beds. It was built in 1931 by the walkers' club."
FERRY = "The ferry to Hestroy sails twice a day. A ticket costs 12 crowns."
TEXT = "The hut has 24 beds. The ferry costs 12 crowns. Dogs are welcome."
"""Three sentences: the first cites page 1, the second page 2, the third nothing."""


def citation(text: str, part: str, *sources: int) -> Citation:
    """A citation of the first place where `part` stands; sources count from 0."""
    start = text.index(part)
    return Citation(start=start, end=start + len(part), text=part, sources=sources)


def page(text: str | None, uri: str = "http://p.example/", status: str = "http 403") -> Page:
    """A page with this text, or one that could not be read."""
    return Page(uri=uri, status=status) if text is None else Page(uri=uri, status="ok", text=text)


def trial(
    pages: Sequence[str | None] = (HUT, FERRY),
    text: str = TEXT,
    citations: Sequence[tuple[str, tuple[int, ...]]] = (
        ("The hut has 24 beds.", (0,)),
        ("The ferry costs 12 crowns.", (1,)),
    ),
) -> Trial:
    """A trial whose sources have these texts; None is a page that could not be read."""
    answer = Answer(
        text=text,
        sources=tuple(
            Source(uri=f"http://shim.example/{n}", title=f"Title {n}", domain=f"d{n}.example")
            for n in range(len(pages))
        ),
        citations=tuple(citation(text, part, *sources) for part, sources in citations),
    )
    found = tuple(page(one, f"http://d{n}.example/page") for n, one in enumerate(pages))
    return Trial(
        case=case("c1"), target="t", attempt=0, answer=answer, evidence=Evidence(pages=found)
    )


def reading(
    pages: Sequence[str | None] = (HUT, FERRY),
    text: str = TEXT,
    citations: Sequence[tuple[str, tuple[int, ...]]] = (
        ("The hut has 24 beds.", (0,)),
        ("The ferry costs 12 crowns.", (1,)),
    ),
) -> Reading:
    """The same, read."""
    return read_trial(trial(pages, text, citations), PageOptions())


class PageJudge:
    """Fills in any form with fixed values, or gives a fixed failure; cites its price."""

    model = "page-judge"
    family = "fake"
    settings_digest = "j" * 64

    def __init__(
        self, verdict: Mapping[str, object] | None, failure: Failure | None = None
    ) -> None:
        self.verdict = verdict
        self.failure = failure
        self.prompts: list[Prompt] = []

    async def ask(
        self,
        prompt: Prompt,
        form: type[F],
        attempt: int = 0,
        *,
        case_id: str | None = None,
        target: str | None = None,
    ) -> Ruling[F]:
        """Remember the prompt and rule."""
        self.prompts.append(prompt)
        return Ruling(
            verdict=None if self.verdict is None else form.model_validate(self.verdict),
            failure=self.failure,
            model=self.model,
            form="text",
            cost_usd=0.02,
            calls=1,
        )

    async def aclose(self) -> None:
        """Nothing is open."""


def claim(sentence: int, label: str, page: int = 0, quote: str = "") -> dict[str, object]:
    """One row of a claim list."""
    return {
        "sentence": sentence,
        "claim": f"claim of sentence {sentence}",
        "label": label,
        "page": page,
        "quote": quote,
    }
