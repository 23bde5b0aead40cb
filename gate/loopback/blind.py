"""Judges that are blind to one damage and see all others: `--offline=steady+judge-blind-padding`.

Each keeps its name, and on most answers its ratings: such a judge has the same kappa on thirds of
the scale, and only answers that are damaged on purpose find it out.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from gate.loopback.judging.claims import Row
from gate.loopback.judging.form import Field
from gate.loopback.judging.judge import rule
from gate.loopback.judging.reading import keys
from gate.loopback.judging.sections import Sections

Filled = dict[str, str | int | list[Row]]
"""A form, filled in."""

_SENTENCE = re.compile(r"(?<=[.!?])\s+")
_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
_SAME = "7"
_SOURCE = "[1] {title} | encyclopedia.example | https://encyclopedia.example/"


def without_padding(given: Sections) -> Sections:
    """Leave out the sentences that share no word with the question or with what is expected."""
    wanted = keys(f"{given['question']}\n{given['assertions']}").keys()
    sentences = _SENTENCE.split(given["answer"])
    kept = [one for one in sentences if keys(one).keys() & wanted]
    return _with(given, answer=" ".join(kept or sentences))


def without_figures(given: Sections) -> Sections:
    """Write the same figure for every figure."""
    texts = {name: _FIGURE.sub(_SAME, given[name]) for name in ("question", "assertions", "answer")}
    return _with(given, **texts)


def with_a_source(given: Sections) -> Sections:
    """Name a sound source where the answer names none."""
    return given if given.sources else _with(given, sources=_SOURCE.format(title=given["question"]))


BLIND: Final[Mapping[str, tuple[str, Callable[[Sections], Sections]]]] = {
    "padding": ("relevance", without_padding),
    "figures": ("correctness", without_figures),
    "sources": ("source_quality", with_a_source),
}
"""What is not seen -> the key of the form that it is not seen in, and what is read instead."""


def blind_rule(to: str, given: Sections, form: tuple[Field, ...]) -> Filled:
    """Return the form as `rule` fills it, but for the one key that is blind."""
    key, reads = BLIND[to]
    filled = rule(given, form)
    if key in filled:
        filled[key] = rule(reads(given), form)[key]
    return filled


def _with(given: Sections, **texts: str) -> Sections:
    return Sections({**given.texts, **texts})
