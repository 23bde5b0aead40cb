"""Claims and citations against the pages of the loopback world, through the real SDKs."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from gate.config import load_config
from gate.datasets import load_cases
from gate.engine.case import CaseRunner
from gate.loopback.exchange import Request
from gate.loopback.routes import World
from gate.loopback.server import HOST, serve
from gate.loopback.settings import read_settings
from gate.models.catalogue import load_catalogue
from gate.protocols import Pages
from gate.types import Case, Job, Page, Result, Score
from gate.wiring import Live, StandIn, build, connect, fetching
from tests.fakes import OpenDoor

CASES = 12
CONFIG = """
dataset: {path: evals/cases.yaml}
targets:
  flash: {use: gemini, model: gemini-3.8-flash}
judge: {use: claude}
scorers: [faithfulness, citations]
connections:
  google: {road: vertex}
  anthropic: {road: vertex}
"""


def about(world: World, name: str) -> Any:
    """What the world says of itself."""
    return json.loads(world.respond(Request("GET", f"/_world/{name}", {}, b"")).body)[name]


@dataclass
class Opened:
    """A world and what asks it."""

    world: World
    live: Live
    cases: Sequence[Case]

    async def run(self, pages: Pages | None = None) -> list[Result]:
        """Ask and score every case, one after the other."""
        runner = CaseRunner(
            self.live.targets, self.live.scorers, "2026-11-30", pages or self.live.pages
        )
        return [await runner.run(Job(case=case, target="flash", attempt=0)) for case in self.cases]

    def fetched(self) -> dict[str, int]:
        """Redirect link -> how often it was followed."""
        return {
            row["path"]: row["count"]
            for row in about(self.world, "requests")
            if row["path"].startswith("/grounding-api-redirect/")
        }


@asynccontextmanager
async def opened(root: Path) -> AsyncIterator[Opened]:
    """A steady world, and everything that `gate run` builds, without a journal."""
    config = load_config(CONFIG, "gate.yaml", {})
    cases = load_cases((root / "evals" / "cases.yaml").read_text("utf-8"), "cases.yaml")[:CASES]
    async with serve(read_settings("steady")) as address:
        stand_in = StandIn(gemini=address.url, claude=address.url)
        hosts = dict.fromkeys(about(address.world, "hosts"), (HOST, address.port))
        live = build(
            config,
            targets=config.targets,
            scorers=config.scorers,
            root=root,
            read_text=lambda name: name,
            door=OpenDoor(),
            connections=connect(config, vendors=("google", "anthropic"), stand_in=stand_in),
            catalogue=load_catalogue(),
            run_id="r",
            open_pages=lambda: fetching(config, None, hosts),
        )
        try:
            yield Opened(address.world, live, cases)
        finally:
            await live.aclose()


def score(result: Result, metric: str) -> Score:
    """The score of a metric."""
    return next(one for one in result.scores if one.metric == metric)


def rows(result: Result, name: str, metric: str = "faithfulness") -> list[dict[str, Any]]:
    """A list in a score's details; empty where the score has none."""
    found: Any = score(result, metric).details.get(name, [])
    return list(found)


async def test_steady_world__claims_stand_in_pages_that_are_fetched_once(root: Path) -> None:
    """Quotes, final addresses, one fetch a page, and the second call reads the cached pages."""
    async with opened(root) as found:
        results = await found.run()
        fetched = found.fetched()

    claims = [row for result in results for row in rows(result, "claims")]
    sources = [row for result in results for row in rows(result, "sources")]
    asked = [result for result in results if score(result, "faithfulness").calls]
    assert len(asked) >= CASES // 2
    assert len(claims) > len(asked)
    assert [row for row in claims if row["label"] == "supported"]
    assert all(len(row["quote"]) >= 20 for row in claims if row["label"] == "supported")
    assert {1} == set(fetched.values())
    assert all("shim" not in row["uri"] for row in sources if row["status"] == "ok")
    for result in asked:
        names = ("faithfulness", "citation_precision")
        first, second = (score(result, name).usage for name in names)
        assert first is not None
        assert second is not None
        assert second.cached_tokens == (first.cached_tokens or 0) + (first.cache_write_tokens or 0)
        assert second.cached_tokens
    assert {"text"} == {score(result, "faithfulness").form for result in asked}


class Without:
    """The pages of a door, but for one."""

    def __init__(self, pages: Pages, missing: str) -> None:
        self._pages = pages
        self._missing = missing

    async def page(self, uri: str) -> Page:
        """The page, or a refusal in its place."""
        if uri == self._missing:
            return Page(uri=uri, status="http 403")
        return await self._pages.page(uri)

    async def aclose(self) -> None:
        """The door is closed by its owner."""


async def test_page_taken_away__its_claims_leave_and_all_others_stay(root: Path) -> None:
    """Claims of sentences that cite it alone leave numerator and denominator; both are told."""
    async with opened(root) as found:
        pages = found.live.pages
        assert pages is not None
        results = await found.run()
        taken = 0
        for case, whole in zip(found.cases, results, strict=True):
            found.cases = [case]
            for number, source in enumerate(whole.answer.sources, start=1):
                (less,) = await found.run(Without(pages, source.uri))
                if score(less, "faithfulness").calls and score(whole, "faithfulness").calls:
                    taken += compare(whole, less, number)

    assert taken >= 5


def compare(whole: Result, less: Result, missing: int) -> int:
    """Hold the labels without a page against those with it; return how many claims left."""
    cites = {
        row["sentence"]: set(row["pages"]) for row in rows(whole, "sentences", "citation_precision")
    }
    before, after = rows(whole, "claims"), rows(less, "claims")
    assert [row["claim"] for row in before] == [row["claim"] for row in after]
    left = 0
    for one, other in zip(before, after, strict=True):
        pages = cites.get(one["sentence"], set())
        if pages == {missing}:
            assert "unverifiable" == other["label"]
            left += one["label"] != "unverifiable"
        elif missing not in pages and one["page"] != missing:
            assert one["label"] == other["label"]
        else:
            assert "unsupported" != other["label"] or one["label"] == "unsupported" or not pages
    value = score(less, "faithfulness")
    labels = [row["label"] for row in after]
    assert labels.count("unverifiable") == value.details["left_out"]
    assert len(labels) - labels.count("unverifiable") == value.details["judged"]
    assert f"{value.details['left_out']} left out" in value.reason or value.value is None
    return left


@pytest.mark.parametrize("together", [1, 6])
async def test_scores__do_not_depend_on_what_runs_beside(root: Path, together: int) -> None:
    """Cases side by side give the values of cases one by one."""
    async with opened(root) as found:
        runner = CaseRunner(found.live.targets, found.live.scorers, "d", found.live.pages)
        limit = asyncio.Semaphore(together)

        async def one(case: Case) -> list[float | str | bool | None]:
            async with limit:
                result = await runner.run(Job(case=case, target="flash", attempt=0))
            return [one.value for one in result.scores]

        beside = await asyncio.gather(*map(one, found.cases))
        apart = [[score.value for score in result.scores] for result in await found.run()]

    assert apart == beside
