"""A run: score columns of every case, attempt by attempt, and what makes them comparable."""

from __future__ import annotations

import operator
from typing import Literal

from pydantic import Field
from pydantic.dataclasses import dataclass

from gate.types.answer import Answer, Failure
from gate.types.control_check import ControlCheck
from gate.types.trial import Metric, Score
from gate.types.word import LEAN, SCHEMA, Word


class Result(Word):
    """One job, done: a line of `results.jsonl`."""

    case_id: str
    """The case."""
    category: str
    """Its category."""
    case_digest: str
    """SHA-256 of the case."""
    target: str
    """Name of the system under test."""
    attempt: int
    """Repeat number from 0."""
    question: str
    """What was asked, as text, for people."""
    answer: Answer
    """The answer or its failure."""
    answer_digest: str | None = None
    """SHA-256 of the answer, which labels name; None when there is none."""
    scores: tuple[Score, ...] = ()
    """One for each metric of the scorers; none when the answer failed."""


State = Literal["ok", "empty", "blocked", "error", "timeout", "budget"]
"""How a job ended: `ok` means that there was an answer to score."""


@dataclass(frozen=True, slots=True, kw_only=True, config=LEAN)
class Attempt:
    """What is known of one answer besides its scores."""

    state: State
    """How it ended."""
    digest: str | None = None
    """SHA-256 of the answer (see `Answer.digest`); None when there is none."""
    model: str | None = None
    """The model that really answered."""
    grounded: bool | None = None
    """Whether it had at least one source; None when unknown."""
    latency_s: float | None = None
    """Seconds; None when unknown or taken from the journal."""
    cost_usd: float | None = None
    """US dollars of the answer alone; None when unknown."""
    message: str | None = None
    """What went wrong, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True, config=LEAN)
class Cell:
    """One case of one target: every attempt's scores, in the order of the attempts."""

    target: str
    """Name of the system under test."""
    case_id: str
    """The case."""
    category: str = "uncategorised"
    """Its category."""
    case_digest: str | None = None
    """SHA-256 of the case; None in imported files."""
    scores: dict[str, tuple[float | None, ...]] = Field(
        default_factory=dict, json_schema_extra={"default": {}}
    )
    """Metric -> value per attempt; None where it could not be scored."""
    attempts: tuple[Attempt, ...] = ()
    """What is known of each answer; as long as every column in `scores`."""
    failures: dict[str, tuple[str | None, ...]] = Field(
        default_factory=dict, json_schema_extra={"default": {}}
    )
    """Metric -> failure kind per attempt, only for metrics that have one."""
    members: dict[str, dict[str, tuple[float | None, ...]]] = Field(
        default_factory=dict, json_schema_extra={"default": {}}, exclude_if=operator.not_
    )
    """Metric -> judge, or judge and repeat (`name#2`) -> value per attempt, where several rulings
    were asked for; `run.json` alone holds it."""


class Identity(Word):
    """What must be the same for two values of a metric to be compared; None is unknown."""

    judge: str | None = None
    """Judge model as named in the reply, with its reply form."""
    prompt: str | None = None
    """SHA-256 of the judge's prompt templates."""
    scorer: str | None = None
    """SHA-256 of the scorer's name, version and options."""


class TargetInfo(Word):
    """A system under test."""

    name: str
    """Its name in the configuration."""
    use: str
    """The plug-in's name."""
    model: str | None = None
    """The model that was asked for."""
    answered: tuple[str, ...] = ()
    """The models that really answered, sorted."""
    family: str | None = None
    """Vendor family, for the self-preference warning."""
    settings: str | None = None
    """SHA-256 of everything that shapes its answers."""


class Commits(Word):
    """Which code was measured."""

    base: str | None = None
    """Commit whose files decide."""
    head: str | None = None
    """Head of the pull request."""
    evaluated: str | None = None
    """Commit that was really run (the merge result where there is one)."""


class Provenance(Word):
    """Where a run comes from. It never decides comparability."""

    gate: str | None = None
    """Version of the gate."""
    created: str | None = None
    """UTC time, ISO 8601."""
    judged: str | None = Field(default=None, exclude_if=operator.not_)
    """When the judge ruled, UTC time, ISO 8601, where the answers are older than that."""
    commits: Commits = Commits()
    """Commits."""
    world: str | None = None
    """Variant of the loopback world; None for real vendors."""
    prices: str | None = None
    """Date for which prices were taken."""
    imported: str | None = None
    """Format that the run was imported from."""
    journal: str | None = None
    """Run id under which the journal holds its calls: of a judging it is not the collection's."""


class Cost(Word):
    """What a run cost."""

    usd: float | None = 0.0
    """US dollars at list price; None when a part is unknown."""
    known_usd: float = 0.0
    """The part that is known."""
    assumed_usd: float = 0.0
    """The part of `usd` that is assumed: calls of unknown outcome (interrupted, timed out, lost),
    each at its worst price."""
    estimated_usd: float | None = None
    """Estimate before the run."""
    ceiling_usd: float | None = None
    """Ceiling, where one was set."""
    calls: int = 0
    """Paid calls made."""
    cached_calls: int = 0
    """Calls answered by the journal."""


class Stratum(Word):
    """Cases of a sample that stand for all cases like them, each for equally many."""

    name: str
    """Its category."""
    total: int
    """Cases of the dataset in it."""
    case_ids: tuple[str, ...] = ()
    """The planned ones, sorted."""
    must_include: bool = False
    """Whether these are the cases that every sample holds: they stand for themselves alone."""

    @property
    def weight(self) -> float:
        """How many cases of the dataset each planned one stands for; 0 where none is planned."""
        return self.total / len(self.case_ids) if self.case_ids else 0.0


class Plan(Word):
    """Which cases were to be run."""

    seed: str = "gate-v1"
    """Seed of the hash order."""
    sample: int | None = None
    """Number of cases asked for; None is the full set."""
    repeats: int = 1
    """Attempts a case."""
    case_ids: tuple[str, ...] = ()
    """The planned cases, sorted."""
    total: int = 0
    """Cases in the dataset."""
    dataset: tuple[str, ...] = ()
    """Ids of all cases in the dataset, sorted; empty where they are not known."""
    required: tuple[str, ...] = ()
    """Cases that must be in the run (tag `required`), sorted."""
    clusters: dict[str, str] = {}
    """Case -> what it shares with others (key `cluster`), for the cases that say so."""
    narrowed: bool = False
    """Narrowed by hand (`--case`, `--target`, `--scorer`): numbers without a verdict."""
    scorer_sets: tuple[str, ...] = ()
    """Scorer sets of the configuration that were measured; empty where all scorers were, or some
    by hand. Such a run is decided on what it measured."""
    shard: str | None = None
    """`I/N` where this run holds the I-th of N parts of the plan; None for all of it."""
    planned: int | None = None
    """Cases that were planned, where the run ended early and `case_ids` are the finished ones."""
    looks: int = 1
    """Times that the run could be decided; above 1 it may stop asking at an earlier one."""
    look: int | None = None
    """The look that it stopped at, from 1: `case_ids` are what was asked until then, of `planned`
    ones. None where it did not stop early."""
    allocation: Literal["proportional", "neyman"] = "proportional"
    """How the places of a sample were shared among the categories: by their sizes, or by sizes and
    the spread of the baseline's repeats."""
    strata: tuple[Stratum, ...] = ()
    """The strata of a sample; empty where every case of the dataset was planned."""

    @property
    def weights(self) -> dict[str, tuple[str, float]]:
        """Case id -> its stratum, and how many cases of the dataset it stands for.

        Empty for the full set, in which every case stands for itself.
        """
        return {case: (one.name, one.weight) for one in self.strata for case in one.case_ids}

    def finished(self, case_ids: tuple[str, ...], planned: int) -> Plan:
        """Return the plan of a run that ended early, with the finished cases of `planned` ones."""
        done = set(case_ids)
        strata = tuple(
            one.model_copy(update={"case_ids": tuple(c for c in one.case_ids if c in done)})
            for one in self.strata
        )
        return self.model_copy(update={"case_ids": case_ids, "planned": planned, "strata": strata})


class Confirm(Word):
    """Cases that were asked again, of candidate and base, since a row would have regressed.

    Both arms were asked in the same hour and judged by the same judge, so that what has become of
    the web, of search or of the judge since the baseline hits both.
    """

    suspects: tuple[tuple[str, str], ...] = ()
    """Target and dimension of the rows that would have regressed."""
    case_ids: tuple[str, ...] = ()
    """The cases, sorted: those that fell, and as many others."""
    fallen: int = 0
    """How many of them fell."""
    repeats: int = 1
    """Answers a case and arm."""
    candidate: tuple[Cell, ...] = ()
    """What the candidate's targets said, sorted by target and case id."""
    base: tuple[Cell, ...] = ()
    """What the base's own targets said."""
    stopped: str | None = None
    """Why it was not done; then both arms are empty, and the first look stands alone."""


class Run(Word):
    """Everything that the decision needs of a run: `run.json`."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    id: str
    """Run id."""
    provenance: Provenance = Provenance()
    """Where it comes from."""
    plan: Plan = Plan()
    """Which cases."""
    targets: tuple[TargetInfo, ...] = ()
    """Systems under test, in the order of the configuration."""
    metrics: tuple[Metric, ...] = ()
    """Dimensions, in the order of the scorers."""
    identities: dict[str, Identity] = {}
    """Metric -> identity."""
    cells: tuple[Cell, ...] = ()
    """Sorted by target and case id."""
    cost: Cost = Cost()
    """What it cost."""
    judge_family: str | None = None
    """Family of the judge, for the self-preference warning; of a panel that of its first judge."""
    judge_families: tuple[str, ...] = ()
    """Families of a panel's judges, each once, in their order; empty for a single judge."""
    warnings: tuple[str, ...] = ()
    """What a reader must know."""
    edits: tuple[str, ...] = ()
    """What the candidate's tree changes of what decides: none of it was followed."""
    pages: dict[str, int] = {}
    """Status of a cited page -> how many, each source of each answer once."""
    stopped: str | None = None
    """Why the run ended early, if it did: the finished part of its plan is decided on."""
    interrupted: str | None = None
    """The signal that ended the run, such as `SIGTERM`: nothing is decided on it."""
    broken: Failure | None = None
    """The one cause, when every job failed for the same reason."""
    confirm: Confirm | None = None
    """The second look; None where no row would have regressed, or where there is no base to ask."""

    @property
    def families(self) -> tuple[str, ...]:
        """The families of all judges, each once; empty where none is known."""
        return self.judge_families or (() if self.judge_family is None else (self.judge_family,))

    @property
    def family_names(self) -> str | None:
        """The same in one text, as licences look at it; None where none is known."""
        return " + ".join(self.families) or None

    controls: ControlCheck | None = None
    """The control answers, judged again; None where there are none, or where nobody asked."""
