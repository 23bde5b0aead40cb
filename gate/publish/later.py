"""What can still be done about a comment or a status that the host did not take."""

from __future__ import annotations

from gate.errors import HostError

LATER = "Post it later from a trusted job with `gate publish DIR`."
"""Verdict, summary and files stand, so it can be shown at another time or from another job."""


def unposted(error: HostError) -> str:
    """Say what kept something from being posted, and where it helps, that it can be done later."""
    return f"{error} {LATER}" if error.later else str(error)
