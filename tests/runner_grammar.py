"""How a workflow's runner reads what an action writes: its file commands and its log commands.

Facts of actions/runner 2.336 in our own words, so that tests read back with other code than wrote.
"""

from __future__ import annotations

from dataclasses import dataclass

COMMANDS = frozenset(
    {
        *("error", "warning", "notice", "debug", "add-mask", "group", "endgroup", "echo"),
        *("stop-commands", "set-output", "save-state", "set-env", "add-path", "add-matcher"),
        "remove-matcher",
    }
)
"""Names that mean something."""


def read_file_commands(text: str) -> dict[str, str]:
    """Read an outputs file; raises ValueError where the runner would fail the step.

    Which of `=` and `<<` stands first in a line says which of its two forms it has. Only a line
    feed ends a line.
    """
    found: dict[str, str] = {}
    lines = iter(text.removesuffix("\n").split("\n") if text else ())
    for line in lines:
        equals, arrows = line.find("="), line.find("<<")
        if not line:
            continue
        if equals >= 0 and not 0 <= arrows < equals:
            found[line[:equals]] = line[equals + 1 :]
            continue
        name, delimiter = line[: max(arrows, 0)], line[arrows + 2 :]
        if arrows < 0 or not name or not delimiter:
            message = f"not of the runner's form: {line!r}"
            raise ValueError(message)
        value = []
        for inner in lines:
            if inner == delimiter:
                break
            value.append(inner)
        else:
            message = f"no end {delimiter!r}"
            raise ValueError(message)
        found[name] = "\n".join(value)
    return found


@dataclass(frozen=True)
class Command:
    """A line that the runner obeys."""

    name: str
    """What it is told to do, in lower case."""
    properties: dict[str, str]
    """Its properties."""
    text: str
    """The rest of the line."""


def read_command(line: str) -> Command | None:
    """Read a line of the log; None where the runner sees nothing in it but text."""
    line = line.lstrip()
    head, found, text = line.removeprefix("::").partition("::")
    if not line.startswith("::") or not found:
        return None
    name, _, properties = head.partition(" ")
    if name.lower() not in COMMANDS:
        return None
    pairs = (one.partition("=") for one in properties.strip().split(",") if "=" in one)
    return Command(
        name.lower(),
        {key.strip(): _read(value, more=True) for key, _, value in pairs},
        _read(text),
    )


def commands_in(text: str) -> list[Command]:
    """Read a whole log, obeying `stop-commands`; the old `##[name]` form counts anywhere."""
    found: list[Command] = []
    token: str | None = None
    for line in text.replace("\r", "\n").split("\n"):
        if token is not None:
            token = None if line.strip() == f"::{token}::" else token
            continue
        command = read_command(line)
        if command is None and "##[" in line:
            command = Command("old form", {}, line)
        if command is not None:
            found.append(command)
            token = command.text if command.name == "stop-commands" else None
    return found


def _read(text: str, *, more: bool = False) -> str:
    """Undo the escapes; the sign of an escape itself comes last."""
    signs = [("%0D", "\r"), ("%0A", "\n"), *([("%3A", ":"), ("%2C", ",")] if more else [])]
    for written, meant in (*signs, ("%25", "%")):
        text = text.replace(written, meant)
    return text
