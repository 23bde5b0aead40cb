"""What the host says of a head: which commits, which attempts before, who accepted a regression.

An action fills these in; a person seldom has to, so they are left out of the help of a command.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

import click

from gate.cli.reading import read_attempts_file
from gate.decision.on_head import Head, acceptance_of
from gate.errors import ConfigError
from gate.types import Commits

C = TypeVar("C", bound=Callable[..., Any])

_SHA = re.compile(r"[0-9a-fA-F]{7,64}")

_COMMITS = tuple(
    click.option(f"--{which}-sha", metavar="SHA", hidden=True, help=f"Commit: {what}.")
    for which, what in (
        ("base", "the tree whose files decide"),
        ("head", "head of the pull request"),
        ("evaluated", "the tree that is measured"),
    )
)

_DECISION = (
    click.option(
        "--attempts",
        type=click.Path(path_type=Path, dir_okay=False, exists=True),
        hidden=True,
        help="Attempts before this one on the same head: they are pooled with it.",
    ),
    click.option(
        "--accepted-by",
        metavar="NAME",
        hidden=True,
        help="Maintainer who accepted the regression of --accepted-sha: exit 0 for that head.",
    ),
    click.option("--accepted-sha", metavar="SHA", hidden=True, help="The head that was accepted."),
)


def commit_options(command: C) -> C:
    """Add --base-sha, --head-sha and --evaluated-sha."""
    return _added(command, _COMMITS)


def head_options(command: C) -> C:
    """Add the commits and what bears on a decision: --attempts, --accepted-by, --accepted-sha."""
    return _added(command, (*_COMMITS, *_DECISION))


def commits_of(base: str | None, head: str | None, evaluated: str | None) -> Commits:
    """Return the three commits. Raises ConfigError for what is no commit's name."""
    return Commits(
        base=_checked("--base-sha", base),
        head=_checked("--head-sha", head),
        evaluated=_checked("--evaluated-sha", evaluated),
    )


def with_commits(known: Commits, said: Commits) -> Commits:
    """Return what is known of the commits, and of those that are `said` what was said."""
    return known.model_copy(update=said.model_dump(exclude_none=True))


def read_head(attempts: Path | None, accepted_by: str | None, accepted_sha: str | None) -> Head:
    """Read the attempts, and check who accepted which head.

    Raises ConfigError for what is no name or no commit, and FileError for another file.
    """
    return Head(
        earlier=read_attempts_file(attempts),
        acceptance=acceptance_of(accepted_by, _checked("--accepted-sha", accepted_sha)),
        path=None if attempts is None else str(attempts),
    )


def _checked(option: str, text: str | None) -> str | None:
    """Return a commit's name in small letters; it is shown, so it must be one."""
    if text is None:
        return None
    if not _SHA.fullmatch(text):
        raise ConfigError(f"{option} {text!r} is no commit: give 7 to 64 hexadecimal digits")
    return text.lower()


def _added(command: C, options: tuple[Callable[[C], C], ...]) -> C:
    for option in reversed(options):
        command = option(command)
    return command
