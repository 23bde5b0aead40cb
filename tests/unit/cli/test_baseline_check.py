"""`gate baseline --check`: what it says of a baseline, and of how it is called."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.baseline_check import QUICK, check_baseline_file, more_than_luck, quick_summary
from gate.cli.baseline_command import command
from gate.decision.baseline import baseline_text
from gate.errors import ConfigError, GateError
from gate.types import Baseline, Policy
from tests.unit.decision.decision_samples import baseline_of, columns, run_of

STEADY = baseline_of(run_of(columns([[1.0] * 5] * 20)))
ODD = baseline_of(run_of(columns([[1.0, 1.0, 0.2, 0.9, 0.1]] * 20)))


def check(folder: Path, baseline: Baseline, monkeypatch: pytest.MonkeyPatch) -> str:
    """Check a baseline in an empty folder."""
    monkeypatch.chdir(folder)
    Path("baseline.json").write_text(baseline_text(baseline), "utf-8")
    return check_baseline_file(None, {})


def test_check__steady_repeats(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """None failed; without labels it says that all dimensions were taken as licensed."""
    said = check(tmp_path, STEADY, monkeypatch).splitlines()

    assert "baseline.json: 0 of 5 unchanged runs failed (5 pass)" == said[0]
    assert ["No dimension may fail a run yet: all were judged as if they might."] == said[1:]


def test_check__repeats_that_differ(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Two are far below the others: they are named, and that it is more than luck."""
    said = check(tmp_path, ODD, monkeypatch)

    assert "baseline.json: 2 of 5 unchanged runs failed (3 pass)" in said
    assert "  repeat 3 would have failed: correctness of t\n" in said
    assert "So many are more than luck" in said


def test_check__rows_that_cannot_tell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Inconclusive rows are counted."""
    said = check(tmp_path, baseline_of(run_of(columns([[1.0] * 2] * 10))), monkeypatch)

    assert "0 of 2 unchanged runs failed (2 inconclusive)\n" in said
    assert "  correctness of t: inconclusive in 2 of 2\n" in said


def test_check__refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No file, and a file of one repeat: each says what to do."""
    monkeypatch.chdir(tmp_path)
    with pytest.raises(GateError, match="there is no such baseline to check"):
        check_baseline_file(None, {})

    with pytest.raises(GateError, match=r"baseline\.json: has fewer than two repeats"):
        check(tmp_path, baseline_of(run_of(columns([1.0] * 20))), monkeypatch)


def test_quick_summary__leaves_out_what_takes_long() -> None:
    """Small ones are checked; large ones and single repeats are not."""
    large = baseline_of(run_of(columns([[1.0] * 5] * (QUICK // 5 + 1))))

    assert "0 of 5 unchanged runs failed (5 pass)" == quick_summary(STEADY, Policy(), None)
    assert quick_summary(large, Policy(), None) is None
    assert quick_summary(baseline_of(run_of(columns([1.0] * 20))), Policy(), None) is None


@pytest.mark.parametrize(
    ("words", "because"),
    [
        ([], "say which runs, and where the baseline goes"),
        (["--write", "b.json"], "say which runs, and where the baseline goes"),
        (["--write", "b.json", "--check"], "leave runs and --write out"),
    ],
)
def test_command__refuses(words: list[str], because: str) -> None:
    """What is missing or too much is said, and it is nothing that was started."""
    with pytest.raises(ConfigError, match=because):
        command.main(args=words, prog_name="gate baseline", standalone_mode=False)


def test_command__checks_the_named_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The sentence goes to standard output, and the exit code is 0 whatever it says."""
    path = tmp_path / "odd.json"
    path.write_text(baseline_text(ODD), "utf-8")

    code = command.main(args=["--check", str(path)], prog_name="x", standalone_mode=False)

    assert 0 == code
    assert f"{path}: 2 of 5 unchanged runs failed (3 pass)" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("failed", "repeats", "luck"),
    [(1, 5, True), (2, 5, False), (4, 24, True), (5, 24, False), (6, 50, True), (7, 50, False)],
)
def test_more_than_luck__by_the_binomial_of_false_alarms(
    failed: int, repeats: int, *, luck: bool
) -> None:
    """At 6% each: P(2 or more of 5) is 3.2%, of 50 repeats six are 8% and seven 3%."""
    assert luck is not more_than_luck(failed, repeats)
