"""Right answers that their own pages do not bear out: right perhaps from the model's memory.

An answer is one of these where its correctness lies in the highest third and its faithfulness in
the lowest: nearly all that it had to say is right, and the pages that it cites say little of it.
The signal is gemini-search-mcp's ("right from the model's memory rather than from what it cited").
It decides nothing: no row, status or exit code follows from it.

What it cannot see: answers without a page that could be read, which have no faithfulness (the rate
of ungrounded answers counts those without a source), and whether the model remembered or cited the
wrong page of what it had read. In imported files an answer without a claim may carry a published
faithfulness of 0, and counts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache

from gate.decision.identity import differing
from gate.decision.rounding import SCORE_PLACES, score
from gate.decision.rows import FRACTION, sign_of
from gate.decision.sides import Sides
from gate.stats.agreement import bucket
from gate.types import Cell, MemoryFinding, Policy

RIGHT = "correctness"
"""The dimension that is high in such an answer."""

BORNE_OUT = "faithfulness"
"""The dimension that is low in it."""

_NEVER_LOW = 0.5
"""From here on a score is in no lowest third, however it is rounded; most scores are."""

_HALF_A_STEP = 0.5 * 10.0**-SCORE_PLACES


def from_memory(sides: Sides, policy: Policy) -> tuple[MemoryFinding, ...]:
    """Count such answers for each target of the run, in the run's order.

    Targets without an answer that has both scores are left out, so nothing is said where one of
    the two dimensions was not measured. The baseline's share is of its answers to the same cases,
    and None where it has none with both scores or was scored by another instrument.
    """
    run = sides.run
    scales = [metric for metric in run.metrics if metric.name in (RIGHT, BORNE_OUT)]
    # Thirds of [0, 1] mean nothing on another scale, nor upside down.
    if any(one.unit != FRACTION or sign_of(one, policy) != 1.0 for one in scales):
        return ()
    alike = not any(
        differing(sides.baseline.identities.get(name), run.identities.get(name))
        for name in (RIGHT, BORNE_OUT)
    )
    found = []
    for info in run.targets:
        keys = [(info.name, case) for case in sides.planned]
        n, now = _answers(sides.new[key] for key in keys if key in sides.new)
        old = [base for _, base in sides.both(info.name)] if alike else []
        baseline_n, before = _answers(old)
        cases = Counter(now)
        if n:
            found.append(
                MemoryFinding(
                    target=info.name,
                    count=cases.total(),
                    n=n,
                    cases=tuple(sorted(cases, key=lambda case: (-cases[case], case))),
                    baseline=len(before) / baseline_n if baseline_n else None,
                    baseline_n=baseline_n,
                )
            )
    return tuple(found)


def _answers(cells: Iterable[Cell]) -> tuple[int, list[str]]:
    """Count the answers with both scores, and give the case of each that is remembered.

    Empty answers say nothing.
    """
    n = 0
    remembered: list[str] = []
    for cell in cells:
        both = zip(
            cell.attempts, cell.scores.get(RIGHT, ()), cell.scores.get(BORNE_OUT, ()), strict=False
        )
        for attempt, right, borne_out in both:
            if attempt.state == "ok" and right is not None and borne_out is not None:
                n += 1
                low = borne_out < _NEVER_LOW and _third(borne_out) == "low"
                if low and _third(right) == "high":
                    remembered.append(cell.case_id)
    return n, remembered


@lru_cache(maxsize=20_000)
def _third(value: float) -> str:
    """Give the third of a score, the same for a fresh one and for one from baseline.json.

    The file has four decimals: a third stands there as 0.3333, which would be low where 1/3 is
    med. Both sides are rounded alike, and half a step puts the bounds back in their third.
    """
    return bucket(min(1.0, max(0.0, score(value) + _HALF_A_STEP)))
