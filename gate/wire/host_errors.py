"""What a refusal of the code host means, and what to do next, in a sentence."""

from __future__ import annotations

from typing import Final

from gate.errors import HostError

_SAID_MOST = 200
_LIMITED = ("rate limit", "abuse detection", "wait a few minutes", "retry your request again later")
_BUSY: Final = 500
_HIDDEN: Final = (
    "It is not there, or the token may not see it: check repository and pull request, and the "
    "job's `permissions:`."
)
_REASONS: Final = {
    401: "The token is wrong or has expired: pass `token: ${{ github.token }}`.",
    403: (
        "The token may not write here: give the job `permissions:` `pull-requests: write` and "
        "`statuses: write`. A fork's token is always read-only."
    ),
    404: _HIDDEN,
    410: _HIDDEN,
    422: "GitHub takes no such text: please report it with the message above.",
}
"""Status -> what it means and what to do."""
_LASTING: Final = frozenset(_REASONS) - {403}
"""Statuses that another time or another job does not change."""


def refused(doing: str, status: int, said: str | None, *, limited: bool = False) -> HostError:
    """Make the error of a reply with an error status.

    `doing` is what was tried ("set the commit status"), `said` the host's own message, `limited`
    whether it is known to be a rate limit. The message is quoted on one line and cut.
    """
    words = _one_line(said)
    limited = limited or any(sign in words.lower() for sign in _LIMITED)
    quoted = f" ({words})" if words else ""
    locked = "locked" in words.lower()
    reason = _reason(status, limited=limited, locked=locked)
    message = f"GitHub did not {doing}: {status}{quoted}.{reason}"
    lasting = status in _LASTING or locked
    return HostError(message, status=status, limited=limited, later=limited or not lasting)


def unreached(doing: str, what: str) -> HostError:
    """Make the error of a request without a readable reply; `what` says what happened."""
    return HostError(f"GitHub did not {doing}: {_one_line(what)}.", later=True)


def _reason(status: int, *, limited: bool, locked: bool) -> str:
    """Say what a status means and what to do, with a blank before it; nothing of unknown ones."""
    if limited:
        return " This is a rate limit of the token: it passes by itself."
    if locked:
        return " The conversation is locked: unlock it, or leave the comment off."
    if status >= _BUSY:
        return " GitHub is in trouble: see its status page."
    return f" {_REASONS[status]}" if status in _REASONS else ""


def _one_line(text: str | None) -> str:
    """Put a foreign message on one line of printable characters, and cut it."""
    line = " ".join((text or "").split())
    shown = "".join(one for one in line if one.isprintable()).rstrip(".")
    return shown if len(shown) <= _SAID_MOST else shown[: _SAID_MOST - 1] + "…"
