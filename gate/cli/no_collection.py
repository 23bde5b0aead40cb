"""The search for circles, put off while there are none to find."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def no_collection() -> Iterator[None]:
    """Put off the search for circles, for what ends soon: circles made meanwhile stay till then.

    Among the cells of a run there are none, and walking over all of them again and again takes
    long.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()
