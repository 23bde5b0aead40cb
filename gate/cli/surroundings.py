"""What a workflow's runner tells of a run: its pull request and its commits."""

from __future__ import annotations

from collections.abc import Mapping

from gate.errors import CannotRun
from gate.types import Commits, Occasion
from gate.wire.event import read_occasion

SEED = "gate-v1"
"""Seed of a sample outside of pull requests."""


def seed_of(env: Mapping[str, str]) -> str:
    """Return the seed that nobody has to name: `OWNER/REPO#7` in a pull request, else `gate-v1`.

    It is the same for the life of a pull request, so that running again draws no other cases, and
    another for the next one, so that all cases have their turn.
    """
    occasion = _occasion(env)
    if occasion is None or occasion.pull_request is None:
        return SEED
    return f"{occasion.repository}#{occasion.pull_request}"


def _occasion(env: Mapping[str, str]) -> Occasion | None:
    """Return what a workflow's runner tells; None elsewhere, and where it cannot be read."""
    if env.get("GITHUB_ACTIONS") != "true":
        return None
    try:
        return read_occasion(env)
    except CannotRun:
        return None


def commits_around(env: Mapping[str, str]) -> Commits:
    """Return the commits that a workflow's runner tells of; unknown ones elsewhere."""
    occasion = _occasion(env)
    return (
        Commits() if occasion is None else Commits(base=occasion.base_sha, head=occasion.head_sha)
    )
