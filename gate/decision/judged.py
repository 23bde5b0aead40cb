"""One row with all that was said of it."""

from __future__ import annotations

from dataclasses import dataclass

from gate.decision.outcomes import Said
from gate.decision.standing import Standing
from gate.types import Finding


@dataclass(frozen=True)
class Judged:
    """One row with all that was said of it."""

    standing: Standing
    """What it may do."""
    said: Said
    """What it says."""
    finding: Finding
    """The same as the table shows it."""
