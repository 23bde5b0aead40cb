"""`gate baseline`: what later runs are compared with."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

import click

from gate.cli.baseline_answers import stored_answers_fit, write_baseline_answers
from gate.cli.baseline_check import CONFIG, check_baseline_file
from gate.cli.inputs import accepted_run
from gate.cli.keeping import check_keeping
from gate.cli.output import say, tell
from gate.cli.reading import read_config, read_run
from gate.decision.after_drift import unmixed
from gate.decision.baseline import make_baseline
from gate.decision.baseline_file import baseline_lines
from gate.decision.words import counted
from gate.errors import ConfigError
from gate.types import Baseline, Policy
from gate.wire.files import write_parts

EPILOG = """\b
Examples:
  gate run --offline --repeats 5 --report-only
  gate baseline gate-out/run.json --write baseline.json
  gate baseline run1.json run2.json run3.json --write baseline.json
  gate baseline --check                      would runs that changed nothing fail?
"""


@click.command("baseline", epilog=EPILOG)
@click.argument(
    "runs",
    metavar="RUN.json...",
    nargs=-1,
    type=click.Path(path_type=Path, exists=True),
)
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="File to write.")
@click.option(
    "--answers",
    "answers_path",
    type=click.Path(path_type=Path, dir_okay=False),
    help="Write the answers as well, such as to evals/baseline-answers.jsonl, so that another "
    "judge can rate them; needs `keep_text: true` where Google grounded them.",
)
@click.option(
    "--check",
    metavar="[FILE]",
    is_flag=False,
    flag_value="",
    help="Judge each repeat of a baseline, of gate.yaml's without FILE, as a run against the "
    "others: none of them changed anything.",
)
def command(
    runs: tuple[Path, ...], write: Path | None, answers_path: Path | None, check: str | None
) -> int:
    """Make a baseline of one run or several; several runs are several repeats.

    It holds scores and digests, one case a line, and no text: that of the answers goes to a file of
    its own, where one is named. Five repeats are a good baseline:
    with one, luck alone fails many unchanged runs.
    """
    if check is not None:
        if runs or write is not None or answers_path is not None:
            raise ConfigError(
                "--check looks at a baseline that is there: leave runs and --write out"
            )
        say(check_baseline_file(Path(check) if check else None, dict(os.environ)) + "\n")
        return 0
    if not runs or write is None:
        raise ConfigError(
            "say which runs, and where the baseline goes: gate baseline RUN.json... --write FILE"
        )
    _make(runs, write, answers_path)
    return 0


def _make(runs: Sequence[Path], write: Path, answers_path: Path | None) -> None:
    # Without a time of its own its age is that of its oldest run: old runs make an old baseline.
    read = [read_run(path) for path in runs]
    config = read_config(CONFIG, dict(os.environ)) if CONFIG.exists() else None
    for run in read:
        unmixed(run, Policy() if config is None else config.policy)
    for run in read:
        if run.plan.narrowed:
            tell(f"note: run {run.id} was narrowed by hand: the baseline lacks the other cases")
        if run.stopped is not None:
            tell(f"note: run {run.id} ended early: {run.stopped}")
    accepted = {
        run.id: by
        for path, run in zip(runs, read, strict=True)
        if (by := accepted_run(path)) is not None
    }
    baseline = make_baseline(read, accepted=accepted)
    if answers_path is not None:
        for run in read:
            check_keeping(config, run, str(answers_path))
        kept = write_baseline_answers(answers_path, baseline, read, runs)
        tell(f"{answers_path}: {counted(kept, 'answer')}; commit it with the baseline")
    write_parts(write, baseline_lines(baseline))
    tell(
        f"{write}: {counted(len(baseline.cells), 'answer')} to compare with, "
        f"{_repeats(baseline)}; commit it"
    )
    known = None if config is None else Path(config.baseline_answers)
    if known is not None and known.is_file() and not stored_answers_fit(known, baseline):
        tell(f"note: {known} holds another baseline's answers now: add `--answers {known}`")
    for run_id, by in accepted.items():
        tell(
            f"note: {by} accepted a regression of run {run_id}: from now on its scores are the "
            f"measure, and `accepted` in {write} says so"
        )


def _repeats(baseline: Baseline) -> str:
    """Say how often each case was answered at least, and which dimensions have fewer scores.

    Runs of different scorers make a baseline whose dimensions differ in their repeats.
    """
    answers = min((len(cell.attempts) for cell in baseline.cells), default=0)
    most = {
        metric.name: max(
            (
                sum(value is not None for value in cell.scores.get(metric.name, ()))
                for cell in baseline.cells
            ),
            default=0,
        )
        for metric in baseline.metrics
    }
    fewer = [f"{name} {count}" for name, count in most.items() if count < answers]
    said = f"{counted(answers, 'repeat')} at least"
    return f"{said}, but of some dimensions fewer: {', '.join(fewer)}" if fewer else said
