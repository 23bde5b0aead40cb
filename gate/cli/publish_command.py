"""`gate publish`: show the folder of a run that was made elsewhere."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import click

from gate.cli.beforehand import NOTHING_SAID, Beforehand, ask_beforehand
from gate.cli.hosting import OpenHost, Pulls, open_host
from gate.cli.output import tell
from gate.cli.reading import read_config
from gate.cli.showing import (
    COMMENT_MODES,
    REQUIRED,
    Audience,
    comment_mode,
    place_of,
    runner_files,
    show_report,
)
from gate.cli.signals import Signals
from gate.cli.stored import Stored, check_folder, read_stored
from gate.config import Config
from gate.decision.on_head import Head
from gate.errors import ConfigError, CredentialsError, FileError
from gate.publish.accepting import ACCEPT
from gate.publish.publishing import RunnerFiles
from gate.types import Occasion, Report
from gate.wire.event import read_occasion

EPILOG = """\b
Examples:
  GITHUB_TOKEN=... gate publish gate-out                  in a workflow, from a trusted job
  gate publish downloaded --comment new                   another comment each time
  gate publish downloaded --pull-request 123              where the event names none

Exit code 0 once it is shown, whatever the verdict; 2 for a folder that is not believed.
"""


@click.command("publish", epilog=EPILOG)
@click.argument("folder", metavar="DIR", type=click.Path(path_type=Path))
@click.option(
    "--config",
    "config_path",
    type=click.Path(path_type=Path),
    help="The configuration of this checkout, whose comment and status it is.  [gate.yaml]",
)
@click.option(
    "--comment",
    "comment",
    default="update",
    type=click.Choice(COMMENT_MODES),
    help="What becomes of an earlier comment; with `required`, exit 2 where it cannot be posted.  "
    "[update]",
)
@click.option(
    "--pull-request",
    type=click.IntRange(min=1),
    metavar="NUMBER",
    help="The pull request, where the workflow's event names none.",
)
@click.option(
    "--accept-label",
    default=ACCEPT,
    metavar="LABEL",
    help=f"Label by which somebody who may write accepts a regression.  [{ACCEPT}]",
)
@click.pass_obj
def command(
    signals: Signals,
    folder: Path,
    config_path: Path | None,
    comment: str,
    pull_request: int | None,
    accept_label: str,
) -> int:
    """Show a run's folder on its pull request: comment, status, annotations, summary, outputs.

    For a trusted job: DIR may have been made by code that nobody looked at. Its verdict is decided
    once more and rendered here, no link in it is followed, and the pull request is the one that
    the host names, at the commit that was measured.
    """
    return publish_folder(
        folder,
        dict(os.environ),
        signals,
        config_path=config_path,
        comment=comment,
        pull_request=pull_request,
        accept_label=accept_label,
    )


def publish_folder(
    folder: Path,
    env: Mapping[str, str],
    signals: Signals,
    *,
    config_path: Path | None = None,
    comment: str = "update",
    pull_request: int | None = None,
    accept_label: str = ACCEPT,
    opened: OpenHost = open_host,
    files: RunnerFiles | None = None,
) -> int:
    """Show a folder, as the command does; `files` are where the runner listens.

    Raises CannotRun for a folder that is not believed.
    """
    check_folder(folder)
    occasion = read_occasion(env)
    stored = read_stored(folder)
    report = stored.report
    config_path = config_path or Path("gate.yaml")
    config = _trusted(config_path, env)
    check_name(report, config, folder)
    token = env.get("GITHUB_TOKEN", "")
    host = opened(occasion, token) if token else None
    occasion = settle(occasion, pull_request, None if host is None else host.pulls)
    check_head(report, occasion, folder)
    past = None if host is None else host.past
    said = (
        NOTHING_SAID if past is None else ask_beforehand(past, occasion, report.name, accept_label)
    )
    report = stored.report_for(head_of(stored, said, occasion))
    posted = show_report(
        report,
        place_of(folder, config, config_path.parent),
        Audience(
            occasion,
            lambda: host,
            runner_files(env) if files is None else files,
            comment_mode(comment),
            said.warnings,
        ),
        signals,
    )
    if posted.url is not None:
        tell(f"Comment: {posted.url}")
    failed = comment == REQUIRED and not posted.commented
    return signals.exit_code or (2 if failed else 0)


def head_of(stored: Stored, said: Beforehand, occasion: Occasion) -> Head:
    """Return what counts of a head: an acceptance is never the folder's own.

    Nor are the attempts where the host says which run measured: it may have left some out.
    """
    own = stored.question.head
    known = occasion.measured_run is not None and said.asked
    earlier = said.earlier if known or (own.earlier is None and not said.asked) else own.earlier
    return replace(own, acceptance=said.acceptance, earlier=earlier)


def _trusted(path: Path, env: Mapping[str, str]) -> Config:
    """Read the configuration of this checkout. Raises ConfigError, also where there is none."""
    if not path.exists():
        raise ConfigError(
            "is not here, and whose comment and status a folder takes is not the folder's to say: "
            "check out the default branch before, or name the configuration with --config",
            path,
        )
    return read_config(path, env)


def check_name(report: Report, config: Config, folder: Path) -> None:
    """Refuse a report of another configuration: it would take that one's comment and status."""
    if report.name != config.name:
        raise FileError(
            f"is of the configuration {report.name!r}, and {config.path} is {config.name!r}: name "
            "its own with --config",
            folder,
        )


def settle(occasion: Occasion, number: int | None, pulls: Pulls | None) -> Occasion:
    """Fill in the pull request from what the host says, never from the folder.

    Raises ConfigError where several have the head, CredentialsError where the host must be asked
    and cannot.
    """
    if number is not None:
        if pulls is None:
            raise CredentialsError(
                "--pull-request asks the host for its head: set GITHUB_TOKEN, in a workflow from "
                "${{ github.token }}"
            )
        pull = pulls.numbered(number)
    elif occasion.pull_request is None and occasion.from_fork and pulls is not None:
        # The event names none whose head lies in a fork.
        found = pulls.with_head(occasion.head_sha or "")
        if len(found) > 1:
            numbers = ", ".join(str(one.number) for one in found)
            raise ConfigError(f"pull requests {numbers} have this head: choose by --pull-request")
        if not found:
            raise ConfigError(
                f"no open pull request has the head {(occasion.head_sha or 'that was measured')}: "
                "it was closed or moved on; name it with --pull-request if it is another one"
            )
        (pull,) = found
    else:
        return occasion
    return occasion.model_copy(
        update={
            "pull_request": pull.number,
            "head_sha": pull.head_sha,
            "from_fork": pull.from_fork,
        }
    )


def check_head(report: Report, occasion: Occasion, folder: Path) -> None:
    """Refuse a folder that measured another commit than the one it would be shown on."""
    measured = report.verdict.commits.head
    if measured is None:
        raise FileError(
            "does not say which commit it measured, so nobody knows where it belongs: run "
            "`gate run` in a workflow, which tells it the commit",
            folder,
        )
    if measured != occasion.head_sha:
        raise FileError(
            f"measured {measured}, and the host names {occasion.head_sha or 'no commit'} as the "
            "head: it belongs to another commit, or the pull request moved on; measure again",
            folder,
        )
