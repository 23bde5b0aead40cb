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
from tempfile import TemporaryDirectory
from typing import Literal, NoReturn

from gate.cli.action_inputs import CHECKUP, INPUTS, check_handed
from gate.cli.action_job import DECIDING, Job, prepare, warnings_of
from gate.cli.action_publish import heard, publish_job
from gate.cli.beforehand import NOTHING_SAID, Beforehand, ask_beforehand, unread, words_of
from gate.cli.concluding import conclude
from gate.cli.hosting import Host, OpenHost, open_host
from gate.cli.inputs import ATTEMPTS, FOLDER, read_inputs
from gate.cli.main import Ending, call, perform
from gate.cli.output import occupy_standard_streams, tell
from gate.cli.reading import read_config
from gate.cli.showing import (
    REQUIRED,
    Audience,
    comment_mode,
    in_time,
    place_of,
    runner_files,
    show_report,
)
from gate.cli.signals import Signals
from gate.cli.starting import starting_text
from gate.config import Config
from gate.decision.attempts_file import attempts_text
from gate.errors import ConfigError, GateError
from gate.publish.outputs import paths_of
from gate.publish.publishing import Place, Posted, RunnerFiles, warn, write_outputs
from gate.reports.untrusted import plain
from gate.types import Failure, Occasion, Report, Run, Verdict
from gate.types.report import UNNAMED
from gate.wire.actions import (
    Annotation,
    annotation_text,
    append_text,
    input_values,
    mask_text,
    new_token,
    resume_text,
    stop_text,
)
from gate.wire.files import read_text, write_text
from gate.wire.owner import give_to_owner

__all__ = ["act", "run_action"]

SECRETS = ("ANTHROPIC_API_KEY", "GEMINI_API_KEY", "GOOGLE_API_KEY", "GITHUB_TOKEN")
"""Variables whose values the runner is told to hide, besides the input `token`."""

SCRUBBED = (
    *("INPUT_TOKEN", "GITHUB_TOKEN", "ACTIONS_RUNTIME_TOKEN", "ACTIONS_RUNTIME_URL"),
    *("ACTIONS_RESULTS_URL", "ACTIONS_CACHE_URL"),
    *("ACTIONS_ID_TOKEN_REQUEST_TOKEN", "ACTIONS_ID_TOKEN_REQUEST_URL"),
)
"""Variables that no command needs and no child process must see."""

ASKING_HOST = ("publish", "propose", "doctor")
"""Commands that talk to the host themselves, with the input `token`."""

RUN_EVALS = "RUN_EVALS"
"""Variable without whose `1` no paid run begins."""


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
    if job.command in ASKING_HOST and token:
        environment["GITHUB_TOKEN"] = token
    try:
        return _perform(job, _Around(env, signals, files, token, opened))
    finally:
        give_to_owner(Path(), job.written)


@dataclass
class _Around:
    """What is around the command."""

    env: Mapping[str, str]
    """What the runner gave."""
    signals: Signals
    """What came."""
    files: RunnerFiles
    """The runner's files."""
    token: str
    """The token."""
    opened: OpenHost
    """Opens the host."""
    _host: Host | None = None

    def host_of(self, occasion: Occasion | None) -> Host | None:
        """Return the host, which is opened once; None without a token. Raises GateError."""
        if self._host is None and occasion is not None and self.token:
            self._host = self.opened(occasion, self.token)
        return self._host


def _perform(job: Job, around: _Around) -> int:
    said = _ask(job, around)
    ending = _call(job, said, around)
    if job.command == "publish":
        return _say_failure(ending, around.files) if ending.message is not None else ending.code
    return _publish(job, ending, around, (*said.warnings, *warnings_of(job)))


def _ask(job: Job, around: _Around) -> Beforehand:
    """Ask the host what it knows of the head, and tell it that the run begins.

    What cannot be had is a warning: a run is not the host's to stop.
    """
    occasion, config = job.occasion, _config(job, around.env)
    # A journal measures nothing anew: pooled with itself it would count twice.
    if job.command not in DECIDING or job.values["replay"] or occasion is None or config is None:
        return NOTHING_SAID
    if occasion.pull_request is None or not around.token or around.signals.received is not None:
        return NOTHING_SAID
    found: list[Beforehand] = []

    def ask() -> Posted:
        host = around.host_of(occasion)
        if host is not None and host.past is not None:
            label = job.values["accept-label"]
            found.append(ask_beforehand(host.past, occasion, config.name, label))
        return Posted()

    failed = in_time(ask, around.signals, doing="Reading earlier attempts").warnings
    told = found[0] if found else NOTHING_SAID
    said = unread(occasion, " ".join(failed)) if failed else told
    if said.asked:
        _announce(job, occasion, config, around)
    return said


def _announce(job: Job, occasion: Occasion, config: Config, around: _Around) -> None:
    """Post the comment of a run that begins; what fails is told in the log alone."""
    free = job.values["offline"] != "false"
    mode = comment_mode(job.values["comment"])
    if around.signals.received is not None:
        return
    if job.command != "run" or mode == "off" or not (free or around.env.get(RUN_EVALS) == "1"):
        return

    def announce() -> Posted:
        host = around.host_of(occasion)
        if host is None or host.past is None:
            return Posted()
        body = starting_text(config, job.root, job.values)
        warning = host.past.announce(occasion, config.name, body, mode=mode).warning
        return Posted(warnings=() if warning is None else (warning,))

    for warning in in_time(announce, around.signals, doing="Posting that the run begins").warnings:
        tell(f"gate: warning: {plain(warning)}")


def _call(job: Job, said: Beforehand, around: _Around) -> Ending:
    """Run the command on what was said, its output out of the runner's reach."""
    signals, files = around.signals, around.files
    # What is typed stands in reports, to have the run again: with the copy of the attempts there.
    sys.argv = ["gate", *job.told(words_of(said, job.out / FOLDER / ATTEMPTS)).words]

    def work() -> int:
        # Not before: a verdict that cannot be made is shown as an error, so that nobody waits.
        check_handed(job.values)
        with TemporaryDirectory(prefix="gate-") as folder:
            file = Path(folder) / ATTEMPTS
            if said.earlier is not None:
                write_text(file, attempts_text(said.earlier))
            if job.command == "publish":
                return publish_job(
                    job,
                    around.env,
                    around.token,
                    signals,
                    opened=around.opened,
                    files=heard(files, word),
                )
            return call(job.told(words_of(said, file)).words, signals)

    word = new_token()
    if files.say is not None:
        files.say(stop_text(word))
    ending = perform(work)
    if ending.message is not None:
        tell(f"gate: {ending.message}")
    if files.say is not None:
        sys.stderr.flush()
        files.say(resume_text(word))
    return ending


def _publish(job: Job, ending: Ending, around: _Around, warnings: tuple[str, ...]) -> int:
    """Show what came of the command; what fails is a warning, unless the comment is required."""
    code = ending.code
    required = job.values["comment"] == REQUIRED
    shown: list[bool] = []

    def work() -> int:
        config = _config(job, around.env)
        report = _report(job, ending, config)
        theirs = None if job.candidate is None else (job.candidate, job.folder)
        place = place_of(job.out, config, job.root, theirs)
        if ending.message is not None:
            # What lies there is another run's.
            place = replace(place, names=())
        if report is None:
            shown.append(True)
            _tell_end(ending, place, around.files)
            _show_checkup(job, around.files)
            return 0
        # Of a command that failed, nothing but its configuration says whose status it is.
        named = config is not None or ending.message is None
        audience = Audience(
            job.occasion,
            lambda: around.host_of(job.occasion) if named else _nobodys(),
            around.files,
            comment_mode(job.values["comment"]),
            warnings,
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
        _tell_missing_comment(around.files)
    return around.signals.exit_code or code


def _nobodys() -> Host | None:
    """Say why nothing is posted. Raises ConfigError."""
    raise ConfigError(
        "without a configuration that can be read nobody knows whose comment and status it would "
        "be: mend the configuration"
    )


def _tell_missing_comment(files: RunnerFiles) -> None:
    """Say why a run that has a verdict fails: its exit code is not the verdict's."""
    write_outputs({"exit-code": "2"}, files)
    _annotate(
        "The comment is required, and it could not be posted: the warnings above say why.", files
    )


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
        name=UNNAMED if config is None else config.name,
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


def _show_checkup(job: Job, files: RunnerFiles) -> None:
    """Put the lines of a check-up into the job summary."""
    lines = job.out / CHECKUP
    if job.command == "doctor" and files.summary is not None and lines.is_file():
        append_text(files.summary, read_text(lines))


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
