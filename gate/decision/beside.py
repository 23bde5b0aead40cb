"""What is shown beside the kappa that licenses: other coefficients, other edges, other intervals.

None of these figures licenses anything. AC1 and alpha explain a kappa, shifted edges say whether it
hangs on where the buckets are cut, and the bootstrap says how far the interval hangs on a formula.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from gate.decision.kappas import measure, tables_of
from gate.decision.raters import spread_of
from gate.stats.agreement import cohen_kappa, krippendorff_alpha
from gate.stats.resampled import bootstrap_clustered_kappa
from gate.stats.tables import Table
from gate.types import Agreement, Beside, CalibrationSet, Policy

EDGE_SHIFT = 0.05
"""How far the edges of the buckets are moved."""


def beside(labelled: CalibrationSet, agreement: Agreement, policy: Policy) -> Beside:
    """Give the figures beside the kappa of one dimension's labels, which are not none.

    `agreement` is that of the same labels. Raises ValueError for a judge's score outside [0, 1].
    """
    tables = tables_of(labelled)
    low, high = bootstrap_clustered_kappa(tables)
    ordered = labelled.counts is None
    tuning = labelled.model_copy(update={"items": labelled.tuning})
    return Beside(
        alpha=krippendorff_alpha(_summed(tables), "ordinal" if ordered else "nominal"),
        bootstrap_low=low,
        bootstrap_high=high,
        edges_lower=_kappa_at(labelled, -EDGE_SHIFT) if ordered else None,
        edges_higher=_kappa_at(labelled, EDGE_SHIFT) if ordered else None,
        more_labels=more_labels(
            agreement.kappa, agreement.lower_one_sided, agreement.n, policy.min_kappa_lower
        ),
        tuning_kappa=measure(tuning).kappa.value if labelled.tuning else None,
        tuning_n=len(labelled.tuning),
        spread=spread_of(labelled),
    )


def more_labels(kappa: float | None, bound: float | None, n: int, floor: float) -> int | None:
    """Give how many more labels of the same mix would lift kappa's lower bound above the floor.

    The gap between kappa and its bound is a number of standard errors, and these shrink as
    1 / sqrt(n): n' = n ((kappa - bound) / (kappa - floor))^2. At least 2 where the bound is not
    above: it is no exact figure, and a single label settles nothing. None where kappa itself is not
    above the floor, or either is undefined: then no number of labels like these would do.
    By hand: 24 labels, kappa 0.6308, bound 0.2511: 24 (0.3797 / 0.2308)^2 - 24 = 41.
    """
    if kappa is None or bound is None or not kappa > floor:
        return None
    if bound > floor:
        return 0
    return max(2, math.ceil(n * ((kappa - bound) / (kappa - floor)) ** 2) - n)


def _kappa_at(labelled: CalibrationSet, shift: float) -> float | None:
    return cohen_kappa(_summed(tables_of(labelled, shift))).value


def _summed(tables: Sequence[Table]) -> Table:
    return sum(tables[1:], start=tables[0])
