"""`gate propose`: the pull request of a baseline refresh that was measured elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

import click

from gate.cli.hosting import OpenChanges, open_changes
from gate.cli.output import tell
from gate.cli.proposal_folder import (
    BASELINE,
    CALIBRATION,
    about,
    branch_of,
    paths_of,
    read_folder,
    texts_of,
)
from gate.cli.reading import (
    find_files,
    read_baseline_file,
    read_calibration,
    read_cases,
    read_config,
    read_labels,
)
from gate.cli.showing import runner_files
from gate.config import Config
from gate.decision.refresh import Past, Refreshed, Why, refresh
from gate.decision.refresh_runs import FEWEST, REPEATS, check_repeats, check_scores
from gate.decision.renewing import check_renewed
from gate.errors import ConfigError, CredentialsError, FileError
from gate.publish.baseline_pr import Change, propose
from gate.publish.publishing import write_outputs
from gate.publish.run_link import run_page
from gate.reports.refresh import Where, refresh_body, refresh_title
from gate.types import Occasion, Refresh, text_digest
from gate.wire.actions import append_text
from gate.wire.event import read_occasion

EPILOG = """\b
Examples:
  GITHUB_TOKEN=... gate propose refresh           in a workflow, from a job without keys

Exit code 0 once the pull request is open; 2 for a folder that is not believed; 3 where the host
refuses, with the page on which the pull request can be opened by hand.
"""


@click.command("propose", epilog=EPILOG)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--config",
    "config_path",
    default=Path("gate.yaml"),
    type=click.Path(path_type=Path),
    help="The configuration of this checkout, which says where the files belong.  [gate.yaml]",
)
@click.option(
    "--repeats",
    default=REPEATS,
    show_default=True,
    type=click.IntRange(min=FEWEST),
    help="Answers a case that there must be.",
)
def command(folder: Path, config_path: Path, repeats: int) -> int:
    """Open the pull request of a baseline refresh, from the folder that `gate refresh` wrote.

    For a job that may write and holds no keys: DIR is taken for a stranger's. It is decided once
    more on this checkout's own files, its text is written here, and nothing but the baseline, the
    calibration and the anchor is changed, on a branch of its own.
    """
    return propose_folder(folder, dict(os.environ), config_path=config_path, repeats=repeats)


def propose_folder(
    folder: Path,
    env: Mapping[str, str],
    *,
    config_path: Path,
    repeats: int = REPEATS,
    opened: OpenChanges = open_changes,
) -> int:
    """Propose a folder, as the command does. Raises CannotRun, NoVerdict, HostError."""
    config = read_config(config_path, env)
    paths = paths_of(config, config_path)
    stored = read_folder(folder, paths, config.name)
    occasion = read_occasion(env)
    found = decided_again(folder, stored, config, config_path, occasion, repeats)
    where = Where(run_page(occasion), occasion.head_sha)
    body = refresh_body(found, config.policy, where)
    files = runner_files(env)
    title = refresh_title(found, about(config.name))
    if files.summary is not None:
        append_text(files.summary, f"## {title}\n\n{body}")
    token = env.get("GITHUB_TOKEN", "")
    if not token:
        raise CredentialsError(
            "a pull request is opened with a token: set GITHUB_TOKEN, in a workflow from "
            "${{ github.token }}"
        )
    change = Change(
        branch=branch_of(config.name, found.run.id),
        parent=_parent(occasion),
        title=title,
        body=body,
        files={paths[name]: text for name, text in texts_of(found).items()},
        since=None if found.old is None else max(found.old.baseline.runs, default=None),
    )
    done = propose(opened(occasion, token), change, occasion)
    for warning in done.warnings:
        tell(f"gate: warning: {warning}")
    for number in done.superseded:
        tell(f"Pull request {number} is superseded, and closed")
    tell(f"Pull request: {done.url}" + ("" if done.opened else " (it was open already)"))
    for warning in write_outputs({"pull-request-url": done.url}, files):
        tell(f"gate: warning: {warning}")
    return 0


def decided_again(
    folder: Path,
    stored: Refresh,
    config: Config,
    config_path: Path,
    occasion: Occasion,
    repeats: int,
) -> Refreshed:
    """Decide on a folder's scores with the files of this checkout.

    Raises FileError and NoVerdict for a folder that says anything else than what follows from its
    scores, and for scores that are not all that this checkout asks for.
    """
    root = config_path.parent
    new = read_baseline_file(folder / BASELINE)
    if new is None or new.averages_only:
        raise FileError("holds no scores of cases: measure anew", folder / BASELINE)
    measured = stored.measured
    check_repeats(measured.repeats, repeats)
    cases = {case.id: case.digest for case in read_cases(config, root)}
    check_scores(new, measured, cases, [use.name for use in config.targets], str(config_path))
    if stored.by not in (None, occasion.actor):
        raise FileError(
            f"says that {stored.by!r:.60} started it, and the host says {occasion.actor}: propose "
            "it in the workflow that measured it",
            folder,
        )
    past = Past(
        read_baseline_file(root / config.baseline),
        read_baseline_file(root / config.anchor),
        read_calibration(root / config.calibration),
    )
    texts = {file.name: file.sha256 for file in stored.files}
    renewed = read_calibration(folder / CALIBRATION) if CALIBRATION in texts else None
    if renewed is not None:
        labels = read_labels(find_files(root, config.labels))
        check_renewed(past.calibration, renewed, new.identities, labels)
    found = refresh(
        new,
        measured,
        past,
        config.policy,
        renewed=renewed,
        why=Why(stored.reason, stored.by),
    )
    if texts != {name: text_digest(text) for name, text in texts_of(found).items()}:
        raise FileError(
            "is not what this checkout makes of its scores: it was edited, measured on another "
            "commit or by another version of the gate; measure anew",
            folder,
        )
    return found


def _parent(occasion: Occasion) -> str:
    if occasion.head_sha is None:
        raise ConfigError("GITHUB_SHA names no commit: propose in the workflow that measured")
    return occasion.head_sha
