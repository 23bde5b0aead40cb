"""One step of a job: the image run by the runner's contract, with GitHub's stand-in beside it."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.container.engine import wait_until
from tests.loopback.github_world import Hub
from tests.surfaces import Told, read_verdict


@dataclass(frozen=True)
class Job:
    """A job that an event started: it has a workspace of its own."""

    tools: Path
    """Where the program is that stands in for a runner."""
    action: Path
    """The folder of action.yml."""
    image: str
    """The image in the place of the published one."""
    workspace: Path
    """Its checkout."""
    hub: Hub
    """Where its pull request is."""
    event: dict[str, Any]
    """The event."""

    def step(self, **inputs: str) -> Told:
        """Run the action to its end; a name's `_` stands for `-`."""
        with self._runner(inputs) as runner:
            log, _ = runner.communicate(timeout=240)
        return self._told(log)

    def interrupted(self, when: Callable[[], bool], **inputs: str) -> tuple[Told, float]:
        """Cancel the job when something is so, as a runner does; return the seconds that it took.

        SIGINT goes to the engine's client, which hands it on; SIGTERM follows after 7.5 s.
        """
        with self._runner(inputs) as runner:
            wait_until(when)
            client = _child(runner.pid)
            os.kill(client, signal.SIGINT)
            since = time.monotonic()
            try:
                log, _ = runner.communicate(timeout=7.5)
            except subprocess.TimeoutExpired:
                os.kill(client, signal.SIGTERM)
                log, _ = runner.communicate(timeout=60)
        return self._told(log), time.monotonic() - since

    def answered(self, answers: int) -> bool:
        """Whether so many answers are there."""
        results = self.workspace / "gate-out" / "results.jsonl"
        return results.exists() and results.read_bytes().count(b"\n") >= answers

    def _runner(self, inputs: dict[str, str]) -> subprocess.Popen[str]:
        place = self.workspace.parent
        (place / "event.json").write_text(json.dumps(self.event), "utf-8")
        shutil.copy(self.action / "action.yml", place)
        given = [f"--input={name.replace('_', '-')}={value}" for name, value in inputs.items()]
        # The runner's variables come last and win over `--env`, so the engine's own option is used.
        address = f"--run-opt=GITHUB_API_URL={self.hub.url}"
        return subprocess.Popen(
            [
                *(sys.executable, str(self.tools / "run_action.py"), str(place)),
                *("--image", self.image, "--workspace", str(self.workspace)),
                *("--event", str(place / "event.json"), "--event-name", "pull_request"),
                *("--repository", self.event["repository"]["full_name"], "--network", "host"),
                *("--run-opt=-e", address, "--json", str(place / "out.json"), *given),
            ],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            encoding="utf-8",
        )

    def _told(self, log: str) -> Told:
        out = json.loads((self.workspace.parent / "out.json").read_text("utf-8"))
        assert [] == out["errors"] + out["issues"] + out["undeclared_outputs"], log
        folder = self.workspace / "gate-out"
        statuses = self.hub.memory.statuses
        return Told(
            out["exit_code"],
            out["outputs"],
            out["summary"],
            self.hub.bodies(),
            statuses[-1] if statuses else None,
            folder,
            "\n".join(one["message"] for one in out["annotations"] if one["level"] == "warning"),
            read_verdict(folder),
        )


def _child(process: int) -> int:
    """Return the only child of a process."""
    (child,) = Path(f"/proc/{process}/task/{process}/children").read_text("ascii").split()
    return int(child)
