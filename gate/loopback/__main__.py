"""`python -m gate.loopback`: the world as a program of its own.

It prints one line of JSON with its address when it is ready, and ends when its standard input
closes or on SIGTERM, so that it never outlives whoever started it. With GATE_WORLD_LEDGER set it
adds a line for every vendor request to that file.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import json
import os
import signal
import sys
import threading
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from gate.loopback.faults import FAULTS
from gate.loopback.github import PREFIX
from gate.loopback.github_faults import GITHUB_FAULTS
from gate.loopback.ledger import Ledger
from gate.loopback.server import serve
from gate.loopback.settings import WorldSettings, read_settings
from gate.loopback.variants import VARIANTS

LEDGER = "GATE_WORLD_LEDGER"
"""Environment variable: file of the vendors' own books."""
_STDIN = 0
_CHUNK = 4096


def main(arguments: Sequence[str]) -> int:
    """Serve until told to stop; exit code 2 for settings that do not exist."""
    options = _parser().parse_args(arguments)
    try:
        settings = read_settings(options.variant, delay_ms=options.delay_ms)
    except ValueError as error:
        sys.stderr.write(f"{error}\n")
        return 2
    asyncio.run(_run(settings, options.port))
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m gate.loopback",
        description="A stand-in for both vendors and GitHub: it shows the mechanism only.",
        epilog=(
            f"Variants: {', '.join(VARIANTS)}. Faults: {', '.join((*FAULTS, *GITHUB_FAULTS))}, "
            "storm:PERCENT%:SEED. "
            "Example: --variant flaky:17+judge-503-once"
        ),
    )
    parser.add_argument("--variant", default="steady", metavar="NAME[:SEED][@MODEL][+FAULT...]")
    parser.add_argument("--port", type=int, default=0, help="0 takes a free one")
    parser.add_argument("--delay-ms", type=int, default=0, help="least time of a vendor call")
    return parser


async def _run(settings: WorldSettings, port: int) -> None:
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    for signum in (signal.SIGTERM, signal.SIGINT):
        loop.add_signal_handler(signum, stop.set)
    threading.Thread(target=_watch_stdin, args=(loop, stop), daemon=True).start()
    where = os.environ.get(LEDGER)
    ledger = None if where is None else Ledger(Path(where))
    async with serve(settings, port, ledger) as address:
        line = {
            "port": address.port,
            "gemini": address.url,
            "claude": address.url,
            "pages": f"{address.url}/pages/",
            "github": f"{address.url}{PREFIX}",
            "variant": settings.variant,
            "seed": settings.seed,
            "faults": list(settings.faults),
            "storm": None if settings.storm is None else asdict(settings.storm),
        }
        sys.stdout.write(json.dumps(line) + "\n")
        sys.stdout.flush()
        await stop.wait()


def _watch_stdin(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Stop the world when standard input ends; unbuffered, so that no lock is held at exit."""
    with contextlib.suppress(OSError):  # no standard input at all is the same as a closed one
        while os.read(_STDIN, _CHUNK):
            pass
    with contextlib.suppress(RuntimeError):  # the loop has ended already
        loop.call_soon_threadsafe(stop.set)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
