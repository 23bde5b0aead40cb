"""The command line: commands, exit codes, the environment, and the one `asyncio.run`.

Commands are imported when they are called, so that `gate --help` starts at once.
"""

from __future__ import annotations

from typing import NoReturn

from gate.cli.signals import Signals

__all__ = ["main"]


def main() -> NoReturn:
    """Run the command line; signals are looked after before anything else is imported."""
    signals = Signals()
    signals.install()
    from gate.cli.main import run  # noqa: PLC0415 - a signal may come while it is imported

    run(signals)
