"""What to do where nothing is licensed to fail a run: one step, where the rows say why."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence

from gate.decision.judged import Judged
from gate.decision.words import listed
from gate.types import Run


def to_license(rows: Sequence[Judged], run: Run) -> str:
    """Say what is to be labelled, and what else is to be done, with the dimensions it serves.

    Watched rows need no licence, and one that is composed of others has theirs.
    """
    composed = {metric.name for metric in run.metrics if metric.of}
    label: dict[str, dict[str, None]] = defaultdict(dict)
    other: dict[str, dict[str, None]] = defaultdict(dict)
    for row in rows:
        one, name = row.standing, row.finding.dimension
        if one.row.missing or one.cause == "watched":
            continue
        if one.cause != "licence" or one.agreement.state != "unlabelled":
            other[_todo(row)][name] = None
        elif name not in composed:
            label[one.agreement.counts or "answers"][name] = None
    steps = [f"{listed(list(names))}: {what}" for what, names in other.items()]
    return "; ".join([*_labels(label), *steps]) or "configure scorers"


def _labels(wanted: Mapping[str, Mapping[str, None]]) -> Sequence[str]:
    if not wanted:
        return ()
    kinds = listed([f"{kind} ({', '.join(names)})" for kind, names in wanted.items()])
    return (
        f"label {kinds} in evals/labels, then `gate kappa RUN.json --write evals/calibration.json`",
    )


def _todo(row: Judged) -> str:
    """Give what a reason asks for: it stands last, after a colon. A rule asks for nothing."""
    because = row.standing.because or ""
    return because if row.standing.cause == "rule" else because.rpartition(": ")[2]
