"""A rehearsal: the calls of a run are seen, and none is made."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest
from pydantic import JsonValue

from gate.engine.plan import make_jobs
from gate.engine.rehearsal import MOST, InventedPages, RehearsalDoor, UnpricedTarget, rehearse
from gate.models.catalogue import load_catalogue
from gate.models.claude import ClaudeJudge
from gate.models.claude_request import ClaudeOptions
from gate.models.gemini_judge import GeminiJudge, GeminiJudgeOptions
from gate.protocols import Scorer, Target
from gate.scorers.citations import CitationsScorer
from gate.scorers.faithfulness import FaithfulnessScorer
from gate.scorers.pages import PageOptions
from gate.scorers.quality import QualityScorer
from gate.types import Call, Job, Score, Trial
from tests.fakes import FakeScorer, case

CATALOGUE = load_catalogue()


def door() -> RehearsalDoor:
    """A door on which nothing was asked yet."""
    return RehearsalDoor(CATALOGUE)


def judge(behind: RehearsalDoor) -> ClaudeJudge:
    """The real judge, without a connection."""
    return ClaudeJudge(ClaudeOptions(), None, CATALOGUE, behind)


def jobs(cases: int, targets: Sequence[str] = ("t",), repeats: int = 1) -> tuple[Job, ...]:
    """Jobs in the order of a run."""
    return make_jobs([case(f"c{number}") for number in range(cases)], targets, repeats)


def own(behind: RehearsalDoor, *names: str) -> dict[str, Target]:
    """Targets that are not asked."""
    return {name: UnpricedTarget(name, "own.py:Own", behind) for name in names}


def test_rehearse__counts_each_scorers_calls_and_prices_them() -> None:
    """Three scorers, two answers: six judge calls, and the pages are cached for the third."""
    behind = door()
    judges = {"default": judge(behind)}
    scorers: list[tuple[str, Scorer]] = [
        ("quality", QualityScorer(QualityScorer.Options(), judges)),
        ("faithfulness", FaithfulnessScorer(PageOptions(), judges)),
        ("citations", CitationsScorer(PageOptions(), judges)),
    ]

    seen = asyncio.run(rehearse(jobs(2), own(behind, "t"), scorers, behind, "2026-11-29"))
    judged = [call for call in seen.calls if call.kind == "judge"]
    usages = [call.usage for call in judged]

    assert (2, 6, ()) == (seen.rehearsed, len(judged), seen.failed)
    assert all(call.usd is not None and call.usd > 0 for call in judged)
    assert {"claude-opus-5-5"} == {call.model for call in judged}
    assert all(usage is not None for usage in usages)
    written = [usage.cache_write_tokens or 0 for usage in usages if usage]
    read = [usage.cached_tokens or 0 for usage in usages if usage]
    # Two pages, one of 4,000 characters and 6,000 of a long one, are more than 2,000 tokens.
    assert written[1] > 2_000
    assert (0, written[1]) == (written[2], read[2])
    assert written[4] > 2_000, "the second answer has pages of its own"


def test_rehearse__a_target_that_pays_by_itself_is_not_asked() -> None:
    """Its calls are counted, its cost is not known."""
    behind = door()
    seen = asyncio.run(rehearse(jobs(3), own(behind, "t"), [], behind, "2026-11-29"))

    assert 3 * [("answer", "t", None)] == [(one.kind, one.target, one.usd) for one in seen.calls]


@pytest.mark.parametrize(("targets", "tried"), [(1, MOST), (3, 15), (50, 50)])
def test_rehearse__whole_cases_and_no_more_than_needed(targets: int, tried: int) -> None:
    """Each target is asked as often as the others, however many there are."""
    behind = door()
    names = [f"t{number}" for number in range(targets)]

    seen = asyncio.run(rehearse(jobs(40, names), own(behind, *names), [], behind, "2026-11-29"))

    assert tried == seen.rehearsed == len(seen.calls)
    assert 1 == len({sum(call.target == name for call in seen.calls) for name in names})


def test_rehearse__a_scorer_that_breaks_on_invented_answers_is_named() -> None:
    """What it would cost is not known, and nothing is raised."""

    def broken(trial: Trial) -> Sequence[Score]:
        raise LookupError(trial.case.id)

    behind = door()
    scorers: list[tuple[str, Scorer]] = [("house.py:Own", FakeScorer(broken))]
    seen = asyncio.run(rehearse(jobs(2), own(behind, "t"), scorers, behind, "2026-11-29"))

    assert 1 == len(seen.failed)
    assert "scorer house.py:Own could not be tried out" in seen.failed[0]
    assert "LookupError" in seen.failed[0]


def test_rehearse__without_jobs() -> None:
    """Nothing to try out is no error."""
    assert 0 == asyncio.run(rehearse([], {}, [], door(), "2026-11-29")).rehearsed


def test_door__one_or_two_searches_in_turn() -> None:
    """Whole queries whose mean is the assumed 1.5."""
    behind = door()
    call = Call(
        kind="answer", vendor="google", model="m", request={"tools": [{"googleSearch": {}}]}
    )

    async def send() -> JsonValue:
        raise AssertionError("nothing may be sent")

    async def ask() -> None:
        for _ in range(4):
            await behind.call(call, send, lambda _: None)

    asyncio.run(ask())

    assert [1, 2, 1, 2] == [one.usage.searches for one in behind.calls if one.usage]


def test_pages__long_short_and_unread() -> None:
    """One in three cannot be read; the others are long and short in turn."""
    pages = InventedPages()

    async def lengths() -> list[int]:
        return [len((await pages.page(f"https://p{number}.example")).text) for number in range(6)]

    assert [4_000, 20_000, 0, 4_000, 20_000, 0] == asyncio.run(lengths())


def test_rehearse__a_gemini_judge_is_counted_as_google_s() -> None:
    """Its rulings are invented in its own shape, with tokens and a price."""
    behind = door()
    options = GeminiJudgeOptions(model="gemini-3.8-flash")
    asked = {"default": GeminiJudge(options, None, CATALOGUE, behind)}
    scorers: list[tuple[str, Scorer]] = [("quality", QualityScorer(QualityScorer.Options(), asked))]
    seen = asyncio.run(rehearse(jobs(2), own(behind, "t"), scorers, behind, "2026-11-29"))

    judged = [one for one in seen.calls if one.kind == "judge"]
    assert (2, {"google"}, ()) == (len(judged), {one.vendor for one in judged}, seen.failed)
    assert all(one.usd is not None and one.usd > 0 for one in judged)
    assert all(one.usage is not None and one.usage.thinking_tokens for one in judged)
