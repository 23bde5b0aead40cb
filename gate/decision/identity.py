"""What must be the same on both sides before two values of a dimension may be compared."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from gate.errors import FileError
from gate.types import Identity

PARTS = ("judge", "prompt", "scorer")
"""The parts of an identity, in the order in which a report names them."""


def differing(one: Identity | None, other: Identity | None) -> tuple[str, ...]:
    """Name the parts that are known on both sides and differ; an unknown part never differs."""
    if one is None or other is None:
        return ()
    return tuple(part for part in PARTS if _conflict({getattr(one, part), getattr(other, part)}))


def unknown(one: Identity | None, other: Identity | None, *, judged: bool) -> bool:
    """Tell whether a part that matters is unknown on one side: judge and prompt only with a judge.

    Such values are compared all the same, and the reader is warned.
    """
    if one is None or other is None:
        return True
    parts = PARTS if judged else ("scorer",)
    return any(getattr(side, part) is None for side in (one, other) for part in parts)


def joined(identities: Sequence[Identity], dimension: str) -> Identity:
    """Give the one identity that several runs share; a part that any run does not know is None.

    Raises FileError when two runs are known to differ: their values are of two kinds.
    """
    for part in PARTS:
        values = {getattr(identity, part) for identity in identities}
        if _conflict(values):
            known = ", ".join(sorted(value for value in values if value is not None))
            raise FileError(
                f"{dimension}: the runs were not scored alike, their {part} differs ({known}); "
                f"give runs of one {part}"
            )
    return Identity(**{part: same({getattr(i, part) for i in identities}) for part in PARTS})


def same(values: Iterable[str | None]) -> str | None:
    """Give the value that all share, or None where one is unknown or they differ."""
    different = set(values)
    return different.pop() if len(different) == 1 else None


def _conflict(values: set[str | None]) -> bool:
    return len(values - {None}) > 1
