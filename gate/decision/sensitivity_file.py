"""`evals/sensitivity.json` as text, one damaged answer a line; and its check when it is read."""

from __future__ import annotations

from gate.decision.json_text import line, lines
from gate.errors import FileError
from gate.types import SCHEMA, Sensitivity, SensitivitySet

__all__ = ["check_sensitivity", "sensitivity_text"]


def sensitivity_text(sensitivity: Sensitivity) -> str:
    """Write a sensitivity set as JSON: the same set gives the same text."""
    sets = ",\n".join(_set(one) for one in sensitivity.sets)
    head = f'"schema": {SCHEMA},\n"created": {line(sensitivity.created)}'
    return f'{{\n{head},\n"sets": [\n{sets}\n]\n}}\n'


def _set(one: SensitivitySet) -> str:
    parts = [
        f'"dimension": {line(one.dimension)}',
        f'"identity": {line(one.identity.model_dump(mode="json"))}',
        lines("pairs", (pair.model_dump(mode="json") for pair in one.pairs)),
    ]
    return "{" + ",\n".join(parts) + "}"


def check_sensitivity(sensitivity: Sensitivity, path: str) -> None:
    """Refuse a dimension or a damaged answer that stands twice, and a score outside [0, 1].

    Raises FileError.
    """
    again = "write the file again with `gate sensitivity --write`"
    names = [one.dimension for one in sensitivity.sets]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise FileError(f"has {twice} twice: {again}", path)
    for one in sensitivity.sets:
        seen = set()
        for pair in one.pairs:
            if not (0.0 <= pair.before <= 1.0 and 0.0 <= pair.after <= 1.0):
                raise FileError(
                    f"{one.dimension} of {pair.case_id} has a score outside 0 to 1: {again}", path
                )
            key = (pair.case_id, pair.damage)
            if key in seen:
                raise FileError(
                    f"{one.dimension} of {pair.case_id} is damaged twice in one way "
                    f"({pair.damage}): {again}",
                    path,
                )
            seen.add(key)
