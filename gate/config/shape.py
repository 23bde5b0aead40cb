"""The shape of gate.yaml: every key, its kind and its range. `gate schema config` is made of it."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import ConfigDict, Field, model_validator

from gate.config.presets import PRESETS, Preset
from gate.stats.sampling import FEWEST_PER_CATEGORY
from gate.types import MOST_RULINGS, Policy
from gate.types.report import UNNAMED
from gate.wire.records import Form, Text

__all__ = [
    "AnthropicBlock",
    "ConcurrencyBlock",
    "ConnectionsBlock",
    "DatasetBlock",
    "EvidenceBlock",
    "GateFile",
    "GoogleBlock",
    "Journal",
    "PanelBlock",
    "PolicyBlock",
    "RetryBlock",
    "RunBlock",
    "UseBlock",
]

Journal = Literal["full", "no-pages", "no-text", "off"]
"""What is kept of the calls of a run."""
Share = Annotated[float, Field(ge=0, le=1)]
"""A part of a whole."""
Rate = Annotated[float, Field(gt=0, lt=1)]
"""A rate of false alarms."""
Kappa = Annotated[float, Field(ge=-1, le=1)]
"""A value of Cohen's kappa."""
NotNegative = Annotated[float, Field(ge=0)]
"""A drop, a limit, days, or US dollars."""
Drop = Annotated[float, Field(ge=0, le=1)]
"""A drop of scores between 0 and 1."""
Margin = Annotated[float, Field(gt=0, le=1)]
"""A margin of scores between 0 and 1."""
Positive = Annotated[float, Field(gt=0)]
"""A margin, or seconds."""
Calls = Annotated[int, Field(ge=1, le=256)]
"""Calls at a time."""
Members = Annotated[tuple[Text, ...], Field(min_length=1)]
"""Names of scorers, at least one."""

_POLICY = Policy()


class DatasetBlock(Form):
    """Where the cases are."""

    path: Text
    """File of the cases, relative to gate.yaml."""
    format: Literal["native"] = "native"
    """Format of the file."""


class UseBlock(Form):
    """A plug-in and its options."""

    model_config = ConfigDict(extra="allow")

    use: Text
    """Name of the plug-in, or `path.py:Name` for one of the repository itself."""


class PanelBlock(Form):
    """Options of `judge: use: panel`: several judges, whose mean is the score."""

    members: tuple[UseBlock, ...] = Field(
        description="Two to five judges, each with its `use` and options; best of several vendors."
    )
    """Two to five judges, each with its `use` and options; best of several vendors."""


class GoogleBlock(Form):
    """How Gemini is reached."""

    road: Literal["vertex", "key"] | None = None
    """`vertex` for Vertex AI, `key` for an API key; found from the other keys when left out."""
    project: Text | None = None
    """Google Cloud project, for `vertex`."""
    location: Text | None = None
    """Location of Vertex AI, such as `global`."""
    api_key: Text | None = None
    """API key, for `key`: write `${GEMINI_API_KEY}`, never the key itself."""


class AnthropicBlock(Form):
    """How Claude is reached."""

    road: Literal["vertex", "direct"] | None = None
    """`vertex` for Vertex AI, `direct` for Anthropic's own; found from the other keys."""
    project: Text | None = None
    """Google Cloud project, for `vertex`."""
    region: Text | None = None
    """Region of Vertex AI, such as `global`."""
    api_key: Text | None = None
    """API key, for `direct`: write `${ANTHROPIC_API_KEY}`, never the key itself."""


class ConnectionsBlock(Form):
    """How the vendors are reached. Variables are looked up only for a connection that is used."""

    google: GoogleBlock = GoogleBlock()
    """Gemini."""
    anthropic: AnthropicBlock = AnthropicBlock()
    """Claude."""


class RuleBlock(Form):
    """A rule of one dimension; what it leaves out is taken from the policy."""

    min_effect: NotNegative | None = None
    """Smallest mean drop that can be a regression."""
    margin: Positive | None = None
    """Drop that a pass rules out."""
    better: Literal["higher", "lower"] | None = None
    """Direction, for metrics that do not know theirs."""
    gating: bool | None = None
    """False makes it advisory; true lets a watched dimension fail a run, together with
    `min_effect` and `margin`."""
    required: bool = False
    """True: a run in which this dimension could not fail it (not measured, not licensed, not in
    the baseline) has no verdict."""
    floor: float | None = None
    """Score from which an answer is right, for the rule of `fallen_cases`."""


class LimitsBlock(Form):
    """Limits of the operation; above one, the run is a regression."""

    p50_latency_s: NotNegative | None = None
    """Median latency, in seconds."""
    usd_per_1k: NotNegative | None = None
    """US dollars for 1,000 answers."""


class PolicyBlock(Form):
    """How a comparison becomes a verdict: keys, or the name of a preset alone."""

    model_config = ConfigDict(
        json_schema_extra={"type": ["object", "string"], "pattern": f"^({'|'.join(PRESETS)})$"}
    )
    preset: Preset = "default"
    """A named set of rules (docs/verdict.md lists them); keys that stand beside it go before it."""
    rule: Literal["default", "threshold"] = _POLICY.rule
    """`threshold` is the plain rule: a mean drop larger than `threshold` fails."""
    threshold: Drop = _POLICY.threshold
    """Drop of the plain rule."""
    min_effect: Drop = _POLICY.min_effect
    """Smallest mean drop that can be a regression."""
    margin: Margin = _POLICY.margin
    """Drop that a pass rules out."""
    q: Rate = _POLICY.q
    """Rate of false alarms over all that can fail a run but operations."""
    category_share: Annotated[float, Field(ge=0, lt=1)] = _POLICY.category_share
    """Share of `q` that single categories have where some are tested, the rows of all cases having
    the rest; 0 tests none."""
    category_cases: Annotated[int, Field(ge=2)] = _POLICY.category_cases
    """Compared cases from which a category is tested."""
    fallen_cases: Literal["required", "all", "name", "off"] = _POLICY.fallen_cases
    """Cases that fell from always right to always wrong: which of them fail a run, those with the
    tag `required` or all; `name` names them only."""
    floor: float = _POLICY.floor
    """Score from which an answer is right, for scores on [0, 1]."""
    operations_q: Rate = _POLICY.operations_q
    """Rate of false alarms over the three operations of a target."""
    licence: Literal["interval", "point"] = _POLICY.licence
    """`point` asks for the bare kappa only."""
    min_kappa: Kappa = _POLICY.min_kappa
    """Kappa must be above this for a judged dimension to gate."""
    min_kappa_lower: Kappa = _POLICY.min_kappa_lower
    """The one-sided 95% lower bound of kappa must be above this."""
    min_off_modal: Annotated[int, Field(ge=0)] = _POLICY.min_off_modal
    """At least so many labels off the most frequent cell."""
    provisional_drop: Drop = _POLICY.provisional_drop
    """Drop from which a provisional dimension may fail a run."""
    coverage: Share = _POLICY.coverage
    """Share of the expected cases below which a row is unmeasured."""
    on_inconclusive: Literal["pass", "fail"] = _POLICY.on_inconclusive
    """`fail` turns an inconclusive run to exit code 3."""
    report_only: bool = _POLICY.report_only
    """Numbers without a verdict."""
    max_baseline_age_days: NotNegative = _POLICY.max_baseline_age_days
    """Older baselines give numbers without a verdict."""
    warn_baseline_age_days: NotNegative = _POLICY.warn_baseline_age_days
    """Older baselines are mentioned."""
    limits: LimitsBlock = LimitsBlock()
    """Limits of latency and cost."""
    pass_level: Rate = _POLICY.pass_level
    """Rate of passes that a true drop of the margin gets."""
    confirm_q: Rate = _POLICY.confirm_q
    """Rate at which luck of the second look may confirm a regression of the first."""
    confirm: bool = _POLICY.confirm
    """Whether cases are asked again, of candidate and base, when a row would regress: only what
    both looks say fails a run. It needs two checkouts, and costs only on suspicion."""
    rules: dict[str, RuleBlock] = Field(default_factory=dict)
    """Dimension -> rule of its own."""

    @model_validator(mode="before")
    @classmethod
    def _named(cls, written: object) -> object:
        """Take the name of a preset alone."""
        return {"preset": written} if isinstance(written, str) else written

    def policy(self) -> Policy:
        """Return it as the word that the decision reads: what is written, else the preset's."""
        data = self.model_dump(exclude={"preset"})
        data |= {
            key: value
            for key, value in PRESETS[self.preset].items()
            if key not in self.model_fields_set
        }
        data["limits"] = self.limits.model_dump(exclude_none=True)
        return Policy.model_validate(data)


class ConcurrencyBlock(Form):
    """Calls at a time, for each vendor."""

    google: Calls = 16
    """Calls to Google."""
    anthropic: Calls = 16
    """Calls to Anthropic."""


class RetryBlock(Form):
    """How a call that failed for a passing reason is tried again."""

    tries: Annotated[int, Field(ge=1, le=20)] = 5
    """Requests for one call at most, the first one included."""
    first_wait_s: Positive = 1.0
    """Upper end of the first wait, in seconds; it doubles with each try."""
    longest_wait_s: Positive = 30.0
    """Upper end of every wait, in seconds, unless the vendor asks for more."""
    longest_asked_s: Positive = 60.0
    """Most seconds that a vendor's Retry-After is kept to."""
    deadline_s: Positive = 300.0
    """Seconds from a call's first request after which no other is started, and for which a vendor
    that gives no sign of life is waited for."""


class RunBlock(Form):
    """How much is run, and how fast."""

    sample: Literal["full"] | Annotated[int, Field(ge=1)] = "full"
    """`full`, or the number of cases."""
    seed: Text | None = None
    """Seed of the sample; left out, it is the repository and the number of the pull request, such
    as `OWNER/REPO#7`, and `gate-v1` elsewhere."""
    looks: Literal[1, 3] = 1
    """3 decides after a third, two thirds and all of the cases, and stops asking as soon as a look
    fails or passes; error rates stay the same."""
    allocation: Literal["proportional", "neyman"] = "proportional"
    """How a sample's places are shared among the categories: by their sizes, or most where the
    baseline's repeats are noisiest (three repeats at least; with fewer it is by sizes)."""
    floor: Annotated[int, Field(ge=0, le=1000)] = FEWEST_PER_CATEGORY
    """Cases of each category that a sample holds at least, as far as there is room."""
    scorers: Text | None = None
    """Scorer set that is measured when `--scorer` is left out; without it, all scorers."""
    repeats: Annotated[int, Field(ge=1, le=100)] = 1
    """Answers for each case."""
    judge_repeats: Annotated[int, Field(ge=1, le=MOST_RULINGS)] = 1
    """Rulings of each judge on an answer, whose mean is the score. More than one costs as many
    calls, and shows how much of the noise is the judge's. It changes what licences hold for."""
    controls: Annotated[int, Field(ge=0, le=100)] = 3
    """Control answers that are judged again in each run, the others only where one of these
    flipped or the judge goes by another name; 0 judges none."""
    concurrency: ConcurrencyBlock = ConcurrencyBlock()
    """Calls at a time."""
    max_cost_usd: NotNegative | None = None
    """Ceiling of a run in US dollars: no call is started that could pass it."""
    call_timeout_s: Annotated[float, Field(gt=0, le=3600)] = 120.0
    """Deadline of one call, in seconds."""
    case_timeout_s: Positive = 900.0
    """Deadline of one case, in seconds: its answer, pages and judgements, retries included."""
    timeout_s: Positive | None = None
    """Deadline of the run, in seconds: then the finished part of the plan is decided on."""
    retry: RetryBlock = RetryBlock()
    """Retries."""


class EvidenceBlock(Form):
    """The pages that answers cite, for scorers that read them."""

    fetch: bool = False
    """Whether pages that Gemini cites are fetched. Google's terms restrict following the links of
    grounded results automatically, and whoever runs the gate decides. No legal advice."""
    timeout_s: Annotated[float, Field(gt=0, le=300)] = 20.0
    """Deadline of one page with all its redirects, in seconds."""
    max_page_bytes: Annotated[int, Field(ge=1_000, le=60_000)] = 60_000
    """Bytes of a page's text that are used."""
    pages: Literal["passages", "whole"] = "passages"
    """What the judge sees of a page: `passages` is the parts nearest to the answer."""


class GateFile(Form):
    """The configuration of the gate: what is asked, who answers, who judges, what decides."""

    schema_: Annotated[Literal[1], Field(alias="schema")] = 1
    """Version of the file's shape."""
    name: Text = UNNAMED
    """Names the comment and the status, where a repository has several gates."""
    dataset: DatasetBlock
    """The cases."""
    targets: dict[str, UseBlock] = Field(default_factory=dict)
    """Name -> a system under test: a plug-in and its options."""
    judge: UseBlock | None = None
    """The judge, of another family than the targets; none for scorers that ask nobody."""
    scorers: Annotated[tuple[Text | UseBlock, ...], Field(min_length=1)] = ("quality",)
    """What is measured: names, or blocks with options."""
    scorer_sets: dict[str, Members] = Field(default_factory=dict)
    """Name -> names of scorers that stand under `scorers`. A run of a set (`--scorer NAME`) is
    decided on the dimensions of that set alone."""
    connections: ConnectionsBlock = ConnectionsBlock()
    """How the vendors are reached."""
    baseline: Text = "baseline.json"
    """What a run is compared with."""
    baseline_answers: Text = "evals/baseline-answers.jsonl"
    """The answers that the baseline was made of, where `gate baseline --answers` wrote them: after
    a change of the judge they are judged anew, and nothing is asked again."""
    anchor: Text = "evals/anchor.json"
    """The first accepted baseline, which refreshes are held against."""
    calibration: Text = "evals/calibration.json"
    """What the judge said of labelled answers: it licenses dimensions."""
    sensitivity: Text = "evals/sensitivity.json"
    """What the judge said of answers that were damaged on purpose: a dimension that does not see
    the damage fails no run. Without the file nothing is held against it."""
    controls: Text = "evals/controls.json"
    """A few stored answers with the judge's scores, judged again in each run: a judge that rates
    them differently now has drifted, and what it drifted in is not compared."""
    labels: tuple[Text, ...] = ("evals/labels/*.yaml",)
    """Files of people's ratings; `*` stands for any name."""
    labels_for_tuning: Annotated[float, Field(ge=0, lt=1)] = 0.0
    """Share of the cases, by a hash of their ids, whose labels are kept for mending the judge's
    prompt: kappa and licences are of the others alone."""
    policy: PolicyBlock = PolicyBlock()
    """The rules of the decision."""
    run: RunBlock = RunBlock()
    """How much is run, and how fast."""
    evidence: EvidenceBlock = EvidenceBlock()
    """Cited pages."""
    keep_text: bool = False
    """Whether answers and the judge's reasons may stand in reports; for answers grounded by
    Google Search its terms restrict that, and whoever runs the gate decides. No legal advice."""
    journal: Journal = "full"
    """`full` keeps every request, reply and page, for resuming and for replays; `no-pages` holds
    no text of a page once the run has ended; `no-text` keeps keys, costs, times and problems only;
    `off` keeps nothing."""
    keep_days: Annotated[int, Field(ge=0, le=3650)] = 30
    """Days after its end that a run stays in the journal; older ones go when a run is begun."""
    reporters: tuple[Text | UseBlock, ...] = ("markdown", "json")
    """Files that are written: names, or blocks with options."""
