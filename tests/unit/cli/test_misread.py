"""Words that no command reads: what is said of them."""

from __future__ import annotations

from pathlib import Path

import pytest

from gate.cli.main import Ending, call, perform
from gate.cli.signals import Signals


def ending(*words: str) -> Ending:
    """How a command line ends."""
    return perform(lambda: call(words, Signals()))


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("judge",), "Missing argument 'ANSWERS.json'; see `gate judge --help`"),
        (("nothing",), "No such command 'nothing'; see `gate --help`"),
        (("run", "--sample"), "Option '--sample' requires an argument; see `gate run --help`"),
    ],
)
def test_misread__points_to_the_help(words: tuple[str, ...], said: str) -> None:
    """It is the help of the command that was typed, after one mark and not two."""
    assert Ending(2, said) == ending(*words)


def test_misread__offline_takes_the_file(tmp_path: Path) -> None:
    """A value that may be left out is the next word, wherever that one belongs."""
    there = tmp_path / "answers"
    there.touch()
    for file in (str(there), "nowhere/answers.json"):
        assert Ending(
            2,
            f"Invalid value for '--offline': '{file}' is a file and no variant: write "
            "--offline=VARIANT, or put --offline after the file; see `gate judge --help`",
        ) == ending("judge", "--offline", file)


def test_misread__a_threshold_for_the_default_rule(tmp_path: Path) -> None:
    """One of the two would have no effect."""
    there = tmp_path / "run.json"
    there.touch()

    assert Ending(
        2, "--rule default takes no --threshold, which is the plain rule's: leave one of them out"
    ) == ending("compare", str(there), "--rule", "default", "--threshold", "0.05")
