"""What is refused in the plan of a run: looks, parts and strata that cannot be."""

from __future__ import annotations

from typing import Any

import pytest

from gate.decision.shape import check_planned, check_run
from gate.errors import FileError
from gate.types import Plan
from tests.unit.decision.decision_samples import columns, run_of

HUGE = 10**400
"""Larger than a double can be."""


def stratum(total: int, *cases: str, name: str = "c") -> dict[str, Any]:
    """A stratum as a file has it."""
    return {"name": name, "total": total, "case_ids": cases}


WRONG: list[tuple[dict[str, Any], str]] = [
    ({"looks": 0}, "has plan.looks 0: 1 or 3 looks are expected"),
    ({"looks": 2}, "has plan.looks 2: 1 or 3 looks are expected"),
    ({"looks": 100, "look": 50}, "has plan.looks 100: 1 or 3 looks are expected"),
    ({"looks": HUGE}, r"has plan.looks 10+\.\.\.0+: 1 or 3 looks"),
    ({"looks": 3, "look": 9}, "has plan.look 9: a look from 1 to 3 is expected"),
    ({"looks": 3, "look": 4}, "has plan.look 4: a look from 1 to 3 is expected"),
    ({"looks": 3, "look": 0}, "has plan.look 0: a look from 1 to 3 is expected"),
    ({"looks": 3, "look": -1}, "has plan.look -1: a look from 1 to 3 is expected"),
    ({"look": 2}, "has plan.look 2: a look from 1 to 1 is expected"),
    ({"shard": "x"}, "has plan.shard 'x': I/N, such as 1/4, with I from 1 to N is expected"),
    ({"shard": ""}, "has plan.shard '': I/N"),
    ({"shard": "3/2"}, "has plan.shard '3/2': I/N"),
    ({"shard": "0/2"}, "has plan.shard '0/2': I/N"),
    ({"shard": "1/2/3"}, "has plan.shard '1/2/3': I/N"),
    ({"planned": 0}, "has plan.planned 0: at least 1 is expected"),
    ({"planned": 1, "case_ids": ("a", "b")}, "has plan.planned 1: .* no fewer than there are"),
    ({"strata": [stratum(-3, "a")]}, "has total -3 of stratum c in plan.strata: a number from 1"),
    ({"strata": [stratum(0)]}, "has total 0 of stratum c in plan.strata: a number from 1"),
    ({"strata": [stratum(1, "a", "b")]}, "has total 1 of stratum c .* no fewer than its case_ids"),
    ({"strata": [stratum(HUGE, "a")]}, r"has total 10+\.\.\.0+ of stratum c .* to 1e\+15 is"),
    (
        {"strata": [stratum(5, "a"), stratum(5, "b", "a", name="d")]},
        "case a stands twice in plan.strata: keep one",
    ),
]


@pytest.mark.parametrize(("keys", "because"), WRONG)
def test_check_planned__names_the_key(keys: dict[str, Any], because: str) -> None:
    """Such a run would end in a traceback, or be decided by rules that nobody set."""
    run = run_of(columns([1.0])).model_copy(update={"plan": Plan.model_validate(keys)})

    with pytest.raises(FileError, match=rf"^run\.json: {because}") as caught:
        check_run(run, "run.json")
    assert 2 == caught.value.exit_code


@pytest.mark.parametrize(
    "keys",
    [
        {},
        {"looks": 3},
        {"looks": 3, "look": 1, "planned": 48},
        {"looks": 3, "look": 3, "planned": 48},
        {"shard": "1/1"},
        {"shard": "4/4"},
        {"planned": 1},
        {"planned": 2, "case_ids": ("a", "b")},
        {"strata": [stratum(1, "a"), stratum(10**15, "b", name="d"), stratum(4, name="e")]},
    ],
)
def test_check_planned__lets_through_what_a_run_writes(keys: dict[str, Any]) -> None:
    """Also the ends of each range, and a stratum of which no case was reached."""
    check_planned(Plan.model_validate(keys))
