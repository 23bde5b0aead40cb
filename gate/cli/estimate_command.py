"""`gate estimate`: what a run would cost, for each set of scorers."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path

import click

from gate.cli.estimating import Estimator, groups_of
from gate.cli.output import say
from gate.cli.planning import wanted_sample
from gate.cli.reading import read_cases, read_config, read_controls, read_run
from gate.engine.estimate import with_real_costs
from gate.engine.plan import choose_cases
from gate.errors import FileError
from gate.models.assumptions import ASSUMED
from gate.models.catalogue import load_catalogue
from gate.reports.estimate import Setting, estimate_json, estimate_text
from gate.types import MOST_REPEATS, Run
from gate.wire.files import dump_json

EPILOG = """\b
Examples:
  gate estimate                              each scorer set, all scorers, each scorer
  gate estimate --scorer quick --sample 24   one run of a scorer set on 24 cases
  gate estimate --from gate-out/run.json     with the real costs of an earlier run
"""


@click.command("estimate", epilog=EPILOG)
@click.option(
    "--config",
    "config_path",
    default="gate.yaml",
    type=click.Path(path_type=Path),
    help="The configuration.  [gate.yaml]",
)
@click.option("--sample", help="Number of cases, by category; or `full`.")
@click.option("--repeats", type=click.IntRange(1, MOST_REPEATS), help="Answers a case.  [1]")
@click.option(
    "--target", "targets", multiple=True, metavar="NAME", help="Only this target; may be repeated."
)
@click.option(
    "--scorer",
    "scorers",
    multiple=True,
    metavar="NAME",
    help="Only the run of this scorer set or scorer; may be repeated.",
)
@click.option(
    "--from",
    "earlier",
    type=click.Path(path_type=Path, exists=True),
    metavar="RUN.json",
    help="An earlier run: its real costs replace assumed ones, where it tells them.",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in the place of the table.")
def command(
    config_path: Path,
    sample: str | None,
    repeats: int | None,
    targets: tuple[str, ...],
    scorers: tuple[str, ...],
    earlier: Path | None,
    as_json: bool,
) -> int:
    """Say what a run would cost at list prices: nothing is sent, and no key is needed.

    A run is rehearsed with invented answers of assumed length, so prompts, cases, models and
    prices are those of a real one.
    """
    config = read_config(config_path, dict(os.environ))
    root = config_path.parent
    used = config.find_uses("targets", targets)
    groups = groups_of(config, scorers)
    cases = choose_cases(
        read_cases(config, root),
        sample=wanted_sample(sample, config),
        seed=config.run.seed or "gate-v1",
    )
    run = None if earlier is None else _paid(earlier)
    controls = read_controls(root / config.controls)
    estimator = Estimator(
        config=config,
        root=root,
        cases=cases,
        targets=used,
        repeats=repeats or config.run.repeats,
        on=datetime.now(UTC).date(),
        controls=0
        if controls is None or controls.world is not None
        else min(config.run.controls, len(controls.answers)),
    )
    catalogue = load_catalogue(estimator.on)
    estimates = [estimator.estimate(group) for group in groups]
    if run is not None:
        estimates = [with_real_costs(one, run) for one in estimates]
    setting = Setting(
        cases=len(cases),
        targets=tuple(use.name for use in used),
        repeats=estimator.repeats,
        prices=catalogue.read_on.isoformat(),
        day=catalogue.on.isoformat(),
        old=catalogue.old,
        ceiling_usd=config.run.max_cost_usd,
        real=None if earlier is None else str(earlier),
        second_look=config.policy.confirm,
    )
    if as_json:
        say(dump_json(estimate_json(setting, estimates, ASSUMED)))
    else:
        say(estimate_text(setting, estimates, ASSUMED))
    return 0


def _paid(path: Path) -> Run:
    """Read an earlier run. Raises FileError for one that the loopback world answered."""
    run = read_run(path)
    if run.provenance.world is not None:
        raise FileError(
            "was answered by the loopback world, which tells no real costs: name a paid run, or "
            "leave --from out",
            path,
        )
    return run
