"""`--offline`: the loopback world as a child process, ended with the run."""

from __future__ import annotations

import http.client
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

from gate.errors import ConfigError

HERE = "127.0.0.1"
"""Where the world listens."""
PATIENCE_S = 5.0
"""Seconds that the child gets to end by itself before it is killed."""
RUNNING = "GATE_WORLD"
"""Environment variable with the port of a world that runs already; unset, one is started."""


@dataclass(frozen=True)
class World:
    """Where the loopback world listens."""

    variant: str
    """Variant of the answering model, with faults."""
    gemini: str
    """Base URL of the stand-in for Gemini."""
    claude: str
    """Base URL of the stand-in for Claude."""
    hosts: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Host of each of its pages -> the address and port that stand for it."""


@contextmanager
def loopback_world(
    variant: str, meanwhile: Callable[[], None], running: str | None = None
) -> Iterator[World]:
    """Start the world and end it again; do `meanwhile` while it starts.

    `running` is the port of a world on this machine that shall answer instead and is left alone:
    its memory outlives this process. Raises ConfigError for a variant that it does not know.

    The child ends when its standard input closes, so it does not outlive us even after SIGKILL.
    """
    if running is not None:
        meanwhile()
        yield _running(variant, running)
        return
    # Nothing of the folder that we work in is imported, in the child as little as in us.
    care = "-I" if sys.flags.isolated else "-P"
    command = [sys.executable, care, "-m", "gate.loopback", "--variant", variant]
    with subprocess.Popen(  # noqa: S603 - our own module, our own interpreter
        command,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # In a group of its own, so that Ctrl-C is the run's alone: the world ends after it.
        process_group=0,
    ) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        assert child.stderr is not None
        try:
            meanwhile()
            first = child.stdout.readline()
            if not first:
                said = child.stderr.read().strip().splitlines()
                raise ConfigError(
                    f"--offline={variant}: "
                    + (said[-1] if said else "the loopback world did not start")
                )
            address = json.loads(first)
            yield _world(variant, address["port"])
        finally:
            child.stdin.close()
            try:
                child.wait(PATIENCE_S)
            except subprocess.TimeoutExpired:
                child.kill()


def _running(variant: str, port: str) -> World:
    try:
        return _world(variant, int(port))
    except (ValueError, OSError, http.client.HTTPException) as error:
        raise ConfigError(
            f"{RUNNING}={port}: no loopback world answers on that port of {HERE}: start one with "
            "`python -m gate.loopback --port PORT`, or unset it"
        ) from error


def _world(variant: str, port: int) -> World:
    base = f"http://{HERE}:{port}"
    hosts = dict.fromkeys(_hosts(port), (HERE, port))
    return World(variant=variant, gemini=base, claude=base, hosts=hosts)


def _hosts(port: int) -> list[str]:
    """Ask the world for the hosts of its pages."""
    with closing(http.client.HTTPConnection(HERE, port, timeout=PATIENCE_S)) as connection:
        connection.request("GET", "/_world/hosts")
        hosts: list[str] = json.load(connection.getresponse())["hosts"]
        return hosts
