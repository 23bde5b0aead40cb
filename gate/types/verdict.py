"""The rules, and what follows from them: one object feeds comment, files, status and exit code."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gate.types.agreement import TrustState
from gate.types.answer import Failure
from gate.types.comparison import Coverage, MemoryFinding, Outcome
from gate.types.panel import NoiseFinding, PanelFinding
from gate.types.run import Commits, Cost
from gate.types.word import SCHEMA, Word


class Rule(Word):
    """How much one dimension may move. None takes the policy's value."""

    min_effect: float | None = None
    """Smallest mean drop that can be a regression."""
    margin: float | None = None
    """Drop that a pass rules out."""
    better: Literal["higher", "lower"] | None = None
    """Direction, for metrics that do not know theirs."""
    gating: bool | None = None
    """False makes it advisory; True lets a watched dimension fail a run."""
    required: bool = False
    """Whether a run has no verdict where this dimension could not fail it."""
    floor: float | None = None
    """Score from which an answer is right."""


class Policy(Word):
    """How a comparison becomes a verdict."""

    rule: Literal["default", "threshold"] = "default"
    """`threshold` is the plain rule: a mean drop larger than `threshold` fails."""
    threshold: float = 0.05
    """Drop of the plain rule, strict, on values rounded to 1e-9."""
    min_effect: float = 0.05
    """Smallest mean drop that can be a regression."""
    margin: float = 0.10
    """Drop that a pass rules out."""
    q: float = 0.10
    """Rate of false alarms over all that can fail a run (Benjamini-Hochberg in each family)."""
    category_share: float = 0.3
    """Share of `q` that single categories have where some are tested, the rows of all cases having
    the rest; 0 tests none."""
    category_cases: int = 8
    """Compared cases from which a category is tested."""
    fallen_cases: Literal["required", "all", "name", "off"] = "required"
    """Cases that fell from always right to always wrong: which of them fail a run; `name` names
    them only."""
    floor: float = 0.5
    """Score from which an answer is right, for scores on [0, 1]."""
    operations_q: float = 0.02
    """Rate of false alarms over the three operations of a target (Holm)."""
    licence: Literal["interval", "point"] = "interval"
    """`point` asks for the bare kappa only."""
    min_kappa: float = 0.6
    """Kappa must be above this."""
    min_kappa_lower: float = 0.4
    """Its one-sided 95% lower bound must be above this."""
    min_off_modal: int = 5
    """At least so many labels off the most frequent cell."""
    provisional_drop: float = 0.10
    """Drop from which a provisional dimension may fail a run."""
    coverage: float = 0.90
    """Share of the expected cases below which a row is unmeasured."""
    on_inconclusive: Literal["pass", "fail"] = "pass"
    """`fail` turns an inconclusive run to exit code 3."""
    report_only: bool = False
    """Numbers without a verdict."""
    max_baseline_age_days: float = 90
    """Older baselines give numbers without a verdict."""
    warn_baseline_age_days: float = 30
    """Older baselines are mentioned."""
    limits: dict[str, float] = {}
    """`p50_latency_s` and `usd_per_1k`: above it, the operation regressed."""
    pass_level: float = 0.05
    """Rate of passes that a true drop of the margin gets."""
    confirm_q: float = 0.10
    """Rate at which luck of the second look may confirm a regression of the first."""
    confirm: bool = True
    """Whether a row that would regress is asked again, of candidate and base, before it fails."""
    rules: dict[str, Rule] = {}
    """Dimension -> rule of its own."""


Status = Literal["pass", "regression", "inconclusive", "broken", "report"]
"""What the run says."""


ACCEPT_LABEL = "kappagate: accept"
"""Label of a pull request that accepts a regression, unless the workflow names another."""


class Acceptance(Word):
    """A maintainer's word that a regression of one head may pass."""

    by: str
    """Who said so."""
    head_sha: str
    """The head that it holds for, and no other."""


class Trust(Word):
    """The judge's licence, beside a row."""

    state: TrustState
    """The licence."""
    kappa: float | None = None
    """Cohen's kappa."""
    low: float | None = None
    """Lower end of its two-sided 95% interval."""
    high: float | None = None
    """Upper end."""
    lower_one_sided: float | None = None
    """One-sided 95% lower bound."""
    n: int = 0
    """Labels."""


class ConfirmFinding(Word):
    """What asking candidate and base again says of a row that would have regressed."""

    outcome: Literal["confirmed", "not confirmed", "not asked"]
    """After `not asked` the first look stands alone; it is said as well where too few answers could
    be scored."""
    because: str
    """The same in words."""
    n: int = 0
    """Cases compared."""
    candidate: float | None = None
    """The candidate's mean on them, now."""
    base: float | None = None
    """The base's mean on them, now."""
    before: float | None = None
    """The baseline's mean on them."""
    p: float | None = None
    """One-sided p of candidate below base, Benjamini-Hochberg over the rows in question."""


class Finding(Word):
    """One row of the table."""

    target: str
    """System under test."""
    dimension: str
    """The metric."""
    category: str | None = None
    """A category; None is all cases."""
    gating: bool
    """Whether it can fail the run."""
    advisory_because: str | None = None
    """Why not."""
    trust: Trust
    """The judge's licence."""
    baseline: float | None = None
    """Mean of the baseline over the compared cases."""
    current: float | None = None
    """Mean of the run over the compared cases."""
    delta: float | None = None
    """Current minus baseline."""
    low: float | None = None
    """Lower end of the two-sided 90% interval of `delta`."""
    high: float | None = None
    """Upper end."""
    p: float | None = None
    """One-sided p of a drop."""
    p_adjusted: float | None = None
    """Benjamini-Hochberg over the gating rows; None on advisory rows."""
    p_holm: float | None = None
    """Holm over the gating rows; None on advisory rows."""
    q: float | None = None
    """What `p_adjusted` must not exceed for the mean to regress: the row's share of `policy.q`
    beside categories, hard failures and looks. None on advisory rows and by the plain threshold."""
    n: int = 0
    """Cases compared."""
    clusters: int | None = None
    """Clusters among them, each of which counts once; None where every case is one of its own."""
    weighted: bool = False
    """Whether cases of a sample count by the size of their category."""
    worse: int = 0
    """Cases that fell."""
    better: int = 0
    """Cases that rose."""
    smallest_visible_drop: float | None = None
    """Smallest drop that this row could have seen (80% power, one test)."""
    outcome: Outcome
    """What the row says."""
    averages_only: bool = False
    """Whether only averages were compared."""
    settles: str | None = None
    """What would settle an inconclusive row."""
    note: str | None = None
    """What a reader must know of this row, such as a provisional licence."""
    worst_cases: tuple[str, ...] = ()
    """The cases that fell most, worst first, five at most."""
    confirm: ConfirmFinding | None = None
    """The second look; None where none was needed, or none is made."""
    watched: bool = False
    """Whether it is only watched: compared, without an outcome of its own, never failing a run."""


class OperationFinding(Word):
    """How a target worked, and whether that regressed."""

    target: str
    """System under test."""
    p50_latency_s: float | None = None
    """Lower median of latencies, seconds."""
    usd_per_1k: float | None = None
    """US dollars for 1,000 answers."""
    error_rate: float | None = None
    """Share of attempts."""
    empty_rate: float | None = None
    """Share of attempts."""
    grounded_rate: float | None = None
    """Share of answers."""
    baseline: dict[str, float | None] = {}
    """The baseline's figures."""
    p: dict[str, float | None] = {}
    """Holm-adjusted p of a rise."""
    outcome: Literal["regression", "ok", "advisory"] = "ok"
    """What it says."""
    because: str | None = None
    """What regressed, in words."""
    cases: dict[str, tuple[str, ...]] = {}
    """Rate -> cases that were well and are not."""


class IdentityFinding(Word):
    """Whether the run could be compared."""

    comparable: bool = True
    """Whether it could."""
    differs: tuple[str, ...] = ()
    """What differs."""


class FallenCase(Word):
    """A case that was right in every answer of the baseline and is wrong in every new one."""

    target: str
    """System under test."""
    case_id: str
    """The case."""
    dimension: str
    """Where it fell."""
    baseline: float
    """Mean of the baseline's answers."""
    current: float
    """Mean of the new ones."""
    required: bool = False
    """Whether the dataset marks it as `required`."""
    fails: bool = False
    """Whether it fails the run."""
    second_look: Literal["confirmed", "not confirmed"] | None = None
    """What asking candidate and base again said; None where it was not asked, or had no score."""


class Verdict(Word):
    """`verdict.json`: what all surfaces show."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    status: Status
    """The verdict."""
    exit_code: Literal[0, 1, 2, 3, 130, 143]
    """0 pass, report or tolerated inconclusive; 1 regression; 2 cannot run; 3 no verdict; 130 and
    143 interrupted by SIGINT and SIGTERM."""
    headline: str
    """One sentence."""
    comparisons: tuple[Finding, ...] = ()
    """The table."""
    operations: tuple[OperationFinding, ...] = ()
    """How the targets worked."""
    fallen: tuple[FallenCase, ...] = ()
    """Cases that fell from always right to always wrong: those that fail the run first, then the
    largest falls of the others, twenty at most."""
    coverage: Coverage = Coverage()
    """Cases compared and not."""
    identity: IdentityFinding = IdentityFinding()
    """Whether the run could be compared."""
    seed: str = "gate-v1"
    """Seed of the sample and of the tests."""
    attempts: int = 1
    """Attempts on this head that were pooled."""
    accepted_by: str | None = None
    """Who accepted a regression."""
    warnings: tuple[str, ...] = ()
    """What a reader must know."""
    edits: tuple[str, ...] = ()
    """Edits of the pull request to files that decide."""
    cost: Cost = Cost()
    """What the run cost."""
    commits: Commits = Commits()
    """Which code."""
    reproduce: tuple[str, ...] = ()
    """Lines to type."""
    next_step: str | None = None
    """What to do now; None after a pass."""
    broken: Failure | None = None
    """The one cause of a broken run."""
    from_memory: tuple[MemoryFinding, ...] = ()
    """Right answers that their pages do not bear out, for each target that has correctness and
    faithfulness. It decides nothing."""
    panel: tuple[PanelFinding, ...] = ()
    """How far the judges of a panel agree, for each judged dimension; empty for a single judge. It
    decides nothing."""
    noise: tuple[NoiseFinding, ...] = ()
    """How much of a score's noise is the judge's, for each judged dimension whose answers were
    ruled on several times (`run.judge_repeats`). It decides nothing."""
