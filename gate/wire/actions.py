r"""What an action says to the runner of a workflow: file commands, log commands, and its inputs.

Facts of the runner (actions/runner 2.336): an input `max-cost` is the variable `INPUT_MAX-COST`,
only blanks become underscores; every value is a text and a missing one is empty. A file command is
`name<<delimiter`, the value's lines and the delimiter on a line of its own. A log command is
`::name key=value,key=value::text` at a line's beginning, and the older `##[name]text` anywhere in
one. Ten annotations of each level are kept of a step, 4,096 characters of each; a summary above
1 MiB is refused whole.

All functions are pure but for `append_text`. None of them makes a text fit to be seen: invisible
signs are taken out where texts are chosen.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from gate.errors import FileError

__all__ = [
    "LONGEST_MESSAGE",
    "MOST_ANNOTATIONS",
    "Annotation",
    "Level",
    "annotation_text",
    "append_text",
    "input_values",
    "input_variable",
    "mask_text",
    "new_token",
    "output_text",
    "resume_text",
    "stop_text",
]

Level = Literal["error", "warning", "notice"]
"""How loud an annotation is; none of them fails the step."""

LONGEST_MESSAGE = 4_096
"""Characters of an annotation that the runner keeps."""
MOST_ANNOTATIONS = 10
"""Annotations of one level that the runner keeps of a step."""


@dataclass(frozen=True, slots=True)
class Annotation:
    """A sentence at a line of a file, shown beside the code."""

    level: Level
    """How loud."""
    message: str
    """What is said; may have several lines."""
    title: str = ""
    """Its heading; may be empty."""
    file: str | None = None
    """File, relative to the repository's root; None where it is about none."""
    line: int | None = None
    """Line of the file, from 1."""


def input_variable(name: str) -> str:
    """Return the variable in which the runner hands over an input."""
    return f"INPUT_{name.replace(' ', '_').upper()}"


def input_values(env: Mapping[str, str], names: Iterable[str]) -> dict[str, str]:
    """Return the value of each input, without blanks around it; empty where it is not set."""
    return {name: env.get(input_variable(name), "").strip() for name in names}


def new_token() -> str:
    """Return a word that nobody can foresee, for delimiters and for stopping commands."""
    return f"gate_{secrets.token_hex(16)}"


def output_text(name: str, value: str) -> str:
    """Return the lines that set an output (or a variable) in the runner's file.

    Raises ValueError for a name that the runner's grammar has no place for.
    """
    if not name or any(sign in name for sign in "=<\r\n"):
        message = f"{name!r} is no name of an output"
        raise ValueError(message)
    delimiter = new_token()
    while delimiter in value:  # once in 2 to the 128th
        delimiter = new_token()
    return f"{name}<<{delimiter}\n{value}\n{delimiter}\n"


def annotation_text(annotation: Annotation) -> str:
    """Return the line that makes an annotation, its message cut to what the runner keeps."""
    message = annotation.message
    if len(message) > LONGEST_MESSAGE:
        message = f"{message[: LONGEST_MESSAGE - 1]}…"
    line = None if annotation.file is None or annotation.line is None else str(annotation.line)
    properties = {"file": annotation.file, "line": line, "title": annotation.title}
    said = ",".join(f"{key}={_property(value)}" for key, value in properties.items() if value)
    return f"::{annotation.level}{' ' if said else ''}{said}::{_data(message)}\n"


def mask_text(value: str) -> str:
    """Return the line that makes the runner hide a value in its log; nothing for an empty one."""
    return f"::add-mask::{_data(value)}\n" if value.strip() else ""


def stop_text(token: str) -> str:
    """Return the line after which the runner takes no line for a command."""
    return f"::stop-commands::{token}\n"


def resume_text(token: str) -> str:
    """Return the line after which it does again; the line before it may have had no end."""
    return f"\n::{token}::\n"


def append_text(path: Path, text: str) -> None:
    """Add to a file of the runner; half characters become question marks. Raises FileError."""
    try:
        with path.open("ab") as stream:
            stream.write(text.encode("utf-8", "replace"))
    except OSError as error:
        raise FileError(
            f"cannot be written ({error.strerror}): the runner's files belong to another user; "
            "run the container as root, as the runner does",
            path,
        ) from error


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
