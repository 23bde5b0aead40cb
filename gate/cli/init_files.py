"""What `gate init` writes: texts by their paths, made of what was chosen. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib.resources import files
from typing import Any

from gate.cli.init_choices import ACTION, Choices
from gate.cli.init_login import with_login
from gate.cli.init_seal import MARK, sealed
from gate.datasets.case_text import case_text
from gate.datasets.promptfoo import CarriedCase
from gate.decision.words import counted
from gate.schemas import Name, schema_for
from gate.templates import render
from gate.wire.files import dump_json

__all__ = ["Planned", "main_workflow", "planned", "workflows_for"]

CONFIG = "gate.yaml"
"""The configuration."""
CASES = "evals/cases.yaml"
"""The cases."""
IGNORED = ".gitignore"
"""Where results are kept out of the repository; it is added to, never overwritten."""
FLOWS = ".github/workflows"
"""Where GitHub looks for workflows."""
CEILING = 5
"""Ceiling of a run in US dollars, as the workflows have it."""

_MODEL, _JUDGE = "gemini-3.8-flash", "claude-opus-5-5"
_SCHEMAS: tuple[Name, ...] = ("config", "cases", "labels")
_ONLY_TRUSTED = ("gate.yml", "gate-fork.yml")
_ONLY_CODE = ("gate-code.yml",)
_SAYS = {
    "gate.yml": "the label `gate` starts a run",
    "gate-fork.yml": "the same for forks, started by hand",
    "gate-code.yml": "the label `gate` starts a run in three jobs",
    "baseline.yml": "measures a new baseline and proposes it",
}


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
            Planned(f"{FLOWS}/{name}", _workflow(name, choices), _SAYS.get(name, ""))
            for name in workflows_for(runs_code=choices.runs_code)
        ),
    ]
    return [replace(one, text=sealed(one.text)) for one in made]


def main_workflow(*, runs_code: bool) -> str:
    """Return the name of the workflow that the label starts."""
    return (_ONLY_CODE if runs_code else _ONLY_TRUSTED)[0]


def workflows_for(*, runs_code: bool) -> list[str]:
    """Return the names of the workflows that a repository needs."""
    first = _ONLY_CODE if runs_code else _ONLY_TRUSTED
    others = _ONLY_TRUSTED if runs_code else _ONLY_CODE
    there = [one.name for one in files("gate.cli.workflows").iterdir()]
    more = sorted(name for name in there if name.endswith(".yml"))
    return [*first, *(name for name in more if name not in (*first, *others))]


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


def _workflow(name: str, choices: Choices) -> str:
    text = (files("gate.cli.workflows") / name).read_text("utf-8")
    text = f"# {MARK}; yours to change.\n{text}".replace(ACTION, choices.action)
    return with_login(text) if choices.road == "vertex" else text


def _skeleton(name: str) -> str:
    return (files("gate.cli") / "skeleton" / name).read_text("utf-8")


def _harmless(name: str) -> str:
    """Return a file's name as a comment may hold it."""
    return re.sub(r"[^\w./ -]", "?", name)
