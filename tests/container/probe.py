"""Runs in the image in the action's place: a child tries to read what is the judge's alone.

Prints one line of JSON: attempt -> what we, as root, and what the child could read of it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

from gate.cli.container import RUNNERS, close_to_others
from gate.wire.process import Command, Outcome, Processes

GLOBS = {
    "environment of process 1": ["/proc/1/environ"],
    "command files": ["/github/file_commands/*"],
    "event": ["/github/workflow/*"],
    "home": ["/github/home/*"],
    "credentials of checkout": ["/github/runner_temp/*.config"],
    "credentials of the cloud": ["/github/workspace/gha-creds-*.json"],
    "cases and labels": ["/github/workspace/evals/*.yaml"],
}
READ = "cat {} 2>/dev/null | wc -c"
OURS = "^(ACTIONS|GITHUB|INPUT|RUNNER|GOOGLE)_"
SOCKET = """
import socket
try:
    socket.socket(socket.AF_UNIX).connect("/var/run/docker.sock")
    print(1)
except OSError:
    print(0)
"""


ATTEMPTS = {
    "writes a command": ("sh", "-c", "echo A=b >> $(ls /github/file_commands/set_o*) && echo 1"),
    **{what: ("sh", "-c", READ.format(" ".join(globs))) for what, globs in GLOBS.items()},
    "engine": ("/opt/gate/bin/python", "-I", "-c", SOCKET),
    "environment": ("sh", "-c", f"env | grep -E '{OURS}' | wc -c"),
}


async def main() -> None:
    """Try everything twice."""
    close_to_others(RUNNERS)
    processes = Processes(os.environ)
    tried = {
        what: [await says(None, words), await says(processes, words)]
        for what, words in ATTEMPTS.items()
    }
    sleeper = await says(processes, ("sh", "-c", "setsid sleep 99 & echo $!"))
    tried["strays"] = [int(os.getpid() == 1), int(lives(sleeper))]
    sys.stdout.write(json.dumps({"tried": tried, "warning": processes.warning}) + "\n")


def lives(pid: int) -> bool:
    """Whether there is such a process."""
    return Path(f"/proc/{pid}").exists()


async def says(processes: Processes | None, words: tuple[str, ...]) -> int:
    """The number that a program says, run as root in our place or as a child; 0 for none."""
    if processes is None:
        program = await asyncio.create_subprocess_exec(
            *words, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.DEVNULL
        )
        return int((await program.communicate())[0] or 0)
    done: Outcome = await processes.run_to_end(Command(words, Path("/")))
    return int(done.stdout or 0)


if __name__ == "__main__":
    for canary in ("/github/home/canary", "/github/runner_temp/canary.config"):
        Path(canary).write_text("canary", "utf-8")
    asyncio.run(main())
