"""`python -m gate.action` is the entry of the container.

Without words it is the action of a workflow, which reads its inputs from the environment; with
words it is `gate` with those words, so that `docker run IMAGE run --offline` does what it says.
"""

from __future__ import annotations

import sys

from gate.cli import main
from gate.cli.signals import Signals

__all__ = ["enter"]


def enter() -> None:
    """Run the action or the command line; signals are looked after before all else is imported."""
    if sys.argv[1:]:
        main()
    signals = Signals()
    signals.install()
    from gate.cli.action import run_action  # noqa: PLC0415 - a signal may come while it is imported

    run_action(signals)


if __name__ == "__main__":
    enter()
