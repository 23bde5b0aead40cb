"""How a file of `gate init` says that nobody has edited it: a digest of itself in its head.

So `--force` may write it anew, and no edit is lost to it.
"""

from __future__ import annotations

import hashlib
import re

__all__ = ["MARK", "is_unedited", "sealed"]

MARK = "Written by `gate init`"
"""What each such file says of itself, once."""
_SEAL = re.compile(rf"{MARK} \[([0-9a-f]{{12}})\]")
_HEAD = 500
"""Characters of a file in which it says so."""


def sealed(text: str) -> str:
    """Return the text with its digest behind its mark."""
    return text.replace(MARK, f"{MARK} [{_digest(text)}]", 1)


def is_unedited(text: str) -> bool:
    """Whether the text is what was written, to the last letter."""
    found = _SEAL.search(text, 0, _HEAD)
    if found is None:
        return False
    bare = f"{text[: found.start()]}{MARK}{text[found.end() :]}"
    return _digest(bare) == found[1]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]
