"""How a target worked, apart from quality: errors, empty and ungrounded answers, time and money.

A broken machine is no bad answer: these are compared apart, by an exact McNemar test of a rise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import chain

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


def _error(attempt: Attempt) -> bool | None:
    return attempt.state in FAILED


def _empty(attempt: Attempt) -> bool | None:
    return attempt.state == "empty"


def _ungrounded(attempt: Attempt) -> bool | None:
    """Say nothing of attempts without an answer, and where sources are unknown."""
    if attempt.state != "ok" or attempt.grounded is None:
        return None
    return not attempt.grounded


BAD: Mapping[str, Callable[[Attempt], bool | None]] = {
    "error_rate": _error,
    "empty_rate": _empty,
    "ungrounded_rate": _ungrounded,
}
"""The three rates that may turn a run -> whether an attempt is bad, None where it cannot say."""


def operation_of(sides: Sides, target: str) -> Operation:
    """Say how a target worked, and test whether it works worse than in the baseline.

    A case is bad on a side when more than half of its attempts there are. Only cases that stand on
    both sides, unchanged, are tested. p is the one-sided exact McNemar p of a rise, Holm-adjusted
    over the rates that can be tested; without a baseline of cases there is none.
    """
    cells = [sides.new[target, case] for case in sides.planned if (target, case) in sides.new]
    both = sides.both(target)
    new, base = _tries([one for one, _ in both]), _tries([one for _, one in both])
    p: dict[str, float | None] = {}
    cases: dict[str, tuple[str, ...]] = {}
    for rate, bad in BAD.items():
        found = turned(_flags(new, bad), _flags(base, bad))
        if found.told:
            p[rate] = mcnemar_rise_p(len(found.worse), found.better)
        if found.worse:
            cases[rate] = tuple(both[place][0].case_id for place in found.worse)
    tested = {rate: value for rate, value in p.items() if value is not None}
    attempts = list(chain.from_iterable(_tries(cells)))
    return Operation(
        target=target,
        **_figures(attempts),
        attempts=len(attempts),
        baseline=_figures(list(chain.from_iterable(base))) if both else {},
        p=p,
        p_holm=dict(zip(tested, holm(list(tested.values())), strict=True)),
        cases=cases,
    )


def _tries(cells: Iterable[Cell]) -> list[Sequence[Attempt]]:
    """Give the attempts of each cell that were really made."""
    return [made(cell) for cell in cells]


def _figures(attempts: Sequence[Attempt]) -> dict[str, float | None]:
    cost = mean_or_none([attempt.cost_usd for attempt in attempts if attempt.state in ANSWERED])
    ungrounded = _share(map(_ungrounded, attempts))
    return {
        "p50_latency_s": lower_median([attempt.latency_s for attempt in attempts]),
        "usd_per_1k": None if cost is None else 1_000.0 * cost,
        "error_rate": _share(map(_error, attempts)),
        "empty_rate": _share(map(_empty, attempts)),
        "grounded_rate": None if ungrounded is None else 1.0 - ungrounded,
    }


def _share(flags: Iterable[bool | None]) -> float | None:
    known = [flag for flag in flags if flag is not None]
    return sum(known) / len(known) if known else None


def _flags(tries: Sequence[Sequence[Attempt]], bad: Callable[[Attempt], bool | None]) -> Repeats:
    """Say of each attempt whether it is bad, where that can be said."""
    return Repeats.end_to_end(list(map(bad, chain.from_iterable(tries))), list(map(len, tries)))
