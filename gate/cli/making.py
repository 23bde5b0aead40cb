"""A request made, against the loopback world where one is asked for."""

from __future__ import annotations

import os
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import replace

from gate.cli.offline import RUNNING, loopback_world
from gate.cli.request import Request, Wish
from gate.cli.running import Hands, make_run
from gate.wiring import load_sdks, vendors_in_turn


def make_in_world(request: Request, wish: Wish, env: Mapping[str, str], hands: Hands) -> None:
    """Make the run; with `--offline` the world starts before it and ends after it.

    Raises what `make_run` raises, and ConfigError for a world that does not start.
    """
    # Without it, missing credentials cost seconds of knocking at a metadata server.
    os.environ.setdefault("NO_GCE_CHECK", "true")
    with ExitStack() as stack:
        if wish.offline is not None:
            judge = request.config.judge if request.scorers else None
            first, later = vendors_in_turn(request.targets, judge)
            running = env.get(RUNNING)
            # While a world starts there is time for all of them.
            vendors = first if running is not None else (*first, *later)
            world = loopback_world(wish.offline, lambda: load_sdks(vendors), running)
            request = replace(request, world=stack.enter_context(world))
        make_run(request, hands)
