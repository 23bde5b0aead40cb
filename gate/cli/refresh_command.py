"""`gate refresh`: a new baseline beside the old one and the anchor, ready to be proposed."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path

import click

from gate.cli.output import tell
from gate.cli.proposal_folder import paths_of, write_folder
from gate.cli.rated import pair_labels
from gate.cli.reading import (
    find_files,
    read_baseline_file,
    read_calibration,
    read_cases,
    read_config,
    read_run,
)
from gate.config import Config
from gate.decision.baseline import baseline_text, make_baseline, read_baseline
from gate.decision.refresh import Past, Refreshed, Why, refresh
from gate.decision.refresh_runs import FEWEST, REPEATS, check_runs, check_scores
from gate.decision.renewing import changed_sets, renewed
from gate.decision.tried import with_history
from gate.decision.words import counted, listed
from gate.errors import DatasetError
from gate.publish.run_link import run_page
from gate.reports.refresh import Where, refresh_body
from gate.types import Baseline, Calibration, Occasion, Run
from gate.wire.event import read_occasion
from gate.wire.files import parse_json

EPILOG = """\b
Examples:
  gate run --repeats 5 --report-only && gate refresh gate-out/run.json --out refresh
  gate refresh gate-out/run.json --out refresh --reason "shorter answers are wanted"
  gate refresh new/run.json --rated rated/run.json --out refresh     the judge changed

Exit code 2 for runs that are no measurement for a baseline, and for a drop from the anchor without
a reason; 3 for errors and missing repeats. `gate propose DIR` opens the pull request.
"""


@click.command("refresh", epilog=EPILOG)
@click.argument(
    "runs",
    metavar="RUN.json...",
    nargs=-1,
    required=True,
    type=click.Path(path_type=Path, exists=True),
)
@click.option(
    "--out",
    required=True,
    type=click.Path(path_type=Path, file_okay=False),
    help="Folder for the files of the change and the pull request's text.",
)
@click.option(
    "--config",
    "config_path",
    default=Path("gate.yaml"),
    type=click.Path(path_type=Path),
    help="The configuration: its cases, targets, policy, and where the files belong.  [gate.yaml]",
)
@click.option(
    "--baseline",
    "--old",
    "old",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The baseline that is replaced.  [the configuration's `baseline`]",
)
@click.option(
    "--anchor",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="The first accepted baseline.  [the configuration's `anchor`]",
)
@click.option("--reason", metavar="TEXT", help="Why; a drop from the anchor needs one.")
@click.option(
    "--repeats",
    default=REPEATS,
    show_default=True,
    type=click.IntRange(min=FEWEST),
    help="Answers a case that there must be.",
)
@click.option(
    "--labels",
    multiple=True,
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    help="People's ratings, for a judge that changed.  [the configuration's `labels`]",
)
@click.option(
    "--rated",
    multiple=True,
    metavar="RUN.json",
    type=click.Path(path_type=Path, exists=True),
    help="A run of the answers that people rated, judged by the present judge; may be repeated.",
)
@click.option("--offline", is_flag=True, help="Take runs of the loopback world.")
def command(
    runs: tuple[Path, ...],
    out: Path,
    config_path: Path,
    old: Path | None,
    anchor: Path | None,
    reason: str | None,
    repeats: int,
    labels: tuple[Path, ...],
    rated: tuple[Path, ...],
    offline: bool,
) -> int:
    """Make a new baseline of one dispatch's repeats, and the pull request that proposes it.

    Old, new and anchor (the first accepted baseline) stand side by side, by the gate's own test.
    All repeats count. A calibration whose judge changed is renewed where the labels allow it.
    """
    env = dict(os.environ)
    config = read_config(config_path, env)
    root = config_path.parent
    read = [read_run(path) for path in runs]
    measured = check_runs(read, repeats=repeats, offline=offline)
    new = _as_written(make_baseline(read))
    cases = {case.id: case.digest for case in read_cases(config, root)}
    check_scores(new, measured, cases, [use.name for use in config.targets], str(config_path))
    past = Past(
        read_baseline_file(old or root / config.baseline),
        read_baseline_file(anchor or root / config.anchor),
        read_calibration(root / config.calibration),
    )
    occasion = _occasion(env)
    found = refresh(
        new,
        measured,
        past,
        config.policy,
        renewed=_renewed(
            past.calibration,
            new,
            (*rated, *runs),
            labels or _labels(config, root),
            config.labels_for_tuning,
        ),
        why=Why(reason, None if occasion is None else occasion.actor),
    )
    where = Where() if occasion is None else Where(run_page(occasion), occasion.head_sha)
    body = refresh_body(found, config.policy, where)
    write_folder(out, found, paths_of(config, config_path), body, config.name)
    _tell(found, out)
    return 0


def _as_written(baseline: Baseline) -> Baseline:
    """Return the baseline as it is read again: what decides is what stands in the file."""
    return read_baseline(parse_json(baseline_text(baseline)))


def _occasion(env: Mapping[str, str]) -> Occasion | None:
    return read_occasion(env) if env.get("GITHUB_ACTIONS") == "true" else None


def _labels(config: Config, root: Path) -> Sequence[Path]:
    return find_files(root, config.labels)


def _renewed(
    calibration: Calibration | None,
    new: Baseline,
    paths: Sequence[Path],
    labels: Sequence[Path],
    tuning: float,
) -> Calibration | None:
    """Return the calibration of a judge that changed; None where it did not, or no label says."""
    if calibration is None or not changed_sets(calibration, new.identities) or not labels:
        return None
    runs: list[Run] = [read_run(path) for path in paths]
    now = datetime.now(UTC).isoformat(timespec="seconds")
    try:
        pairing, _ = pair_labels(paths, runs, labels, created=now, tuning=tuning)
    except DatasetError as error:
        tell(f"note: the calibration is not renewed: {error}")
        return None
    fresh = with_history(pairing.calibration, calibration)
    return renewed(calibration, fresh, new.identities)


def _tell(found: Refreshed, out: Path) -> None:
    """Say on standard error what there is, and what to do with it."""
    if found.needed:
        tell(f"note: with a recorded reason, since {'; '.join(found.needed)}")
    unlicensed = [one.dimension for one in found.agreements if one.state in _UNLICENSED]
    if unlicensed:
        tell(f"note: without a licence: {listed(unlicensed)}; the pull request says so")
    repeats = counted(found.measured.repeats, "repeat")
    tell(f"{out}: {repeats}; read pull-request.md, then `gate propose {out}` in a workflow")


_UNLICENSED = frozenset({"unvalidated", "undefined", "stale", "unlabelled"})
"""Licences that let a dimension fail nothing."""
