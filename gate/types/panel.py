"""Several rulings on one answer: how far judges agree, and how much of the noise is theirs."""

from __future__ import annotations

from gate.types.word import Word


class PanelJudge(Word):
    """One judge of a panel, on one dimension."""

    judge: str
    """Its model, as the configuration names it."""
    mean: float
    """Its mean over the answers that all judges gave a value."""
    apart: float
    """That mean minus the mean of the other judges on the same answers."""


class PanelPair(Word):
    """Two judges of a panel, on one dimension."""

    one: str
    """A judge."""
    other: str
    """Another one, behind it in the panel's order."""
    kappa: float | None
    """Cohen's kappa of their thirds, unweighted; None where both gave one rating throughout."""
    difference: float
    """Mean of the first minus mean of the other."""


class PanelFinding(Word):
    """How far the judges of a panel agree with one another on one dimension."""

    dimension: str
    """The metric."""
    n: int
    """Answers that all judges gave a value."""
    alpha: float | None
    """Krippendorff's alpha of their thirds, ordinal; None where all ratings are the same."""
    judges: tuple[PanelJudge, ...] = ()
    """The judges, in the panel's order."""
    pairs: tuple[PanelPair, ...] = ()
    """Every two of them."""


class JudgeNoise(Word):
    """How far rulings of the same judges on the same answer lie apart, by chance alone."""

    variance: float
    """Variance of a score that comes from ruling anew, where a score is the mean of `rulings`."""
    rulings: int
    """Rulings of each judge on an answer."""
    n: int
    """Answers that it was measured on."""


class NoiseFinding(Word):
    """Where the noise of one score comes from: from ruling anew, or from answering anew."""

    dimension: str
    """The metric."""
    judge: float
    """Variance that comes from ruling anew, of a score that is the mean of `rulings`."""
    answer: float | None
    """Variance that comes from answering anew, at least 0; None where no case has two answers."""
    share: float | None
    """The judge's part of both, from 0 to 1; None where there is no noise at all, or where the
    other part is not known."""
    rulings: int
    """Rulings of each judge on an answer."""
    n: int
    """Answers that were ruled on several times."""
    cases: int
    """Cases with several answers."""
