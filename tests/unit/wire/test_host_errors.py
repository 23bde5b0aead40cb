"""What a refusal means, and what to do next."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gate.wire.host_errors import refused, unreached


@pytest.mark.parametrize(
    ("status", "said", "does"),
    [
        (401, "Bad credentials", "`token: ${{ github.token }}`"),
        (403, "Resource not accessible by integration", "`pull-requests: write`"),
        (403, "Unable to create comment because issue is locked.", "unlock it"),
        (403, "You have exceeded a secondary rate limit. Please wait.", "passes by itself"),
        (404, "Not Found", "check repository and pull request"),
        (410, "This was deleted", "check repository and pull request"),
        (418, None, "418."),
        (422, "Validation Failed", "report it"),
        (429, "Too many; please retry your request again later.", "passes by itself"),
        (503, None, "status page"),
    ],
)
def test_refused__says_what_to_do(status: int, said: str | None, does: str) -> None:
    """Each status has its own advice."""
    error = refused("add the comment", status, said)

    assert status == error.status
    assert f"GitHub did not add the comment: {status}" in str(error)
    assert does in str(error)


def test_refused__known_to_be_a_limit() -> None:
    """A header can say so, where the words do not."""
    assert not refused("x", 403, "no").limited
    assert refused("x", 403, "no", limited=True).limited


@given(st.text(max_size=600))
def test_refused__foreign_words(said: str) -> None:
    """One printable line, not too long, whatever the server says."""
    for error in (refused("x", 400, said), unreached("x", said)):
        assert str(error).isprintable()
        assert len(str(error)) < 350


@pytest.mark.parametrize(
    ("status", "said", "later"),
    [
        (401, "Bad credentials", False),
        (403, "Resource not accessible by integration", True),
        (403, "issue is locked", False),
        (404, "Not Found", False),
        (418, None, True),
        (429, None, True),
        (503, None, True),
    ],
)
def test_refused__whether_another_time_helps(status: int, said: str | None, *, later: bool) -> None:
    """What to do then is the caller's to say: a check-up posts nothing."""
    error = refused("add the comment", status, said, limited=status == 429)

    assert later is error.later
    assert "gate publish" not in str(error)


def test_unreached__says_what_happened_and_no_more() -> None:
    """It may go through another time."""
    error = unreached("show the label", "it could not be reached")

    assert ("GitHub did not show the label: it could not be reached.", True) == (
        str(error),
        error.later,
    )
