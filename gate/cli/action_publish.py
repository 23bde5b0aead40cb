"""`command: publish` of the action: a folder shown while the runner obeys nothing else."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

from gate.cli.action_job import Job
from gate.cli.hosting import OpenHost
from gate.cli.publish_command import publish_folder
from gate.cli.signals import Signals
from gate.publish.publishing import RunnerFiles
from gate.wire.actions import resume_text, stop_text

__all__ = ["heard", "publish_job"]


def publish_job(
    job: Job,
    env: Mapping[str, str],
    token: str,
    signals: Signals,
    *,
    opened: OpenHost,
    files: RunnerFiles,
) -> int:
    """Show the folder that the inputs name, with the input `token`. Raises CannotRun."""
    values = job.values
    number = values["pull-request"]
    return publish_folder(
        Path(values["path"].strip() or values["out"]),
        {**env, "GITHUB_TOKEN": token},
        signals,
        config_path=job.config_path,
        comment=values["comment"],
        pull_request=int(number) if number else None,
        accept_label=values["accept-label"],
        opened=opened,
        files=files,
    )


def heard(files: RunnerFiles, word: str) -> RunnerFiles:
    """Let the runner hear commands of ours although it was told, with `word`, to obey none."""
    say = files.say
    if say is None:
        return files

    def aloud(text: str) -> None:
        sys.stderr.flush()
        say(f"{resume_text(word)}{text}{stop_text(word)}")

    return replace(files, say=aloud)
