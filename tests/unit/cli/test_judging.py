"""From a file of answers to the jobs of a judging."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.judging import plan_judging
from gate.cli.request import Request, Setting, Wish, plan_run, read_setting
from gate.engine.walk import key_of
from gate.types import Answer, Answers, GivenAnswer, Job, TargetInfo

STOPPED = "the ceiling of $1.00 was reached"


@pytest.fixture(scope="module")
def setting(root: Path) -> Setting:
    """The repository's own."""
    return read_setting(wish(root), {})


def wish(root: Path) -> Wish:
    """Two answers a case."""
    return Wish(config_path=root / "gate.yaml", out=Path("out"), repeats=2)


@pytest.fixture(scope="module")
def asked(root: Path, setting: Setting) -> Request:
    """The plan of the collection."""
    return plan_run(wish(root), setting, "collect")


def answers(asked: Request, jobs: list[Job], stopped: str | None) -> Answers:
    """The file of a collection that got as far as these jobs."""
    return Answers(
        id="r1",
        plan=asked.plan,
        targets=tuple(TargetInfo(name=name, use="gemini") for name in asked.target_names),
        stopped=stopped,
        answers=tuple(
            GivenAnswer(
                case_id=job.case.id, target=job.target, attempt=job.attempt, answer=Answer(text="x")
            )
            for job in jobs
        ),
    )


def judged(root: Path, setting: Setting, given: Answers) -> list[object]:
    """The jobs that come of it."""
    return [key_of(job) for job in plan_judging(given, wish(root), setting, "answers.json").jobs]


def test_judging__stopped_collection_reaches_to_its_last_answer(
    root: Path, setting: Setting, asked: Request
) -> None:
    """What was never asked is no failed answer; what is missing before the last one is."""
    reached = list(asked.jobs[:60])
    given = answers(asked, [*reached[:20], *reached[21:]], STOPPED)

    assert [key_of(job) for job in reached] == judged(root, setting, given)


def test_judging__whole_collection_lacks_what_is_not_there(
    root: Path, setting: Setting, asked: Request
) -> None:
    """Where nothing was stopped, an answer that is left out failed, at the end as well."""
    given = answers(asked, list(asked.jobs[:60]), None)

    assert [key_of(job) for job in asked.jobs] == judged(root, setting, given)
    assert 96 == len(asked.jobs)


def test_judging__stopped_without_any_answer(root: Path, setting: Setting, asked: Request) -> None:
    """Nothing is there to be judged, and nothing is taken for a failure."""
    assert [] == judged(root, setting, answers(asked, [], STOPPED))
