"""What a check-up says of a host that does not answer as it should."""

from __future__ import annotations

import pytest

from gate.cli.doctor_host import check_host
from gate.errors import HostError
from gate.types import Check, Viewer


class Host:
    """Says who writes, or fails; all else it does not say."""

    def __init__(self, viewer: HostError | None, rest: HostError) -> None:
        """Take what is raised."""
        self._viewer, self._rest = viewer, rest

    def viewer(self) -> Viewer:
        """Say who writes."""
        if self._viewer is not None:
            raise self._viewer
        return Viewer("ada", bot=False)

    def may_comment(self, pull_request: int) -> bool:
        """Fail."""
        raise self._rest

    def may_set_status(self) -> bool:
        """Fail."""
        raise self._rest

    def has_label(self, name: str) -> bool:
        """Fail."""
        raise self._rest

    def has_environment(self, name: str) -> bool:
        """Fail."""
        raise self._rest


def checked(viewer: HostError | None, rest: HostError) -> list[Check]:
    """The lines."""
    return list(check_host(Host(viewer, rest), pull_request=7, label="gate", environment="paid"))


def test_host__out_of_reach() -> None:
    """One line, with advice for this situation; nothing else is asked of it."""
    away = HostError("GitHub did not say whose token it is: it could not be reached.", later=True)
    (line,) = checked(away, away)

    assert ("host", "look") == (line.topic, line.state)
    assert "HTTPS_PROXY" in (line.mend or "")
    assert "gate publish" not in f"{line.says} {line.mend}"


@pytest.mark.parametrize(
    ("error", "mend"),
    [
        (HostError("in trouble", status=503, later=True), "again later"),
        (HostError("too often", status=403, limited=True, later=True), "again later"),
        (HostError("hidden: check the permissions", status=404), None),
    ],
)
def test_host__refuses(error: HostError, mend: str | None) -> None:
    """What passes by itself is asked again; of the rest the error says what to do."""
    token, *others = checked(None, error)

    assert "ok" == token.state
    assert 4 == len(others)
    for line in others:
        assert ("look", str(error)) == (line.state, line.says)
        assert (mend is None) is (line.mend is None)
        assert (mend or "") in (line.mend or "")


def test_host__a_token_that_is_refused() -> None:
    """The rest is asked all the same."""
    refused = HostError("the token is wrong", status=401)

    assert ["token"] == [one.topic for one in checked(refused, refused)][:1]
    assert 5 == len(checked(refused, refused))
