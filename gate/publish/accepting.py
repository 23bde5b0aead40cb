"""Whether somebody accepted the regression of a head, by a label of its pull request.

The host does not say on which head a label was set. So it counts where its coming started this very
run, or where it came after an attempt on this head had begun and failed: a push voids it. Who set
it must be allowed to write. What this cannot see: a head that came in the instant before the label.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gate.errors import HostError
from gate.protocols import PullRequests
from gate.reports.untrusted import plain
from gate.types import ACCEPT_LABEL, Acceptance, AttemptState, LabelEvent, Occasion

__all__ = ["ACCEPT", "Accepted", "accepted"]

ACCEPT: Final = ACCEPT_LABEL
"""The label, unless a workflow names another."""
_MAY: Final = frozenset({"write", "maintain", "admin"})


@dataclass(frozen=True, slots=True)
class Accepted:
    """What the labels of a pull request say."""

    acceptance: Acceptance | None = None
    """Who accepted the head's regression; None where nobody did."""
    warning: str | None = None
    """Why the label is there and does not count, or why nobody knows."""
    label_event: int | None = None
    """Number of the newest label event before any that counts for this head; None where the host
    did not answer or the head has moved on."""


def accepted(
    host: PullRequests, occasion: Occasion, label: str, earlier: AttemptState | None
) -> Accepted:
    """Ask the host who set the label for the occasion's head; `earlier` are attempts on it."""
    try:
        return _asked(host, occasion, label, earlier)
    except HostError as error:
        return Accepted(
            warning=f"Who accepted a regression of this head could not be asked. {error}"
        )


def _asked(
    host: PullRequests, occasion: Occasion, label: str, earlier: AttemptState | None
) -> Accepted:
    number, head = occasion.pull_request, occasion.head_sha
    if number is None or head is None:
        return Accepted()
    pull = host.pull_request(number)
    if pull.head_sha.lower() != head.lower():
        return Accepted()
    events = host.label_events(number)
    newest = max((one.id for one in events), default=0)
    if not any(_same(one, label) for one in pull.labels):
        return Accepted(label_event=newest)
    setting = _last(events, label)
    if setting is None or setting.actor is None:
        because = "nobody knows who set it"
    elif not _is_for_head(setting, occasion, label, earlier):
        because = "it was set before this head was measured"
    elif host.permission(setting.actor) not in _MAY:
        because = f"{plain(setting.actor)} may not write to this repository"
    else:
        by = Acceptance(by=setting.actor, head_sha=head)
        return Accepted(by, label_event=min(newest, setting.id - 1))
    return Accepted(
        warning=f"The label {plain(label)} does not accept a regression of this head: {because}. "
        "Whoever may write accepts it by taking the label away and setting it again.",
        label_event=newest,
    )


def _is_for_head(
    setting: LabelEvent, occasion: Occasion, label: str, earlier: AttemptState | None
) -> bool:
    if occasion.label is not None and _same(occasion.label, label):
        return True
    if earlier is None or earlier.label_event is None or earlier.head_sha != occasion.head_sha:
        return False
    regressed = any(one.status == "regression" for one in earlier.attempts)
    return regressed and setting.id > earlier.label_event


def _last(events: Sequence[LabelEvent], label: str) -> LabelEvent | None:
    """Return how the label came last; None where the last that is known is that it went."""
    mine = [one for one in events if _same(one.label, label)]
    return mine[-1] if mine and mine[-1].added else None


def _same(one: str, other: str) -> bool:
    """Compare names of labels as the host does."""
    return one.casefold() == other.casefold()
