"""Can a row fail the run? And if not, why not, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gate.decision.licence import MAY_GATE, WEAK, unlabelled
from gate.decision.rows import FRACTION
from gate.types import Agreement, Metric, Policy, Row, Rule

Cause = Literal["rule", "direction", "licence", "unit", "new"]
"""What makes a row advisory; `new` is that the baseline has nothing to compare it with."""


@dataclass(frozen=True)
class Standing:
    """What one row may do."""

    row: Row
    """The row."""
    agreement: Agreement
    """The licence of its dimension."""
    cause: Cause | None
    """What makes it advisory; None when it gates."""
    because: str | None
    """The same in words."""

    @property
    def gating(self) -> bool:
        """Whether the row can fail the run."""
        return self.cause is None

    @property
    def weak(self) -> bool:
        """Whether only a large drop can: a provisional licence."""
        return self.agreement.state in WEAK


def standing_of(
    row: Row,
    metrics: Mapping[str, Metric],
    agreements: Mapping[str, Agreement],
    policy: Policy,
) -> Standing:
    """Say what a row may do: its rule, its direction, the licence, its unit and the baseline count.

    A target that is missing from the run always counts.
    """
    agreement = agreements.get(row.dimension) or (
        unlabelled(row.dimension)
        if row.judged
        else Agreement(dimension=row.dimension, state="not_needed")
    )
    if row.missing:
        return Standing(row, agreement, None, None)
    for cause, because in _hindrances(row, metrics.get(row.dimension), agreement, policy):
        return Standing(row, agreement, cause, because)
    return Standing(row, agreement, None, None)


def _hindrances(
    row: Row, metric: Metric | None, agreement: Agreement, policy: Policy
) -> Sequence[tuple[Cause, str]]:
    rule = policy.rules.get(row.dimension, Rule())
    found: list[tuple[Cause, str]] = []
    if rule.gating is False:
        found.append(("rule", "its rule says `gating: false`"))
    if not row.direction_known:
        found.append(
            (
                "direction",
                "whether higher or lower is better is not known: set `better:` in its rule",
            )
        )
    if agreement.state not in MAY_GATE:
        found.append(("licence", agreement.because))
    scaled = metric is None or metric.unit == FRACTION
    if not scaled and None in (rule.min_effect, rule.margin):
        found.append(
            ("unit", "it is no score between 0 and 1: set `min_effect:` and `margin:` in its rule")
        )
    if not row.expected:
        found.append(("new", "the baseline has nothing to compare it with: refresh the baseline"))
    return found
