"""`gate judge`: score answers that are there already."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import click

from gate.cli.answers import read_answers, rule_flags, tell_end
from gate.cli.baseline_answers import SUFFIX, of_present_cases
from gate.cli.beginning import begun
from gate.cli.head import commit_options
from gate.cli.judging import plan_judging
from gate.cli.making import make_in_world
from gate.cli.options import make_folder
from gate.cli.output import tell
from gate.cli.plan_options import (
    file_options,
    later_rule_options,
    money_options,
    reuse_options,
    scorer_options,
)
from gate.cli.progress import progress_for
from gate.cli.reading import RUN
from gate.cli.request import Wish, ask_before_spending, read_setting
from gate.cli.running import Hands, Made
from gate.cli.signals import Signals
from gate.decision.run_file import run_lines
from gate.decision.words import counted, few
from gate.wire.files import write_parts

EPILOG = """\b
Examples:
  gate judge collected/answers.json --offline
  RUN_EVALS=1 gate judge answers.json --out judged
  gate compare judged/run.json --out gate-out
  RUN_EVALS=1 gate judge evals/baseline-answers.jsonl --out rejudged    after a change of the judge
"""


@click.command("judge", epilog=EPILOG)
@click.argument(
    "answers_path", metavar="ANSWERS.json", type=click.Path(path_type=Path, exists=True)
)
@file_options
@scorer_options
@later_rule_options
@money_options
@reuse_options
@commit_options
@click.pass_obj
def command(signals: Signals, /, answers_path: Path, **options: Any) -> int:
    """Score the answers of `gate collect`, or of any file of that shape.

    Fetches the cited pages and asks the judge; runs none of the code that answered. Writes
    run.json and results.jsonl to the folder of --out; `gate compare` decides on them. In the folder
    of the collection its results.jsonl gets the scores, and answers.json stays.
    """
    wish = Wish(**options)
    with begun(wish.out, signals):
        return _judge(signals, answers_path, wish, dict(os.environ))


def _judge(signals: Signals, answers_path: Path, wish: Wish, env: Mapping[str, str]) -> int:
    answers = read_answers(answers_path, datetime.now(UTC))
    if not wish.scorers and answers.plan is not None:
        # What was collected for a scorer set is judged by that set.
        wish = replace(wish, scorers=answers.plan.scorer_sets)
    setting = read_setting(wish, env)
    anew = answers_path.suffix == SUFFIX
    if anew:
        answers, gone = of_present_cases(answers, setting.cases)
        if gone:
            tell(f"note: left out, since their cases changed or went: {few(gone)}")
    request = plan_judging(answers, wish, setting, str(answers_path))
    if anew:
        # A journal may hold what the judge said of these very answers before it changed.
        request = replace(request, afresh=True, controls=None)
    ask_before_spending(wish, env)
    make_folder(wish.out)
    path = wish.out / RUN
    codes = []

    def file(made: Made) -> None:
        write_parts(path, run_lines(made.run))
        done = sum(len(cell.attempts) for cell in made.run.cells)
        following = (
            f"`gate compare {path} --out {wish.out}{rule_flags(wish)}`"
            if made.run.plan.shard is None
            else "`gate merge` with the other parts"
        )
        if anew:
            following = (
                f"`gate baseline {wish.out} --write {setting.config.baseline} "
                f"--answers {answers_path}`"
            )
        codes.append(tell_end(made.run, f"{path}: {counted(done, 'answer')} judged", following))

    make_in_world(
        request, wish, env, Hands(progress_for(sys.stderr, paid=wish.paid), signals, file)
    )
    return signals.exit_code or codes[0]
