"""How a target worked, apart from quality: errors, empty and ungrounded answers, time and money.

A broken machine is no bad answer: these are compared apart, by an exact McNemar test of a rise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import chain

from gate.decision.findings import RATES
from gate.decision.sides import Sides, made
from gate.stats.columns import Repeats
from gate.stats.correction import holm
from gate.stats.paired_counts import mcnemar_rise_p, turned
from gate.stats.summary import lower_median, mean_or_none
from gate.types import Attempt, Cell, Operation

FAILED = frozenset({"error", "blocked", "timeout"})
"""How an attempt ends that counts as an error."""

ANSWERED = frozenset({"ok", "empty"})
"""How an attempt ends whose cost is that of an answer."""


@dataclass(frozen=True)
class _Side:
    """The attempts of some cells that were really made, end to end."""

    attempts: list[Attempt]
    lengths: list[int]
    """How many each cell has."""
    bad: dict[str, list[bool | None]]
    """Rate -> whether each attempt is bad, None where it cannot say."""

    @classmethod
    def of(cls, cells: Sequence[Cell]) -> _Side:
        tries = [made(cell) for cell in cells]
        attempts = list(chain.from_iterable(tries))
        states = [attempt.state for attempt in attempts]
        # Attempts without an answer say nothing of sources, nor those whose sources are unknown.
        grounded = [one.grounded if one.state == "ok" else None for one in attempts]
        return cls(
            attempts=attempts,
            lengths=list(map(len, tries)),
            bad={
                "error_rate": [state in FAILED for state in states],
                "empty_rate": [state == "empty" for state in states],
                "ungrounded_rate": [None if known is None else not known for known in grounded],
            },
        )

    def flags(self, rate: str) -> Repeats:
        return Repeats.end_to_end(self.bad[rate], self.lengths)


def operation_of(sides: Sides, target: str) -> Operation:
    """Say how a target worked, and test whether it works worse than in the baseline.

    A case is bad on a side when more than half of its attempts there are. Only cases that stand on
    both sides, unchanged, are tested. p is the one-sided exact McNemar p of a rise, Holm-adjusted
    over the rates that can be tested; without a baseline of cases there is none.
    """
    cells = [sides.new[target, case] for case in sides.planned if (target, case) in sides.new]
    both = sides.both(target)
    now = _Side.of(cells)
    # Those on both sides are some of these cells, in the same order.
    new = now if len(both) == len(cells) else _Side.of([one for one, _ in both])
    base = _Side.of([one for _, one in both])
    p: dict[str, float | None] = {}
    cases: dict[str, tuple[str, ...]] = {}
    for rate in RATES:
        found = turned(new.flags(rate), base.flags(rate))
        if found.told:
            p[rate] = mcnemar_rise_p(len(found.worse), found.better)
        if found.worse:
            cases[rate] = tuple(both[place][0].case_id for place in found.worse)
    tested = {rate: value for rate, value in p.items() if value is not None}
    return Operation(
        target=target,
        **_figures(now),
        attempts=len(now.attempts),
        baseline=_figures(base) if both else {},
        p=p,
        p_holm=dict(zip(tested, holm(list(tested.values())), strict=True)),
        cases=cases,
    )


def _figures(side: _Side) -> dict[str, float | None]:
    attempts = side.attempts
    cost = mean_or_none([attempt.cost_usd for attempt in attempts if attempt.state in ANSWERED])
    ungrounded = _share(side.bad["ungrounded_rate"])
    return {
        "p50_latency_s": lower_median([attempt.latency_s for attempt in attempts]),
        "usd_per_1k": None if cost is None else 1_000.0 * cost,
        "error_rate": _share(side.bad["error_rate"]),
        "empty_rate": _share(side.bad["empty_rate"]),
        "grounded_rate": None if ungrounded is None else 1.0 - ungrounded,
    }


def _share(flags: Iterable[bool | None]) -> float | None:
    known = [flag for flag in flags if flag is not None]
    return sum(known) / len(known) if known else None
