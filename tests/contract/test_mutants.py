"""The mutants of bench/mutants.py: which changes are made, and that their names last."""

from __future__ import annotations

import ast
import importlib
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

SOURCE = '''\
"""A module."""
LIMIT = 3


def fell(before: float, after: float = 0.5) -> str | None:
    """Say so."""
    if before - after > LIMIT and after:
        raise ValueError(f"{before} is no score")
    return min(before, after)
'''


@pytest.fixture(scope="module")
def finder(root: Path) -> Iterator[Any]:
    """The class that finds mutants."""
    sys.path.insert(0, str(root / "bench"))
    yield importlib.import_module("mutant_finder").Finder
    sys.path.remove(str(root / "bench"))


def named(finder: Any, source: str) -> list[str]:
    """The names of all mutants."""
    return [one.id.removeprefix("x.py ") for one in finder("x.py", ast.parse(source)).found]


def test_finder__every_change_and_no_sentence(finder: Any) -> None:
    """Boundaries, signs, numbers, operands, calls and statements; no wording, no annotation."""
    expected = {
        "LIMIT: 3 -> 4 in LIMIT = 3",
        "LIMIT: 3 -> 2 in LIMIT = 3",
        "fell: 0.5 -> 1.0 in default",
        "fell: 0.5 -> 0.25 in default",
        "fell: before - after > LIMIT and after -> before - after > LIMIT or after",
        "fell: before - after > LIMIT and after -> after",
        "fell: before - after > LIMIT and after -> before - after > LIMIT",
        "fell: before - after > LIMIT -> before - after <= LIMIT",
        "fell: before - after > LIMIT -> before - after >= LIMIT",
        "fell: before - after -> before + after",
        "fell: raise ValueError(f'{before} is no score') -> pass",
        "fell: return min(before, after) -> return None",
        "fell: min(before, after) -> max(before, after)",
    }
    assert sorted(expected) == sorted(named(finder, SOURCE))


def test_finder__names_last(finder: Any) -> None:
    """Lines above and other functions leave the accepted mutants' names as they are."""
    other = SOURCE.replace("LIMIT = 3", 'OTHER = "of no matter here"\n\nLIMIT = 3')

    assert named(finder, SOURCE) == named(finder, other)


def test_finder__each_change_can_be_made(finder: Any) -> None:
    """What is announced is what the tree then says."""
    for number in range(len(named(finder, SOURCE))):
        tree = ast.parse(SOURCE)
        one = finder("x.py", tree).found[number]
        before = ast.unparse(tree)
        one.apply()

        assert before != ast.unparse(tree)
        compile(ast.fix_missing_locations(tree), "x.py", "exec")
