"""What is simulated for the operating characteristics, and the file of what was counted."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from itertools import product
from pathlib import Path

from noise import KINDS, PROFILES, Drop, Kind

SIZES = (12, 24, 48, 100)
SIZES_OF_THE_REST = (24, 48)
REPEATS = ((5, 1), (5, 3), (3, 1), (3, 3))
"""Answers a case of the baseline and of the run, the default first."""
TARGETS, DIMENSIONS = 3, 6
FEW = 3
"""Dimensions of the smallest family, of one target: the documented default."""
NO_CHANGE = Drop()
DROPS = (Drop(0.10), Drop(0.20), Drop(0.10, everywhere=True), Drop(0.20, everywhere=True))


@dataclass(frozen=True)
class Setting:
    """One cell of the tables: what is simulated."""

    profile: str
    kind: Kind
    cases: int
    repeats: tuple[int, int]
    drop: Drop = NO_CHANGE

    @property
    def key(self) -> str:
        """Its name in the file of counts."""
        base, new = self.repeats
        return f"{self.profile}/{self.kind}/{self.cases}/{base}v{new}/{self.drop.name}"

    @property
    def families(self) -> tuple[int, ...]:
        """How many tests are read together; drops are in one target, so there it is all of it."""
        several = () if self.drop.size else (TARGETS * DIMENSIONS,)
        return (FEW, DIMENSIONS, *several)


@dataclass
class Counts:
    """What became of the pull requests of one setting."""

    setting: Setting
    simulated: int = 0
    ours: dict[str, dict[str, int]] = field(default_factory=dict)
    """Tests -> status -> pull requests."""
    row: dict[str, int] = field(default_factory=dict)
    """Outcome of the row that drops (of one dimension) -> pull requests."""
    rivals: dict[str, dict[str, int]] = field(default_factory=dict)
    """Tests -> rule -> pull requests that it fails."""


def settings(*, quick: bool = False) -> list[Setting]:
    """List what is simulated: the mixed profile at the default repeats in full, of the rest a part.

    `quick` is that full part alone.
    """
    found = [
        Setting("mixed", kind, cases, REPEATS[0], drop)
        for kind, cases, drop in product(KINDS, SIZES, (NO_CHANGE, *DROPS))
    ]
    if quick:
        return found
    found += [
        Setting("mixed", kind, cases, repeats, drop)
        for repeats, kind, cases, drop in product(
            REPEATS[1:],
            KINDS,
            SIZES_OF_THE_REST,
            (NO_CHANGE, Drop(0.10), Drop(0.10, everywhere=True)),
        )
    ]
    for profile in PROFILES:
        if profile != "mixed":
            found += [
                Setting(profile, kind, cases, REPEATS[0]) for kind, cases in product(KINDS, SIZES)
            ]
            found += [
                Setting(profile, "independent", cases, REPEATS[0], drop)
                for cases, drop in product(
                    SIZES_OF_THE_REST, (Drop(0.10), Drop(0.10, everywhere=True))
                )
            ]
    return found


def read_counts(path: Path) -> dict[str, Counts]:
    """Read the file of counts: key -> counts, of several the one with most pull requests."""
    found: dict[str, Counts] = {}
    for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
        data = json.loads(line)
        where = data.pop("setting")
        where["repeats"] = tuple(where["repeats"])
        where["drop"] = Drop(**where["drop"])
        one = Counts(Setting(**where), **data)
        known = found.get(one.setting.key)
        if known is None or known.simulated <= one.simulated:
            found[one.setting.key] = one
    return found
