"""Run against baseline, case by case, in numbers and before any rule."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import PlainSerializer, PlainValidator, TypeAdapter

from gate.types.differences import Difference, Differences
from gate.types.word import Word

_RECORDS = TypeAdapter(tuple[Difference, ...])


def _in_columns(value: object) -> Differences:
    """Put records, or what they are read from, into columns."""
    return (
        value if isinstance(value, Differences) else Differences.of(_RECORDS.validate_python(value))
    )


class Row(Word):
    """One target in one dimension: the paired numbers."""

    target: str
    """System under test."""
    dimension: str
    """The metric."""
    judged: bool
    """Whether a judge gave it."""
    direction_known: bool
    """Whether higher or lower is better is known."""
    watched: bool = False
    """Whether the metric is only watched."""
    category: str | None = None
    """A category, for rows of one; None is all cases."""
    baseline: float | None
    """Mean over the compared cases, in the metric's own direction."""
    current: float | None
    """The same for the new run."""
    delta: float | None
    """Current minus baseline, in the metric's own direction."""
    signed: float | None
    """The same, signed so that below 0 is worse."""
    low: float | None = None
    """Lower end of the two-sided 90% paired t interval of `delta`."""
    high: float | None = None
    """Upper end."""
    guarded: float | None = None
    """Guarded one-sided 95% lower bound of `signed` (pass rule)."""
    p: float | None = None
    """One-sided p of a drop (sign-flip, or the larger with run-label)."""
    p_method: str | None = None
    """`exact`, `sampled`, `normal` or `none`."""
    worst_signed: float | None = None
    """`signed` with each newly unscored case at its worst value; None when there is none."""
    worst_p: float | None = None
    """p of the same."""
    n: int = 0
    """Cases compared."""
    expected: int = 0
    """Cases that the baseline scored and the plan contains."""
    nonzero: int = 0
    """Cases that differ."""
    worse: int = 0
    """Cases that fell."""
    better: int = 0
    """Cases that rose."""
    sd: float | None = None
    """Standard deviation of the per-case differences; of weighted or clustered rows the standard
    error of the mean times the root of n."""
    weighted: bool = False
    """Whether categories count by their size in the whole dataset: in a sample that holds another
    share of some. Then `baseline`, `current` and `delta` are weighted means."""
    clusters: int | None = None
    """Independent clusters among the compared cases; None where each case is one."""
    smallest_visible_drop: float | None = None
    """Drop seen with 80% power by one test at 5%, at this sd and n."""
    newly_unscored: tuple[str, ...] = ()
    """Cases scored in the baseline and not now."""
    undefined: int = 0
    """Those of them in which nothing failed: the answer has nothing that this metric measures, such
    as a citation. They do not count as lost, and each has its worst value in `worst_signed`."""
    incomparable: tuple[str, ...] = ()
    """Which parts of the identity differ: judge, prompt, scorer; or `judge drift`, where the judge
    rates control answers differently than it did."""
    averages_only: bool = False
    """Whether only averages were compared."""
    missing: bool = False
    """In the baseline and absent from the run."""
    differences: Annotated[Differences, PlainValidator(_in_columns), PlainSerializer(list)] = (
        Differences()
    )
    """The cases, in columns."""


class Operation(Word):
    """How a target worked, apart from quality."""

    target: str
    """System under test."""
    p50_latency_s: float | None = None
    """Lower median of latencies in seconds, cached answers left out."""
    usd_per_1k: float | None = None
    """Mean cost of an answer x 1,000; None when unknown."""
    error_rate: float | None = None
    """Share of attempts that ended in an error, a block or a time-out."""
    empty_rate: float | None = None
    """Share of attempts that finished without text."""
    grounded_rate: float | None = None
    """Share of answers with at least one source; None when unknown."""
    attempts: int = 0
    """Attempts."""
    baseline: dict[str, float | None] = {}
    """The same figures of the baseline, for the compared cases."""
    p: dict[str, float | None] = {}
    """One-sided exact McNemar p of a rise: `error_rate`, `empty_rate`, `ungrounded_rate`."""
    p_holm: dict[str, float | None] = {}
    """The same, Holm-adjusted over the three."""
    cases: dict[str, tuple[str, ...]] = {}
    """Rate -> cases that were well and are not."""


class Coverage(Word):
    """Which cases were compared and which were not."""

    cases: int = 0
    """Cases in the plan."""
    compared: int = 0
    """Cases compared in at least one dimension."""
    added: tuple[str, ...] = ()
    """In the run, not in the baseline."""
    removed: tuple[str, ...] = ()
    """In the baseline, gone from the dataset."""
    changed: tuple[str, ...] = ()
    """Text changed since the baseline: left out."""
    changed_required: tuple[str, ...] = ()
    """Those of `changed` that are required, or were in the baseline."""
    errored: tuple[str, ...] = ()
    """Without any answer to score."""
    not_sampled: int = 0
    """In the baseline and outside of this sample."""
    unscored: dict[str, int] = {}
    """Dimension -> attempts without a value although there was an answer."""
    not_measured: tuple[str, ...] = ()
    """Dimensions of the baseline that the run's scorers do not measure."""


class MemoryFinding(Word):
    """Answers of one target that are right and that their own pages do not bear out.

    Their correctness is high (2/3 or more) and their faithfulness low (below 1/3): the model may
    have answered from memory, or cited pages that do not say it. It decides nothing.
    """

    target: str
    """System under test."""
    count: int
    """Such answers."""
    n: int
    """Answers that have both scores."""
    cases: tuple[str, ...] = ()
    """The cases of such answers, those with most of them first."""
    baseline: float | None = None
    """Share of such answers in the baseline, on the same cases; None where it cannot be said."""
    baseline_n: int = 0
    """Answers of the baseline that have both scores."""


class Comparison(Word):
    """All rows, and what they rest on."""

    rows: tuple[Row, ...] = ()
    """Targets in the run's order x dimensions in the scorers' order."""
    categories: tuple[Row, ...] = ()
    """Single categories of those rows, where enough of their cases were compared."""
    operations: tuple[Operation, ...] = ()
    """One for each target."""
    coverage: Coverage = Coverage()
    """Cases compared and not."""
    from_memory: tuple[MemoryFinding, ...] = ()
    """Right answers that their pages do not bear out, for each target that has both scores."""
    comparable: bool = True
    """Whether the identities allow a comparison of any gating dimension."""
    differs: tuple[str, ...] = ()
    """What differs, in words."""
    missing_targets: tuple[str, ...] = ()
    """Targets of the baseline that the run does not have."""
    baseline_age_days: float | None = None
    """Age of the baseline when the run was made; None when unknown."""
    baseline_repeats: int = 0
    """Smallest number of baseline repeats among compared cases."""
    averages_only: bool = False
    """Whether the baseline has only averages."""
    has_baseline: bool = True
    """Whether there is a baseline at all."""
    warnings: tuple[str, ...] = ()
    """What a reader must know, such as an unknown identity or a normal limit."""


Outcome = Literal["regression", "pass", "inconclusive", "unmeasured", "incomparable", "missing"]
"""What one row says."""
