"""Settings of the world: the variant of the answering model, its noise seed, and faults."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from gate.loopback.faults import FAULTS
from gate.loopback.github_faults import GITHUB_FAULTS
from gate.loopback.storm import Storm, read_storm
from gate.loopback.variants import VARIANTS

FIRST = "first"
"""Where a variant is met only the first time that a question comes."""


@dataclass(frozen=True, slots=True)
class WorldSettings:
    """How this world differs from the steady one. Names of models never change with it."""

    variant: str = "steady"
    """A key of VARIANTS."""
    seed: str = "0"
    """Seed of the noise, for variants that have noise."""
    only: str | None = None
    """Where the variant is met, all else being steady: with this one model, or `first` for when a
    question comes for the first time; None for everywhere."""
    faults: tuple[str, ...] = ()
    """Keys of FAULTS and GITHUB_FAULTS, in the order in which they were given."""
    storm: Storm | None = None
    """Random faults of both vendors."""
    delay_ms: int = 0
    """How long each vendor call takes at least, in milliseconds."""
    kept_bodies: int = 1000
    """How many of the last request bodies are kept for `/_world/bodies`."""
    today: date | None = None
    """The day by which models are retired or re-routed; None is that of the table of models."""


def read_settings(text: str, *, delay_ms: int = 0) -> WorldSettings:
    """Read `NAME[:SEED][@MODEL|@first][+FAULT...]`, such as `flaky:17+judge-529`.

    Raises ValueError with the names that exist.
    """
    head, *faults = [part.strip() for part in text.split("+")]
    head, _, only = head.partition("@")
    name, _, seed = head.partition(":")
    if name not in VARIANTS:
        raise ValueError(f"unknown variant {name!r}: choose one of {', '.join(VARIANTS)}")
    storms = [storm for fault in faults if (storm := read_storm(fault)) is not None]
    named = tuple(fault for fault in faults if read_storm(fault) is None)
    known = (*FAULTS, *GITHUB_FAULTS)
    unknown = [fault for fault in named if fault not in known]
    if unknown:
        raise ValueError(
            f"unknown fault {unknown[0]!r}: choose one of {', '.join(known)}, storm:PERCENT%:SEED"
        )
    if delay_ms < 0:
        raise ValueError("a delay cannot be negative")
    return WorldSettings(
        name, seed or "0", only or None, named, storms[-1] if storms else None, delay_ms
    )
