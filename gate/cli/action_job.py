"""What the action is asked for: its inputs and the host's words, all checked."""

from __future__ import annotations

import os
import stat
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from gate.cli.action_inputs import check_inputs, command_line
from gate.errors import ConfigError
from gate.types import Commits, Occasion
from gate.wire.checkout import checkout_of, checkouts_of, commit_of
from gate.wire.event import read_occasion

__all__ = ["DECIDING", "MEASURING", "Job", "prepare", "warnings_of"]

DECIDING = ("run", "compare")
"""Commands that end with a verdict."""

MEASURING = ("run", "collect")
"""Commands that begin: what lies in their folder before would be gone on with."""

NEEDING_CONFIG = ("run", "collect", "judge", "estimate", "publish", "refresh", "propose")
"""Commands that do nothing without a configuration."""


@dataclass(frozen=True)
class Job:
    """What the action was asked for, all checked."""

    values: Mapping[str, str]
    """The inputs."""
    words: list[str]
    """The command line after `gate`."""
    occasion: Occasion | None
    """What the host says of this run; None outside of a workflow."""

    @property
    def command(self) -> str:
        """The command."""
        return self.values["command"]

    @property
    def out(self) -> Path:
        """Folder of the run, relative to the workspace."""
        return Path(self.values["out"])

    @property
    def written(self) -> tuple[Path, ...]:
        """What the command writes, relative to the workspace."""
        made = self.values["baseline"] if self.command == "baseline" else ""
        return (self.out, *([Path(made)] if made else []))

    @property
    def config_path(self) -> Path:
        """The configuration."""
        return Path(self.values["base-path"]) / self.values["config"]

    @property
    def root(self) -> Path:
        """The configuration's folder, from which its paths start."""
        return self.config_path.parent

    @property
    def candidate(self) -> Path | None:
        """The candidate's tree, where there are two."""
        path = self.values["candidate-path"]
        return Path(path) if path else None

    @property
    def folder(self) -> PurePosixPath:
        """The configuration's folder in each tree."""
        return PurePosixPath(self.values["config"]).parent

    def told(self, words: Sequence[str]) -> Job:
        """Return the job with more options of its command."""
        command, *rest = self.words
        return replace(self, words=[command, *words, *rest])


def prepare(given: Mapping[str, str], env: Mapping[str, str]) -> Job:
    """Check the inputs, go to the workspace, and make the command line. Raises GateError."""
    workspace = env.get("GITHUB_WORKSPACE")
    if workspace:
        try:
            os.chdir(workspace)
        except OSError as error:
            raise ConfigError(
                f"the workspace cannot be entered ({error.strerror}): mount it, and run the "
                "container as root, as the runner does",
                workspace,
            ) from error
    values = check_inputs(given)
    _check_folder(Path(values["out"]), fresh=values["command"] in MEASURING)
    _check_config(values)
    occasion = read_occasion(env) if env.get("GITHUB_ACTIONS") == "true" else None
    return Job(values, command_line(values, _commits(values, occasion)), occasion)


def warnings_of(job: Job) -> tuple[str, ...]:
    """Say where a pull request decides on itself."""
    occasion = job.occasion
    alone = not job.values["candidate-path"] and not job.values["replay"]
    if job.command != "run" or not alone or occasion is None or occasion.pull_request is None:
        return ()
    said = (
        "There is one checkout, so the pull request's own configuration, cases and baseline "
        "decide on it: check out the base beside it, and name both with `base-path` and "
        "`candidate-path`, as docs/action.md shows."
    )
    return (said,)


def _check_folder(out: Path, *, fresh: bool) -> None:
    """Refuse a folder of results that somebody may have prepared.

    A journal in it would be believed, its answers as paid for; a link in it would be written
    through, by root. `fresh` is for a command that begins: there must be nothing.
    """
    if fresh and out.is_dir() and any(out.iterdir()):
        raise ConfigError(
            f"the folder {out} of the input `out` is not empty, and what lies there would be gone "
            "on with: a checkout may have brought it. Name a folder that no tree has, or let each "
            "job run the gate once"
        )
    for folder, names, files in os.walk(out):
        for name in (*names, *files):
            kind = (Path(folder) / name).lstat().st_mode
            if not (stat.S_ISREG(kind) or stat.S_ISDIR(kind)):
                raise ConfigError(
                    f"{Path(folder) / name} in the folder of the input `out` is a link or no file: "
                    "nothing is read from it or written to it"
                )


def _check_config(values: Mapping[str, str]) -> None:
    """Say what a workflow forgets most often. Raises ConfigError."""
    path = Path(values["base-path"]) / values["config"]
    if values["command"] in NEEDING_CONFIG and not path.exists():
        raise ConfigError(
            "there is no such configuration in the workspace: does a step with actions/checkout "
            "come before this one, with the `path` that the input `base-path` names? If the file "
            "lies elsewhere, say so with the input `config`",
            path,
        )


def _commits(values: Mapping[str, str], occasion: Occasion | None) -> Commits:
    """Return the commits as the host tells them, and as the checkouts have them.

    Where there are two checkouts, the base is what lies there: the branch may have moved on.
    """
    base, candidate = Path(values["base-path"]), values["candidate-path"]
    told = None if occasion is None else occasion.base_sha
    if candidate:
        base, measured = checkouts_of(base, Path(candidate))
    else:
        measured = checkout_of(base) or base
    return Commits(
        # Where there is one checkout, the base decides nothing.
        base=(commit_of(base) or told) if candidate else None,
        head=None if occasion is None else occasion.head_sha,
        # What was measured in another job is not what lies here: the run says which commit it was.
        evaluated=None if values["command"] == "compare" else commit_of(measured),
    )
