"""`gate run`: from the cases to an exit code."""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from gate.cli.again import from_elsewhere, own_folder, reproduce_lines
from gate.cli.baseline_answers import stored_for
from gate.cli.beginning import begun
from gate.cli.concluding import Question, conclude, decides, reporters_of, show, suspicion
from gate.cli.filing import file_report
from gate.cli.head import head_options
from gate.cli.making import make_in_world
from gate.cli.options import make_folder
from gate.cli.plan_options import (
    decision_options,
    file_options,
    money_options,
    plan_options,
    reuse_options,
    rule_options,
    scorer_options,
)
from gate.cli.progress import progress_for
from gate.cli.request import Wish, ask_before_spending, plan_run, read_setting
from gate.cli.running import Hands, Made
from gate.cli.signals import Signals
from gate.types import Report

EPILOG = """\b
Examples:
  gate run --offline                       everything, against the loopback world
  gate run --offline=wrong                 a world that answers wrongly: exit 1
  RUN_EVALS=1 gate run --sample 24         a paid run of 24 cases
  RUN_EVALS=1 gate run --scorer quick      decided on the scorer set `quick` alone
  gate run --replay gate-out/journal.sqlite --out again
"""


@click.command("run", epilog=EPILOG)
@file_options
@plan_options
@scorer_options
@rule_options
@money_options
@reuse_options
@decision_options
@head_options
@click.pass_obj
def command(signals: Signals, /, **options: Any) -> int:
    """Ask the cases, have the answers judged, compare with the baseline, decide.

    Writes run.json, verdict.json, comment.md, summary.md, results.jsonl and journal.sqlite to the
    folder of --out, and prints the table.

    SIGINT and SIGTERM end it with a partial report (exit 130 and 143). However it ended, the same
    command goes on with an unfinished run of the folder and pays for no recorded call again. Time
    limits are `run.call_timeout_s`, `run.case_timeout_s` and `run.timeout_s` in gate.yaml.
    """
    wish = Wish(**options)
    with begun(wish.out, signals):
        return _run(signals, wish, dict(os.environ))


def _run(signals: Signals, wish: Wish, env: Mapping[str, str]) -> int:
    setting = read_setting(wish, env)
    request = plan_run(wish, setting, "run")
    ask_before_spending(wish, env)
    make_folder(wish.out)
    reporters = reporters_of(setting.config, setting.root)
    filed: list[tuple[Report, list[Path]]] = []
    stored = stored_for(setting.config, setting.root, setting.baseline)

    def asked(made: Made) -> Question:
        return Question(
            name=setting.config.name,
            run=made.run,
            results=made.results,
            policy=setting.policy,
            baseline=setting.baseline,
            calibration=setting.calibration,
            sensitivity=setting.sensitivity,
            reporters=reporters,
            keep_text=setting.config.keep_text or made.run.provenance.world is not None,
            reproduce=from_elsewhere(
                reproduce_lines(wish, setting.config, made.run),
                wish,
                made.run.provenance.commits,
                env,
            ),
            head=setting.head,
            stored=stored,
            folder=own_folder(wish),
        )

    def file(made: Made) -> None:
        question = asked(made)
        report = conclude(question)
        filed.append((report, file_report(report, question, wish.out, reporters=reporters)))

    progress = progress_for(sys.stderr, paid=wish.paid)
    hands = Hands(
        progress,
        signals,
        file,
        decided=lambda made: decides(asked(made)),
        suspect=lambda made: suspicion(asked(made)),
    )
    make_in_world(request, wish, env, hands)
    ((report, written),) = filed
    show(report, written, env)
    return signals.exit_code or report.verdict.exit_code
