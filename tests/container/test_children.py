"""Foreign code in the action's container reads and writes nothing of the judge's."""

from __future__ import annotations

import json
import os
import shutil
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.container.engine import RUNNERS_UID, run_quietly

ACTION = """
name: probe
description: runs a program in the image in the action's place
runs:
  using: docker
  image: Dockerfile
  entrypoint: /opt/gate/bin/python
  args: ["-I", "/github/workspace/probe.py"]
inputs:
  github-token: {description: a token, default: "${{ github.token }}"}
"""


@pytest.fixture(scope="module")
def told(image: str, root: Path, tools: Path, tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What the probe could read, run by the runner's contract with the engine's socket."""
    folder = tmp_path_factory.mktemp("action")
    workspace = folder / "workspace"
    (workspace / "evals").mkdir(parents=True)
    shutil.copy(root / "evals" / "cases.yaml", workspace / "evals")
    shutil.copy(root / "tests" / "container" / "probe.py", workspace)
    (workspace / "gha-creds-0123.json").write_text('{"canary": 1}', "utf-8")
    for path in (workspace, *workspace.rglob("*")):
        os.chown(path, RUNNERS_UID, RUNNERS_UID)
    (folder / "action.yml").write_text(ACTION, "utf-8")
    (folder / "event.json").write_text('{"pull_request": {"number": 7}}', "utf-8")
    engine = os.environ.get("DOCKER_HOST", "unix:///var/run/docker.sock").removeprefix("unix://")

    done = run_quietly(
        *(sys.executable, str(tools / "run_action.py"), str(folder), "--image", image),
        *("--workspace", str(workspace), "--event", str(folder / "event.json")),
        *("--env", "GOOGLE_APPLICATION_CREDENTIALS=/github/workspace/gha-creds-0123.json"),
        *("--run-opt=-v", f"--run-opt={engine}:/var/run/docker.sock"),
        *("--json", str(folder / "out.json")),
    )

    assert 0 == done.returncode, done.stdout + done.stderr
    return json.loads(json.loads((folder / "out.json").read_text("utf-8"))["log"].splitlines()[-1])


@pytest.mark.parametrize(
    "what",
    [
        *("environment of process 1", "command files", "event", "home", "engine", "environment"),
        *("credentials of checkout", "credentials of the cloud", "cases and labels"),
        *("writes a command", "strays"),
    ],
)
def test_child__gets_nothing(told: Any, what: str) -> None:
    """What we can read, which shows that it is there, the child cannot."""
    ours, childs = told["tried"][what]

    assert 0 < ours
    assert 0 == childs


def test_child__no_warning(told: Any) -> None:
    """In the action we are root, so nothing needs to be said."""
    assert told["warning"] is None
