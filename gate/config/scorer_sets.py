"""Named sets of scorers: a run may measure less than all and be decided all the same.

The owner of the configuration says which sets there are; whoever starts a run only picks one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from gate.config.section import Section, Use
from gate.config.shape import GateFile
from gate.wire.records import unknown

__all__ = ["ScorerChoice", "check_scorer_sets"]

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}")


@dataclass(frozen=True)
class ScorerChoice:
    """Which scorers a run uses."""

    uses: tuple[Use, ...]
    """The scorers, in the file's order."""
    sets: tuple[str, ...]
    """The sets that they are; empty for all scorers and for a choice by hand."""
    by_hand: bool
    """Whether a scorer was named by itself: then the run gives numbers without a verdict."""


def check_scorer_sets(file: GateFile, scorers: Sequence[str], whole: Section) -> None:
    """Refuse sets that name what is not there, or that cannot be told from a scorer.

    `scorers` are the names of the scorers, `whole` is the file. Raises ConfigError with the line
    and what to do.
    """
    for name, members in file.scorer_sets.items():
        at, place = f"`scorer_sets.{name}`", ("scorer_sets", name)
        if name in scorers:
            raise whole.error(
                f"{at}: is a scorer's name already, and `--scorer {name}` could mean either: "
                "name the set otherwise",
                *place,
            )
        if not _NAME.fullmatch(name):
            raise whole.error(
                f"{at}: cannot be typed and shown as a name: use 1 to 100 letters, digits and "
                ". _ -, a letter or digit first",
                *place,
            )
        for index, member in enumerate(members):
            if member not in scorers:
                raise whole.error(
                    f"{at}: {unknown('scorer', member, scorers)}; add it under `scorers:`, or "
                    "leave it out of the set",
                    *place,
                    index,
                )
            if member in members[:index]:
                raise whole.error(f"{at}: `{member}` stands twice: keep one", *place, index)
    default = file.run.scorers
    if default is not None and default not in file.scorer_sets:
        raise whole.error(
            f"`run.scorers`: {unknown('scorer set', default, file.scorer_sets)}; add it under "
            "`scorer_sets:`, or leave `run.scorers` out to measure all scorers",
            "run",
            "scorers",
        )
