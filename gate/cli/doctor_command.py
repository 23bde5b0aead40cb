"""`gate doctor`: what stands in the way of a run, a line each, and how to mend it."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator, Mapping
from datetime import UTC, date, datetime
from pathlib import Path

import click

from gate.cli.concluding import reporters_of
from gate.cli.doctor_controls import check_control_answers
from gate.cli.doctor_files import Files, check_cases, check_config, check_files, failed
from gate.cli.doctor_host import NO_TOKEN, check_host
from gate.cli.doctor_models import Asking, check_asked, check_keys, check_models
from gate.cli.options import make_folder
from gate.cli.output import say
from gate.cli.signals import Signals
from gate.config import Config
from gate.config.rules import check_rules
from gate.engine.rehearsal import InventedPages, RehearsalDoor
from gate.errors import ConfigError, CredentialsError, GateError
from gate.models.catalogue import load_catalogue
from gate.models.connections import Connections
from gate.reports.checkup import checkup_markdown, checkup_text
from gate.types import Check, Occasion
from gate.wire.event import read_occasion
from gate.wire.files import dump_json, relative_reader, write_text
from gate.wire.github import GitHubAccess, GitHubHost
from gate.wiring import Live, StandIn, build, connect, vendors_of

LONG_AGO = date(2000, 1, 1)
EPILOG = """\b
Examples:
  gate doctor                     files, models and keys; no model is asked
  gate doctor --ask               and one case, really asked and judged (a few cents)
  gate doctor --offline           the same against the loopback world, no key
  GITHUB_TOKEN=$(gh auth token) GITHUB_REPOSITORY=OWNER/NAME gate doctor

Exit code 0, or 2 where a run could not be made.
"""


@click.command("doctor", epilog=EPILOG)
@click.option(
    "--config",
    "config_path",
    default="gate.yaml",
    type=click.Path(path_type=Path),
    help="The configuration.  [gate.yaml]",
)
@click.option("--ask", is_flag=True, help="Ask one case and have it judged; so does RUN_EVALS=1.")
@click.option(
    "--offline",
    is_flag=False,
    flag_value="steady",
    metavar="[VARIANT]",
    help="Let the loopback world answer: no key is looked for.",
)
@click.option("--label", default="gate", metavar="NAME", help="Label that starts a run.  [gate]")
@click.option(
    "--environment",
    default="gate-paid",
    metavar="NAME",
    help="Environment that keeps the keys.  [gate-paid]",
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON in the place of the lines.")
@click.option(
    "--markdown",
    type=click.Path(path_type=Path),
    metavar="FILE",
    help="Write the lines as Markdown, too, as for a job summary.",
)
@click.pass_obj
def command(
    signals: Signals,
    config_path: Path,
    ask: bool,
    offline: str | None,
    label: str,
    environment: str,
    as_json: bool,
    markdown: Path | None,
) -> int:
    """Look at configuration, cases, labels, baseline, models, keys and the repository's host.

    Each is a line: ok, look, or wrong, what was found, and how to mend it. Without --ask nothing is
    paid, and no vendor is reached.
    """
    env = dict(os.environ)
    ask = ask or offline is not None or env.get("RUN_EVALS") == "1"
    asking = Asking(config_path, offline, env, signals) if ask else None
    checks = [
        *_looked_at(config_path, env, asking, offline=offline is not None),
        *_host(env, label, environment),
    ]
    if markdown is not None:
        make_folder(markdown.parent)
        write_text(markdown, checkup_markdown(checks))
    if as_json:
        say(dump_json([one.model_dump(mode="json") for one in checks]))
    else:
        say(checkup_text(checks, shutil.get_terminal_size((120, 24)).columns))
    return 2 if any(one.state == "wrong" for one in checks) else 0


def _looked_at(
    path: Path, env: Mapping[str, str], asking: Asking | None, *, offline: bool
) -> Iterator[Check]:
    line, files = check_config(path, env)
    yield line
    if files is None:
        return
    line, files = check_cases(files)
    yield line
    connections = _connections(files.config, offline=offline)
    now = datetime.now(UTC)
    try:
        live = _live(files, connections)
    except GateError as error:
        yield failed("targets, judge, scorers", error)
        live = None
    try:
        reporters_of(files.config, files.root)
    except GateError as error:
        yield failed("reporters", error)
    if live is not None:
        measured = [metric for one in live.scorers for metric in one.metrics]
        try:
            check_rules(files.config, measured)
        except GateError as error:
            yield failed("rules", error)
        if files.cases:
            yield from check_files(files, live, now, offline=offline)
            controls = check_control_answers(files, live, offline=offline)
            yield from () if controls is None else (controls,)
        yield from check_models(live, connections, load_catalogue(now.date()))
    if not offline:
        yield from check_keys(files.config)
    if asking is None:
        yield Check(
            topic="asked",
            state="not asked",
            says="no model was asked, so sign-in, network and the judge's form are not known",
            mend="`gate doctor --ask` asks one case: a few cents",
        )
    elif live is not None and files.cases:
        yield from check_asked(files, live, asking)


def _live(files: Files, connections: Connections) -> Live:
    """Build all that a run is made with; nothing is asked. Raises GateError."""
    # On that day no model of the table was retired: which ones are by now is a line of its own.
    catalogue = load_catalogue(LONG_AGO)
    return build(
        files.config,
        targets=files.config.targets,
        scorers=files.config.scorers,
        root=files.root,
        read_text=relative_reader(files.root),
        door=RehearsalDoor(catalogue),
        connections=connections,
        catalogue=catalogue,
        run_id="doctor",
        open_pages=InventedPages,
    )


def _connections(config: Config, *, offline: bool) -> Connections:
    """Return the roads, with keys where they are there."""
    vendors = vendors_of(config.targets, config.judge)
    stand_in = StandIn()
    if offline:
        return connect(config, vendors=vendors, stand_in=stand_in)
    try:
        return connect(config, vendors=vendors, stand_in=None)
    except (ConfigError, CredentialsError):
        return connect(config, vendors=vendors, stand_in=stand_in)


def _host(env: Mapping[str, str], label: str, environment: str) -> Iterator[Check]:
    token, repository = env.get("GITHUB_TOKEN", ""), env.get("GITHUB_REPOSITORY", "")
    if not token or not repository:
        yield NO_TOKEN
        return
    occasion = _occasion(env)
    api = env.get("GITHUB_API_URL") or "https://api.github.com"
    host = GitHubHost(GitHubAccess(token, api), repository)
    try:
        yield from check_host(
            host,
            pull_request=None if occasion is None else occasion.pull_request,
            label=label,
            environment=environment,
        )
    finally:
        host.close()


def _occasion(env: Mapping[str, str]) -> Occasion | None:
    if env.get("GITHUB_ACTIONS") != "true":
        return None
    try:
        return read_occasion(env)
    except GateError:
        return None
