"""What a refusal of the code host means, and what to do next, in a sentence."""

from __future__ import annotations

from typing import Final

from gate.errors import HostError

LATER: Final = "Post it later from a trusted job with `gate publish DIR`."
"""What can be done in every case: verdict, summary and files stand."""
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
        f"`statuses: write`. A fork's token is always read-only. {LATER}"
    ),
    404: _HIDDEN,
    410: _HIDDEN,
    422: "GitHub takes no such text: please report it with the message above.",
}
"""Status -> what it means and what to do."""


def refused(doing: str, status: int, said: str | None, *, limited: bool = False) -> HostError:
    """Make the error of a reply with an error status.

    `doing` is what was tried ("set the commit status"), `said` the host's own message, `limited`
    whether it is known to be a rate limit. The message is quoted on one line and cut.
    """
    words = _one_line(said)
    limited = limited or any(sign in words.lower() for sign in _LIMITED)
    quoted = f" ({words})" if words else ""
    reason = _reason(status, words, limited=limited)
    message = f"GitHub did not {doing}: {status}{quoted}. {reason}"
    return HostError(message, status=status, limited=limited)


def unreached(doing: str, what: str) -> HostError:
    """Make the error of a request without a readable reply; `what` says what happened."""
    return HostError(f"GitHub did not {doing}: {_one_line(what)}. {LATER}")


def _reason(status: int, words: str, *, limited: bool) -> str:
    if limited:
        return f"This is a rate limit of the token: it passes by itself. {LATER}"
    if "locked" in words.lower():
        return "The conversation is locked: unlock it, or leave the comment off."
    if status >= _BUSY:
        return f"GitHub is in trouble: see its status page. {LATER}"
    return _REASONS.get(status, LATER)


def _one_line(text: str | None) -> str:
    """Put a foreign message on one line of printable characters, and cut it."""
    line = " ".join((text or "").split())
    shown = "".join(one for one in line if one.isprintable()).rstrip(".")
    return shown if len(shown) <= _SAID_MOST else shown[: _SAID_MOST - 1] + "…"
