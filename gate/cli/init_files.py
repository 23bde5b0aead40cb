"""What `gate init` writes: texts by their paths, made of what was chosen. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from gate.cli.init_choices import Choices
from gate.cli.init_flows import CEILING, FLOWS, flow_text, flows_for
from gate.cli.init_seal import MARK, sealed
from gate.datasets.case_text import case_text
from gate.datasets.promptfoo import CarriedCase
from gate.decision.words import counted
from gate.schemas import Name, schema_for
from gate.templates import render
from gate.wire.files import dump_json

__all__ = ["Planned", "planned"]

CONFIG = "gate.yaml"
"""The configuration."""
CASES = "evals/cases.yaml"
"""The cases."""
IGNORED = ".gitignore"
"""Where results are kept out of the repository; it is added to, never overwritten."""
_MODEL, _JUDGE = "gemini-3.8-flash", "claude-opus-5-5"
_SCHEMAS: tuple[Name, ...] = ("config", "cases", "labels")


@dataclass(frozen=True)
class Planned:
    """A file that is to be written."""

    path: str
    """Its path below the repository."""
    text: str
    """What it says."""
    says: str
    """What it is, in a few words."""


def planned(choices: Choices, carried: tuple[str, Sequence[CarriedCase]] | None) -> list[Planned]:
    """Return the files in the order in which a person meets them, but for .gitignore.

    `carried` is the name of a promptfoo configuration and the cases that it became.
    """
    config = render(
        "cli/skeleton/gate.yaml.j2",
        model=_MODEL,
        judge=_JUDGE,
        fetch=choices.fetch,
        keep_text=choices.keep_text,
        vertex=choices.road == "vertex",
        ceiling=CEILING,
    )
    made = [
        Planned(CONFIG, config, "report-only: numbers, nothing fails yet"),
        _cases(carried),
        Planned(
            "evals/labels/example.yaml", _skeleton("labels.yaml"), "what people's ratings look like"
        ),
        *(_schema(name) for name in _SCHEMAS),
        *(
            Planned(f"{FLOWS}/{name}", flow_text(name, choices), says)
            for name, says in flows_for(choices).items()
        ),
    ]
    return [replace(one, text=sealed(one.text)) for one in made]


def _cases(carried: tuple[str, Sequence[CarriedCase]] | None) -> Planned:
    text = _skeleton("cases.yaml")
    if carried is None:
        return Planned(CASES, text, "24 general questions, to be replaced")
    name, cases = carried
    first = text.partition("\n")[0]
    head = (
        f"{first}\n# {MARK} of {_harmless(name)}.\n#\n"
        "# A target is handed `query` alone; a judge reads the answer and is told what to look for"
        "\n# in it. Nothing here is string-matched any more.\n"
    )
    texts = [case_text(case.id, case.query, case.assertions) for case in cases]
    return Planned(CASES, "\n".join([head, *texts]), f"{counted(len(cases), 'case')} of {name}")


def _schema(name: Name) -> Planned:
    """An editor needs a file or an address; of this very gate there is only the file."""
    schema: dict[str, Any] = {"$comment": f"{MARK}, for editors.", **schema_for(name)}
    return Planned(f"evals/schema/{name}.json", dump_json(schema), "for your editor")


def _skeleton(name: str) -> str:
    return (files("gate.cli") / "skeleton" / name).read_text("utf-8")


def _harmless(name: str) -> str:
    """Return a file's name as a comment may hold it."""
    return re.sub(r"[^\w./ -]", "?", name)
