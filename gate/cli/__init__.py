"""The command line: commands, exit codes, the environment, and the one `asyncio.run`.

Commands are imported when they are called, so that `gate --help` starts at once.
"""

from __future__ import annotations

from gate.cli.main import main

__all__ = ["main"]
