"""A real engine and a real image, for the tests of this folder.

An engine that answers is used; without one the tests are skipped. `.ci/run` sets GATE_CONTAINER
where an engine must be there: then the absence of anything that they need is a failure.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.container.engine import Engine, absent, checkout, run_quietly


@pytest.fixture(scope="session")
def tools(root: Path) -> Path:
    """What stands in for a runner; set GATE_TOOLS where it lies elsewhere."""
    place = Path(os.environ.get("GATE_TOOLS", root.parent / "shared" / "tools"))
    if not place.is_dir():
        absent(f"no tools at {place}: set GATE_TOOLS")
    return place


@pytest.fixture(scope="session")
def engine() -> Engine:
    """The engine that DOCKER_HOST names."""
    if shutil.which("docker") is None or run_quietly("docker", "version").returncode:
        absent("no Docker engine answers: set DOCKER_HOST")
    return Engine()


@pytest.fixture(scope="session")
def image(engine: Engine, root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The image of this tree; its layers stay in the engine's cache."""
    tag = f"kappagate-test:{os.getpid()}"
    # Of several processes one builds, and the others find the layers.
    with (tmp_path_factory.getbasetemp().parent / "image.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        engine.build(root, tag)
    yield tag
    run_quietly("docker", "rmi", "--no-prune", tag)


@pytest.fixture
def workspace(root: Path, tmp_path: Path) -> Path:
    """The files of a gate, of a user that is neither root nor we."""
    return checkout(root, tmp_path)
