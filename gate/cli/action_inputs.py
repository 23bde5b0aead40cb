"""The inputs of the action, checked, and the command line that they make.

The runner enforces nothing: every value is a text, a missing one is empty, and neither `required`
nor a list of choices has an effect. So all of it is checked here, before anything is read.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

import click

from gate.cli.answers import ANSWERS
from gate.cli.reading import RUN
from gate.cli.showing import COMMENT_MODES
from gate.errors import ConfigError
from gate.publish.accepting import ACCEPT
from gate.types import Commits

__all__ = [
    "ACTION_COMMANDS",
    "CHECKUP",
    "INPUTS",
    "Input",
    "check_handed",
    "check_inputs",
    "command_line",
    "names_in",
]

ACTION_COMMANDS = (
    *("run", "collect", "judge", "merge", "compare", "publish", "baseline", "refresh", "propose"),
    *("doctor", "estimate"),
)
"""Commands that the action may be asked for."""


@dataclass(frozen=True)
class Input:
    """One input of the action."""

    name: str
    """Its name in action.yml."""
    default: str = ""
    """Its value where a workflow leaves it out; a command that does not take it takes that."""
    flag: str | None = None
    """The option of the command that it becomes; None where it is for the action itself."""
    allowed: tuple[str, ...] = ()
    """All values that it may have, besides its default; empty where there are too many to list."""
    form: str | None = None
    """Regular expression of its values; None for any text."""
    kind: str = ""
    """What its values are, in words, where there is a form."""
    many: bool = False
    """Whether it holds several values, with commas or line ends between them."""


CHECKUP = "doctor.md"
"""File of a check-up in the folder of `out`."""
_COUNT = r"[1-9][0-9]{0,8}"

INPUTS = (
    Input("command", "run", allowed=ACTION_COMMANDS),
    Input("config", "gate.yaml"),
    Input("base-path", "."),
    Input("candidate-path", flag="--candidate-path"),
    Input("path"),
    Input("out", "gate-out"),
    Input("sample", flag="--sample", form=rf"full|{_COUNT}", kind="`full` or a number from 1 on"),
    Input("seed", flag="--seed"),
    Input(
        "shard",
        flag="--shard",
        form=rf"{_COUNT}/{_COUNT}",
        kind="a part of the plan, such as 1/2",
    ),
    Input("targets", flag="--target", many=True),
    Input("scorers", flag="--scorer", many=True),
    Input("repeats", flag="--repeats", form=_COUNT, kind="a number from 1 on"),
    Input(
        "max-cost",
        flag="--max-cost",
        form=r"[0-9]{1,9}(?:\.[0-9]{1,9})?",
        kind="US dollars, such as 2.50",
    ),
    Input("baseline", flag="--baseline"),
    Input("on-inconclusive", flag="--on-inconclusive", allowed=("pass", "fail")),
    Input("reason", flag="--reason"),
    Input("report-only", "false", flag="--report-only", allowed=("true", "false")),
    Input("offline", "false", flag="--offline"),
    Input("replay", flag="--replay"),
    Input("reuse", flag="--reuse"),
    Input("comment", "update", allowed=COMMENT_MODES),
    Input("accept-label", ACCEPT, flag="--accept-label"),
    Input("pull-request", flag="--pull-request", form=_COUNT, kind="a number from 1 on"),
    Input("token"),
)
"""Every input, in the order of action.yml. `token` has the job's own token as its default there."""


_THE_ACTIONS_OWN = frozenset(
    {("baseline", "baseline"), ("accept-label", "run"), ("accept-label", "compare")}
)
"""Inputs that mean something to a command although it has no such option."""


def check_inputs(given: Mapping[str, str]) -> dict[str, str]:
    """Return the inputs with their defaults filled in.

    Raises ConfigError that names the input, its value and what is allowed.
    """
    values = {one.name: given.get(one.name, "") or one.default for one in INPUTS}
    for one in INPUTS:
        value = values[one.name]
        if value == one.default:
            continue
        if one.allowed and value not in one.allowed:
            raise ConfigError(_refusal(one, value, f"one of {', '.join(one.allowed)}"))
        if one.form is not None and not re.fullmatch(one.form, value):
            raise ConfigError(_refusal(one, value, one.kind))
        if "\0" in value or ("\n" in value and not one.many and one.name != "path"):
            raise ConfigError(_refusal(one, value, "a text on one line"))
    _check_places(values)
    return values


def command_line(values: Mapping[str, str], commits: Commits | None = None) -> list[str]:
    """Return the words after `gate` for checked inputs, on these commits.

    Raises ConfigError for an input that the command does not take: what is asked for and not done
    would be missed by nobody.
    """
    command, out = values["command"], values["out"]
    flags = flags_of(command)
    words = [command]
    config = PurePosixPath(values["base-path"]) / values["config"]
    # A command that needs no configuration does without one; the default must not be in its way.
    if "--config" in flags and (command not in ("compare", "publish") or Path(config).exists()):
        words.append(f"--config={config}")
    elif "--config" not in flags and values["config"] != "gate.yaml":
        raise ConfigError(_not_taken("config", command))
    if "--base-path" in flags and (values["base-path"] != "." or values["candidate-path"]):
        words.append(f"--base-path={values['base-path']}")
    always = {"--out": out, "--markdown": f"{out}/{CHECKUP}", "--comment": values["comment"]}
    words += [f"{flag}={value}" for flag, value in always.items() if flag in flags]
    for one in INPUTS:
        value = values[one.name]
        if one.flag is None or value == one.default:
            continue
        if one.flag in flags:
            words += _option(one, value)
        elif (one.name, command) not in _THE_ACTIONS_OWN:
            raise ConfigError(_not_taken(one.name, command))
    told = {} if commits is None else commits.model_dump(exclude_none=True)
    shas = [f"--{which}-sha={sha}" for which, sha in told.items() if f"--{which}-sha" in flags]
    return [*words, *shas, *_arguments(command, values)]


def flags_of(command: str) -> frozenset[str]:
    """Return the options of a command."""
    found: click.Command = importlib.import_module(f"gate.cli.{command}_command").command
    return frozenset(flag for one in found.params for flag in one.opts)


def names_in(value: str) -> list[str]:
    """Return the values that stand in one input, with commas or line ends between them."""
    return [name for one in re.split(r"[,\n]", value) if (name := one.strip())]


def _option(one: Input, value: str) -> list[str]:
    """Write an option so that no value of it can be taken for another option."""
    if one.name == "report-only":
        return ["--report-only"] if value == "true" else []
    if one.many:
        return [f"{one.flag}={name}" for name in names_in(value)]
    if one.name == "offline" and value == "true":
        return ["--offline"]
    return [f"{one.flag}={value}"]


@dataclass(frozen=True)
class _Handed:
    """What a command reads that another job made."""

    by: str
    """The job, by what it does."""
    what: str
    """What it makes, in words."""
    file: str | None
    """Its file in the folder of `out`; None where it is the folder."""


_RUNS = _Handed("measures", "run", RUN)
_HANDED = {
    "judge": _Handed("collects", "answers", ANSWERS),
    "compare": _RUNS,
    "baseline": _RUNS,
    "refresh": _RUNS,
    "publish": _Handed("measures", "results", None),
    "propose": _Handed("refreshes the baseline", "change", None),
}


def check_handed(values: Mapping[str, str]) -> None:
    """Raise ConfigError where another job left nothing of what the command reads."""
    handed = _HANDED.get(values["command"])
    if handed is None:
        return
    for path in _paths(values) or [_default(values) or ""]:
        place = Path(path)
        if handed.file is not None and place.is_dir():
            place = place / handed.file
        if not place.exists():
            raise ConfigError(
                f"the job that {handed.by} left no {handed.what}: {place} is not here. Its log "
                "says why; if it ended well, look at the step that hands its folder to this job, "
                "and at the inputs `out` and `path`"
            )


def _paths(values: Mapping[str, str]) -> list[str]:
    return [path.strip() for path in values["path"].split("\n") if path.strip()]


def _default(values: Mapping[str, str]) -> str | None:
    """Return what the command reads unless `path` names it; None where it reads nothing."""
    if values["command"] == "merge":
        return "parts"
    handed = _HANDED.get(values["command"])
    if handed is None:
        return None
    return values["out"] if handed.file is None else f"{values['out']}/{handed.file}"


def _arguments(command: str, values: Mapping[str, str]) -> list[str]:
    out, paths, default = values["out"], _paths(values), _default(values)
    if default is None:
        if paths:
            raise ConfigError(_not_taken("path", command))
        return []
    if len(paths) > 1 and command not in ("baseline", "refresh"):
        raise ConfigError(
            f"the input `path` names {len(paths)} files, and `command: {command}` reads one"
        )
    if command == "merge":
        return [f"--output={out}/{RUN}", "--", *_parts(paths[0] if paths else default)]
    if command == "baseline":
        if not values["baseline"]:
            raise ConfigError(
                "the input `baseline` is empty, and `command: baseline` writes the file that it "
                "names: write `baseline: baseline.json`"
            )
        return [f"--write={values['baseline']}", "--", *(paths or [default])]
    return ["--", *(paths or [default])]


def _parts(folder: str) -> list[str]:
    """Return the folders of the parts, which a workflow downloaded side by side into one."""
    parts = sorted(str(path.parent) for path in Path(folder).glob(f"*/{RUN}"))
    if not parts:
        raise ConfigError(
            f"{folder} has no folder with a {RUN}: download the parts there, each into a folder of "
            "its own; where a part failed, its job says why"
        )
    return parts


_FOLDERS = ("config", "base-path", "candidate-path", "out", "baseline", "reuse")
"""Inputs that name a place below the workspace."""


def _check_places(values: Mapping[str, str]) -> None:
    """Refuse what leads out of the workspace, and a place of results behind a link.

    A tree that a stranger wrote may have put the link there.
    """
    for name in _FOLDERS:
        path = PurePosixPath(values[name])
        if path.is_absolute() or ".." in path.parts:
            raise ConfigError(_refusal_of_place(name, values[name]))
    if str(PurePosixPath(values["out"])) == ".":
        raise ConfigError(_refusal_of_place("out", values["out"]))
    written = ["out", *(["baseline"] if values["command"] == "baseline" else [])]
    for name in written:
        path = PurePosixPath(values[name])
        for place in (path, *path.parents):
            if Path(place).is_symlink():
                raise ConfigError(
                    f"the input `{name}` is {values[name]!r}, and {place} is a link: results are "
                    "written to no place that a tree chooses; name another"
                )


def _refusal_of_place(name: str, value: str) -> str:
    return (
        f"the input `{name}` is {value!r}: it must be below the workspace, such as "
        f"{_EXAMPLES.get(name, 'gate-out')}"
    )


_EXAMPLES = {
    "config": "gate.yaml",
    "base-path": "base",
    "candidate-path": "candidate",
    "baseline": "baseline.json",
    "reuse": "judged/journal.sqlite",
}


def _refusal(one: Input, value: str, allowed: str) -> str:
    shown = value if len(value) <= 100 else f"{value[:99]}…"  # noqa: PLR2004 - a line of a log
    return f"the input `{one.name}` is {shown!r}: it must be {allowed}"


def _not_taken(name: str, command: str) -> str:
    return f"the input `{name}` means nothing to `command: {command}`: leave it out"
