"""Whether files are of the judge, prompts and scorers that the configuration names now.

Digests of prompts and settings are known without a call; a judge's full name is not.
"""

from __future__ import annotations

from collections.abc import Mapping

from gate.decision.identity import differing
from gate.decision.licence import STAND_IN
from gate.decision.words import few, listed
from gate.types import Baseline, Identity
from gate.wiring import Live

__all__ = ["identities_now", "instrument_faults"]


def identities_now(
    live: Live, stored: Mapping[str, Identity], *, offline: bool
) -> dict[str, Identity]:
    """Give the identity of every dimension, as far as it is known before the judge replies.

    `stored` are those of a file: a judge's name in it that holds the model asked now is taken for
    the judge's own. `offline` is against the loopback world.
    """
    return {
        metric.name: Identity(
            judge=_present(stored.get(metric.name), live, offline=offline)
            if metric.judged
            else None,
            prompt=scorer.prompt_digest,
            scorer=scorer.settings_digest,
        )
        for scorer in live.scorers
        for metric in scorer.metrics
    }


def instrument_faults(
    baseline: Baseline, live: Live, dataset: frozenset[str], *, offline: bool
) -> list[str]:
    """Say why the configured gate cannot compare with a baseline, or must fail beside it.

    `dataset` are the ids of all cases.
    """
    faults = []
    if baseline.provenance.world is not None and not offline:
        faults.append("it is of the loopback world, whose numbers say nothing of your system")
    now = identities_now(live, baseline.identities, offline=offline)
    other: dict[str, list[str]] = {}
    for name, identity in now.items():
        if parts := differing(baseline.identities.get(name), identity):
            other.setdefault(listed(parts), []).append(name)
    if other:
        said = "; ".join(f"other {parts} of {few(names)}" for parts, names in other.items())
        faults.append(
            f"it was scored by another instrument ({said}), so a run has no verdict: renew it"
        )
    if gone := [case for case in baseline.required if case not in dataset]:
        faults.append(f"it requires {few(gone)}, which the cases no longer hold: every run fails")
    return faults


def _present(stored: Identity | None, live: Live, *, offline: bool) -> str | None:
    """Return what the judge will call itself, as far as it is known before it replies."""
    known = (None if stored is None else stored.judge) or ""
    stand_in = known.startswith(STAND_IN)
    if stand_in:
        return known if offline else None
    asked = [judge.model for judge in live.judges.values()]
    return known if all(model in known for model in asked) else " + ".join(asked)
