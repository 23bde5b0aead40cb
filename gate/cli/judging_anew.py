"""What `gate sensitivity` and `gate controls` share: the judge rates answers of a run anew."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from gate.cli.beginning import begun
from gate.cli.output import say, tell
from gate.cli.reading import RUN
from gate.cli.request import Wish
from gate.cli.signals import Signals
from gate.decision.run_file import run_lines
from gate.errors import ConfigError
from gate.types import Run
from gate.wire.files import write_parts, write_text


def in_its_own_folder(
    run_path: Path, wish: Wish, signals: Signals, usual: str, judged: Callable[[], Run]
) -> int:
    """Judge into --out and give the exit code: 0, 3 where the judge broke, or the signal's.

    `usual` is the folder that --out names by itself. Raises ConfigError where --out is the folder
    of the run that is read.
    """
    if run_path.resolve() in {wish.out.resolve(), (wish.out / RUN).resolve()}:
        raise ConfigError(
            f"--out {wish.out} is the folder of the run itself: name another one, such as {usual}"
        )
    with begun(wish.out, signals):
        run = judged()
    if run.broken is not None:
        tell(f"gate: {run.broken.message}")
    return signals.exit_code or (0 if run.broken is None else 3)


def ended_well(run: Run, wish: Wish) -> bool:
    """Write run.json, say where it stopped early, and tell whether it can be counted."""
    write_parts(wish.out / RUN, run_lines(run))
    if run.interrupted is not None or run.broken is not None:
        return False
    if run.stopped is not None:
        tell(f"Stopped early: {run.stopped}")
    return True


def shown_and_written(shown: str, text: str, write: Path | None) -> None:
    """Print what was found, and write its file where --write names one."""
    say(shown)
    if write is not None:
        write_text(write, text)
        tell(f"{write}: written; commit it beside the calibration")
