"""The workflows that `gate init` writes, made of what was chosen. Pure."""

from __future__ import annotations

from importlib.resources import files

from gate.cli.init_choices import ACTION, Choices
from gate.cli.init_login import with_login
from gate.cli.init_seal import MARK

__all__ = ["CEILING", "FLOWS", "STARTED", "flow_text", "flows_for"]

FLOWS = ".github/workflows"
"""Where GitHub looks for workflows."""
CEILING = 5
"""Ceiling of a run in US dollars, as the workflows have it."""
STARTED = {"one job": "gate.yml", "three jobs": "gate-code.yml", "parts": "gate-shards.yml"}
"""Form of the gate -> the workflow that the label `gate` starts; a repository has one of them."""

_SAYS = {
    "gate.yml": "the label `gate` starts a run",
    "gate-code.yml": "the label `gate` starts a run in three jobs",
    "gate-shards.yml": "the label `gate` starts a run in parts",
    "gate-fork.yml": "the same for forks, started by hand",
    "baseline.yml": "measures a new baseline and proposes it",
    "nightly.yml": "the whole of it at night, once you say so",
    "gate-queue.yml": "a merge queue has the head's verdict",
}
"""Workflow -> what it is, in the order in which a person meets them."""
_PARTS, _OF = "part: [1, 2]", "shard: ${{ matrix.part }}/2"
_OF_A_PART = 'max-cost: "2.50"'


def flows_for(choices: Choices) -> dict[str, str]:
    """Return the workflows that a repository needs, each with what it is in a few words."""
    others = set(STARTED.values()) - {STARTED[_form(choices)]}
    if choices.runs_code:
        # Of a fork nothing is executed, so there is no such road.
        others.add("gate-fork.yml")
    return {name: says for name, says in _SAYS.items() if name not in others}


def _form(choices: Choices) -> str:
    if choices.runs_code:
        return "three jobs"
    return "parts" if choices.shards > 1 else "one job"


def flow_text(name: str, choices: Choices) -> str:
    """Return a workflow with the action, the login and the parts that were chosen."""
    text = (files("gate.cli.workflows") / name).read_text("utf-8")
    count = choices.shards
    parts = ", ".join(map(str, range(1, count + 1)))
    text = text.replace(_PARTS, f"part: [{parts}]")
    text = text.replace(_OF, _OF.replace("/2", f"/{count}"))
    text = text.replace(_OF_A_PART, f'max-cost: "{CEILING / count:.2f}"')
    text = f"# {MARK}; yours to change.\n{text}".replace(ACTION, choices.action)
    return with_login(text) if choices.road == "vertex" else text
