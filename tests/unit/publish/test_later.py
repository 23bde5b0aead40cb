"""What can still be done about what was not posted."""

from __future__ import annotations

from gate.errors import HostError
from gate.publish.later import LATER, unposted


def test_unposted__says_how_to_post_it_later() -> None:
    """Only where another time or another job helps."""
    assert f"It is down. {LATER}" == unposted(HostError("It is down.", status=503, later=True))
    assert "It is locked." == unposted(HostError("It is locked.", status=403))
