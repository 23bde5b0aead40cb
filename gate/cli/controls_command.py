"""`gate controls`: a few answers with the judge's scores, to see later whether it drifts."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from gate.cli.beginning import begun
from gate.cli.choosing_controls import control_results, controls_of, given_controls, plan_rulings
from gate.cli.keeping import check_keeping
from gate.cli.making import make_in_world
from gate.cli.options import make_folder
from gate.cli.output import say, tell
from gate.cli.plan_options import money_options, reuse_options, scorer_options
from gate.cli.progress import progress_for
from gate.cli.reading import RUN, read_run
from gate.cli.request import Wish, ask_before_spending, read_setting
from gate.cli.running import Hands, Made
from gate.cli.signals import Signals
from gate.decision.controls import FEWEST_CONTROLS, FEWEST_RULINGS
from gate.decision.controls_file import controls_text
from gate.decision.run_file import run_lines
from gate.decision.words import counted
from gate.errors import ConfigError
from gate.reports.controls import controls_lines
from gate.types import Page, Run
from gate.wire.files import dump_json, write_parts, write_text
from gate.wire.page_door import RememberedPages

EPILOG = """\b
Examples:
  gate controls gate-out --offline --write evals/controls.json
  RUN_EVALS=1 gate controls gate-out/run.json --write evals/controls.json
  gate controls gate-out --replay gate-out/controls/journal.sqlite --json
"""


@click.command("controls", epilog=EPILOG)
@click.argument("run_path", metavar="RUN.json|DIR", type=click.Path(path_type=Path, exists=True))
@click.option(
    "--config",
    "config_path",
    default="gate.yaml",
    type=click.Path(path_type=Path),
    help="The configuration: cases, judge and scorers.  [gate.yaml]",
)
@click.option(
    "--out",
    default="gate-out/controls",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for its journal, results.jsonl and run.json.  [gate-out/controls]",
)
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
@scorer_options
@money_options
@reuse_options
@click.option("--json", "as_json", is_flag=True, help="Print JSON in the place of the table.")
@click.option(
    "--write",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write them, such as to evals/controls.json.",
)
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
    if run_path.resolve() in {wish.out.resolve(), (wish.out / RUN).resolve()}:
        raise ConfigError(
            f"--out {wish.out} is the folder of the run itself: name another one, such as "
            "gate-out/controls"
        )
    with begun(wish.out, signals):
        run = _judged(
            signals, run_path, wish, (most, rulings), dict(os.environ), as_json=as_json, write=write
        )
    if run.broken is not None:
        tell(f"gate: {run.broken.message}")
    return signals.exit_code or (0 if run.broken is None else 3)


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
        write_parts(wish.out / RUN, run_lines(run))
        if run.interrupted is not None or run.broken is not None:
            return
        if run.stopped is not None:
            tell(f"Stopped early: {run.stopped}")
        now = datetime.now(UTC).isoformat(timespec="seconds")
        found = controls_of(run, results, pages, now)
        if as_json:
            say(dump_json(found.model_dump(mode="json", by_alias=True)))
        else:
            say(controls_lines(found))
        if write is not None:
            write_text(write, controls_text(found))
            tell(f"{write}: written; commit it beside the calibration")

    hands = Hands(
        progress_for(sys.stderr, paid=wish.paid),
        signals,
        file,
        pages=lambda door: RememberedPages(door, pages),
    )
    make_in_world(request, wish, env, hands)
    return runs[0]
