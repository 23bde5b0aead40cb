"""Can a row fail the run? And if not, why not, in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from gate.decision.licence import MAY_GATE, WEAK, unlabelled
from gate.decision.rows import FRACTION, sign_of
from gate.types import Agreement, Metric, Policy, Row, Rule

Cause = Literal["rule", "direction", "licence", "unit", "new", "watched"]
"""What makes a row advisory; `new` is that the baseline has nothing to compare it with, `watched`
that it is there to be seen and not to fail."""

WATCHED = "watched: a clear fall is pointed out, and fails no run"
"""What is said of a watched row."""

_NOTHING_TO_COMPARE = "the baseline has nothing to compare it with: refresh the baseline"
_NO_BASELINE = "there is no baseline yet: make one"


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
    *,
    has_baseline: bool = True,
) -> Standing:
    """Say what a row may do: its rule, its direction, the licence, its unit and the baseline count.

    A target that is missing from the run always counts. `has_baseline` says whether there is any.
    """
    agreement = agreements.get(row.dimension) or (
        unlabelled(row.dimension)
        if row.judged
        else Agreement(dimension=row.dimension, state="not_needed")
    )
    if row.missing:
        return Standing(row, agreement, None, None)
    metric = metrics.get(row.dimension) or Metric(name=row.dimension, judged=row.judged)
    found = _hindrances(metric, agreement, policy, direction_known=row.direction_known)
    if not row.expected:
        found.append(("new", _NOTHING_TO_COMPARE if has_baseline else _NO_BASELINE))
    cause, because = found[0] if found else (None, None)
    return Standing(row, agreement, cause, because)


def gating_dimensions(
    metrics: Sequence[Metric], agreements: Sequence[Agreement], policy: Policy
) -> tuple[str, ...]:
    """Name the dimensions that could fail a run, given a baseline, in the metrics' order.

    For a plan that is weighed before there is a run; `agreements` as in a verdict.
    """
    licences = {one.dimension: one for one in agreements}
    return tuple(
        metric.name
        for metric in metrics
        if metric.name in licences
        and not _hindrances(
            metric,
            licences[metric.name],
            policy,
            direction_known=sign_of(metric, policy) is not None,
        )
    )


def _hindrances(
    metric: Metric, agreement: Agreement, policy: Policy, *, direction_known: bool
) -> list[tuple[Cause, str]]:
    """Give what keeps a dimension from failing a run, the first reason first."""
    rule = policy.rules.get(metric.name, Rule())
    found: list[tuple[Cause, str]] = []
    if rule.gating is False:
        found.append(("rule", "its rule says `gating: false`"))
    if not direction_known:
        found.append(
            (
                "direction",
                "whether higher or lower is better is not known: set `better:` in its rule",
            )
        )
    if agreement.state not in MAY_GATE:
        found.append(("licence", agreement.because))
    if metric.unit != FRACTION and None in (rule.min_effect, rule.margin):
        found.append(
            ("unit", "it is no score between 0 and 1: set `min_effect:` and `margin:` in its rule")
        )
    if metric.watched and rule.gating is not True:
        return [("watched", WATCHED)]
    # Asked to gate and not able to, it stays watched, and says what it lacks.
    return [("watched", because) for _, because in found] if metric.watched else found
