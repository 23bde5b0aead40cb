"""The container's entry point: the action where a runner starts it, the command line for people.

A GitHub runner starts it as root without a word of its own; `docker run IMAGE gate report ...` is
the command line, as the owner of the folder that it works in, so that what it writes is theirs.
"""

from __future__ import annotations

import importlib
import os
import stat
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import NoReturn

from gate.cli import main as command_line

RUNNERS = (Path("/github"), Path("/run"))
"""Where a runner mounts the workspace, its command files and home, and the engine's socket."""


def main() -> NoReturn:
    """Run what the container was started for."""
    words = words_for(sys.argv[1:], os.environ)
    if words is None:
        close_to_others(RUNNERS)
        _action()
    warning = work_as_owner_of(Path.cwd())
    if warning is not None:
        sys.stderr.write(f"gate: {warning}\n")
    sys.argv = ["gate", *words]
    command_line()


def words_for(arguments: Sequence[str], environment: Mapping[str, str]) -> list[str] | None:
    """Return the words of the command line, or None when the action is to run.

    `IMAGE gate report` and `IMAGE report` are the same.
    """
    words = list(arguments)
    if not words and environment.get("GITHUB_ACTIONS") == "true":
        return None
    if words[:1] == ["gate"]:
        del words[0]
    return words or ["--help"]


def close_to_others(folders: Sequence[Path]) -> None:
    """Let nobody but us enter these folders: foreign code runs as another user.

    They are the container's own, above what is mounted, so nothing changes for the runner. The
    files below are often readable by all.
    """
    for folder in folders:
        with suppress(OSError):  # not there, or not ours to change: then nobody is root here
            folder.chmod(stat.S_IRWXU)


def work_as_owner_of(folder: Path) -> str | None:
    """Become the owner of `folder` where we are root; return what to say when that fails.

    Root alone can, and a container may have taken it from root.
    """
    owner = folder.stat()
    if os.geteuid() != 0 or owner.st_uid == 0:
        return None
    try:
        os.setgroups([])
        os.setresgid(*(owner.st_gid,) * 3)
        os.setresuid(*(owner.st_uid,) * 3)
    except PermissionError:
        if os.access(folder, os.W_OK):
            return None
        user = f"{owner.st_uid}:{owner.st_gid}"
        return f"nothing can be written to this folder: add `--user {user}` to `docker run`"
    return None


def _action() -> NoReturn:
    try:
        action = importlib.import_module("gate.action")
    except ModuleNotFoundError as error:
        if error.name != "gate.action":
            raise
        sys.stderr.write("gate: this image has no action yet; name a command\n")
        sys.exit(2)
    action.enter()
    sys.exit(0)


if __name__ == "__main__":
    main()
