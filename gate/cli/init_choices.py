"""What `gate init` asks: one question of trust, and the two keys of grounded search."""

from __future__ import annotations

import textwrap
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

__all__ = ["ACTION", "QUESTIONS", "TERMS", "Asked", "Choices", "Question", "ask"]

ACTION = "OWNER/kappagate@v1"
"""The action as the workflows name it, until somebody says whose it is."""

Asked = Literal["runs_code", "fetch", "keep_text"]
"""What is asked."""


@dataclass(frozen=True)
class Choices:
    """How a repository is set up."""

    runs_code: bool = False
    """Whether a run executes the pull request's own code."""
    fetch: bool = False
    """Whether cited pages are fetched (`evidence.fetch`)."""
    keep_text: bool = False
    """Whether answers and reasons stand in reports (`keep_text`)."""
    road: Literal["keys", "vertex"] = "keys"
    """How models are reached: two API keys, or Google Cloud."""
    shards: int = 1
    """Parts that a run is measured in, side by side."""
    action: str = ACTION
    """The action, `OWNER/REPO@REF`."""


@dataclass(frozen=True)
class Question:
    """A question that is answered with yes or no."""

    about: Asked
    """The choice."""
    text: str
    """What is asked."""


TERMS = (
    "Google's terms for Grounding with Google Search restrict following the links of its results "
    "automatically, and storing and analysing results. Whether you may is for you to decide; this "
    "is no legal advice. Either way the folder of a run holds what was asked and answered, and the "
    "workflow keeps it for 14 days."
)
"""The terms of grounded search, in plain words."""

QUESTIONS: dict[Asked, Question] = {
    "runs_code": Question(
        "runs_code",
        "Will a run execute code of the pull request: its agent, its server, a command? "
        "No is right for Gemini with Google Search.",
    ),
    "fetch": Question(
        "fetch",
        "Fetch the pages that answers cite? Faithfulness and citations are measured on them. "
        "(evidence.fetch)",
    ),
    "keep_text": Question(
        "keep_text",
        "Show answers and the judge's reasons in reports and comments? (keep_text)",
    ),
}
"""All questions, in their order."""
_WIDTH = 79
_ROOM = 8
"""Columns that are left for the answer."""


def ask(
    wanted: Callable[[Asked], bool | None],
    read: Callable[[], str],
    write: Callable[[str], None],
) -> dict[Asked, bool]:
    """Ask what is not known, and return all that is.

    `wanted` gives what a flag says, or None. `read` gives a line, `""` at the end of the input.
    An empty line is no. Raises EOFError where the input ends.
    """
    found: dict[Asked, bool] = {}
    told = False
    for about, question in QUESTIONS.items():
        said = wanted(about)
        if said is None:
            if about != "runs_code" and not told:
                write(f"\n{textwrap.fill(TERMS, _WIDTH)}\n")
                told = True
            said = _answer(question.text, read, write)
        found[about] = said
    write("\n")
    return found


def _answer(text: str, read: Callable[[], str], write: Callable[[str], None]) -> bool:
    """Put a question until it is answered."""
    write(f"\n{textwrap.fill(f'{text} [y/N]', _WIDTH - _ROOM)} ")
    while True:
        line = read()
        if not line:
            raise EOFError
        word = line.strip().casefold()
        if word in ("y", "yes"):
            return True
        if word in ("", "n", "no"):
            return False
        write("Please type y or n: ")
