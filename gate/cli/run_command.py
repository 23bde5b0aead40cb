"""`gate run`: from the cases to an exit code."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import click

from gate.cli.concluding import Question, conclude, reporters_of, show
from gate.cli.filing import file_report
from gate.cli.offline import RUNNING, loopback_world
from gate.cli.options import Amount, make_folder
from gate.cli.planning import check_power, wanted_sample
from gate.cli.progress import progress_for
from gate.cli.reading import read_calibration, read_cases, read_config
from gate.cli.running import JOURNAL, Made, Request, make_run
from gate.config import Config
from gate.engine.plan import choose_cases, make_plan
from gate.errors import ConfigError, CredentialsError
from gate.types import Commits, Policy, Report
from gate.wiring import check_rules, load_sdks, metrics_of, vendors_of

EPILOG = """\b
Examples:
  gate run --offline                       everything, against the loopback world
  gate run --offline=wrong                 a world that answers wrongly: exit 1
  RUN_EVALS=1 gate run --sample 24         a paid run of 24 cases
  RUN_EVALS=1 gate run --scorer quick      decided on the scorer set `quick` alone
  gate run --replay gate-out/journal.sqlite --out again
"""


@click.command("run", epilog=EPILOG)
@click.option(
    "--config",
    "config_path",
    default="gate.yaml",
    type=click.Path(path_type=Path),
    help="The configuration.  [gate.yaml]",
)
@click.option(
    "--out",
    default="gate-out",
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for what is written.  [gate-out]",
)
@click.option(
    "--base-path",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Tree whose files decide.  [the configuration's folder]",
)
@click.option("--sample", help="Number of cases, by category; or `full`.")
@click.option("--seed", help="Seed of the sample: the same seed takes the same cases.")
@click.option(
    "--case",
    "cases",
    multiple=True,
    metavar="ID",
    help="Only this case; may be repeated. Narrows the run: numbers without a verdict.",
)
@click.option(
    "--target",
    "targets",
    multiple=True,
    metavar="NAME",
    help="Only this target; may be repeated. Narrows the run.",
)
@click.option(
    "--scorer",
    "scorers",
    multiple=True,
    metavar="NAME",
    help="Only this scorer set, which decides on its dimensions; or only this scorer, which "
    "narrows the run. May be repeated.",
)
@click.option("--repeats", type=click.IntRange(min=1), help="Answers a case.  [1]")
@click.option(
    "--threshold",
    type=Amount(),
    help="Decide by the plain rule: a mean drop larger than this fails.",
)
@click.option("--max-cost", type=Amount(), metavar="USD", help="Ceiling in US dollars.")
@click.option("--yes", is_flag=True, help="Spend money without RUN_EVALS=1.")
@click.option(
    "--offline",
    is_flag=False,
    flag_value="steady",
    metavar="VARIANT",
    help="Ask the loopback world, no key, no network. VARIANT is steady, wrong, flaky:SEED, "
    "empty, padded, uncited, unsupported or misquoted; with +FAULT after it, such as "
    "+judge-529, something breaks.",
)
@click.option(
    "--replay",
    type=click.Path(path_type=Path, dir_okay=False),
    metavar="JOURNAL",
    help="Repeat a run from its journal: no key, no network, the same bytes.",
)
@click.option("--report-only", is_flag=True, help="Numbers without a verdict; exit 0.")
def command(
    config_path: Path,
    out: Path,
    base_path: Path | None,
    sample: str | None,
    seed: str | None,
    cases: tuple[str, ...],
    targets: tuple[str, ...],
    scorers: tuple[str, ...],
    repeats: int | None,
    threshold: float | None,
    max_cost: float | None,
    yes: bool,
    offline: str | None,
    replay: Path | None,
    report_only: bool,
) -> int:
    """Ask the cases, have the answers judged, compare with the baseline, decide.

    Writes run.json, verdict.json, comment.md, summary.md, results.jsonl and journal.sqlite to the
    folder of --out, and prints the table.
    """
    env = dict(os.environ)
    # Without it, missing credentials cost seconds of knocking at a metadata server.
    os.environ.setdefault("NO_GCE_CHECK", "true")
    if offline is not None and replay is not None:
        raise ConfigError("--offline and --replay exclude each other: choose one")
    root = base_path or config_path.parent
    config = read_config(config_path, env)
    policy = _policy(config, threshold=threshold, report_only=report_only)
    all_cases = read_cases(config, root)
    used_targets = config.find_uses("targets", targets)
    choice = config.choose_scorers(scorers)
    wanted = wanted_sample(sample, config)
    chosen_seed = seed or config.run.seed or "gate-v1"
    chosen = choose_cases(all_cases, sample=wanted, seed=chosen_seed, only=cases)
    plan = make_plan(
        all_cases,
        chosen,
        seed=chosen_seed,
        sample=wanted,
        repeats=repeats or config.run.repeats,
        narrowed=bool(cases or targets or choice.by_hand),
        scorer_sets=choice.sets,
    )
    calibration = read_calibration(root / config.calibration)
    baseline = root / config.baseline
    if not plan.narrowed:
        check_rules(config, metrics_of(config, config.scorers, root))
        measured = {metric.name for metric in metrics_of(config, choice.uses, root)}
        names = [use.name for use in used_targets]
        check_power(plan, names, calibration, baseline, policy, measured)
    if offline is None and replay is None:
        _ask_before_spending(env, yes=yes)
    make_folder(out)
    reporters = reporters_of(config, root)
    filed: list[tuple[Report, list[Path]]] = []

    def file(made: Made) -> None:
        kept = replay is not None or config.journal != "off"
        question = Question(
            name=config.name,
            run=made.run,
            results=made.results,
            policy=policy,
            baseline=baseline,
            calibration=calibration,
            reporters=reporters,
            keep_text=config.keep_text or made.run.provenance.world is not None,
            reproduce=_reproduce(replay or out / JOURNAL) if kept else (),
        )
        report = conclude(question)
        filed.append((report, file_report(report, question, out, reporters=reporters)))

    with ExitStack() as stack:
        world = None
        if offline is not None:
            vendors = vendors_of(used_targets, config.judge)
            world = stack.enter_context(
                loopback_world(offline, lambda: load_sdks(vendors), env.get(RUNNING))
            )
        make_run(
            Request(
                config=config,
                root=root,
                out=out,
                cases=chosen,
                plan=plan,
                targets=used_targets,
                scorers=choice.uses,
                max_cost_usd=max_cost if max_cost is not None else config.run.max_cost_usd,
                world=world,
                replay=replay,
                commits=Commits(),
            ),
            progress_for(sys.stderr),
            file,
        )
    ((report, written),) = filed
    show(report, written, env)
    return report.verdict.exit_code


def _policy(config: Config, *, threshold: float | None, report_only: bool) -> Policy:
    changes: dict[str, object] = {}
    if threshold is not None:
        changes |= {"rule": "threshold", "threshold": threshold}
    if report_only:
        changes["report_only"] = True
    return config.policy.model_copy(update=changes)


def _ask_before_spending(env: Mapping[str, str], *, yes: bool) -> None:
    if not yes and env.get("RUN_EVALS") != "1":
        raise CredentialsError(
            "this run calls paid models: set RUN_EVALS=1 or pass --yes to go on, "
            "or try `gate run --offline`, which costs nothing"
        )


NOT_AGAIN = {"--offline": True, "--replay": True, "--out": True, "--max-cost": True, "--yes": False}
"""Options that a replay does without -> whether a value may follow."""


def _reproduce(journal: Path) -> tuple[str, ...]:
    """Say how to have this run again for nothing: as it was typed, from its journal."""
    kept = ["gate"]
    takes_value = False
    for word in sys.argv[1:]:
        name, equals, _ = word.partition("=")
        if takes_value and not word.startswith("-"):
            takes_value = False
            continue
        takes_value = NOT_AGAIN.get(name, False) and not equals
        if name not in NOT_AGAIN:
            kept.append(word)
    return (shlex.join([*kept, "--replay", str(journal), "--out", "again"]),)
