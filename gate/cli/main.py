"""`gate`: finds the command, runs it, and turns what it raises into an exit code.

An unforeseen error is exit 3 with its traceback in a file: Python's own exit 1 means regression
here, and a crash must never look like one.
"""

from __future__ import annotations

import importlib
import sys
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

import click

from gate.cli.output import occupy_standard_streams, tell
from gate.cli.signals import Signals
from gate.errors import GateError, Interrupted

COMMANDS = {
    "init": "write what a repository needs, and say what comes next",
    "run": "ask, judge, compare with the baseline, decide",
    "collect": "ask only: answers to judge elsewhere or later",
    "judge": "score answers, from a collection or from anywhere",
    "merge": "put the parts of a run together",
    "compare": "decide on a stored run",
    "label": "rate answers in the terminal, for people",
    "kappa": "how far the judge agrees with people",
    "sensitivity": "whether the judge sees a small drop",
    "controls": "answers that show whether the judge drifts",
    "baseline": "make a baseline of one run or several",
    "refresh": "a new baseline beside the old one, to be proposed",
    "propose": "open the pull request of a refreshed baseline",
    "estimate": "what a run would cost, before it costs anything",
    "doctor": "what stands in the way of a run, and how to mend it",
    "import": "read other tools' results",
    "report": "render a run or a verdict again",
    "publish": "show a run's folder on its pull request",
    "schema": "print the JSON Schema of a file",
}
"""Command -> what it does; each lives in a file of its own name in this folder."""

BEGINNING = frozenset({"run", "collect", "judge", "sensitivity", "controls"})
"""Commands that say themselves when they have been loaded, since they know their folder."""

EPILOG = """Exit codes: 0 pass, report or tolerated inconclusive; 1 regression; 2 cannot run;
3 no verdict; 130 and 143 interrupted.

\b
Examples:
  gate init                          begin: the files that a repository needs
  gate run --offline                 try it: no key, no network
  gate run --sample 12 --seed pr-7   twelve cases, the same ones each time
  gate compare gate-out/run.json     decide again on a stored run
"""


class LazyGroup(click.Group):
    """Imports a command's file when the command is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Name the commands in the order of a user's work."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import `gate.cli.<name>_command` and return its command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"gate.cli.{cmd_name}_command")
        command: click.Command = module.command
        signals = ctx.find_root().obj
        if cmd_name not in BEGINNING and isinstance(signals, Signals):
            signals.loaded()
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; say of words that its parser did not read whose words they were."""
        try:
            return super().invoke(ctx)
        except click.UsageError as error:
            name = ctx.invoked_subcommand
            command = None if name is None else self.get_command(ctx, name)
            if error.ctx is None and command is not None:
                error.ctx = click.Context(command, info_name=name, parent=ctx)
            raise

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.group(cls=LazyGroup, epilog=EPILOG, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="kappagate", prog_name="gate")
def gate() -> None:
    """Fail a pull request when search or an agent got worse: only on what a judge that agrees with
    people has measured, and only when the drop is more than noise.
    """  # noqa: D205 - click shows it as one paragraph


@dataclass(frozen=True)
class Ending:
    """How a piece of work ended."""

    code: int
    """Exit code."""
    message: str | None = None
    """What was raised, in a sentence; None where it came to its own end."""


def run(signals: Signals) -> NoReturn:
    """Run the command line and exit with the code that the result asks for."""
    occupy_standard_streams()
    ending = perform(lambda: call(sys.argv[1:], signals))
    if ending.message is not None:
        tell(f"gate: {ending.message}")
    sys.exit(ending.code)


def call(words: Sequence[str], signals: Signals) -> int:
    """Run the command of these words and return its exit code. Raises what the command raises."""
    try:
        code = gate.main(args=list(words), prog_name="gate", standalone_mode=False, obj=signals)
    except SystemExit:
        # click's own way out, with exit 1, when the reader of its help went away.
        return 0 if {"-h", "--help", "--version"} & set(words) else 3
    return code if isinstance(code, int) else 0


def perform(work: Callable[[], int]) -> Ending:
    """Do some work and say how it ended; nothing that it raises gets past here."""
    try:
        return Ending(work())
    except (click.exceptions.Abort, Interrupted) as error:
        code = error.exit_code if isinstance(error, Interrupted) else 130
        return Ending(code, "interrupted; nothing was decided")
    except click.ClickException as error:
        return Ending(2, _misread(error))
    except GateError as error:
        return Ending(error.exit_code, str(error))
    except Exception as error:  # noqa: BLE001 - the top: a crash is exit 3 and never 1
        place = _write_traceback()
        return Ending(
            3,
            f"unforeseen {type(error).__name__}: {error}\n"
            f"This is a fault of the gate; please report it with {place}.",
        )


def _misread(error: click.ClickException) -> str:
    """Say what is wrong with the words typed, and which command's help explains them."""
    context = error.ctx if isinstance(error, click.UsageError) else None
    command = "gate" if context is None else context.command_path
    return f"{error.format_message().rstrip('.')}; see `{command} --help`"


def _write_traceback() -> str:
    text = traceback.format_exc()
    place = Path("gate-out") / "traceback.txt"
    try:
        place.parent.mkdir(exist_ok=True)
        place.write_text(text, encoding="utf-8")
    except OSError:
        tell(text)
        return "the traceback above"
    return str(place)
