"""What is wrong with a journal before a call is a refusal: nothing was started."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gate.cli.progress import NoProgress
from gate.cli.request import Request, Wish, plan_run, read_setting
from gate.cli.running import Hands, make_run
from gate.errors import JournalError, JournalRefused
from gate.wire.journal import Journal


def _damaged(path: Path) -> None:
    path.write_text("no database" * 100, "utf-8")


def _unfinished(path: Path) -> None:
    with Journal(path, now=lambda: datetime.now(UTC)) as book:
        book.begin_run("r1", identity={"plan": "i"}, meta={"started": "2026-07-12T00:00:00+00:00"})


def _empty(path: Path) -> None:
    Journal(path, now=lambda: datetime.now(UTC)).close()


@pytest.mark.parametrize(
    ("made", "said"),
    [
        (_damaged, "damaged, or not a journal"),
        (_unfinished, "was interrupted and cannot be replayed"),
        (_empty, "holds no run to replay"),
    ],
)
def test_replay__of_a_journal_that_cannot_be(
    root: Path, tmp_path: Path, made: Callable[[Path], None], said: str
) -> None:
    """Exit 2, and not 3: that is of a run that began."""
    path = tmp_path / "journal.sqlite"
    made(path)
    with pytest.raises(JournalRefused, match=said) as caught:
        make_run(replace(_request(root, tmp_path), replay=path), Hands(NoProgress()))

    assert 2 == caught.value.exit_code


def test_journal__that_breaks_later() -> None:
    """A full disk in the middle of a run is no refusal."""
    assert 3 == JournalError("the disk is full").exit_code


def _request(root: Path, out: Path) -> Request:
    wish = Wish(config_path=root / "gate.yaml", out=out)
    return plan_run(wish, read_setting(wish, {}), "run")
