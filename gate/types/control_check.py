"""What the judge said of the control answers in a run."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from gate.types.word import Word

Share = Annotated[float, Field(ge=0.0, le=1.0)]
"""A score on [0, 1]."""


class ControlReading(Word):
    """One control answer in one dimension."""

    case_id: str
    """The case that it answers."""
    dimension: str
    """The metric."""
    stored: tuple[Share, ...]
    """The scores of the file, one for each ruling."""
    values: tuple[Share | None, ...] = ()
    """The scores of this run, one for each time that it was asked; None where there is none."""
    flipped: bool | None = None
    """Whether the first of them is none that the stored rulings lead to expect; None where there is
    none."""


class ControlCheck(Word):
    """The control answers of a run, judged again."""

    case_ids: tuple[str, ...] = ()
    """Cases of the control answers that were judged again, in the order in which they were."""
    of: int = 0
    """Control answers that could be."""
    rounds: int = 0
    """Times that each was: 2 where the first time looked like drift."""
    readings: tuple[ControlReading, ...] = ()
    """By dimension and case id."""
    judge: str | None = None
    """The judge as the file names it, where the run's was another."""
    skipped: dict[str, str] = {}
    """Dimension or case -> why it was not judged again."""
    drifted: dict[str, str] = {}
    """Dimension -> when the judge drifted, as the file has it (UTC, ISO 8601): a baseline or a
    calibration that is older is of the judge that it was."""
    stopped: str | None = None
    """Why not all that had to be asked were; None where they were."""

    @property
    def whole(self) -> bool:
        """Whether all of them were asked: a first few alone decide nothing."""
        return 0 < self.of == len(self.case_ids)
