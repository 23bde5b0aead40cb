"""How long is it in the image from the start of a process to its first question to a model?

    docker run --rm -i -v "$PWD:/work" -w /work --entrypoint /opt/gate/bin/python IMAGE \
        -I - < bench/first_call.py

The stand-in runs already, as a vendor does. Clock and processor seconds: on a machine that others
use, the latter say more.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

PYTHON = (sys.executable, "-I", "-X", "utf8", "-m")
ROUNDS = 7
HERTZ = os.sysconf("SC_CLK_TCK")


def calls(port: int) -> int:
    """Calls that the stand-in has seen."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/_world/requests") as answer:
        return sum(row["count"] for row in json.load(answer)["requests"])


def first_call() -> tuple[float, float]:
    """Seconds by the clock, and of the processor, until the first call arrives."""
    with (
        tempfile.TemporaryDirectory() as out,
        subprocess.Popen(
            [*PYTHON, "gate.loopback"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        ) as world,
    ):
        assert world.stdout is not None
        Path(out).chmod(0o777)  # the gate becomes the owner of the folder that it works in
        port = json.loads(world.stdout.readline())["port"]
        began = time.perf_counter()
        with subprocess.Popen(
            [*PYTHON, "gate.cli.container", "run", "--offline", "--out", f"{out}/run"],
            env={**os.environ, "GATE_WORLD": str(port)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        ) as run:
            while not calls(port):
                assert run.poll() is None, "it ended without a call"
                time.sleep(0.005)
            wall = time.perf_counter() - began
            used = Path(f"/proc/{run.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
            run.kill()
        world.kill()
    return wall, (int(used[11]) + int(used[12])) / HERTZ


if __name__ == "__main__":
    for _ in range(ROUNDS):
        wall, used = first_call()
        print(f"{wall:.2f} s, processor {used:.2f} s")
