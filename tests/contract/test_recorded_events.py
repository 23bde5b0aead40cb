"""What is read from events that GitHub really sent."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from gate.types import Occasion
from gate.wire.event import occasion_of
from tests.loopback.action_samples import MERGE, event
from tests.recorded_events import labelled, recorded

RUN = {
    "GITHUB_REPOSITORY": "Codertocat/Hello-World",
    "GITHUB_RUN_ID": "17",
    "GITHUB_RUN_NUMBER": "3",
    "GITHUB_SHA": MERGE,
}


def read(name: str, told: dict[str, Any]) -> Occasion:
    """What we read of an event."""
    return occasion_of({**RUN, "GITHUB_EVENT_NAME": name}, told)


def test_event__every_pull_request_of_githubs(packages: Path) -> None:
    """Number, head, base, and whether it comes from elsewhere, whatever was done to it."""
    events = recorded(packages, "pull_request")
    for told in events:
        pull, found = told["pull_request"], read("pull_request", told)

        assert (pull["number"], pull["head"]["sha"], pull["base"]["sha"], MERGE) == (
            found.pull_request,
            found.head_sha,
            found.base_sha,
            found.merge_sha,
        )
        home = pull["head"]["repo"]["full_name"] == RUN["GITHUB_REPOSITORY"]
        assert home is not found.from_fork
        assert (told["label"]["name"] if told["action"] == "labeled" else None) == found.label
    assert 20 < len(events)


def test_event__every_workflow_run_of_githubs(packages: Path) -> None:
    """The run that was measured and its head; the pull request only where it is named."""
    events = recorded(packages, "workflow_run")
    for told in events:
        run, found = told["workflow_run"], read("workflow_run", told)
        named = [one["number"] for one in run["pull_requests"]]

        assert ((run["id"], run["run_attempt"]), run["head_sha"]) == (
            found.measured_run,
            found.head_sha,
        )
        assert (named[0] if len(named) == 1 else None) == found.pull_request
    assert events


@pytest.mark.parametrize("name", ["push", "workflow_dispatch", "merge_group", "issue_comment"])
def test_event__others_of_githubs(packages: Path, name: str) -> None:
    """Each names a head, and no pull request."""
    events = recorded(packages, name)
    for told in events:
        found = read(name, told)

        assert found.head_sha is not None
        assert found.pull_request is None
    assert events


def test_samples__are_of_githubs_shape(packages: Path) -> None:
    """The event that our other tests hand out has no field that a real one lacks."""

    def within(ours: Any, theirs: Any, where: str = "event") -> None:
        assert type(ours) is type(theirs), where
        if isinstance(ours, dict):
            for key, value in ours.items():
                within(value, theirs[key], f"{where}.{key}")

    within(event(), labelled(packages))
