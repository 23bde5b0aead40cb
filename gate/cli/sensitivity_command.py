"""`gate sensitivity`: does the judge see a good answer become a little worse?"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from gate.cli.damaging import given_answers, good_answers, plan_damaging, sensitivity_of
from gate.cli.judging_anew import ended_well, in_its_own_folder, shown_and_written
from gate.cli.making import make_in_world
from gate.cli.options import make_folder
from gate.cli.output import tell
from gate.cli.plan_options import judged_anew_options, source_options
from gate.cli.progress import progress_for
from gate.cli.reading import read_run
from gate.cli.request import Wish, ask_before_spending, read_setting
from gate.cli.running import Hands, Made
from gate.cli.signals import Signals
from gate.decision.sensitivity_file import sensitivity_text
from gate.decision.words import counted
from gate.reports.sensitivity import sensitivity_lines
from gate.types import Run
from gate.wire.files import dump_json

FOLDER = "gate-out/sensitivity"
"""Where its files go."""

EPILOG = """\b
Examples:
  gate sensitivity gate-out --offline
  RUN_EVALS=1 gate sensitivity gate-out/run.json --write evals/sensitivity.json
  gate sensitivity gate-out --replay gate-out/sensitivity/journal.sqlite --json
"""


@click.command("sensitivity", epilog=EPILOG)
@source_options(FOLDER)
@click.option(
    "--answers",
    "most",
    default=24,
    type=click.IntRange(1, 1000),
    help="Good answers that are damaged, one a case, in up to six ways each.  [24]",
)
@judged_anew_options("Write what the judge saw, such as evals/sensitivity.json.")
@click.pass_obj
def command(
    signals: Signals,
    /,
    run_path: Path,
    most: int,
    *,
    as_json: bool,
    write: Path | None,
    **options: Any,
) -> int:
    """Damage good answers of a run a little, and see whether the judge rates them lower.

    A figure is changed, a sentence removed, a claim added, a citation or all sources stripped,
    padding added: without a model, the same way every time. The judge rates good and damaged
    answers afresh. A dimension that sees fewer than 80% of the damages of a kind that it should
    see, of ten or more, fails no run once the file is written.
    """
    wish = Wish(**options)
    return in_its_own_folder(
        run_path,
        wish,
        signals,
        FOLDER,
        lambda: _judged(
            signals, run_path, wish, most, dict(os.environ), as_json=as_json, write=write
        ),
    )


def _judged(
    signals: Signals,
    run_path: Path,
    wish: Wish,
    most: int,
    env: Mapping[str, str],
    *,
    as_json: bool,
    write: Path | None,
) -> Run:
    setting = read_setting(wish, env)
    chosen = good_answers(run_path, read_run(run_path), setting, most)
    answers = given_answers(chosen)
    request = plan_damaging(answers, wish, setting, str(run_path))
    ask_before_spending(wish, env)
    make_folder(wish.out)
    damaged = len(answers.answers) - len(chosen)
    tell(f"{counted(len(chosen), 'good answer')}, {counted(damaged, 'damaged one')}")
    runs = []

    def file(made: Made) -> None:
        run = made.run
        runs.append(run)
        if not ended_well(run, wish):
            return
        now = datetime.now(UTC).isoformat(timespec="seconds")
        found = sensitivity_of(run, chosen, now)
        as_data = dump_json(found.model_dump(mode="json", by_alias=True))
        shown = as_data if as_json else sensitivity_lines(found)
        shown_and_written(shown, sensitivity_text(found), write)

    make_in_world(
        request, wish, env, Hands(progress_for(sys.stderr, paid=wish.paid), signals, file)
    )
    return runs[0]
