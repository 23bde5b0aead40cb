"""A report to the runner and to the host: what `gate publish` and the action do alike."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from gate.cli.hosting import Host
from gate.cli.main import Ending, perform
from gate.cli.output import show, tell
from gate.cli.signals import Signals
from gate.config import Config
from gate.datasets.native import lines_of_cases
from gate.errors import GateError
from gate.publish.publishing import Place, Posted, RunnerFiles, post, publish
from gate.reports.untrusted import plain
from gate.types import CommentMode, Occasion, Report
from gate.wire.checkout import checkout_of
from gate.wire.files import read_text, relative_reader

__all__ = ["Audience", "comment_mode", "in_time", "place_of", "runner_files", "show_report"]

PATIENCE_S = 60.0
"""Seconds that the host has for all of it."""
BRIEF_S = 5.0
"""Seconds after a signal that it has, for all that is said to it: a runner sends the next one after
7.5 seconds, which ends the process at once."""

NOTHING_POSTED = "Nothing was posted: there is no token, or no way to the host"
"""What is said where there is no host."""

REQUIRED = "required"
"""The comment is updated, and a run whose comment cannot be posted fails."""
COMMENT_MODES = ("update", "new", "on-change", "off", REQUIRED)
"""What may be said of the comment."""


@dataclass(frozen=True)
class Audience:
    """To whom a report is shown."""

    occasion: Occasion | None
    """What the host says of this run; None where it says nothing."""
    open_host: Callable[[], Host | None]
    """Opens the host; None where there is no way to it. Raises GateError."""
    files: RunnerFiles
    """The runner's files."""
    mode: CommentMode
    """What becomes of an earlier comment."""
    warnings: tuple[str, ...] = ()
    """What went wrong before there was a report."""


def comment_mode(word: str) -> CommentMode:
    """Return the mode of a word of `COMMENT_MODES`."""
    modes: dict[str, CommentMode] = {"new": "new", "on-change": "on-change", "off": "off"}
    return modes.get(word, "update")


def runner_files(env: Mapping[str, str]) -> RunnerFiles:
    """Return where the runner listens; nowhere outside of a workflow."""
    output, summary = env.get("GITHUB_OUTPUT"), env.get("GITHUB_STEP_SUMMARY")
    return RunnerFiles(
        output=Path(output) if output else None,
        summary=Path(summary) if summary else None,
        say=show if env.get("GITHUB_ACTIONS") == "true" else None,
    )


def show_report(report: Report, place: Place, audience: Audience, signals: Signals) -> Posted:
    """Show a report everywhere, the host last and in time; says on stderr what failed."""

    def network() -> Posted:
        occasion, mode = audience.occasion, audience.mode
        if occasion is None:
            return Posted(commented=mode == "off")

        def talk() -> Posted:
            host = audience.open_host()
            if host is None:
                return Posted(commented=mode == "off", warnings=(NOTHING_POSTED,))
            return post(report, occasion, host.doors, mode)

        return in_time(talk, signals)

    with signals.held():
        posted = publish(report, place, audience.files, network, warnings=audience.warnings)
    for warning in posted.warnings:
        tell(f"gate: warning: {warning}")
    return posted


def in_time(
    work: Callable[[], Posted],
    signals: Signals,
    *,
    doing: str = "Posting",
    patience_s: float = PATIENCE_S,
    brief_s: float = BRIEF_S,
) -> Posted:
    """Do what talks to the host, and go on without it when its time is up.

    What it raises, foreseen or not, is a warning: the verdict is not the host's to change.
    """
    found: list[Posted] = []
    endings: list[Ending] = []

    def work_off() -> int:
        found.append(work())
        return 0

    # A thread of its own, which ends with the process: a socket cannot be told to hurry.
    thread = threading.Thread(target=lambda: endings.append(perform(work_off)), daemon=True)
    thread.start()
    given, until = patience_s, time.monotonic() + patience_s
    hurried = False
    while thread.is_alive() and time.monotonic() < until:
        thread.join(0.05)
        if signals.received is not None and not hurried:
            hurried, given = True, min(given, brief_s)
            until = min(until, signals.received_at + brief_s)
    if found:
        return found[0]
    because = endings[0].message if endings else f"the host did not answer in {given:g} seconds"
    return Posted(warnings=(f"{doing} failed: {plain(because or 'nothing came of it')}",))


def place_of(
    folder: Path,
    config: Config | None,
    root: Path,
    candidate: tuple[Path, PurePath] | None = None,
) -> Place:
    """Say where a run's files lie, and on which lines its cases begin.

    `root` is the folder of the configuration. Lines are those of the candidate's tree, where there
    is one, given with the configuration's folder in it: the host shows them beside the pull
    request's files.
    """
    names = {path.name for path in folder.iterdir()} if folder.is_dir() else set[str]()
    if config is None:
        return Place(PurePath(folder), names)
    file = _in_checkout(root, config.dataset.path)
    lines: Mapping[str, int] = {}
    if candidate is not None:
        tree, here = candidate
        theirs = os.path.normpath(here / config.dataset.path)
        lines = _lines(lambda: relative_reader(tree)(theirs), file)
    if not lines:
        lines = _lines(lambda: read_text(root / config.dataset.path), file)
    return Place(PurePath(folder), names, plain(file), lines)


def _lines(read: Callable[[], str], file: str) -> Mapping[str, int]:
    """Return the lines of the cases; none where they cannot be read, which is said elsewhere."""
    try:
        return lines_of_cases(read(), file)
    except GateError:
        return {}


def _in_checkout(root: Path, name: str) -> str:
    """Return a file's path in its repository: below the next folder upwards that is a checkout."""
    here = root.resolve()
    folder = checkout_of(here) or Path.cwd()
    place = Path(os.path.normpath(here / name))
    # A dataset may lie anywhere; then no line of a pull request is its own.
    return place.relative_to(folder).as_posix() if place.is_relative_to(folder) else name
