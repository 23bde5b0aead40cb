"""`gate controls`: a few answers with the judge's scores, to see later whether it drifts."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from gate.cli.choosing_controls import control_results, controls_of, given_controls, plan_rulings
from gate.cli.judging_anew import ended_well, in_its_own_folder, shown_and_written
from gate.cli.keeping import check_keeping
from gate.cli.making import make_in_world
from gate.cli.options import make_folder
from gate.cli.output import tell
from gate.cli.plan_options import judged_anew_options, source_options
from gate.cli.progress import progress_for
from gate.cli.reading import read_controls, read_run
from gate.cli.request import Wish, ask_before_spending, read_setting
from gate.cli.running import Hands, Made
from gate.cli.signals import Signals
from gate.decision.after_drift import drift_times, unmixed
from gate.decision.controls import FEWEST_CONTROLS, FEWEST_RULINGS
from gate.decision.controls_file import controls_text
from gate.decision.words import counted
from gate.errors import FileError
from gate.reports.controls import controls_lines
from gate.types import Controls, Page, Run
from gate.wire.files import dump_json
from gate.wire.page_door import RememberedPages

FOLDER = "gate-out/controls"
"""Where its files go."""

EPILOG = """\b
Examples:
  gate controls gate-out --offline --write evals/controls.json
  RUN_EVALS=1 gate controls gate-out/run.json --write evals/controls.json
  gate controls gate-out --replay gate-out/controls/journal.sqlite --json
"""


@click.command("controls", epilog=EPILOG)
@source_options(FOLDER)
@click.option(
    "--answers",
    "most",
    default=8,
    type=click.IntRange(FEWEST_CONTROLS, 100),
    help="Control answers, one a case: low, middling and high ones.  [8]",
)
@click.option(
    "--rulings",
    default=FEWEST_RULINGS,
    type=click.IntRange(FEWEST_RULINGS, 20),
    help="How often the judge rates each.  [3]",
)
@judged_anew_options("Write them, such as to evals/controls.json.")
@click.pass_obj
def command(
    signals: Signals,
    /,
    run_path: Path,
    most: int,
    rulings: int,
    *,
    as_json: bool,
    write: Path | None,
    **options: Any,
) -> int:
    """Choose control answers of a run, and have the judge rate each several times.

    The file holds their text, the page texts that the judge read and its scores. From then on each
    run has a few of them judged again; where the judge rates them differently by more than its own
    wavering, it has drifted, and the dimension is not comparable with the baseline.
    """
    wish = Wish(**options)
    return in_its_own_folder(
        run_path,
        wish,
        signals,
        FOLDER,
        lambda: _judged(
            signals, run_path, wish, (most, rulings), dict(os.environ), as_json=as_json, write=write
        ),
    )


def _judged(
    signals: Signals,
    run_path: Path,
    wish: Wish,
    counts: tuple[int, int],
    env: Mapping[str, str],
    *,
    as_json: bool,
    write: Path | None,
) -> Run:
    most, rulings = counts
    setting = read_setting(wish, env)
    source = read_run(run_path)
    if write is not None:
        unmixed(source, setting.config.policy)
    before = _before(write or setting.root / setting.config.controls)
    what = str(write or "the control answers")
    check_keeping(setting.config, source, what, pages=bool(source.pages))
    results = control_results(run_path, source, setting, most)
    request = plan_rulings(given_controls(results, source, rulings), wish, setting)
    ask_before_spending(wish, env)
    make_folder(wish.out)
    tell(f"{counted(len(results), 'control answer')}, {counted(rulings, 'ruling')} each")
    runs = []
    pages: dict[str, Page] = {}

    def file(made: Made) -> None:
        run = made.run
        runs.append(run)
        if not ended_well(run, wish):
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        found = controls_of(run, results, pages, now)
        times = drift_times(source, setting.config.policy, before, found.identities, found.world)
        found = found.model_copy(update={"drifted": times})
        as_data = dump_json(found.model_dump(mode="json", by_alias=True))
        shown = as_data if as_json else controls_lines(found)
        shown_and_written(shown, controls_text(found), write)

    hands = Hands(
        progress_for(sys.stderr, paid=wish.paid),
        signals,
        file,
        pages=lambda door: RememberedPages(door, pages),
    )
    make_in_world(request, wish, env, hands)
    return runs[0]


def _before(path: Path) -> Controls | None:
    """Return the file that is replaced: it knows of earlier drift, where it can be read."""
    try:
        return read_controls(path)
    except FileError as error:
        tell(f"note: {error}; what it said of earlier drift is lost")
        return None
