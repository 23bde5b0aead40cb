"""Kappa's bootstrap interval where items come in clusters: whole cases are drawn, not their items.

It is shown beside the interval that licenses, and licenses nothing: below a hundred cases a
percentile interval is too short, and with few disagreements its ends jump from one to the next.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from gate.stats.agreement import kappas_of
from gate.stats.checked import share
from gate.stats.clustered import tables_by_cluster
from gate.stats.seeded import stream, uniforms

_DRAWS_AT_ONCE = 1_000_000
"""Bounds the memory: clusters drawn at a time."""


def bootstrap_clustered_kappa(
    tables: ArrayLike,
    seed: str = "gate-v1",
    resamples: int = 2_000,
    confidence: float = 0.95,
) -> tuple[float | None, float | None]:
    """Give the percentile bootstrap interval of unweighted kappa, resampling whole clusters.

    `tables` has shape (clusters, q, q): one table of counts a cluster, rows human, columns judge.
    With one item a cluster it is the interval of resampled items. Resamples on which kappa is
    undefined are left out; (None, None) when it is undefined on all of them. Raises ValueError for
    a confidence outside (0, 1), and as `clustered_kappa` does for the tables.
    """
    cells = tables_by_cluster(tables)
    edge = share(confidence, "confidence")
    clusters, size = len(cells), cells.shape[1]
    flat = cells.reshape(clusters, size * size)
    source = stream(seed, "bootstrap-clustered-kappa")
    at_once = max(1, _DRAWS_AT_ONCE // clusters)
    values = []
    for start in range(0, resamples, at_once):
        rounds = min(at_once, resamples - start)
        drawn = np.floor(uniforms(source, rounds * clusters) * clusters).astype(np.int64)
        numbered = drawn + np.repeat(np.arange(rounds) * clusters, clusters)
        times = np.bincount(numbered, minlength=rounds * clusters).reshape(rounds, clusters)
        summed = (times @ flat).reshape(rounds, size, size)
        values.append(kappas_of(summed / summed.sum(axis=(1, 2), keepdims=True), "none"))
    kappas = np.concatenate(values)
    if len(kappas) == 0:
        return None, None
    low, high = np.quantile(kappas, [0.5 - edge / 2.0, 0.5 + edge / 2.0])
    return float(low), float(high)
