"""`gate collect`: the answers alone, to be judged elsewhere or later."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from typing import Any

import click

from gate.cli.answers import ANSWERS, flags_of, tell_end, write_answers
from gate.cli.beginning import begun
from gate.cli.head import commit_options
from gate.cli.making import make_in_world
from gate.cli.options import make_folder
from gate.cli.plan_options import (
    file_options,
    later_rule_options,
    money_options,
    plan_options,
    scorer_options,
)
from gate.cli.progress import progress_for
from gate.cli.request import Wish, ask_before_spending, plan_run, read_setting
from gate.cli.running import Hands, Made
from gate.cli.signals import Signals
from gate.decision.words import counted

EPILOG = """\b
Examples:
  gate collect --offline
  RUN_EVALS=1 gate collect --sample 24 --out collected
  gate judge collected/answers.json --out gate-out
"""


@click.command("collect", epilog=EPILOG)
@file_options
@plan_options
@scorer_options
@later_rule_options
@money_options
@commit_options
@click.pass_obj
def command(signals: Signals, /, **options: Any) -> int:
    """Ask the cases and keep the answers: the step that may run foreign code.

    Needs the answering model's credential alone; no page is fetched and no judge is asked. Writes
    answers.json to the folder of --out. `--scorer` says what will be judged, so that a plan which
    can decide nothing is refused here.
    """
    wish = Wish(**options)
    with begun(wish.out, signals, made=(ANSWERS,)):
        return _collect(signals, wish, dict(os.environ))


def _collect(signals: Signals, wish: Wish, env: Mapping[str, str]) -> int:
    setting = read_setting(wish, env)
    request = plan_run(wish, setting, "collect")
    ask_before_spending(wish, env)
    make_folder(wish.out)
    path = wish.out / ANSWERS
    codes = []

    def file(made: Made) -> None:
        count = write_answers(path, made.run, wish.out)
        done = f"{path}: {counted(count, 'answer')}"
        codes.append(tell_end(made.run, done, f"`gate judge {path}{flags_of(wish)}`"))

    make_in_world(
        request,
        wish,
        env,
        Hands(progress_for(sys.stderr, paid=wish.paid), signals, file, made=(ANSWERS,)),
    )
    return signals.exit_code or codes[0]
