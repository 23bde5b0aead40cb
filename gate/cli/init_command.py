"""`gate init`: the files that a repository needs, and what to do with them."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import click

from gate.cli.init_choices import ACTION, Asked, Choices, ask
from gate.cli.init_files import CASES, CONFIG, Planned, planned
from gate.cli.init_flows import FLOWS, STARTED
from gate.cli.init_outlook import look_ahead
from gate.cli.init_report import carried_text, files_text, filled, next_text, outlook_text
from gate.cli.init_writing import Pending, look, write
from gate.cli.output import say, tell
from gate.cli.reading import read_config
from gate.cli.signals import Signals
from gate.datasets.promptfoo import Carried, carry_over
from gate.decision.words import listed
from gate.errors import CannotRun, ConfigError
from gate.reports.untrusted import harmless_lines
from gate.wire.files import read_text

EPILOG = """\b
Examples:
  gate init                               three questions, then the files
  gate init --no-runs-code --no-fetch --no-keep-text
  gate init --from promptfooconfig.yaml   with its tests as cases
  gate init --action OWNER/REPO@COMMIT    whose action the workflows take

What is there stays as it is. Nothing is asked of a network, and no key is needed.
"""
_ACTION = re.compile(r"[A-Za-z0-9][\w.-]*/[A-Za-z0-9][\w.-]*(?:/[\w.-]+)*@[\w./-]+", re.ASCII)
_SHA = re.compile(r"[0-9a-f]{40}")


@click.command("init", epilog=EPILOG)
@click.option(
    "--dir",
    "folder",
    default=".",
    metavar="DIR",
    type=click.Path(path_type=Path, file_okay=False),
    help="The repository.  [.]",
)
@click.option(
    "--runs-code/--no-runs-code",
    "runs_code",
    default=None,
    help="Whether a run executes code of the pull request.  [no]",
)
@click.option(
    "--fetch/--no-fetch",
    "fetch",
    default=None,
    help="Whether pages that answers cite are fetched.  [no]",
)
@click.option(
    "--keep-text/--no-keep-text",
    "keep_text",
    default=None,
    help="Whether reports show answers and reasons.  [no]",
)
@click.option(
    "--road",
    type=click.Choice(["keys", "vertex"]),
    default="keys",
    help="Two API keys, or Google Cloud for both.  [keys]",
)
@click.option(
    "--shards",
    type=click.IntRange(1, 20),
    default=1,
    metavar="N",
    help="Parts that a run is measured in, on as many machines; for hundreds of cases.  [1]",
)
@click.option(
    "--from",
    "source",
    type=click.Path(path_type=Path, exists=True, dir_okay=False),
    metavar="promptfooconfig.yaml",
    help="Carry over its tests.",
)
@click.option(
    "--action",
    default=ACTION,
    metavar="OWNER/REPO@REF",
    help=f"The action in the workflows.  [{ACTION}]",
)
@click.option("--force", is_flag=True, help="Write anew what `gate init` wrote and nobody edited.")
@click.option("--yes", is_flag=True, help="Ask nothing: what no flag says is no.")
@click.pass_context
def command(
    context: click.Context,
    /,
    folder: Path,
    *,
    runs_code: bool | None,
    fetch: bool | None,
    keep_text: bool | None,
    road: Literal["keys", "vertex"],
    shards: int,
    source: Path | None,
    action: str,
    force: bool,
    yes: bool,
) -> int:
    """Write gate.yaml, cases, schemas for editors and workflows, and say what comes next.

    Starts report-only: a run gives numbers and fails nothing. In a terminal it asks what no flag
    says; without one it takes no for an answer.
    """
    env = dict(os.environ)
    said: dict[Asked, bool | None] = {
        "runs_code": runs_code,
        "fetch": fetch,
        "keep_text": keep_text,
    }
    _check(road, action, shards, runs_code=runs_code)
    moved = None if source is None else Moved(source.name, _carried(source))
    known = said if force else _with_what_is_there(folder, said)
    decided = _decided(known, asking=not yes)
    choices = Choices(**decided, road=road, shards=shards, action=action)
    _check(road, action, shards, runs_code=choices.runs_code)
    if action != ACTION and not _SHA.fullmatch(action.partition("@")[2]):
        tell(
            f"gate: {action} names no full commit: whoever may write there can change what a tag "
            "or a branch means"
        )
    files = planned(choices, None if moved is None else (moved.name, moved.carried.cases))
    if not force:
        files = _without_other_cases(folder, files, env)
    pending = look(folder, files, force=force)
    found = context.find_root().obj
    signals = found if isinstance(found, Signals) else Signals()
    with signals.held():
        write(folder, pending)
    say(harmless_lines(_told(folder, choices, pending, moved, env)))
    return signals.exit_code or 0


@dataclass(frozen=True)
class Moved:
    """A promptfoo configuration that is carried over."""

    name: str
    """Name of the file."""
    carried: Carried
    """What became of it."""


def _carried(path: Path) -> Carried:
    return carry_over(read_text(path), str(path))


def _check(road: str, action: str, shards: int, *, runs_code: bool | None) -> None:
    """Refuse what would not work. Raises ConfigError."""
    if not _ACTION.fullmatch(action):
        raise ConfigError(f"--action {action!r}: write OWNER/REPO@REF, such as {ACTION}")
    if runs_code and road == "vertex":
        raise ConfigError(
            "--road vertex with --runs-code: a login at Google Cloud leaves its key in the "
            "workspace, where the pull request's code would find it; use --road keys"
        )
    if runs_code and shards > 1:
        raise ConfigError(
            "--shards with --runs-code: the three jobs come in one part; leave one of them out"
        )


def _with_what_is_there(
    folder: Path, said: Mapping[Asked, bool | None]
) -> dict[Asked, bool | None]:
    """Return what flags say, and what the files that stay have decided already."""
    known = dict(said)
    for form, flow in STARTED.items():
        if known["runs_code"] is None and (folder / FLOWS / flow).exists():
            known["runs_code"] = form == "three jobs"
    if (folder / CONFIG).exists():
        known |= {"fetch": bool(known["fetch"]), "keep_text": bool(known["keep_text"])}
    return known


def _without_other_cases(
    folder: Path, files: Sequence[Planned], env: Mapping[str, str]
) -> list[Planned]:
    """Leave our cases out where a configuration that stays has cases elsewhere."""
    try:
        path = read_config(folder / CONFIG, env).dataset.path
    except CannotRun:
        path = CASES
    return [one for one in files if one.path != CASES or path == CASES]


def _decided(known: Mapping[Asked, bool | None], *, asking: bool) -> dict[Asked, bool]:
    """Ask what is not known, in a terminal; otherwise it is no. Raises Abort at its end."""
    unknown = [about for about, said in known.items() if said is None]
    if unknown and asking and sys.stdin.isatty() and sys.stderr.isatty():
        try:
            return ask(known.__getitem__, sys.stdin.readline, _write)
        except EOFError as error:
            raise click.Abort from error
    if unknown:
        flags = ", ".join(f"--no-{about.replace('_', '-')}" for about in unknown)
        tell(f"gate: nothing was asked, so this is no: {flags}")
    return {about: bool(said) for about, said in known.items()}


def _write(text: str) -> None:
    sys.stderr.write(text)
    sys.stderr.flush()


def _repository_above(folder: Path) -> Path | None:
    """Return the root of the repository that the folder lies in; None where it is the root."""
    places = [folder.resolve(), *folder.resolve().parents]
    root = next((place for place in places if (place / ".git").exists()), None)
    return None if root == places[0] else root


def _told(
    folder: Path,
    choices: Choices,
    pending: Pending,
    moved: Moved | None,
    env: Mapping[str, str],
) -> str:
    """Say what was done, what a run will be, and what comes next."""
    parts = [files_text(pending)]
    if moved is not None:
        written = any(one.path == CASES for one in pending.files)
        parts.append(carried_text(moved.name, moved.carried, written=written))
    above = _repository_above(folder)
    if above is not None:
        parts.append(f"GitHub reads workflows in {above} alone, the repository's root.\n")
    started = [flow for flow in STARTED.values() if (folder / FLOWS / flow).exists()]
    if len(started) > 1:
        parts.append(f"The label `gate` starts {listed(started)}: keep one of them.\n")
    if choices.runs_code:
        parts.append(
            "No target of today executes code of a pull request (`gemini`, `recorded`): the three\n"
            "jobs are for a plug-in of yours that does.\n"
        )
    outlook = None
    try:
        outlook = look_ahead(folder / CONFIG, env, datetime.now(UTC).date())
        parts.append(outlook_text(outlook))
    except CannotRun as error:
        parts.append(filled(f"What a run costs is not known: {error}"))
    parts.append(next_text(choices, None if moved is None else moved.carried, outlook))
    parts.append("`gate doctor` says at any time what is missing.\n")
    return "\n".join(parts)
