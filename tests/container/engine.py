"""Runs containers by the command line of the engine, as people and runners do."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn
from uuid import uuid4

import pytest

from tests.gate_cli import copy_of_repository

HARDENED = ("--network", "none", "--read-only", "--cap-drop", "ALL")
"""What a replay needs not."""
ASKED_FOR = "GATE_CONTAINER"
"""Environment variable that says: nothing of this folder may be skipped."""
RUNNERS_UID = 1001
"""The user of a hosted runner, whose files are mounted."""


def absent(what: str) -> NoReturn:
    """Skip the test, or fail it where the container tests were asked for."""
    if os.environ.get(ASKED_FOR):
        pytest.fail(f"{what} ({ASKED_FOR} is set)")
    pytest.skip(what)


def run_quietly(*words: str, timeout: float = 120) -> subprocess.CompletedProcess[str]:
    """Run a program and keep what it says."""
    return subprocess.run(
        words, capture_output=True, text=True, encoding="utf-8", timeout=timeout, check=False
    )


@dataclass(frozen=True)
class Running:
    """A container that runs in the background."""

    name: str
    """Its name."""

    def signal(self, name: str) -> None:
        """Send a signal to its first process, as a runner does."""
        run_quietly("docker", "kill", "--signal", name, self.name)

    def end(self, patience_s: float) -> tuple[int, str]:
        """Wait for its end, and return its exit code and all that it said."""
        try:
            code = run_quietly("docker", "wait", self.name, timeout=patience_s).stdout
        except subprocess.TimeoutExpired:
            pytest.fail(f"it did not end within {patience_s} s")
        finally:
            said = run_quietly("docker", "logs", self.name)
            run_quietly("docker", "rm", "--force", self.name)
        return int(code), said.stdout + said.stderr


class Engine:
    """The engine that DOCKER_HOST names, or the default one."""

    def build(self, folder: Path, tag: str, *words: str) -> None:
        """Build an image as a runner does: the context is the Dockerfile's folder."""
        done = run_quietly("docker", "build", "-t", tag, *words, str(folder), timeout=900)
        assert 0 == done.returncode, done.stdout[-3000:] + done.stderr[-3000:]

    def run(
        self, image: str, *words: str, options: tuple[str, ...] = (), folder: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a container to its end; `folder` is mounted and worked in, as people are told to."""
        return run_quietly("docker", "run", "--rm", *_mount(folder), *options, image, *words)

    def start(self, image: str, *words: str, folder: Path) -> Running:
        """Start a container in the background."""
        name = f"kappagate-{uuid4().hex[:12]}"
        done = run_quietly("docker", "run", "-d", "--name", name, *_mount(folder), image, *words)
        assert 0 == done.returncode, done.stderr
        return Running(name)

    def python(self, image: str, code: str) -> str:
        """Run Python in the image, past its entry point, and return what it prints."""
        entry = ("--entrypoint", "/opt/gate/bin/python")
        done = self.run(image, "-I", "-c", code, options=entry)
        assert 0 == done.returncode, done.stderr
        return done.stdout


def _mount(folder: Path | None) -> tuple[str, ...]:
    return () if folder is None else ("-v", f"{folder}:/work", "-w", "/work")


def wait_until(so: Callable[[], bool], patience_s: float = 60) -> None:
    """Wait until something is so."""
    until = time.monotonic() + patience_s
    while not so():
        if time.monotonic() > until:
            pytest.fail(f"it is not so after {patience_s} s")
        time.sleep(0.02)


def wait_for(there: Path, lines: int, patience_s: float = 60) -> None:
    """Wait until a file has so many lines."""
    until = time.monotonic() + patience_s
    while time.monotonic() < until:
        if there.exists() and there.read_bytes().count(b"\n") >= lines:
            return
        time.sleep(0.02)
    pytest.fail(f"{there.name} has no {lines} lines after {patience_s} s")


def checkout(root: Path, parent: Path) -> Path:
    """Make a folder with the files of a gate, as a runner's user has it."""
    folder = parent / "workspace"
    folder.mkdir()
    copy_of_repository(root, folder)
    run_quietly("chown", "-R", f"{RUNNERS_UID}:{RUNNERS_UID}", str(folder))
    return folder
