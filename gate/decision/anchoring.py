"""How new scores stand to the anchor: where they fell below it, and what cannot be told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from gate.decision.comparison import DIFFERS
from gate.decision.findings import RATES, rise_of, risen
from gate.decision.outcomes import min_effect_of
from gate.decision.rounding import result
from gate.decision.words import amount, counted, listed, percent
from gate.types import Baseline, Comparison, Finding, Outcome, Policy, Reason, Row, Verdict

_COMPARED: frozenset[Outcome] = frozenset({"regression", "pass", "inconclusive"})

Floors = Mapping[tuple[str, str], float]
"""(target, dimension or rate) -> how far below the anchor a recorded reason let it be."""


@dataclass(frozen=True)
class Fall:
    """One dimension, or one rate of failures, that is worse than in the anchor."""

    target: str
    """System under test."""
    name: str
    """The dimension, or the rate."""
    drop: float
    """How much worse, above 0."""
    words: str
    """The same in a clause."""

    def beyond(self, floor: Floors, policy: Policy) -> bool:
        """Whether no recorded reason covers it: by more than the smallest effect it is lower."""
        accepted = floor.get((self.target, self.name))
        return accepted is None or result(self.drop - accepted) > min_effect_of(self.name, policy)


@dataclass(frozen=True)
class Unreached:
    """A part of the anchor that the new scores cannot be held against."""

    names: tuple[str, ...]
    """The dimensions that this is so of, with their targets where there are several."""
    because: str
    """Why, in a clause."""
    ends: bool
    """Whether it is so from now on, so that another anchor begins: not of answers that are lost."""

    @property
    def words(self) -> str:
        """The same in one clause."""
        return f"{listed(self.names)}: {self.because}" if self.names else self.because


def whole_rows(verdict: Verdict) -> list[Finding]:
    """Give the findings of all cases, those of single categories left out."""
    return [one for one in verdict.comparisons if one.category is None]


def falls_of(comparison: Comparison, verdict: Verdict, policy: Policy) -> list[Fall]:
    """Name what is worse than the anchor by the gate's own test, or in the mean.

    A mean counts when it is lower by more than the smallest effect (`min_effect`), proven or not:
    many drops that are too small to be proven are what an anchor is there for. Only dimensions that
    may fail a run count; of single categories only what the test finds.
    """
    several = len({row.target for row in comparison.rows}) > 1
    pairs = zip(comparison.rows, whole_rows(verdict), strict=True)
    found = [
        fall
        for row, finding in pairs
        if (fall := _fall(row, finding, policy, named=several)) is not None
    ]
    found.extend(_category_falls(verdict, named=several))
    for operation in comparison.operations:
        for rate in risen(operation, policy):
            drop = result(rise_of(operation, rate))
            whose = f" of {operation.target}" if several else ""
            words = f"{RATES[rate]}{whose} are {percent(drop)} more than in the anchor"
            found.append(Fall(operation.target, rate, drop, words))
    return found


def _category_falls(verdict: Verdict, *, named: bool) -> list[Fall]:
    """Name single categories that are worse by the gate's own test."""
    found = []
    for one in verdict.comparisons:
        if one.category is not None and one.outcome == "regression":
            drop = result(abs(one.delta or 0.0))
            whose = f"{one.dimension} of {one.target}" if named else one.dimension
            moved = f"{amount(one.baseline or 0.0)} → {amount(one.current or 0.0)}"
            words = (
                f"{whose} in category {one.category} is {amount(drop)} below the anchor ({moved})"
            )
            found.append(Fall(one.target, f"{one.dimension} [{one.category}]", drop, words))
    return found


def _fall(row: Row, finding: Finding, policy: Policy, *, named: bool) -> Fall | None:
    if not finding.gating or finding.outcome not in _COMPARED or row.signed is None:
        return None
    drop = result(-row.signed)
    low = drop > min_effect_of(row.dimension, policy)
    if finding.outcome != "regression" and not low:
        return None
    moved = f"{amount(finding.baseline or 0.0)} → {amount(finding.current or 0.0)}"
    words = f"{name_of(row, named=named)} is {amount(drop)} below the anchor ({moved})"
    return Fall(row.target, row.dimension, drop, words)


def unreached(comparison: Comparison, verdict: Verdict) -> list[Unreached]:
    """Name what of the anchor cannot be compared: another instrument, too few cases, a target gone.

    Watched dimensions decide nothing, and those without a licence are missed only where their
    instrument changed: else a change of the judge, which ends its licence, would end the anchor
    without a word.
    """
    several = len({row.target for row in comparison.rows}) > 1
    found: dict[tuple[str, bool], list[str]] = {}
    for row, finding in zip(comparison.rows, whole_rows(verdict), strict=True):
        because = None if finding.watched else _why_not(row, finding)
        if because is not None:
            named = found.setdefault(because, [])
            named += [] if row.missing else [name_of(row, named=several)]
    return [Unreached(tuple(names), *because) for because, names in found.items()]


def _why_not(row: Row, finding: Finding) -> tuple[str, bool] | None:
    """Say why a row cannot be compared, and whether that is so from now on."""
    if row.missing:
        return f"target {row.target} of the anchor is gone", True
    if row.incomparable:
        parts = listed([DIFFERS.get(one, one) for one in row.incomparable])
        return f"not to be held against the anchor (another {parts})", True
    if finding.gating and finding.outcome == "unmeasured":
        lost = len(row.newly_unscored)
        if lost >= row.expected - row.n - lost:
            return (
                f"not to be held against the anchor ({counted(lost, 'case')} without a score)",
                False,
            )
        common = f"{row.n} of its {row.expected} cases in common"
        return f"not to be held against the anchor ({common})", True
    return None


def name_of(row: Row, *, named: bool) -> str:
    """Name a dimension, with its target where there are several."""
    return f"{row.dimension} of {row.target}" if named else row.dimension


def lost(comparison: Comparison, old: Baseline) -> list[str]:
    """Say what the old baseline measures and the new one does not: it would decide nothing more."""
    watched = {metric.name for metric in old.metrics if metric.watched}
    names = [name for name in comparison.coverage.not_measured if name not in watched]
    said = [f"{listed(names)} {'is' if len(names) == 1 else 'are'} not measured any more"]
    return said if names else []


def floors(reasons: Sequence[Reason]) -> dict[tuple[str, str], float]:
    """Say how far below the present anchor recorded reasons let each dimension be."""
    found: dict[tuple[str, str], float] = {}
    for reason in reasons:
        if reason.new_anchor:
            found.clear()
        for target, names in reason.accepted.items():
            for name, drop in names.items():
                found[target, name] = max(drop, found.get((target, name), 0.0))
    return found
