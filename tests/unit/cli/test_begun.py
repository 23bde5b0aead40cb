"""A run that is interrupted before it has begun leaves no report of the run before it."""

from __future__ import annotations

import signal
from datetime import UTC, datetime
from pathlib import Path

import pytest

from gate.cli.beginning import begun
from gate.cli.signals import Signals
from gate.errors import ConfigError, Interrupted
from gate.wire.journal import Journal

REPORTS = ("verdict.json", "comment.md", "summary.md", "run.json")


@pytest.fixture
def out(tmp_path: Path) -> Path:
    """The folder of an earlier run."""
    for name in (*REPORTS, "results.jsonl", "answers.json"):
        (tmp_path / name).write_text("{}\n", "utf-8")
    return tmp_path


def left(out: Path) -> set[str]:
    """Which files are there, the journal's left out."""
    return {path.name for path in out.iterdir() if not path.name.startswith("journal")}


def test_begun__interrupted(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The report before is removed, and a line says so; results are left."""
    signals = Signals()

    with pytest.raises(Interrupted), begun(out, signals):
        signals.handle(signal.SIGTERM, None)

    assert {"results.jsonl", "answers.json"} == left(out)
    assert "the report of the run before was removed" in capsys.readouterr().err


def test_begun__signal_while_the_command_was_loaded(out: Path) -> None:
    """It was noted, and counts as soon as the folder is known."""
    signals = Signals()
    signals.received = signal.SIGINT

    with pytest.raises(Interrupted), begun(out, signals):
        pytest.fail("it went on")

    assert "verdict.json" not in left(out)


def test_begun__collection_interrupted(out: Path) -> None:
    """Old answers must not be judged as those of this collection."""
    with pytest.raises(Interrupted), begun(out, Signals(), made=("answers.json",)):
        raise Interrupted(signal.SIGINT)

    assert {"results.jsonl"} == left(out)


def test_begun__interrupted_after_its_own_report(out: Path) -> None:
    """Once the walk has begun, what lies there is of this run."""
    signals = Signals()
    with signals.held():
        pass

    with pytest.raises(Interrupted), begun(out, signals):
        signals.handle(signal.SIGTERM, None)

    assert set(REPORTS) <= left(out)


def test_begun__another_process_is_at_work_there(out: Path) -> None:
    """Its report is its own."""
    with (
        Journal(out / "journal.sqlite", now=lambda: datetime.now(UTC)),
        pytest.raises(Interrupted),
        begun(out, Signals()),
    ):
        raise Interrupted(signal.SIGINT)

    assert set(REPORTS) <= left(out)


def test_begun__refused(out: Path) -> None:
    """What is refused has not begun: the folder stays as it was."""
    with pytest.raises(ConfigError), begun(out, Signals()):
        raise ConfigError("no such target")

    assert set(REPORTS) <= left(out)


def test_begun__no_folder_yet(out: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Nothing to remove, and nothing to say."""
    with pytest.raises(Interrupted), begun(out / "new", Signals()):
        raise Interrupted(signal.SIGINT)

    assert "" == capsys.readouterr().err
