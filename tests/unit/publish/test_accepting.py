"""Whether a label accepts the regression of a head."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import pytest

from gate.errors import HostError
from gate.publish.accepting import ACCEPT, accepted
from gate.publish.state import read_state, remember, write_state
from gate.types import Acceptance, AttemptState, LabelEvent, PullRequest
from tests.unit.publish.publish_samples import HEAD, occasion, past

GRACE = LabelEvent(20, ACCEPT, added=True, actor="grace")
NOBODY = LabelEvent(20, ACCEPT, added=True, actor=None)
AFTER = remember(None, HEAD, past(), label_event=19)
"""An attempt that regressed, which began before the label came."""
BEFORE = remember(None, HEAD, past(), label_event=20)
"""One that began when the label was there already."""


@dataclass
class Labels:
    """A host that knows labels."""

    events: Sequence[LabelEvent] = (GRACE,)
    """What came and went."""
    there: tuple[str, ...] = (ACCEPT,)
    """Labels of the pull request."""
    head: str = HEAD
    """Its head."""
    level: str = "write"
    """What everybody may do."""

    def pull_request(self, number: int) -> PullRequest:
        """The pull request."""
        return PullRequest(number, self.head, "o/r", "open", "eve", self.there)

    def label_events(self, number: int) -> Sequence[LabelEvent]:
        """The events."""
        assert 7 == number
        return self.events

    def permission(self, login: str) -> str:
        """The level."""
        if self.level == "down":
            raise HostError("GitHub is down.")
        return self.level


@pytest.mark.parametrize(
    ("label", "earlier"),
    [(ACCEPT, None), ("Kappagate: Accept", BEFORE), (None, AFTER), ("gate", AFTER)],
)
@pytest.mark.parametrize("level", ["write", "maintain", "admin"])
def test_accepted__by_the_event_or_after_an_attempt(
    label: str | None, earlier: AttemptState | None, level: str
) -> None:
    """Its coming started this run, or it came after an attempt on this head had regressed."""
    found = accepted(Labels(level=level), occasion(label=label), ACCEPT, earlier)

    assert Acceptance(by="grace", head_sha=HEAD) == found.acceptance
    assert (None, 19) == (found.warning, found.label_event)


@pytest.mark.parametrize(
    ("host", "earlier", "said"),
    [
        (Labels(), None, "before this head was measured"),
        (Labels(), BEFORE, "before this head was measured"),
        (Labels(), remember(None, HEAD, past()), "before this head was measured"),
        (Labels(), remember(None, "b" * 40, past(), 19), "before this head was measured"),
        (
            Labels(),
            remember(None, HEAD, past().model_copy(update={"status": "pass"}), 19),
            "before this head was measured",
        ),
        (Labels(level="read"), AFTER, "grace may not write"),
        (Labels(level="none"), AFTER, "grace may not write"),
        (Labels(level="down"), AFTER, "GitHub is down."),
        (Labels(events=()), AFTER, "nobody knows who set it"),
        (Labels(events=(NOBODY,)), AFTER, "nobody knows who set it"),
    ],
)
def test_accepted__a_label_that_does_not_count(
    host: Labels, earlier: AttemptState | None, said: str
) -> None:
    """It is said why."""
    found = accepted(host, occasion(label="gate"), ACCEPT, earlier)

    assert found.acceptance is None
    assert said in (found.warning or "")


@pytest.mark.parametrize("host", [Labels(there=()), Labels(there=("gate",)), Labels(head="b" * 40)])
def test_accepted__by_nobody(host: Labels) -> None:
    """The label is not there any more, or the head has moved on."""
    found = accepted(host, occasion(label=ACCEPT), ACCEPT, AFTER)

    assert (None, None) == (found.acceptance, found.warning)


def test_accepted__the_last_hand_counts() -> None:
    """Who set it again answers for it."""
    again = (
        GRACE,
        LabelEvent(21, ACCEPT, added=False, actor="eve"),
        LabelEvent(22, ACCEPT, added=True, actor="ada"),
    )
    found = accepted(Labels(events=again), occasion(), ACCEPT, AFTER)

    assert Acceptance(by="ada", head_sha=HEAD) == found.acceptance


def test_accepted__stays_for_later_runs_and_not_for_later_heads() -> None:
    """What is remembered of the label's coming keeps it for this head, and voids it for another."""
    first = accepted(Labels(), occasion(label=ACCEPT), ACCEPT, BEFORE)
    state = remember(BEFORE, HEAD, past(6), first.label_event)
    kept, _ = read_state(write_state(state)[0])
    later = accepted(Labels(), occasion(), ACCEPT, kept)
    moved = Labels(head="b" * 40)
    pushed = accepted(moved, occasion(head="b" * 40), ACCEPT, None)
    begun = remember(kept, "b" * 40, past(8), pushed.label_event)

    assert later.acceptance is not None
    assert pushed.acceptance is None
    assert accepted(moved, occasion(head="b" * 40), ACCEPT, begun).acceptance is None
