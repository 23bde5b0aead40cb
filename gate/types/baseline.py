"""What a run is compared with: per case, per repeat scores; or system 1's averages."""

from __future__ import annotations

from pydantic import Field

from gate.types.panel import JudgeNoise
from gate.types.run import Cell, Identity, Provenance, TargetInfo
from gate.types.trial import Metric
from gate.types.word import SCHEMA, Word


class Reason(Word):
    """Why a refresh was let through although it is worse than the anchor, or ends it."""

    run: str
    """Id of the run of that refresh."""
    text: str
    """What was given as the reason. Untrusted."""
    by: str | None = None
    """Who started the refresh; None where nobody knows."""
    created: str | None = None
    """When it was measured, UTC, ISO 8601."""
    accepted: dict[str, dict[str, float]] = {}
    """Target -> dimension, or rate (`error_rate`, `empty_rate`, `ungrounded_rate`) -> how far below
    the anchor it was, above 0. Later refreshes may be as low without another reason."""
    new_anchor: bool = False
    """Whether the anchor could not be compared with any more, so that another one began."""


class Baseline(Word):
    """`baseline.json`: scores and digests, no text."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    provenance: Provenance = Provenance()
    """Where it comes from; `created` gives its age."""
    runs: tuple[str, ...] = ()
    """Ids of the runs that it was made of."""
    accepted: dict[str, str] = {}
    """Run -> who accepted its regression: from here on its drop is the measure."""
    reasons: tuple[Reason, ...] = ()
    """Why earlier refreshes were let through below the anchor, the oldest first."""
    required: tuple[str, ...] = ()
    """Cases that the dataset marked as required: a run without one is a regression, until a refresh
    drops it. Sorted."""
    clusters: dict[str, str] = {}
    """Case -> what it shared with others when it was measured (key `cluster`): for what is decided
    of the baseline itself. A run's own dataset says what its cases share."""
    targets: tuple[TargetInfo, ...] = ()
    """Systems under test."""
    metrics: tuple[Metric, ...] = ()
    """Dimensions."""
    identities: dict[str, Identity] = {}
    """Metric -> identity."""
    cells: tuple[Cell, ...] = ()
    """Sorted by case id and target; empty when there are only averages."""
    judging: dict[str, JudgeNoise] = {}
    """Metric -> how far the judge's rulings on one answer lay apart in these runs, where each
    answer was ruled on several times (`run.judge_repeats`)."""
    averages: dict[str, dict[str, float]] = {}
    """Target -> metric -> average, for a baseline that has nothing else."""

    @property
    def averages_only(self) -> bool:
        """Whether it can tell a drop from noise: with averages alone it cannot."""
        return not self.cells and bool(self.averages)
