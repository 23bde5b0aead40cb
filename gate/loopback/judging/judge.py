"""One ruling: sections and form in, filled form out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from gate.loopback.judging.correctness import correctness
from gate.loopback.judging.form import Field, UnknownKeyError
from gate.loopback.judging.rating import STEPS, Rating
from gate.loopback.judging.relevance import relevance
from gate.loopback.judging.sections import Sections
from gate.loopback.judging.source_quality import source_quality

FAMILY = "loopback"
"""The vendor family of the stand-in judge."""
RULES: Final[Mapping[str, Callable[[Sections], Rating]]] = {
    "relevance": relevance,
    "correctness": correctness,
    "source_quality": source_quality,
}
"""Key of the form -> the rule that fills it."""
JUSTIFICATION = "justification"
"""Key of the form -> the reasons of all rules."""


def rule(given: Sections, form: tuple[Field, ...]) -> dict[str, str | int]:
    """Return the filled form, in its order. Raises UnknownKeyError for a key without a rule."""
    ratings: dict[str, Rating] = {}
    for field in form:
        if field.levels:
            if field.name not in RULES:
                raise UnknownKeyError(
                    f"the loopback judge has no rule for {field.name!r}: "
                    f"it knows {', '.join(RULES)}; write one under gate/loopback/judging"
                )
            ratings[field.name] = RULES[field.name](given)
        elif field.name != JUSTIFICATION:
            raise UnknownKeyError(f"the loopback judge has no rule for the text {field.name!r}")
    said = " ".join(rating.because for rating in ratings.values()) or "Nothing was asked."
    return {f.name: _placed(ratings[f.name], f.levels) if f.levels else said for f in form}


def _placed(rating: Rating, levels: tuple[int, ...]) -> int:
    """Return the level of the form that is nearest; halves go up."""
    return levels[int(rating.level / STEPS * (len(levels) - 1) + 0.5)]


@cache
def judge_name() -> str:
    """Return the name under which the judge answers: it changes with its source files."""
    folder = Path(__file__).parent
    files = [*sorted(folder.glob("*.py")), folder.parent / "words.py"]
    digest = hashlib.sha256(
        b"".join(file.name.encode() + b"\0" + file.read_bytes() for file in files)
    )
    return f"{FAMILY}-judge-{digest.hexdigest()[:12]}"
