"""Whether a judge agrees with people: labels, the calibration set, kappa and the licence."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gate.types.run import Identity
from gate.types.trial import ItemKind, Support
from gate.types.word import SCHEMA, Word

Bucket = Literal["low", "med", "high"]
"""Thirds of [0, 1]: below 1/3 low, below 2/3 med, else high."""


class ItemLabel(Word):
    """A person's label of one thing that an answer says or does."""

    kind: ItemKind
    """What it is."""
    item: str
    """Its digest (see `Item.digest`)."""
    label: Support
    """What the pages say of it."""


class Label(Word):
    """A person's rating of one answer, dimension by dimension and item by item."""

    case_id: str
    """The case."""
    scores: dict[str, Bucket]
    """Dimension -> bucket; a dimension that was not rated is absent."""
    target: str | None = None
    """Name of the system under test; None in system 1's files."""
    answer: str | None = None
    """Digest of the answer that was rated; None makes the label unbound."""
    items: tuple[ItemLabel, ...] = ()
    """Labels of its claims, sentences, citations, and of facts that its pages state."""
    approved_by: str | None = None
    """Who approved this very label; None where only the file's own `approved_by` can say."""
    line: int | None = None
    """Line in the labels file (1-based), for messages."""


class LabelSet(Word):
    """One labels file."""

    path: str
    """The file, as it was named."""
    drafted_by: str | None = None
    """Who drafted the labels."""
    drafted_by_family: str | None = None
    """Model family of the drafter, where a model drafted them; None for people."""
    approved_by: str | None = None
    """Who approved them; None where nobody has."""
    labels: tuple[Label, ...]
    """The labels, in the file's order."""


class JudgedItem(Word):
    """One thing that a metric counted in an answer of a run."""

    target: str
    """System under test."""
    case_id: str
    """The case."""
    attempt: int
    """Repeat number from 0."""
    answer: str
    """Digest of the answer."""
    dimension: str
    """The metric."""
    kind: ItemKind
    """What the thing is."""
    item: str
    """Digest of the thing."""
    label: Support
    """The judge's label, as it counted."""
    text: str = ""
    """What a person reads of it."""


class CalibrationItem(Word):
    """One label with what the judge said of the same answer, or of the same thing in it."""

    case_id: str
    """The case."""
    target: str | None
    """System under test."""
    answer: str | None
    """Digest of the answer; None when unbound."""
    item: str | None = None
    """Digest of the claim, sentence, citation or statement; None for the answer as a whole."""
    human: Bucket | Support
    """The person's rating: a bucket of an answer, a word of an item. Of several people's the median
    bucket, the lower of two middle ones; of items the most frequent word, the worse of equals."""
    judge: float | Support
    """The judge's score in [0, 1], mean over attempts that gave this very answer; of an item the
    most frequent label, the worse of two equally frequent."""
    ratings: dict[str, Bucket | Support] = {}
    """Who rated it -> the rating, where several did; empty where one did."""


class CalibrationSet(Word):
    """Labels and judge scores of one dimension: a part of `evals/calibration.json`."""

    dimension: str
    """The metric."""
    counts: ItemKind | None = None
    """What was labelled; None is whole answers."""
    identity: Identity
    """Judge, prompt and scorer that gave the scores."""
    drafted_by: tuple[str, ...] = ()
    """Who drafted the labels."""
    drafted_by_families: tuple[str, ...] = ()
    """Model families among the drafters."""
    approved_by: tuple[str, ...] = ()
    """Who approved them."""
    models: tuple[str, ...] = ()
    """Raters that are models, where several rated one answer."""
    tried: tuple[str, ...] = ()
    """Digests of the judge's prompts that were compared with these labels, the present one among
    them, where there were several; the oldest first."""
    items: tuple[CalibrationItem, ...] = ()
    """The labels that license, sorted by case, target, answer and item."""
    tuning: tuple[CalibrationItem, ...] = ()
    """Labels of the cases that are kept for mending the prompt; they license nothing."""


class Calibration(Word):
    """`evals/calibration.json`: what licenses dimensions. Never computed from the gated run."""

    schema_: int = Field(default=SCHEMA, alias="schema")
    """Version of the file's shape (key `schema`)."""
    created: str | None = None
    """UTC time, ISO 8601."""
    sets: tuple[CalibrationSet, ...] = ()
    """One for each dimension."""


TrustState = Literal[
    "validated",
    "provisional",
    "unvalidated",
    "undefined",
    "stale",
    "unbound",
    "unlabelled",
    "not_needed",
]
"""What a dimension may do; see `decision.calibration` for the rules."""


class RaterAgreement(Word):
    """One person beside the judge, on what at least two people rated."""

    rater: str
    """Who rated."""
    n: int
    """Labels."""
    kappa: float | None
    """Unweighted kappa with the judge; None when undefined."""


class Spread(Word):
    """How far people agree with one another, and whether the judge stands among them."""

    people: tuple[RaterAgreement, ...]
    """Each person against the judge, by name."""
    n: int
    """Answers or items that at least two people rated."""
    alpha: float | None
    """Krippendorff's alpha of the people: ordinal for buckets, nominal for items."""
    pairwise: float | None
    """Mean kappa of all pairs of people; None where no pair has one."""
    judge: float | None
    """Mean kappa of the judge with each person; None where none is defined."""
    settled: int
    """Answers or items on which people differ, so that a rule chose the rating."""
    within: bool | None
    """Whether the judge agrees with people as people do with each other, less 0.05; None where
    that cannot be told."""


class Beside(Word):
    """Figures that stand beside the kappa that licenses. None of them licenses anything."""

    alpha: float | None = None
    """Krippendorff's alpha of people and judge: ordinal for buckets, nominal for items."""
    bootstrap_low: float | None = None
    """Lower end of the two-sided 95% percentile interval of kappa, resampled by case."""
    bootstrap_high: float | None = None
    """Upper end."""
    edges_lower: float | None = None
    """Kappa with the judge's scores cut 0.05 below 1/3 and 2/3; None for items."""
    edges_higher: float | None = None
    """Kappa with them cut 0.05 above."""
    more_labels: int | None = None
    """Labels of the same mix that would lift the lower bound above `min_kappa_lower` at the present
    kappa, by the standard error; 0 where it is above. None where no number would, or it cannot be
    told."""
    tuning_kappa: float | None = None
    """Kappa of the labels that are kept for mending the prompt."""
    tuning_n: int = 0
    """How many they are."""
    spread: Spread | None = None
    """Several people's ratings; None where nobody rated what another did."""


class Agreement(Word):
    """Agreement of the judge with people on one dimension, and the licence that follows."""

    dimension: str
    """The metric."""
    state: TrustState
    """The licence."""
    kappa: float | None = None
    """Cohen's kappa, unweighted, on the categories; None when undefined or without labels."""
    counts: ItemKind | None = None
    """What was labelled; None is whole answers."""
    categories: tuple[str, ...] = ("low", "med", "high")
    """The words that label it, in the order of the table."""
    se: float | None = None
    """Standard error: Fleiss, Cohen and Everitt (1969); clustered by case where a case has several
    labels."""
    low: float | None = None
    """Lower end of the two-sided 95% interval."""
    high: float | None = None
    """Upper end."""
    lower_one_sided: float | None = None
    """One-sided 95% lower bound that the licence looks at."""
    n: int = 0
    """Labels."""
    cases: int = 0
    """Cases that they come from: labels of one case are not independent."""
    design_effect: float | None = None
    """Variance clustered by case over the variance of as many independent labels; None where no
    case has several."""
    off_modal: int = 0
    """Labels off the most frequent (human, judge) cell."""
    table: tuple[tuple[int, ...], ...] = ()
    """Counts, rows human, columns judge, both in the order of the categories."""
    linear: float | None = None
    """Linearly weighted kappa of buckets; shown, not used. None for items, which have no order."""
    quadratic: float | None = None
    """Quadratically weighted kappa, likewise."""
    ac1: float | None = None
    """Gwet's AC1; shown, not used."""
    agreement: float | None = None
    """Raw agreement."""
    prompts: int = 1
    """Prompts of the judge that were compared with these labels, the present one included."""
    because: str = ""
    """Why the state is what it is, in a sentence."""
