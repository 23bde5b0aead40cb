"""What a person reads while a run goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from gate.cli.progress import PlainProgress
from gate.cli.request import Phase, Wish, plan_run, read_setting
from gate.cli.running import _doing
from gate.types import Answer, Result

RESULT = Result(
    case_id="c",
    category="c",
    case_digest="d",
    target="t",
    attempt=0,
    question="q?",
    answer=Answer(text="x"),
    scores=(),
)


@pytest.mark.parametrize(
    ("phase", "replay", "said"),
    [
        ("run", None, "asking and judging 48 questions ..."),
        ("collect", None, "asking 48 questions ..."),
        ("judge", None, "judging 48 answers ..."),
        ("run", Path("journal.sqlite"), "replaying 48 answers ..."),
        ("judge", Path("journal.sqlite"), "replaying 48 answers ..."),
    ],
)
def test_progress__says_what_is_done(
    root: Path, phase: Phase, replay: Path | None, said: str
) -> None:
    """A judging asks no question, and a replay asks nobody."""
    wish = Wish(config_path=root / "gate.yaml", out=Path("out"))
    request = replace(plan_run(wish, read_setting(wish, {}), "run"), phase=phase, replay=replay)
    lines: list[str] = []

    PlainProgress(lines.append).start(len(request.jobs), *_doing(request))

    assert [said] == lines


@pytest.mark.parametrize(
    ("paid", "said"),
    [(True, "1 of 2 done, $0.94 so far"), (False, "1 of 2 done, $0.94 at list prices so far")],
)
def test_progress__says_what_it_costs(
    monkeypatch: pytest.MonkeyPatch,
    paid: bool,  # noqa: FBT001 - a column of the table
    said: str,
) -> None:
    """Where a stand-in or a journal answers nothing was paid."""
    monkeypatch.setattr("gate.cli.progress.EVERY_S", 0.0)
    lines: list[str] = []
    progress = PlainProgress(lines.append, paid=paid)
    progress.start(2, "asking", "question")
    progress.done(RESULT, 0.94)

    assert said == lines[-1]


@pytest.mark.parametrize(
    ("more", "paid"),
    [({}, True), ({"offline": "steady"}, False), ({"replay": Path("journal.sqlite")}, False)],
)
def test_wish__is_paid(more: dict[str, Any], paid: bool) -> None:  # noqa: FBT001 - a column
    """The loopback world and a replay cost nothing."""
    assert paid == Wish(config_path=Path("gate.yaml"), out=Path("out"), **more).paid
