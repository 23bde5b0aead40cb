"""The engine, the images and the program that runs workflows.

As with the tests of the image: skipped without an engine, a failure where GATE_CONTAINER is set.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.container.conftest import engine, image
from tests.container.engine import Engine, absent, run_quietly
from tests.workflows.acting import STUBS

__all__ = ["engine", "image"]


@pytest.fixture(scope="session")
def job_image(engine: Engine) -> Iterator[str]:
    """The image that jobs run in."""
    if not Path(sys.executable).with_name("act").exists():
        absent("no act: `make .venv/.ready-dev` installs it")
    tag = f"kappagate-job:{os.getpid()}"
    engine.build(STUBS / "image", tag)
    yield tag
    run_quietly("docker", "rmi", "--no-prune", tag)
