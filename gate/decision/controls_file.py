"""`evals/controls.json` as text, one control answer a line; and its check when it is read."""

from __future__ import annotations

from gate.decision.controls import FEWEST_RULINGS
from gate.decision.json_text import entries, line, lines
from gate.errors import FileError
from gate.types import SCHEMA, Controls

__all__ = ["AGAIN", "check_controls", "controls_text"]

AGAIN = "write the file again with `gate controls --write`"


def controls_text(controls: Controls) -> str:
    """Write control answers as JSON: the same ones give the same text."""
    parts = [
        f'"schema": {SCHEMA}',
        f'"created": {line(controls.created)}',
        f'"date": {line(controls.date)}',
        f'"world": {line(controls.world)}',
        entries(
            "identities",
            {name: one.model_dump(mode="json") for name, one in controls.identities.items()},
        ),
        *([f'"drifted": {line(controls.drifted)}'] if controls.drifted else []),
        lines(
            "answers",
            (one.model_dump(mode="json", exclude_defaults=True) for one in controls.answers),
        ),
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def check_controls(controls: Controls, path: str) -> None:
    """Refuse a case that stands twice, too few rulings, and pages that are not the sources'.

    Raises FileError.
    """
    seen: set[str] = set()
    for one in controls.answers:
        if one.case_id in seen:
            raise FileError(f"has case {one.case_id} twice: {AGAIN}", path)
        seen.add(one.case_id)
        if any(len(rulings) < FEWEST_RULINGS for rulings in one.scores.values()):
            raise FileError(
                f"has fewer than {FEWEST_RULINGS} rulings of case {one.case_id}: {AGAIN}", path
            )
        if one.answer.failure is not None or not one.answer.text:
            raise FileError(f"has no answer to case {one.case_id}: {AGAIN}", path)
        if one.pages and len(one.pages) != len(one.answer.sources):
            raise FileError(
                f"has {len(one.pages)} pages and {len(one.answer.sources)} sources of case "
                f"{one.case_id}: {AGAIN}",
                path,
            )
