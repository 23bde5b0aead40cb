"""What a runner hands to an action: the environment and the event of a labelled pull request."""

from __future__ import annotations

import json
from pathlib import Path

HEAD, BASE, MERGE = "1" * 40, "2" * 40, "3" * 40


def event(head: str = HEAD, repository: str = "octo/demo") -> dict[str, object]:
    """A pull request whose title is a command."""
    return {
        "action": "labeled",
        "pull_request": {
            "number": 7,
            "title": "::error::from a title",
            "head": {"sha": head, "repo": {"full_name": repository}},
            "base": {"sha": BASE},
        },
    }


def runner_environment(place: Path, workspace: Path, told: dict[str, object]) -> dict[str, str]:
    """The runner's variables, its files in `place`."""
    place.mkdir(exist_ok=True)
    (place / "event.json").write_text(json.dumps(told), "utf-8")
    for name in ("output", "summary"):
        (place / name).touch()
    return {
        "GITHUB_ACTIONS": "true",
        "GITHUB_WORKSPACE": str(workspace),
        "GITHUB_OUTPUT": str(place / "output"),
        "GITHUB_STEP_SUMMARY": str(place / "summary"),
        "GITHUB_EVENT_PATH": str(place / "event.json"),
        "GITHUB_EVENT_NAME": "workflow_run" if "workflow_run" in told else "pull_request",
        "GITHUB_API_URL": "http://127.0.0.1:9",  # nobody listens there
        "GITHUB_REPOSITORY": "octo/demo",
        "GITHUB_RUN_ID": "17",
        "GITHUB_RUN_NUMBER": "3",
        "GITHUB_RUN_ATTEMPT": "1",
        "GITHUB_ACTOR": "octocat",
        "GITHUB_SHA": MERGE,
    }
