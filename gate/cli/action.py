"""The action's own main: inputs -> the named command, in this process -> published -> exit code.

Here the gate is process 1 of a container that a workflow's runner started. What the command prints
stands between `stop-commands` and its token, since names from files stand in it.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal, NoReturn

from gate.cli.action_inputs import INPUTS, check_inputs, command_line
from gate.cli.concluding import conclude
from gate.cli.hosting import Host, OpenHost, open_host
from gate.cli.inputs import read_inputs
from gate.cli.main import Ending, call, perform
from gate.cli.output import occupy_standard_streams, tell
from gate.cli.reading import read_config
from gate.cli.showing import (
    REQUIRED,
    Audience,
    comment_mode,
    place_of,
    runner_files,
    show_report,
)
from gate.cli.signals import Signals
from gate.config import Config
from gate.errors import ConfigError, GateError
from gate.publish.outputs import paths_of
from gate.publish.publishing import Place, RunnerFiles, warn, write_outputs
from gate.reports.untrusted import plain
from gate.types import Commits, Failure, Occasion, Report, Run, Verdict
from gate.wire.actions import (
    Annotation,
    annotation_text,
    input_values,
    mask_text,
    new_token,
    resume_text,
    stop_text,
)
from gate.wire.checkout import commit_of
from gate.wire.event import read_occasion

__all__ = ["act", "run_action"]

SECRETS = ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GITHUB_TOKEN")
"""Variables whose values the runner is told to hide, besides the input `token`."""

SCRUBBED = (
    *("INPUT_TOKEN", "GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_RUNTIME_URL"),
    *("ACTIONS_RESULTS_URL", "ACTIONS_CACHE_URL"),
    *("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL"),
)
"""Variables that no command needs and no child process must see."""

DECIDING = ("run", "compare")
"""Commands that end with a verdict."""


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
    def config_path(self) -> Path:
        """The configuration."""
        return Path(self.values["base-path"]) / self.values["config"]


def run_action(signals: Signals) -> NoReturn:
    """Do what the environment asks for and exit with the command's exit code."""
    occupy_standard_streams()
    env = dict(os.environ)
    if runner_files(env).say is not None:
        # The runner reads two streams side by side: only in one of them has stopping commands and
        # starting them again a place.
        os.dup2(1, 2)
    ending = perform(lambda: act(env, signals, environment=os.environ))
    if ending.message is not None:
        tell(f"gate: {ending.message}")
    sys.exit(ending.code)


def act(
    env: Mapping[str, str],
    signals: Signals,
    *,
    environment: MutableMapping[str, str],
    opened: OpenHost = open_host,
) -> int:
    """Run the command that the inputs ask for, publish what came of it, return its exit code.

    `env` is what the runner gave. `environment` is the process's own: credentials of the runner
    are taken out of it before anything else is started.
    """
    files = runner_files(env)
    given = input_values(env, [one.name for one in INPUTS])
    token = given["token"]
    if files.say is not None:
        secrets = [token, *(env.get(name, "") for name in SECRETS)]
        files.say("".join(mask_text(one) for one in dict.fromkeys(secrets)))
    for name in SCRUBBED:
        environment.pop(name, None)
    try:
        job = prepare(given, env)
    except GateError as error:
        tell(f"gate: {error}")
        return _say_failure(Ending(error.exit_code, str(error)), files)
    if job.command == "publish" and token:
        environment["GITHUB_TOKEN"] = token
    ending = _call(job, signals, files)
    if job.command == "publish":
        return _say_failure(ending, files) if ending.message is not None else ending.code
    return _publish(job, ending, _Around(env, signals, files, token, opened))


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
    occasion = read_occasion(env) if env.get("GITHUB_ACTIONS") == "true" else None
    return Job(values, command_line(values, _commits(values, occasion)), occasion)


def _commits(values: Mapping[str, str], occasion: Occasion | None) -> Commits:
    """Return the commits as the host tells them, and as the checkouts have them.

    Where there are two checkouts, the base is what lies there: the branch may have moved on.
    """
    base, candidate = Path(values["base-path"]), values["candidate-path"]
    told = None if occasion is None else occasion.base_sha
    return Commits(
        base=(commit_of(base) or told) if candidate else told,
        head=None if occasion is None else occasion.head_sha,
        evaluated=commit_of(Path(candidate) if candidate else base),
    )


@dataclass(frozen=True)
class _Around:
    """What publishing is handed."""

    env: Mapping[str, str]
    signals: Signals
    files: RunnerFiles
    token: str
    opened: OpenHost


def _call(job: Job, signals: Signals, files: RunnerFiles) -> Ending:
    """Run the command, its output out of the runner's reach."""
    # What is typed stands in reports, to have the run again.
    sys.argv = ["gate", *job.words]
    word = new_token()
    if files.say is not None:
        files.say(stop_text(word))
    ending = perform(lambda: call(job.words, signals))
    if ending.message is not None:
        tell(f"gate: {ending.message}")
    if files.say is not None:
        sys.stderr.flush()
        files.say(resume_text(word))
    return ending


def _publish(job: Job, ending: Ending, around: _Around) -> int:
    """Show what came of the command; what fails is a warning, unless the comment is required."""
    code = ending.code
    required = job.values["comment"] == REQUIRED
    shown: list[bool] = []

    def work() -> int:
        config = _config(job, around.env)
        report = _report(job, ending, config)
        candidate = Path(job.values["candidate-path"]) if job.values["candidate-path"] else None
        place = place_of(job.out, config, job.config_path.parent, candidate)
        if ending.message is not None:
            # What lies there is another run's.
            place = replace(place, names=())
        if report is None:
            shown.append(True)
            _tell_end(ending, place, around.files)
            return 0
        # Of a command that failed, nothing but its configuration says whose status it is.
        named = config is not None or ending.message is None
        audience = Audience(
            job.occasion,
            lambda: _open(job, around) if named else None,
            around.files,
            comment_mode(job.values["comment"]),
        )
        shown.append(show_report(report, place, audience, around.signals).commented)
        return 0

    with around.signals.held():
        after = perform(work)
    if after.message is not None:
        warning = f"Publishing failed: {plain(after.message)}"
        tell(f"gate: warning: {warning}")
        warn([warning], around.files)
    if required and not any(shown) and code == 0:
        code = 2
    return around.signals.exit_code or code


def _open(job: Job, around: _Around) -> Host | None:
    if job.occasion is None or not around.token:
        return None
    return around.opened(job.occasion, around.token)


def _config(job: Job, env: Mapping[str, str]) -> Config | None:
    """Read the configuration once more, for its name and its cases; None where there is none."""
    try:
        return read_config(job.config_path, env)
    except GateError:
        return None


def _report(job: Job, ending: Ending, config: Config | None) -> Report | None:
    """Return what is to be shown; None of a command that decides nothing."""
    if job.command not in DECIDING:
        return None
    if ending.message is None:
        question = read_inputs(job.out)
        return None if question is None else conclude(question)
    codes: dict[int, Literal[2, 3, 130, 143]] = {2: 2, 130: 130, 143: 143}
    return Report(
        name="default" if config is None else config.name,
        verdict=Verdict(
            status="broken",
            exit_code=codes.get(ending.code, 3),
            headline=ending.message,
            broken=Failure(kind="error", message=ending.message),
        ),
        run=Run(id="none"),
    )


def _tell_end(ending: Ending, place: Place, files: RunnerFiles) -> None:
    """Give the outputs of a command without a verdict."""
    said = {"exit-code": str(ending.code), "headline": plain(ending.message or "")}
    warn(write_outputs({**said, **paths_of(place.folder, place.names)}, files), files)
    if ending.message is not None:
        _annotate(ending.message, files)


def _say_failure(ending: Ending, files: RunnerFiles) -> int:
    """Tell what kept the command from running, and return the exit code."""
    message = ending.message or ""
    write_outputs(
        {"status": "broken", "exit-code": str(ending.code), "headline": plain(message)}, files
    )
    _annotate(message, files)
    return ending.code


def _annotate(message: str, files: RunnerFiles) -> None:
    if files.say is not None:
        files.say(annotation_text(Annotation("error", plain(message), "Kappagate cannot run")))
