"""Whether a judge agrees with people: labels, the calibration set, kappa and the licence."""

from __future__ import annotations

from typing import Literal

from pydantic import Field

from gate.types.run import Identity
from gate.types.word import SCHEMA, Word

Bucket = Literal["low", "med", "high"]
"""Thirds of [0, 1]: below 1/3 low, below 2/3 med, else high."""


class Label(Word):
    """A person's rating of one answer, dimension by dimension."""

    case_id: str
    """The case."""
    scores: dict[str, Bucket]
    """Dimension -> bucket; a dimension that was not rated is absent."""
    target: str | None = None
    """Name of the system under test; None in system 1's files."""
    answer: str | None = None
    """Digest of the answer that was rated; None makes the label unbound."""
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


class CalibrationItem(Word):
    """One label with what the judge said of the same answer."""

    case_id: str
    """The case."""
    target: str | None
    """System under test."""
    answer: str | None
    """Digest of the answer; None when unbound."""
    human: Bucket
    """The person's rating."""
    judge: float
    """The judge's score in [0, 1], mean over attempts that gave this very answer."""


class CalibrationSet(Word):
    """Labels and judge scores of one dimension: a part of `evals/calibration.json`."""

    dimension: str
    """The metric."""
    identity: Identity
    """Judge, prompt and scorer that gave the scores."""
    drafted_by: tuple[str, ...] = ()
    """Who drafted the labels."""
    drafted_by_families: tuple[str, ...] = ()
    """Model families among the drafters."""
    approved_by: tuple[str, ...] = ()
    """Who approved them."""
    items: tuple[CalibrationItem, ...] = ()
    """Sorted by case, target and answer."""


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


class Agreement(Word):
    """Agreement of the judge with people on one dimension, and the licence that follows."""

    dimension: str
    """The metric."""
    state: TrustState
    """The licence."""
    kappa: float | None = None
    """Cohen's kappa, unweighted, on three buckets; None when undefined or without labels."""
    se: float | None = None
    """Standard error (Fleiss, Cohen and Everitt 1969)."""
    low: float | None = None
    """Lower end of the two-sided 95% interval."""
    high: float | None = None
    """Upper end."""
    lower_one_sided: float | None = None
    """One-sided 95% lower bound that the licence looks at."""
    n: int = 0
    """Labels."""
    off_modal: int = 0
    """Labels off the most frequent (human, judge) cell."""
    table: tuple[tuple[int, ...], ...] = ()
    """Counts, rows human low/med/high, columns judge low/med/high."""
    linear: float | None = None
    """Linearly weighted kappa; shown, not used."""
    quadratic: float | None = None
    """Quadratically weighted kappa; shown, not used."""
    ac1: float | None = None
    """Gwet's AC1; shown, not used."""
    agreement: float | None = None
    """Raw agreement."""
    because: str = ""
    """Why the state is what it is, in a sentence."""
