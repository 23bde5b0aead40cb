"""What a person reads while a run goes on."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from gate.cli.progress import PlainProgress
from gate.cli.request import Phase, Wish, plan_run, read_setting
from gate.cli.running import _doing


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
