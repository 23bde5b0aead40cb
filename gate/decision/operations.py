"""How a target worked, apart from quality: errors, empty and ungrounded answers, time and money.

A broken machine is no bad answer: these are compared apart, by an exact McNemar test of a rise.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from gate.decision.sides import Sides, made
from gate.stats.correction import holm
from gate.stats.paired_counts import mcnemar_rise_p
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
    p: dict[str, float | None] = {}
    cases: dict[str, tuple[str, ...]] = {}
    for rate, bad in BAD.items():
        fell, rose, pairs = _changes(both, bad)
        if pairs:
            p[rate] = mcnemar_rise_p(len(fell), rose)
        if fell:
            cases[rate] = fell
    tested = {rate: value for rate, value in p.items() if value is not None}
    return Operation(
        target=target,
        **_figures(cells),
        attempts=sum(len(made(cell)) for cell in cells),
        baseline=_figures([base for _, base in both]) if both else {},
        p=p,
        p_holm=dict(zip(tested, holm(list(tested.values())), strict=True)),
        cases=cases,
    )


def _figures(cells: Sequence[Cell]) -> dict[str, float | None]:
    attempts = [attempt for cell in cells for attempt in made(cell)]
    cost = mean_or_none(attempt.cost_usd for attempt in attempts if attempt.state in ANSWERED)
    ungrounded = _share(map(_ungrounded, attempts))
    return {
        "p50_latency_s": lower_median(attempt.latency_s for attempt in attempts),
        "usd_per_1k": None if cost is None else 1_000.0 * cost,
        "error_rate": _share(map(_error, attempts)),
        "empty_rate": _share(map(_empty, attempts)),
        "grounded_rate": None if ungrounded is None else 1.0 - ungrounded,
    }


def _share(flags: Iterable[bool | None]) -> float | None:
    return mean_or_none(None if flag is None else float(flag) for flag in flags)


def _changes(
    both: Sequence[tuple[Cell, Cell]], bad: Callable[[Attempt], bool | None]
) -> tuple[tuple[str, ...], int, int]:
    """Give the cases that turned bad, how many turned good, and how many could be told."""
    fell: list[str] = []
    rose = pairs = 0
    for new, base in both:
        now, before = _mostly(new, bad), _mostly(base, bad)
        if now is None or before is None:
            continue
        pairs += 1
        if now and not before:
            fell.append(new.case_id)
        rose += before and not now
    return tuple(fell), rose, pairs


def _mostly(cell: Cell, bad: Callable[[Attempt], bool | None]) -> bool | None:
    known = [flag for attempt in made(cell) if (flag := bad(attempt)) is not None]
    return 2 * sum(known) > len(known) if known else None
