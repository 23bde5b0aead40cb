"""What the host says of a head, checked before it is shown or held for true."""

from __future__ import annotations

import pytest

from gate.cli.head import commits_of, read_head, with_commits
from gate.errors import ConfigError
from gate.types import Acceptance, Commits


def test_commits_of__are_hexadecimal_and_small() -> None:
    """One spelling, so that two of them can be held against each other."""
    assert Commits(base="abcdef0", head="0" * 40) == commits_of("ABCDEF0", "0" * 40, None)


@pytest.mark.parametrize("text", ["", "main", "abc", "0" * 65, "abcdef0\n", "`abcdef0`"])
def test_commits_of__refuses_what_is_no_commit(text: str) -> None:
    """It stands in a comment."""
    with pytest.raises(ConfigError, match=r"--head-sha .* is no commit"):
        commits_of(None, text, None)


def test_with_commits__what_is_said_wins() -> None:
    """A collection may have run foreign code; the command line has not."""
    known = Commits(base="a" * 7, head="b" * 7)

    assert Commits(base="a" * 7, head="c" * 7) == with_commits(known, Commits(head="c" * 7))


def test_read_head__acceptance_needs_its_head() -> None:
    """A name alone would accept whatever comes."""
    assert Acceptance(by="ada", head_sha="a" * 40) == read_head(None, "ada", "A" * 40).acceptance
    with pytest.raises(ConfigError, match="--accepted-sha"):
        read_head(None, "ada", None)
