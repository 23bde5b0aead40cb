"""A judge that sees no half merit, so that a panel of stand-ins has something to differ on.

It has a name of its own: another judge, and no other mood of the same one.
"""

from __future__ import annotations

from gate.loopback.blind import Filled
from gate.loopback.judging.form import Field
from gate.loopback.judging.judge import judge_name, rule
from gate.loopback.judging.sections import Sections


def strict_name() -> str:
    """Return the name under which it answers."""
    return f"{judge_name()}-strict"


def strict_rule(given: Sections, form: tuple[Field, ...]) -> Filled:
    """Return the form as `rule` fills it, with each level below the highest a level lower."""
    filled = rule(given, form)
    for field in form:
        level = filled[field.name]
        if field.kind == "level" and isinstance(level, int) and level < max(field.levels):
            filled[field.name] = max(min(field.levels), level - 1)
    return filled
