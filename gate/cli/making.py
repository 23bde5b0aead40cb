"""A request made, against the loopback world where one is asked for."""

from __future__ import annotations

import os
from contextlib import ExitStack
from dataclasses import replace

from gate.cli.offline import loopback_world
from gate.cli.request import Request, Wish
from gate.cli.running import Made, make_run
from gate.cli.signals import Signals
from gate.protocols import Progress
from gate.wiring import load_sdks, vendors_of


def make_in_world(request: Request, wish: Wish, progress: Progress, signals: Signals) -> Made:
    """Make the run; with `--offline` the world starts before it and ends after it.

    Raises what `make_run` raises, and ConfigError for a world that does not start.
    """
    # Without it, missing credentials cost seconds of knocking at a metadata server.
    os.environ.setdefault("NO_GCE_CHECK", "true")
    with ExitStack() as stack:
        if wish.offline is not None:
            judge = request.config.judge if request.scorers else None
            vendors = vendors_of(request.targets, judge)
            world = stack.enter_context(loopback_world(wish.offline, lambda: load_sdks(vendors)))
            request = replace(request, world=world)
        return make_run(request, progress, signals)
