"""Runs a workflow with `act`, against the stand-in for GitHub, as near to a runner as there is.

What it does not do: environments, permissions and concurrency are passed by.
"""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.gate_cli import copy_of_repository
from tests.loopback.github_world import ACTIONS, REPOSITORY, Hub

STUBS = Path(__file__).parent / "stubs"
OURS = "OWNER/kappagate@v1"
PINNED = f"OWNER/kappagate@{'0' * 40}"
_CACHE = "actions/cache@9255dc7a253b0ccc959486e2bca901246202afeb"
_STUBBED = {
    "actions/checkout@de0fac2e4500dabe0009e67214ff5f5447ce83dd": "checkout",
    "actions/upload-artifact@b7c566a772e6b6bfb58ed0dc250532a479d7789f": "upload",
    "actions/download-artifact@37930b1c2abaa49bbe596cd826c3c89aef350131": "download",
    _CACHE: "cache",
}
"""Action -> the stub that takes its place."""
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

    @property
    def artifacts(self) -> Path:
        """Where the stubs keep artifacts."""
        return self.folder.parent / "artifacts"

    @property
    def caches(self) -> Path:
        """Where the stubs keep caches."""
        return self.folder.parent / "caches"

    def run(
        self,
        workflow: str,
        event: dict[str, Any],
        name: str = "pull_request",
        *,
        more: Sequence[str] = (),
    ) -> str:
        """Let an event start a workflow, and return its log; ended jobs are told in it.

        `more` are further words for `act`.
        """
        (self.folder / "event.json").write_text(json.dumps(event), "utf-8")
        act, place = Path(sys.executable).with_name("act"), self.folder.parent
        mounts = " ".join(f"-v {place}/{one}:/{one}" for one in ("artifacts", "trees", "caches"))
        stubs = [f"{action}={STUBS / stub}" for action, stub in _STUBBED.items()]
        done = subprocess.run(
            [
                *(act, name, "-W", f".github/workflows/{workflow}", "--actor", "maint"),
                *("-e", "event.json", "-P", f"ubuntu-24.04={self.image}", "--rm"),
                *("--pull=false", "--action-offline-mode", "--no-cache-server"),
                *("-s", f"GITHUB_TOKEN={ACTIONS}", "--env", f"GITHUB_API_URL={self.hub.url}"),
                *("--container-options", mounts),
                *(word for one in stubs for word in ("--local-repository", one)),
                *("--local-repository", f"{PINNED}={self.action}"),
                *more,
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
    """Make the repository; the loopback world's `variant` answers in the vendors' place.

    Of a variant `NAME@MODEL`, which is met with that model alone, the pull request changes to it.
    """
    folder = parent / "repository"
    workflows = folder / ".github" / "workflows"
    workflows.mkdir(parents=True)
    for template in (root / "gate" / "cli" / "workflows").glob("*.yml"):
        text = template.read_text("utf-8").replace(OURS, PINNED)
        (workflows / template.name).write_text(stood_in(text, variant), "utf-8")
    for tree in ("base", "candidate", "whole"):
        (parent / "trees" / tree).mkdir(parents=True)
        copy_of_repository(root, parent / "trees" / tree)
    change_model(parent / "trees" / "candidate", variant)
    merged(hub, commit(folder))
    return on_github(root, folder, action_image=action_image, job_image=job_image, hub=hub)


def merged(hub: Hub, sha: str) -> None:
    """Let GitHub know a commit as the one that it merged the head into the base with."""
    git = hub.memory.git
    git.commits[sha] = {**git.commits[git.begin(REPOSITORY, {})], "parents": [BASE, HEAD]}


def change_model(tree: Path, variant: str) -> None:
    """Let a pull request change to the model in which a world such as `wrong@MODEL` is bad."""
    model = variant.partition("@")[2]
    if model:
        file = tree / "gate.yaml"
        text = file.read_text("utf-8")
        file.write_text(text.replace("model: gemini-3.8-flash", f"model: {model}"), "utf-8")


def stood_in(text: str, variant: str) -> str:
    """Return a workflow in which the loopback world answers, and 13 cases are asked.

    That stands where the ceiling does, in each step that may pay. Nothing else is changed.
    """
    taken = {"collect": ("offline", "sample"), "judge": ("offline", "scorers")}
    said = {"offline": variant, "scorers": "quick", "sample": '"13"'}
    command, lines = "run", []
    for line in text.replace("          sample: full\n", "").splitlines():
        key, _, value = line.strip().partition(": ")
        if key in ("uses", "- uses"):
            command = "run"
        elif key == "command":
            command = value
        elif key == "RUN_EVALS":
            continue
        if key == "max-cost":
            lines += [f"          {one}: {said[one]}" for one in taken.get(command, said)]
        else:
            lines.append(line)
    return "\n".join([*lines, ""])


def on_github(
    root: Path, folder: Path, *, action_image: str, job_image: str, hub: Hub
) -> Repository:
    """Give a repository what it has on GitHub: places to keep things, and the action."""
    for one in ("artifacts", "caches", "action"):
        (folder.parent / one).mkdir()
    action = folder.parent / "action"
    text = (root / "action.yml").read_text("utf-8")
    assert "image: Dockerfile" in text
    (action / "action.yml").write_text(
        text.replace("image: Dockerfile", f"image: docker://{action_image}"), "utf-8"
    )
    return Repository(folder, action, job_image, hub)


def commit(folder: Path) -> str:
    """Make a git repository of a folder, and return its commit."""
    for words in (
        ("init", "-q", "-b", "main"),
        ("remote", "add", "origin", f"https://github.com/{REPOSITORY}.git"),
        ("add", "."),
        ("-c", "user.name=x", "-c", "user.email=x@example.org", "commit", "-qm", "x"),
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    told = subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    )
    return told.stdout.strip()


def jobs(log: str) -> dict[str, bool]:
    """Whether each job that ran succeeded."""
    found = {}
    for line in log.splitlines():
        for word, good in (("Job succeeded", True), ("Job failed", False)):
            if word in line and "/" in line:
                found[line.partition("]")[0].rpartition("/")[2].strip()] = good
    return found
