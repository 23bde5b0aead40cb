"""Options of the commands that ask or judge, each written once."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gate.cli.options import Amount
from gate.types import MOST_REPEATS

C = TypeVar("C", bound=Callable[..., Any])


def _variant(context: click.Context, option: click.Parameter, value: str | None) -> str | None:
    """Refuse a file that stands where the variant may: the option took a command's argument."""
    taken = value is not None and (value.endswith(".json") or Path(value).is_file())
    if taken and any(isinstance(one, click.Argument) for one in context.command.params):
        raise click.BadParameter(
            f"{value!r} is a file and no variant: write --offline=VARIANT, or put --offline after "
            "the file",
            context,
            option,
        )
    return value


_FILES = (
    click.option(
        "--config",
        "config_path",
        default="gate.yaml",
        type=click.Path(path_type=Path),
        help="The configuration.  [gate.yaml]",
    ),
    click.option(
        "--out",
        default="gate-out",
        type=click.Path(path_type=Path, file_okay=False),
        help="Folder for what is written.  [gate-out]",
    ),
    click.option(
        "--base-path",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        help="Tree whose files decide.  [the checkout of the configuration]",
    ),
    click.option(
        "--candidate-path",
        type=click.Path(path_type=Path, file_okay=False, exists=True),
        help="Tree that is measured: model, generation settings and system prompt of the targets "
        "come from it, and nothing else.  [the tree that decides]",
    ),
)

_PLAN = (
    click.option("--sample", help="Number of cases, by category; or `full`."),
    click.option("--seed", help="Seed of the sample: the same seed takes the same cases."),
    click.option(
        "--case",
        "cases",
        multiple=True,
        metavar="ID",
        help="Only this case; may be repeated. Narrows the run: numbers without a verdict.",
    ),
    click.option(
        "--target",
        "targets",
        multiple=True,
        metavar="NAME",
        help="Only this target; may be repeated. Narrows the run.",
    ),
    click.option("--repeats", type=click.IntRange(1, MOST_REPEATS), help="Answers a case.  [1]"),
    click.option(
        "--shard",
        metavar="I/N",
        help="Only the I-th of N parts of the plan; `gate merge` puts the parts together.",
    ),
)

_SCORERS = (
    click.option(
        "--scorer",
        "scorers",
        multiple=True,
        metavar="NAME",
        help="Only this scorer set, which decides on its dimensions; or only this scorer, which "
        "narrows the run. May be repeated.",
    ),
)

_RULE = (
    click.option(
        "--threshold",
        type=Amount(),
        help="Decide by the plain rule: a mean drop larger than this fails.",
    ),
    click.option("--report-only", is_flag=True, help="Numbers without a verdict; exit 0."),
)

_RULE_LATER = (
    click.option(
        "--threshold",
        type=Amount(),
        help="It will be decided by the plain rule; give it to `gate compare` as well.",
    ),
    click.option(
        "--report-only",
        is_flag=True,
        help="Nothing will be decided, so a plan that could not is welcome; give it to "
        "`gate compare` as well.",
    ),
)

_DECISION = (
    click.option(
        "--on-inconclusive",
        type=click.Choice(["pass", "fail"]),
        help="Exit code of an inconclusive run: 0, or 3 with fail.  [the policy's]",
    ),
    click.option(
        "--baseline",
        type=click.Path(path_type=Path, exists=True, dir_okay=False),
        help="What to compare with: ours, or one of averages only.  [the configuration's]",
    ),
)

_MONEY = (
    click.option(
        "--max-cost",
        type=Amount(),
        metavar="USD",
        help="Ceiling in US dollars. An estimate above it is refused before the first call; at the "
        "ceiling the finished part of the plan is decided on.  [run.max_cost_usd; none]",
    ),
    click.option("--yes", is_flag=True, help="Spend money without RUN_EVALS=1."),
    click.option(
        "--offline",
        is_flag=False,
        flag_value="steady",
        callback=_variant,
        metavar="VARIANT",
        help="Ask the loopback world, no key, no network. VARIANT is steady, wrong, flaky:SEED, "
        "empty, padded, uncited, unsupported or misquoted; with +FAULT after it, such as "
        "+judge-529, something breaks.",
    ),
    click.option(
        "--replay",
        type=click.Path(path_type=Path, dir_okay=False),
        metavar="JOURNAL",
        help="Repeat a run from its journal: no key, no network, the same bytes.",
    ),
)


_REUSE = (
    click.option(
        "--reuse",
        type=click.Path(path_type=Path),
        metavar="JOURNAL",
        help="A journal of earlier runs: what a judge said there is not paid for again. One that "
        "is missing or damaged is told of, and missed.",
    ),
)


_JSON = click.option(
    "--json", "as_json", is_flag=True, help="Print JSON in the place of the table."
)


def file_options(command: C) -> C:
    """Add --config, --out, --base-path and --candidate-path."""
    return _added(command, _FILES)


def source_options(folder: str) -> Callable[[C], C]:
    """Add the run whose answers are judged anew, --config, and --out with its own folder."""
    options = (
        click.argument(
            "run_path", metavar="RUN.json|DIR", type=click.Path(path_type=Path, exists=True)
        ),
        click.option(
            "--config",
            "config_path",
            default="gate.yaml",
            type=click.Path(path_type=Path),
            help="The configuration: cases, judge and scorers.  [gate.yaml]",
        ),
        click.option(
            "--out",
            default=folder,
            type=click.Path(path_type=Path, file_okay=False),
            help=f"Folder for its journal, results.jsonl and run.json.  [{folder}]",
        ),
    )
    return lambda command: _added(command, options)


def judged_anew_options(write_help: str) -> Callable[[C], C]:
    """Add --scorer, how calls are paid and reused, --json and --write."""
    write = click.option(
        "--write", type=click.Path(path_type=Path, dir_okay=False), help=write_help
    )
    return lambda command: _added(command, (*_SCORERS, *_MONEY, *_REUSE, _JSON, write))


def plan_options(command: C) -> C:
    """Add what chooses the jobs: --sample, --seed, --case, --target, --repeats, --shard."""
    return _added(command, _PLAN)


def scorer_options(command: C) -> C:
    """Add --scorer."""
    return _added(command, _SCORERS)


def rule_options(command: C) -> C:
    """Add how it is decided: --threshold, --report-only."""
    return _added(command, _RULE)


def later_rule_options(command: C) -> C:
    """Add the same to a command that only checks whether a plan can decide anything."""
    return _added(command, _RULE_LATER)


def decision_options(command: C) -> C:
    """Add what bears on the decision: --on-inconclusive, --baseline."""
    return _added(command, _DECISION)


def money_options(command: C) -> C:
    """Add what says how calls are paid: --max-cost, --yes, --offline, --replay."""
    return _added(command, _MONEY)


def reuse_options(command: C) -> C:
    """Add --reuse."""
    return _added(command, _REUSE)


def _added(command: C, options: tuple[Callable[[C], C], ...]) -> C:
    for option in reversed(options):
        command = option(command)
    return command
