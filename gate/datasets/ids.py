"""Case ids are safe file names on every system, or are refused."""

from __future__ import annotations

import re
import unicodedata

__all__ = ["ID_PATTERN", "fold", "id_fault"]

ID_PATTERN = r"^[A-Za-z0-9][A-Za-z0-9._-]{0,99}$"
"""What an id looks like."""

_DEVICES = frozenset(
    ["con", "prn", "aux", "nul"]
    + [f"{name}{number}" for name in ("com", "lpt") for number in range(10)]
)
"""Names that Windows keeps for devices, with any extension."""


def id_fault(id_: str) -> str | None:
    """Return what is wrong with an id and what to do, or None."""
    if not re.fullmatch(ID_PATTERN, id_):
        return (
            f"the id {id_!r} cannot be a file name: use 1 to 100 letters, digits, dots, "
            "hyphens and underscores, a letter or digit first"
        )
    if ".." in id_ or id_.endswith("."):
        return f"the id {id_!r} has two dots in a row or a dot at its end: rename the case"
    if id_.split(".", 1)[0].casefold() in _DEVICES:
        return f"the id {id_!r} names a device on Windows: rename the case"
    return None


def fold(id_: str) -> str:
    """Return what two ids share when some file system takes them for the same name."""
    return unicodedata.normalize("NFC", id_.casefold())
