"""One ruling: sections and form in, filled form out."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Final

from gate.loopback.judging.citations import cited_sentences, statements
from gate.loopback.judging.claims import Row, claims
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
"""Key of the form -> the rule that gives its level."""
LISTS: Final[Mapping[str, Callable[[Sections], list[Row]]]] = {
    "claims": claims,
    "sentences": cited_sentences,
    "statements": statements,
}
"""Key of the form -> the rule that fills its list."""
JUSTIFICATION = "justification"
"""Key of the form -> the reasons of all rules."""


def rule(given: Sections, form: tuple[Field, ...]) -> dict[str, str | int | list[Row]]:
    """Return the filled form, in its order. Raises UnknownKeyError for a key without a rule."""
    for field in form:
        known = _KNOWN[field.kind]
        if field.name not in known:
            raise UnknownKeyError(
                f"the loopback judge has no rule for {field.name!r}: of this kind it knows "
                f"{', '.join(known)}; write one under gate/loopback/judging"
            )
    ratings = {field.name: RULES[field.name](given) for field in form if field.kind == "level"}
    said = " ".join(rating.because for rating in ratings.values()) or "Nothing was asked."
    filled: dict[str, str | int | list[Row]] = {}
    for field in form:
        if field.kind == "level":
            filled[field.name] = _placed(ratings[field.name], field.levels)
        else:
            filled[field.name] = LISTS[field.name](given) if field.kind == "rows" else said
    return filled


_KNOWN: Final[Mapping[str, Collection[str]]] = {
    "level": RULES,
    "text": (JUSTIFICATION,),
    "rows": LISTS,
}
"""Kind of a key -> the keys that there are rules for."""


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
