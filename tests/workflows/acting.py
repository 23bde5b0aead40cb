"""Runs a workflow with `act`, against the stand-in for GitHub, as near to a runner as there is.

What it does not do: environments, permissions and concurrency are passed by.
"""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.gate_cli import copy_of_repository
from tests.loopback.github_world import ACTIONS, REPOSITORY, Hub

STUBS = Path(__file__).parent / "stubs"
OURS = "OWNER/kappagate@v1"
PINNED = f"OWNER/kappagate@{'0' * 40}"
CHECKOUT = "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd"
UPLOAD = "actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f"
HEAD, BASE = "1" * 40, "2" * 40


@dataclass(frozen=True)
class Repository:
    """A repository with the files of a gate, on a GitHub."""

    folder: Path
    """Where it is."""
    action: Path
    """The action, its image built."""
    image: str
    """Image of a job."""
    hub: Hub
    """Where its pull requests are."""

    def run(self, workflow: str, event: dict[str, Any], name: str = "pull_request") -> str:
        """Let an event start a workflow, and return its log; ended jobs are told in it."""
        (self.folder / "event.json").write_text(json.dumps(event), "utf-8")
        act, place = Path(sys.executable).with_name("act"), self.folder.parent
        mounts = f"-v {place}/artifacts:/artifacts -v {place}/trees:/trees"
        done = subprocess.run(
            [
                *(act, name, "-W", f".github/workflows/{workflow}", "--actor", "maint"),
                *("-e", "event.json", "-P", f"ubuntu-24.04={self.image}", "--rm"),
                *("--pull=false", "--action-offline-mode", "--no-cache-server"),
                *("-s", f"GITHUB_TOKEN={ACTIONS}", "--env", f"GITHUB_API_URL={self.hub.url}"),
                *("--container-options", mounts),
                *("--local-repository", f"{PINNED}={self.action}"),
                *("--local-repository", f"{CHECKOUT}={STUBS / 'checkout'}"),
                *("--local-repository", f"{UPLOAD}={STUBS / 'upload'}"),
            ],
            cwd=self.folder,
            capture_output=True,
            text=True,
            encoding="utf-8",
            timeout=300,
            check=False,
        )
        return done.stdout + done.stderr


def labelled(label: str, sender: str = "maint", head: str = HEAD) -> dict[str, Any]:
    """The event of a label on pull request 7."""
    return {
        "action": "labeled",
        "number": 7,
        "label": {"name": label},
        "sender": {"login": sender},
        "pull_request": {
            "number": 7,
            "head": {"sha": head, "ref": "change", "repo": {"full_name": REPOSITORY}},
            "base": {"sha": BASE, "ref": "main"},
        },
        "repository": {"full_name": REPOSITORY, "default_branch": "main"},
    }


def make_repository(
    root: Path, parent: Path, *, action_image: str, job_image: str, hub: Hub, variant: str
) -> Repository:
    """Make the repository; the loopback world's `variant` answers in the vendors' place."""
    folder = parent / "repository"
    workflows = folder / ".github" / "workflows"
    workflows.mkdir(parents=True)
    (parent / "artifacts").mkdir()
    for template in (root / "gate" / "cli" / "workflows").glob("*.yml"):
        text = template.read_text("utf-8").replace(OURS, PINNED)
        # The one change: who answers, and how many are asked.
        stood_in = f'offline: {variant}\n          scorers: quick\n          sample: "13"'
        text = text.replace('max-cost: "5"', stood_in).replace('RUN_EVALS: "1"', 'RUN_EVALS: "0"')
        (workflows / template.name).write_text(text, "utf-8")
    for tree in ("base", "candidate"):
        (parent / "trees" / tree).mkdir(parents=True)
        copy_of_repository(root, parent / "trees" / tree)
    action = parent / "action"
    action.mkdir()
    text = (root / "action.yml").read_text("utf-8")
    assert "image: Dockerfile" in text
    (action / "action.yml").write_text(
        text.replace("image: Dockerfile", f"image: docker://{action_image}"), "utf-8"
    )
    for words in (
        ("init", "-q", "-b", "main"),
        ("remote", "add", "origin", f"https://github.com/{REPOSITORY}.git"),
        ("add", ".github"),
        ("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return Repository(folder, action, job_image, hub)


def jobs(log: str) -> dict[str, bool]:
    """Whether each job that ran succeeded."""
    found = {}
    for line in log.splitlines():
        for word, good in (("Job succeeded", True), ("Job failed", False)):
            if word in line and "/" in line:
                found[line.partition("]")[0].rpartition("/")[2].strip()] = good
    return found
